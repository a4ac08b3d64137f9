"""`--format github`: workflow commands, which a GitHub action shows as annotations in the changed files."""

from __future__ import annotations

from collections.abc import Sequence

from skillc.diagnostic import Diagnostic, Severity
from skillc.report.counts import Counts
from skillc.report.language import ENGLISH, Words
from skillc.report.location import file_of
from skillc.report.visible import visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(diagnostics: Sequence[Diagnostic], counts: Counts, color: bool, words: Words = ENGLISH) -> str:
    return "".join(_command(diagnostic) + "\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    line, column = diagnostic.span.position
    end_line, end_column = diagnostic.span.end_position
    properties = {
        "title": f"{diagnostic.code.id} {diagnostic.code.slug}",
        "file": file_of(diagnostic.span),
        "line": line,
        "endLine": end_line,
        "col": column,
    }
    if end_line == line:
        properties["endColumn"] = end_column
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    text = "\n".join(visible(part) for part in (diagnostic.message, diagnostic.help) if part)
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_data(text)}"


def _data(text: str) -> str:
    """`text` as the message of a command: one line, whatever it holds."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """`text` as the value of a property, which neither `,` nor `:` may end."""
    return _data(visible(text)).replace(":", "%3A").replace(",", "%2C")
