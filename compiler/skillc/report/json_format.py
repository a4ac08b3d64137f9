"""`--format json` (SPEC 16.4). Lines and columns from 1, columns in code points."""

from __future__ import annotations

import json
from collections.abc import Sequence

from skillc.diagnostic import Diagnostic, Fix
from skillc.report.counts import Counts
from skillc.report.language import ENGLISH, Words
from skillc.text import Span
from skillc.value import asdict

FORMAT_VERSION = "1.0"
SCHEMA_ID = "urn:skillc:report:1"


def render(diagnostics: Sequence[Diagnostic], counts: Counts, color: bool, words: Words = ENGLISH) -> str:
    report = {
        "$schema": SCHEMA_ID,
        "format_version": FORMAT_VERSION,
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in diagnostics],
        "summary": asdict(counts),
    }
    return json.dumps(report, ensure_ascii=False, indent=2) + "\n"


def _diagnostic(diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "code": diagnostic.code.id,
        "slug": diagnostic.code.slug,
        "severity": diagnostic.severity.word,
        **_range(diagnostic.span),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "related": [
            {"path": label.span.path, **_start(label.span), "message": label.message}
            for label in diagnostic.related
        ],
        "fix": None if diagnostic.fix is None else _fix(diagnostic.fix),
    }


def _start(span: Span) -> dict[str, object]:
    line, column = span.position
    return {"line": line, "column": column}


def _range(span: Span) -> dict[str, object]:
    end_line, end_column = span.end_position
    return {"path": span.path, **_start(span), "end_line": end_line, "end_column": end_column}


def _fix(fix: Fix) -> dict[str, object]:
    edits = [{**_range(edit.span), "text": edit.text} for edit in fix.edits]
    return {"message": fix.message, "safe": fix.safe, "edits": edits}
