"""`--format junit`: a test suite per file. An error is a failed case, with `--strict` a warning too; others
pass and say what they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as xml

from skillc.diagnostic import Diagnostic, Severity
from skillc.report.concise import line
from skillc.report.counts import Counts
from skillc.report.language import ENGLISH, Words
from skillc.report.location import file_of
from skillc.report.visible import visible
from skillc.wording import said_in, say

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(
    diagnostics: Sequence[Diagnostic],
    counts: Counts,
    color: bool,
    words: Words = ENGLISH,
    strict: bool = False,
) -> str:
    failing = Severity.WARNING if strict else Severity.ERROR
    numbers = (
        _numbers(diagnostics, failing) if diagnostics else {"tests": "1", "failures": "0", "errors": "0"}
    )
    root = xml.Element("testsuites", {"name": "skillc", **numbers})
    groups: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        groups.setdefault(file_of(diagnostic.span), []).append(diagnostic)
    root.extend(_suite(path, group, words, failing) for path, group in groups.items())
    if not diagnostics:
        suite = xml.SubElement(root, "testsuite", {"name": "skillc", **numbers})
        xml.SubElement(suite, "testcase", {"name": said_in(words, say("no findings")), "classname": "skillc"})
    xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def _numbers(diagnostics: Sequence[Diagnostic], failing: Severity) -> dict[str, str]:
    failures = sum(diagnostic.severity >= failing for diagnostic in diagnostics)
    return {"tests": str(len(diagnostics)), "failures": str(failures), "errors": "0"}


def _suite(path: str, diagnostics: Sequence[Diagnostic], words: Words, failing: Severity) -> xml.Element:
    suite = xml.Element("testsuite", {"name": _clean(path), **_numbers(diagnostics, failing)})
    for diagnostic in diagnostics:
        suite.append(_case(path, diagnostic, words, failing))
    return suite


def _case(path: str, diagnostic: Diagnostic, words: Words, failing: Severity) -> xml.Element:
    row, column = diagnostic.span.position
    code = diagnostic.code
    name = f"{code.id} {code.slug} {row}:{column}"
    case = xml.Element(
        "testcase", {"name": name, "classname": _clean(path), "file": _clean(path), "line": str(row)}
    )
    help = said_in(words, say("help: {help}", help=diagnostic.help))
    text = "\n".join([line(diagnostic), *([help] if diagnostic.help else [])])
    if diagnostic.severity >= failing:
        failure = xml.SubElement(case, "failure", {"message": _clean(diagnostic.message), "type": code.slug})
        failure.text = _clean(text)
    else:
        xml.SubElement(case, "system-out").text = _clean(text)
    return case


def _clean(text: str) -> str:
    """`text` without what no XML may hold, not even escaped."""
    shown = "\n".join(visible(part) for part in text.split("\n"))
    return _FORBIDDEN.sub(lambda match: f"<U+{ord(match.group()):04X}>", shown)
