"""What authors tell the compiler in comments: `skillc: ignore[CODE] reason` (SPEC 16.3).

A comment of Markdown or YAML that begins with `skillc:` is a directive. It is never part of what a
model reads. In fences, code spans and quoted text it is text like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches

from skillc.diagnostic import CODES, Code, Diagnostic, find_code, finding
from skillc.source.commonmark import parser
from skillc.source.document import Document, YamlFile
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.text import Source, Span
from skillc.wording import say

_IN_MARKDOWN = re.compile(r"<!--[ \t]*skillc:(.*?)-->", re.DOTALL)
_IN_YAML = re.compile(r"(?<![^\s])#[ \t]*skillc:(.*)$", re.MULTILINE)
_IGNORE = re.compile(
    r"\s*(?P<word>ignore(?:-file)?)\s*\[(?P<codes>[^\]]*)\]\s*(?:[:：—–-]\s*)?(?P<reason>.*)", re.DOTALL
)
_NAME = re.compile(r"[^,，\s][^,，]*")
_FORM = say("write `skillc: ignore[CODE] reason`, or `ignore-file[CODE] reason` for the whole file")


@dataclass(frozen=True, slots=True)
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

    def covers(self, line: int) -> bool:
        """Whether a finding that begins in `line` is meant."""
        return self.last is None or self.first <= line <= self.last


def document_directives(document: Document) -> tuple[Directive, ...]:
    """The directives of a Markdown file, those of its frontmatter first."""
    if "skillc:" not in document.source.text:
        return ()
    front = _yaml_directives(document.front_span, document.front)
    return (*front, *(_read(match, document.source, _block) for match in _comments(document)))


def file_directives(file: YamlFile) -> tuple[Directive, ...]:
    """The directives of a YAML file; JSON has no comments."""
    if "skillc:" not in file.source.text or file.source.path.endswith(".json"):
        return ()
    return _yaml_directives(file.source.span(0, len(file.source.text)), file.root)


def bad_directives(read: Document | YamlFile) -> Iterator[Diagnostic]:
    """bad-suppression for what is no directive, names no code, an unknown one, or gives no reason."""
    found = file_directives(read) if isinstance(read, YamlFile) else document_directives(read)
    for directive in found:
        yield from directive.faults


def without_directives(document: Document) -> Document:
    """The document, no tag being mentioned in the reasons of its directives."""
    spans = [directive.span for directive in document_directives(document)]
    if not spans:
        return document
    kept = [m for m in document.mentions if not any(s.start < m.text.span.start < s.end for s in spans)]
    return replace(document, mentions=tuple(kept))


def spoken(document: Document, start: int, end: int) -> str:
    """The text from `start` to `end` as a model reads it: all but the directives, each with its line when alone."""
    text, at, parts = document.source.text, start, []
    for match in _comments(document) if "skillc:" in text else ():
        if match.start() < start or match.end() > end:
            continue
        first, last = _cut(text, match.start(), match.end())
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


def _comments(document: Document) -> Iterator[re.Match[str]]:
    """The directives' comments in a body, those in code left out."""
    source, body = document.source, document.body
    found = list(_IN_MARKDOWN.finditer(source.text, body.start, body.end))
    if not found:
        return
    first = source.position(body.start)[0]
    tokens = [token for token in parser().parse(body.text) if token.type in ("fence", "code_block")]
    lines = {first + line for token in tokens for line in range(*(token.map or (0, 0)))}
    spans = [mention.text.span for mention in document.mentions]
    for match in found:
        in_code = any(span.start <= match.start() < span.end for span in spans)
        if not in_code and source.position(match.start())[0] not in lines:
            yield match


def _yaml_directives(region: Span, root: Node | None) -> tuple[Directive, ...]:
    found = list(_IN_YAML.finditer(region.source.text, region.start, region.end))
    if not found:
        return ()
    texts = list(_scalars(root)) if root is not None else []
    comments = (m for m in found if not any(s.start <= m.start() < s.end for s in texts))
    return tuple(_read(match, region.source, _next_line) for match in comments)


def _scalars(node: Node) -> Iterator[Span]:
    if isinstance(node, Scalar):
        yield node.span
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _scalars(item)
    elif isinstance(node, Mapping):
        for _, value in node.entries:
            yield from _scalars(value)


def _read(match: re.Match[str], source: Source, scope: Callable[[Source, int], tuple[int, int]]) -> Directive:
    span = source.span(match.start(), match.end())
    written = _IGNORE.fullmatch(match[1])
    line = span.position[0]
    if written is None:
        word = match[1].split("[")[0].strip() or "…"
        fault = finding(
            "bad-suppression", span, say("`skillc: {word}` is no directive", word=_short(word)), _FORM
        )
        return Directive(span, (), line, line, faults=(fault,))
    codes, faults = _codes(source, match.start(1) + written.start("codes"), written["codes"])
    reason = " ".join(written["reason"].split())
    if not reason:
        faults.append(_no_reason(span))
    if written["word"] == "ignore-file":
        return Directive(span, codes, 1, None, reason, tuple(faults))
    alone = not source.text[source.text.rfind("\n", 0, span.start) + 1 : span.start].strip()
    first, last = scope(source, span.end_position[0]) if alone else (line, line)
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
        else:
            codes.append((code, span))
    if not codes and not faults:
        span = source.span(start, start + len(text))
        faults.append(finding("bad-suppression", span, say("the suppression names no code"), _FORM))
    return tuple(codes), faults


def _unknown(name: str, span: Span) -> Diagnostic:
    near = get_close_matches(name.lower(), CODES, 1)
    help = (
        say("did you mean `{near}`?", near=near[0])
        if near
        else say("`skillc explain` lists the codes; a suppression names each one that it means")
    )
    return finding("bad-suppression", span, say("no finding is called `{name}`", name=_short(name)), help)


def _no_reason(span: Span) -> Diagnostic:
    return finding(
        "bad-suppression",
        span,
        say("the suppression gives no reason"),
        say("say behind the bracket why the finding does not apply here"),
    )


def _short(word: str, limit: int = 40) -> str:
    word = " ".join(word.replace("`", "").split())
    return word if len(word) <= limit else word[: limit - 1] + "…"


def _next_line(source: Source, line: int) -> tuple[int, int]:
    """The first line below that is neither blank nor a comment."""
    for number in range(line + 1, len(source.line_starts()) + 1):
        written = source.line(number).strip()
        if written and not written.startswith("#"):
            return number, number
    return line, line


def _block(source: Source, line: int) -> tuple[int, int]:
    """The paragraph, list, table or heading below: from the next text to the next blank line."""
    last = len(source.line_starts())
    start = line + 1
    while start <= last and (
        not source.line(start).strip() or _IN_MARKDOWN.fullmatch(source.line(start).strip())
    ):
        start += 1
    end = start
    while end < last and source.line(end + 1).strip():
        end += 1
    return (start, end) if start <= last else (line, line)
