"""What authors tell the compiler in comments: `skillc: ignore[CODE] reason` (SPEC 16.3).

A comment of Markdown or YAML that begins with `skillc:` is a directive. It is never part of what a
model reads. In fences, code spans and quoted text it is text like any other.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from skillc.diagnostic import CODES, Code, Diagnostic, Severity, find_code, finding
from skillc.later import later
from skillc.resemblance import closest
from skillc.source.document import Document, YamlFile
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.text import Source, Span
from skillc.value import replace, value
from skillc.wording import say

_WORD = "skillc:"
_MARKED = later("#[ \t]*[sS\u017f]")
_NAMED = later("skillc", re.IGNORECASE)
_OPENING = later(r"<!--\s*(?=skillc)", re.IGNORECASE)
_HASH = later(r"(?<![^\s])#+[ \t]*(?=skillc)", re.IGNORECASE)
_HEADING = later(r"^ {0,3}#+[ \t]+(?=skillc)", re.IGNORECASE | re.MULTILINE)
_IGNORE = later(
    r"\s*(?P<word>ignore(?:-file)?)\s*\[(?P<codes>[^\]]*)\]\s*(?:[:：—–-]\s*)?(?P<reason>.*)", re.DOTALL
)
_NAME = later(r"[^,，\s][^,，]*")
_FORM = say("write `skillc: ignore[CODE] reason`, or `ignore-file[CODE] reason` for the whole file")


@value
class Directive:
    """A comment that suppresses findings of `codes`, each with its place, in the lines `first` to `last`.

    `last` is None for the whole file. `faults` say what is wrong with the directive itself.
    """

    span: Span
    codes: tuple[tuple[Code, Span], ...]
    first: int
    last: int | None
    reason: str = ""
    faults: tuple[Diagnostic, ...] = ()


@value
class _Comment:
    """A comment that begins with our name, in any case; `said` is what stands in it."""

    span: Span
    said: Span

    @property
    def is_directive(self) -> bool:
        return self.said.text.startswith(_WORD)


def document_directives(document: Document) -> tuple[Directive, ...]:
    """The directives of a Markdown file, those of its frontmatter first."""
    if _WORD not in document.source.text:
        return ()
    front = _yaml_comments(document.front_span, document.front)
    return (*_read_all(front, _below_in_yaml), *_read_all(_comments(document), _below_in_markdown))


def file_directives(file: YamlFile) -> tuple[Directive, ...]:
    """The directives of a YAML file; JSON has no comments."""
    if _WORD not in file.source.text or file.source.path.endswith(".json"):
        return ()
    return _read_all(_yaml_comments(file.source.span(0, len(file.source.text)), file.root), _below_in_yaml)


def bad_directives(read: Document | YamlFile) -> Iterator[Diagnostic]:
    """bad-suppression for what is no directive or a mistyped one, names no code, an unknown one or one that nobody
    can suppress, or gives no reason."""
    text = read.source.text
    if not _may_speak(text) or not _NAMED.search(text) or read.source.path.endswith(".json"):
        return
    from skillc.source.directive_slips import slip

    if isinstance(read, YamlFile):
        found = file_directives(read)
        comments = _yaml_comments(read.source.span(0, len(text)), read.root)
    else:
        found = document_directives(read)
        comments = [*_yaml_comments(read.front_span, read.front), *_comments(read)]
        yield from _headings(read)
    for directive in found:
        yield from directive.faults
    for comment in comments:
        said = None if comment.is_directive else slip(comment.span, comment.said.text)
        if said:
            yield said


def _may_speak(text: str) -> bool:
    """Whether some comment may begin with our name: this is looked for in each file, and the name itself is slow to
    find, since any case of it counts."""
    return "<!--" in text or _MARKED.search(text) is not None


def without_directives(document: Document) -> Document:
    """The document, no tag being mentioned in the reasons of its directives."""
    spans = [directive.span for directive in document_directives(document)]
    if not spans:
        return document
    inside = _within(spans)
    kept = tuple([mention for mention in document.mentions if not inside(mention.text.span.start)])
    return replace(document, find_mentions=lambda: kept)


def spoken(document: Document, start: int, end: int) -> str:
    """The text from `start` to `end` as a model reads it: all but the directives, each with its line when alone."""
    text, at, parts = document.source.text, start, []
    for comment in _comments(document) if _WORD in text else ():
        span = comment.span
        if not comment.is_directive or span.start < start or span.end > end:
            continue
        first, last = _cut(text, span.start, span.end)
        parts.append(text[at : max(at, first)])
        at = max(at, last)
    return "".join(parts) + text[at:end]


def _cut(text: str, start: int, end: int) -> tuple[int, int]:
    """What goes with a comment: its whole line, or the blanks before it."""
    line = text.rfind("\n", 0, start) + 1
    below = text.find("\n", end)
    below = len(text) if below < 0 else below + 1
    if not text[line:start].strip() and not text[end:below].strip():
        return line, below
    return start - (len(text[line:start]) - len(text[line:start].rstrip(" \t"))), end


def removal(directive: Directive) -> Span:
    """What to remove so that a directive is gone and nothing else changes."""
    source = directive.span.source
    return source.span(*_cut(source.text, directive.span.start, directive.span.end))


def _comments(document: Document) -> list[_Comment]:
    """The comments of a body that begin with our name, those in code left out."""
    source, body = document.source, document.body
    found = list(_html(source, body.start, body.end))
    if not found:
        return []
    in_code = _code_of(document)
    return [comment for comment in found if not in_code(comment.span.start)]


def _html(source: Source, start: int, end: int) -> Iterator[_Comment]:
    done = start
    for match in _OPENING.finditer(source.text, start, end):
        if match.start() >= done:
            close = source.text.find("-->", match.end(), end)
            if close < 0:
                return
            done = close + 3
            yield _Comment(source.span(match.start(), done), source.span(match.end(), close))


def _headings(document: Document) -> Iterator[Diagnostic]:
    """A comment of YAML in a body is a heading, which the model reads."""
    source, body = document.source, document.body
    found = list(_HEADING.finditer(source.text, body.start, body.end))
    in_code = _code_of(document) if found else None
    for match in found:
        from skillc.source.directive_slips import heading_slip

        end = source.text.find("\n", match.end(), body.end)
        span = source.span(match.start(), end if end >= 0 else body.end)
        if in_code and not in_code(match.start()):
            yield from filter(None, [heading_slip(span, source.text[match.end() : span.end])])


def _code_of(document: Document) -> Callable[[int], bool]:
    """Tells of a place in the body whether it is code: in a block of it, or in a span."""
    source = document.source
    lines = _code_lines(source, document.body.start, document.body.end)
    in_span = _within(mention.text.span for mention in document.mentions)
    return lambda at: in_span(at) or source.position(at)[0] in lines


@lru_cache(maxsize=8)
def _code_lines(source: Source, start: int, end: int) -> frozenset[int]:
    """The lines of a body that are blocks of code; one reading of a file asks for them several times."""
    from skillc.source.commonmark import parser

    first = source.position(start)[0]
    tokens = [t for t in parser().parse(source.text[start:end]) if t.type in ("fence", "code_block")]
    return frozenset(first + line for token in tokens for line in range(*(token.map or (0, 0))))


def _yaml_comments(region: Span, root: Node | None) -> list[_Comment]:
    source = region.source
    found = list(_HASH.finditer(source.text, region.start, region.end))
    if not found:
        return []
    in_text = _within(_scalars(root)) if root is not None else None
    comments = []
    for match in found:
        if in_text is None or not in_text(match.start()):
            end = source.text.find("\n", match.end(), region.end)
            end = end if end >= 0 else region.end
            comments.append(_Comment(source.span(match.start(), end), source.span(match.end(), end)))
    return comments


def _scalars(node: Node) -> Iterator[Span]:
    if isinstance(node, Scalar):
        yield node.span
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _scalars(item)
    elif isinstance(node, Mapping):
        for _, value in node.entries:
            yield from _scalars(value)


def _within(spans: Iterable[Span]) -> Callable[[int], bool]:
    """Tells of a place whether one of `spans`, which do not overlap, covers it."""
    ranges = sorted((span.start, span.end) for span in spans)
    starts = [start for start, _ in ranges]

    def covered(at: int) -> bool:
        number = bisect_right(starts, at) - 1
        return number >= 0 and at < ranges[number][1]

    return covered


Below = Callable[[int], tuple[int, int]]
"""From a line to the lines below that a comment alone in it means; itself when there are none."""


def _read_all(comments: Iterable[_Comment], below_in: Callable[[Source], Below]) -> tuple[Directive, ...]:
    found = [comment for comment in comments if comment.is_directive]
    if not found:
        return ()
    below = below_in(found[0].span.source)
    return tuple(_read(comment, below) for comment in found)


def _read(comment: _Comment, below: Below) -> Directive:
    span, source, said = comment.span, comment.span.source, comment.said.text
    written = _IGNORE.fullmatch(said, len(_WORD))
    line = span.position[0]
    if written is None:
        from skillc.source.directive_slips import no_directive

        return Directive(span, (), line, line, faults=(no_directive(span, said, _FORM),))
    codes, faults = _codes(source, comment.said.start + written.start("codes"), written["codes"])
    reason = " ".join(written["reason"].split())
    if not reason:
        faults.append(_no_reason(span))
    if written["word"] == "ignore-file":
        return Directive(span, codes, 1, None, reason, tuple(faults))
    alone = not source.text[source.text.rfind("\n", 0, span.start) + 1 : span.start].strip()
    first, last = below(span.end_position[0]) if alone else (line, line)
    return Directive(span, codes, first, last, reason, tuple(faults))


def _codes(source: Source, start: int, text: str) -> tuple[tuple[tuple[Code, Span], ...], list[Diagnostic]]:
    codes: list[tuple[Code, Span]] = []
    faults: list[Diagnostic] = []
    for match in _NAME.finditer(text):
        name = match.group().rstrip()
        span = source.span(start + match.start(), start + match.start() + len(name))
        code = find_code(name)
        if code is None:
            faults.append(_unknown(name, span))
        elif keeps_from_reading(code):
            faults.append(_not_suppressible(code, span))
        else:
            codes.append((code, span))
    if not codes and not faults:
        span = source.span(start, start + len(text))
        faults.append(finding("bad-suppression", span, say("the suppression names no code"), _FORM))
    return tuple(codes), faults


def keeps_from_reading(code: Code) -> bool:
    """Whether a finding of `code` says that something was not read as it stands: form and tags, at error level.

    What is not read cannot be compiled, and no comment changes that.
    """
    return code.id[0] in "PT" and code.severity is Severity.ERROR


def _not_suppressible(code: Code, span: Span) -> Diagnostic:
    return finding(
        "bad-suppression",
        span,
        say("no comment suppresses `{slug}`: while it is there, no package is built", slug=code.slug),
        say("correct what it is about, and remove the suppression"),
    )


def _unknown(name: str, span: Span) -> Diagnostic:
    from skillc.source.directive_slips import short

    near = closest(name.lower(), CODES)
    help = (
        say("did you mean `{near}`?", near=near)
        if near
        else say("`skillc explain` lists the codes; a suppression names each one that it means")
    )
    return finding("bad-suppression", span, say("no finding is called `{name}`", name=short(name)), help)


def _no_reason(span: Span) -> Diagnostic:
    return finding(
        "bad-suppression",
        span,
        say("the suppression gives no reason"),
        say("say behind the bracket why the finding does not apply here"),
    )


def _below_in_yaml(source: Source) -> Below:
    """The first line below that is neither blank nor a comment."""
    return _below(source, lambda written: written.startswith("#"), False)


def _below_in_markdown(source: Source) -> Below:
    """The paragraph, list, table or heading below: from the next text to the next blank line."""
    return _below(source, _is_directive, True)


def _is_directive(written: str) -> bool:
    opening = _OPENING.match(written)
    return (
        opening is not None
        and written.startswith(_WORD, opening.end())
        and written.find("-->") == len(written) - 3
    )


def _below(source: Source, is_passed: Callable[[str], bool], whole_block: bool) -> Below:
    lines = [line.strip() for line in source.text.split("\n")]
    starts, ends = [0] * (len(lines) + 2), [0] * (len(lines) + 2)
    for number in range(len(lines), 0, -1):
        written = lines[number - 1]
        starts[number] = number if written and not is_passed(written) else starts[number + 1]
        is_last = not whole_block or number == len(lines) or not lines[number]
        ends[number] = number if is_last else ends[number + 1]

    def below(line: int) -> tuple[int, int]:
        start = starts[line + 1]
        return (start, ends[start]) if start else (line, line)

    return below
