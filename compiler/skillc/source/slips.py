"""What a YAML error means for the author: the common slips, each with its place and its way out (SPEC 2.3).

libyaml and the pure loader word their errors differently, so no word of theirs is shown: a finding is
made of the place, the kind of the error, and what stands there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import yaml

from skillc.diagnostic import Diagnostic, Edit, Fix, Label, finding
from skillc.grammar import character_name
from skillc.later import later
from skillc.source.linestarts import early_end, tight_dash, unseen_break, wide_comma, wide_indentation
from skillc.text import Source, Span
from skillc.value import value
from skillc.wording import say

_UNPRINTABLE = later("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WIDE_COLON = later(r"\s*(?:- +)?[\w-]+(：)(?!.*: )")
_TIGHT_COLON = later(r"\s*(?:- +)?[A-Za-z_][\w-]*(:)(?=[^\s/])(?!.*: )")
_WIDE_CLOSING = later("[】］｝〕」』]")
_KEYED = later(r"\s*(?:- +)?(?:[^\s:#\"'\[{][^:#]*|\"[^\"]*\"|'[^']*'): +")


@value
class _Error:
    """Where reading stopped (`at`, absolute) and what it was in the middle of (`begun`)."""

    source: Source
    region: Span
    at: int
    begun: int
    problem: str
    context: str

    def line_start(self, offset: int) -> int:
        return self.source.text.rfind("\n", 0, offset) + 1

    def line(self, offset: int) -> str:
        start = self.line_start(offset)
        end = self.source.text.find("\n", start)
        return self.source.text[start : min(self.region.end, end if end >= 0 else self.region.end)]

    def char(self) -> str:
        return self.source.text[self.at : self.at + 1] if self.at < self.region.end else ""


def unprintable(region: Span) -> Iterator[Diagnostic]:
    """yaml-syntax for each kind of control character that YAML refuses."""
    seen: set[str] = set()
    for match in _UNPRINTABLE.finditer(region.source.text, region.start, region.end):
        if match.group() not in seen:
            seen.add(match.group())
            yield finding(
                "yaml-syntax",
                region.source.span(*match.span()),
                say("the control character {name} may not stand in YAML", name=character_name(match.group())),
                say("remove it"),
            )


def syntax_error(region: Span, error: yaml.YAMLError) -> Diagnostic:
    """The finding for the `error` of a loader that read the text of `region`."""
    mark = getattr(error, "problem_mark", None)
    begun = getattr(error, "context_mark", None)
    at = min(region.end, region.start + mark.index) if mark else region.start
    failed = _Error(
        region.source,
        region,
        at,
        region.start + begun.index if begun else at,
        str(getattr(error, "problem", None) or ""),
        str(getattr(error, "context", None) or ""),
    )
    return next(found for slip in _SLIPS if (found := slip(failed)) is not None)


def _tab(error: _Error) -> Diagnostic | None:
    start = error.line_start(error.at)
    line = error.line(error.at)
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    if "\t" not in indent:
        return None
    tab = start + indent.index("\t")
    return finding(
        "yaml-syntax",
        error.source.span(tab, start + len(indent)),
        say("a tab is used for indentation in line {line}", line=error.source.position(tab)[0]),
        say("indent with spaces"),
    )


def not_a_mapping(region: Span) -> Diagnostic:
    """yaml-syntax for text that holds no `key: value`: at the colon that is wrong, else at the first line."""
    error = _Error(region.source, region, region.start, region.start, "", "")
    start = region.start
    for line in region.text.split("\n"):
        found = _wide_colon_in(error, start) or _tight_colon_in(error, start)
        if found:
            return found
        start += len(line) + 1
    written = region.part(len(region.text) - len(region.text.lstrip()), len(region.text))
    first = written.part(0, len(written.text.split("\n", 1)[0].rstrip()))
    return finding("yaml-syntax", first, say("the line has no `: `"), say("write `key: value`"))


def _wide_colon(error: _Error) -> Diagnostic | None:
    return next((found for start in _suspects(error) if (found := _wide_colon_in(error, start))), None)


def _wide_colon_in(error: _Error, start: int) -> Diagnostic | None:
    match = _WIDE_COLON.match(error.line(start))
    return _wide_colon_at(error.source, start + match.start(1)) if match else None


def _wide_colon_at(source: Source, at: int) -> Diagnostic:
    span = source.span(at, at + 1)
    fix = Fix(say("write `: `"), (Edit(span, ": "),))
    return finding(
        "yaml-syntax",
        span,
        say("a full-width colon `：` stands where `: ` belongs"),
        say("write `: `"),
        fix=fix,
    )


def _tight_colon(error: _Error) -> Diagnostic | None:
    return next((found for start in _suspects(error) if (found := _tight_colon_in(error, start))), None)


def _tight_colon_in(error: _Error, start: int) -> Diagnostic | None:
    line = error.line(start)
    match = _TIGHT_COLON.match(line)
    if not match:
        return None
    span = error.source.span(start + match.start(1), start + match.end(1))
    fix = Fix(say("write `: `"), (Edit(span, ": "),))
    message, help = say("no blank stands behind the colon"), say("write `: `")
    if line[match.end(1)] == "#" and _goes_on(error, start):
        message, help = say("no blank stands before the comment"), say("write a blank before `#`")
    elif line[match.end(1)] == "#":
        value = re.split(r"\s+#", line[match.end(1) :])[0].rstrip()
        end = start + match.end(1) + len(value)
        fix = Fix(help, (Edit(error.source.span(span.start, end), f": {quoted(value)}"),))
        help = say("write `: {value}`; a comment has a blank before its `#`", value=quoted(value))
    return finding("yaml-syntax", span, message, help, fix=fix)


def _goes_on(error: _Error, start: int) -> bool:
    """Whether the value of the key in the line at `start` stands below it."""
    below = error.source.text[start + len(error.line(start)) : error.region.end].lstrip("\n")
    next_line, line = below.split("\n", 1)[0], error.line(start)
    indents = [len(text) - len(text.lstrip(" ")) for text in (next_line, line)]
    return indents[0] > indents[1] or next_line.lstrip().startswith("- ")


def _suspects(error: _Error) -> list[int]:
    """Starts of the lines where a slip may lie: what was begun, the line above it, where reading stopped."""
    begun = error.line_start(error.begun)
    above = error.line_start(begun - 1) if begun > error.region.start else begun
    return sorted({above, begun, error.line_start(error.at)})


def _reserved(error: _Error) -> Diagnostic | None:
    char = error.char()
    if "cannot start any token" not in error.problem or not char:
        return None
    return _quote(
        error,
        error.at,
        say("a value may not begin with `` {char} ``", char=char)
        if char == "`"
        else say("a value may not begin with `{char}`", char=char),
    )


def _alias(error: _Error) -> Diagnostic | None:
    if "scanning an alias" in error.context:
        return _quote(error, error.begun, say("a value that begins with `*` is an alias in YAML"))
    if "scanning an anchor" in error.context:
        return _quote(error, error.begun, say("a value that begins with `&` is an anchor in YAML"))
    if "tag" in error.context:
        return _quote(error, error.begun, say("a value that begins with `!` is a type tag in YAML"))
    return None


def _second_colon(error: _Error) -> Diagnostic | None:
    if "mapping values are not allowed" not in error.problem:
        return None
    start = error.line_start(error.at)
    keyed = _KEYED.match(error.source.text, start, error.at)
    if keyed:
        return _quote(error, keyed.end(), say("a second `: ` stands in an unquoted value"), error.at)
    return finding(
        "yaml-syntax",
        error.source.span(error.at, error.at + 1),
        say("a key stands where the value above it goes on"),
        say("check the indentation of this line and of the line above"),
    )


def quoted(value: str) -> str:
    """`value` as a quoted YAML scalar, single quotes preferred since they need no escapes."""
    return '"' + value + '"' if not set(value) & set('"\\') else "'" + value.replace("'", "''") + "'"


def _quote(error: _Error, start: int, message: str, at: int | None = None) -> Diagnostic:
    """A finding whose way out is quotes around the value from `start` to the end of its line."""
    line_end = error.line_start(start) + len(error.line(start))
    flow = bool(set("[{") & set(error.source.text[error.line_start(start) : start]))
    end = r"\s*[,\]}]|\s+#" if flow else r"\s+#"
    value = re.split(end, error.source.text[start:line_end])[0].rstrip()
    place = error.source.span(start, start + 1) if at is None else error.source.span(at, at + 1)
    fix = None
    if value:
        fix = Fix(
            say("quote the value"), (Edit(error.source.span(start, start + len(value)), quoted(value)),)
        )
    return finding(
        "yaml-syntax", place, message, say("quote the value: `{value}`", value=quoted(value)), fix=fix
    )


def _open_quote(error: _Error) -> Diagnostic | None:
    if "quoted scalar" not in error.context or "escape" in error.problem:
        return None
    quote = error.source.span(error.begun, error.begun + 1)
    return finding(
        "yaml-syntax",
        quote,
        say("the quote `{quote}` is not closed", quote=quote.text),
        say("close it, or double a quote that belongs to the text"),
    )


def _escape(error: _Error) -> Diagnostic | None:
    if "escape" not in error.problem:
        return None
    start = error.source.text.rfind("\\", error.begun, error.at + 2)
    span = (
        error.source.span(start, min(start + 2, error.region.end))
        if start >= 0
        else error.source.span(error.at)
    )
    return finding(
        "yaml-syntax",
        span,
        say("`{text}` is no escape", text=span.text),
        say("write `\\\\` for a backslash, or use single quotes"),
    )


def _wide_blank(error: _Error) -> Diagnostic | None:
    starts = (error.line_start(error.begun), error.line_start(error.at))
    return next((found for start in starts if (found := wide_indentation(error.source, start))), None)


def _unseen_break(error: _Error) -> Diagnostic | None:
    return unseen_break(error.source, error.line_start(min(error.begun, error.at)), error.at)


def _early_end(error: _Error) -> Diagnostic | None:
    starts_document = "document start" in error.problem
    return early_end(error.source, error.region.start, error.at) if starts_document else None


def _open_bracket(error: _Error) -> Diagnostic | None:
    if "flow" not in error.context:
        return None
    begun = error.source.span(error.begun, error.begun + 1)
    if begun.text not in ("[", "{"):
        end = (
            say("the list or mapping in brackets ends too early")
            if not error.char().strip()
            else say("nothing may stand here in brackets")
        )
        return finding("yaml-syntax", _here(error), end, say("close the bracket, or quote the text"))
    closing = "]" if begun.text == "[" else "}"
    wrong = _WIDE_CLOSING.search(error.source.text, error.begun, error.at)
    if wrong:
        span = error.source.span(*wrong.span())
        return finding(
            "yaml-syntax",
            span,
            say("`{char}` stands where `{closing}` belongs", char=span.text, closing=closing),
            say("write `{closing}`", closing=closing),
            [Label(begun, say("`{bracket}` opens here", bracket=begun.text))],
            fix=Fix(say("write `{closing}`", closing=closing), (Edit(span, closing),), safe=False),
        )
    if not error.source.text[error.at : error.region.end].strip():
        return finding(
            "yaml-syntax",
            begun,
            say("the bracket `{bracket}` is not closed", bracket=begun.text),
            say("write `{closing}` behind the last entry", closing=closing),
        )
    return wide_comma(error.source, error.at) or finding(
        "yaml-syntax",
        _here(error),
        say("a comma or `{closing}` is missing before here", closing=closing),
        say("separate the entries with commas, close the bracket, or quote the text"),
        [Label(begun, say("`{bracket}` opens here", bracket=begun.text))],
    )


def _list_behind_key(error: _Error) -> Diagnostic | None:
    if "sequence entries are not allowed" not in error.problem:
        return None
    return finding(
        "yaml-syntax",
        _here(error),
        say("a list begins in the line of its key"),
        say("begin the list in the next line, or quote the text"),
    )


def _tight_dash(error: _Error) -> Diagnostic | None:
    return tight_dash(error.source, error.line_start(error.begun))


def _no_colon(error: _Error) -> Diagnostic | None:
    if "could not find expected ':'" not in error.problem:
        return None
    start = error.begun
    end = error.line_start(start) + len(error.line(start).rstrip())
    return finding(
        "yaml-syntax",
        error.source.span(start, max(start, end)),
        say("the line has no `: `"),
        say("write `key: value`, or indent the line if it goes on with the value above"),
    )


def _behind_value(error: _Error) -> Diagnostic | None:
    before = error.source.text[error.line_start(error.at) : error.at].rstrip()
    if "block mapping" not in error.context and "block collection" not in error.context:
        return None
    if before[-1:] in ("'", '"', "]", "}"):
        return finding(
            "yaml-syntax",
            _here(error),
            say("text stands behind the closing `{bracket}`", bracket=before[-1]),
            say("quote the value as a whole"),
        )
    is_entry = error.char() == "-" and not before
    return finding(
        "yaml-syntax",
        _here(error),
        say("the entry is not indented like the entries above it")
        if is_entry
        else say("the line does not fit the block that it stands in"),
        say("give the entries of a block the same indentation"),
        [Label(error.source.span(error.begun, error.begun), say("the block begins here"))],
    )


def _otherwise(error: _Error) -> Diagnostic:
    shown = f"`{error.char()}`" if error.char().strip() else say("the text that stands here")
    return finding(
        "yaml-syntax",
        _here(error),
        say("{shown} is no valid YAML", shown=shown),
        say("quote the value, or check the indentation"),
    )


def _here(error: _Error) -> Span:
    return error.source.span(error.at, min(error.at + 1, error.region.end))


_SLIPS: tuple[Callable[[_Error], Diagnostic | None], ...] = (
    _tab,
    _wide_blank,
    _unseen_break,
    _early_end,
    _wide_colon,
    _tight_colon,
    _alias,
    _reserved,
    _escape,
    _open_quote,
    _second_colon,
    _open_bracket,
    _list_behind_key,
    _tight_dash,
    _no_colon,
    _behind_value,
    _otherwise,
)
