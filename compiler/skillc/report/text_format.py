"""Findings for people: place, snippet, a caret that lines up under Chinese, the other places, the way out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skillc.diagnostic import Diagnostic, Severity
from skillc.report.counts import Counts, plural
from skillc.report.language import ENGLISH, Words
from skillc.report.visible import visible
from skillc.text import Span
from skillc.wording import said_in, say, series

_STYLES = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;34"}
"""As terminals name them: bold, and red, yellow or blue."""
_BLUE = "34"


def render(diagnostics: Sequence[Diagnostic], counts: Counts, color: bool, words: Words = ENGLISH) -> str:
    paint = _Paint(color)
    blocks = ["\n".join(_block(diagnostic, paint, words)) + "\n\n" for diagnostic in diagnostics]
    return "".join(blocks) + summary(counts, color, words) + "\n" + _fixable(diagnostics, words)


def _fixable(diagnostics: Sequence[Diagnostic], words: Words) -> str:
    """What `--fix` would do, when it would do anything."""
    safe = [d.fix.safe for d in diagnostics if d.fix and d.fix.edits]
    options = ((sum(safe), "--fix"), (len(safe) - sum(safe), "--unsafe-fixes"))
    said = [say("{n} fixable with {option}", n=number, option=option) for number, option in options if number]
    return said_in(words, series(said)) + "\n" if said else ""


class _Paint:
    def __init__(self, color: bool) -> None:
        self.color = color

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self.color and text else text


def summary(counts: Counts, color: bool = False, words: Words = ENGLISH) -> str:
    """The last line of a report: `2 errors, 1 warning in 3 packages (9 workers)`."""
    found = [
        _Paint(color)(said_in(words, plural(number, severity.word)), _STYLES[severity])
        for severity, number in (
            (Severity.ERROR, counts.errors),
            (Severity.WARNING, counts.warnings),
            (Severity.INFO, counts.infos),
        )
        if number
    ]
    said = say(
        "{found} in {packages} ({workers})",
        found=series(found) if found else say("no findings"),
        packages=plural(counts.packages, "package"),
        workers=plural(counts.workers, "worker"),
    )
    return said_in(words, said)


def _title(diagnostic: Diagnostic) -> str:
    code = {"code": diagnostic.code.id, "slug": diagnostic.code.slug}
    if diagnostic.severity is Severity.INFO:
        return say("info[{code}] {slug}", **code)
    return (
        say("error[{code}] {slug}", **code)
        if diagnostic.severity is Severity.ERROR
        else say("warning[{code}] {slug}", **code)
    )


def _block(diagnostic: Diagnostic, paint: _Paint, words: Words) -> Iterator[str]:
    style = _STYLES[diagnostic.severity]
    title = paint(said_in(words, _title(diagnostic)), style)
    yield said_in(words, say("{title}: {message}", title=title, message=visible(diagnostic.message)))
    spans = [diagnostic.span, *(label.span for label in diagnostic.related)]
    gutter = max(len(str(span.position[0])) for span in spans)
    yield from _snippet(diagnostic.span, "", gutter, style, paint)
    for label in diagnostic.related:
        yield from _snippet(label.span, label.message, gutter, _BLUE, paint)
    if diagnostic.help:
        help = said_in(words, say("help: {help}", help=visible(diagnostic.help)))
        yield f"{' ' * gutter} {paint('=', _BLUE)} {help}"


def _snippet(span: Span, message: str, gutter: int, style: str, paint: _Paint) -> Iterator[str]:
    line, column = span.position
    bar, pad = paint("|", _BLUE), " " * gutter
    arrow = paint("-->" if not message else ":::", _BLUE)
    yield f"{pad}{arrow} {visible(span.path)}:{line}:{column}"
    source = span.source.line(line)
    if not source.strip():
        if message:
            yield f"{pad} {paint('=', _BLUE)} {visible(message)}"
        return
    from skillc.report.excerpt import excerpt

    shown, cells, width = excerpt(source, column - 1, span.end - span.start)
    mark = " " * cells + paint(("-" if message else "^") * max(1, width), style)
    yield f"{pad} {bar}"
    yield f"{paint(str(line).rjust(gutter), _BLUE)} {bar} {shown}"
    yield f"{pad} {bar} {mark}{' ' + visible(message) if message else ''}"
