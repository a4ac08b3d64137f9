"""`--format sarif`: SARIF 2.1.0, one run, as code scanning services read it.

Columns count code points, and the log says so. Paths are relative and percent-encoded. What a reader may
drop is dropped here, lowest severity first, and said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import skillc
from skillc.checks.page import load_page, parse_page
from skillc.checks.translation import told_page
from skillc.diagnostic import Code, Diagnostic, Fix, Severity, fingerprints
from skillc.report.counts import Counts, plural
from skillc.report.language import ENGLISH, Words
from skillc.report.location import uri_of
from skillc.text import Span
from skillc.wording import said_in, say

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LIMIT = 5000
"""Results that GitHub shows of one run; of more than 25,000 it refuses the whole log."""
TEXT_LIMIT = 1024
"""Characters of a description that GitHub takes."""
HOP_LIMIT = 1000
"""Places of one code flow that GitHub shows."""
RELATED_LIMIT = 1000
"""Places of one result that GitHub takes."""
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PATHS = frozenset(
    ("deadlocked-loop", "feedback-loop", "hidden-flow", "user-only-leak", "hidden-to-user", "disclosure")
)
"""Codes whose related places are the hops of a path, in order."""
_BASE = "%SRCROOT%"
Json = dict[str, Any]


def render(diagnostics: Sequence[Diagnostic], counts: Counts, color: bool, words: Words = ENGLISH) -> str:
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(diagnostics, words)]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def kept(diagnostics: Sequence[Diagnostic], limit: int = LIMIT) -> list[int]:
    """Which findings a log holds, by number, in their order: the worst when there are too many."""
    worst = sorted(range(len(diagnostics)), key=lambda at: (-diagnostics[at].severity, at))
    return sorted(worst[:limit])


def _run(diagnostics: Sequence[Diagnostic], words: Words) -> Json:
    numbers = kept(diagnostics)
    marks = fingerprints(diagnostics)
    codes = sorted({diagnostics[at].code for at in numbers})
    index = {code: at for at, code in enumerate(codes)}
    return {
        "tool": {
            "driver": {
                "name": "skillc",
                "version": skillc.__version__,
                "rules": [_rule(code, words) for code in codes],
            }
        },
        "invocations": [_invocation(len(diagnostics) - len(numbers), words)],
        "originalUriBaseIds": {
            _BASE: {"description": {"text": said_in(words, say("The root of the workspace."))}}
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostics[at], marks[at], index) for at in numbers],
    }


def _invocation(dropped: int, words: Words) -> Json:
    invocation: Json = {"executionSuccessful": True}
    if dropped:
        text = say(
            "{findings} of the lowest severity left out: a log has at most {limit:,}",
            findings=plural(dropped, "finding"),
            limit=LIMIT,
        )
        invocation["toolExecutionNotifications"] = [
            {"level": "warning", "message": {"text": said_in(words, text)}}
        ]
    return invocation


def _rule(code: Code, words: Words) -> Json:
    rule: Json = {
        "id": code.id,
        "name": code.slug,
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
        "properties": {"tags": [code.id[0]], "problem.severity": _problem(code.severity)},
    }
    text = load_page(code)
    if text:
        page = told_page(parse_page(text), words)
        rule["shortDescription"] = {"text": page.sentence}
        rule["fullDescription"] = {"text": page.why.split("\n\n")[0].replace("\n", " ")[:TEXT_LIMIT]}
        rule["help"] = {"text": f"{page.why}\n\n{page.fix}", "markdown": page.text}
    return rule


def _problem(severity: Severity) -> str:
    return {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}[severity]


def _result(diagnostic: Diagnostic, mark: str, index: dict[Code, int]) -> Json:
    result: Json = {
        "ruleId": diagnostic.code.id,
        "ruleIndex": index[diagnostic.code],
        "level": _LEVELS[diagnostic.severity],
        "message": _message(*(text for text in (diagnostic.message, diagnostic.help) if text)),
        "locations": [_location(diagnostic.span)],
        "partialFingerprints": {"primaryLocationLineHash": f"{mark}:1", "skillc/v1": mark},
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": at, **_location(label.span), "message": _message(label.message)}
            for at, label in enumerate(diagnostic.related[:RELATED_LIMIT], 1)
        ]
    if diagnostic.code.slug in _PATHS and diagnostic.related:
        result["codeFlows"] = [{"threadFlows": [{"locations": list(_hops(diagnostic))}]}]
    if diagnostic.fix and diagnostic.fix.edits:
        result["fixes"] = [_fix(diagnostic.fix)]
    return result


def _hops(diagnostic: Diagnostic) -> Iterator[Json]:
    """The path of a finding: its related places in order. Where the finding is none of them it is the end of
    the path, or, of a disclosure, its beginning."""
    labels = [label for label in diagnostic.related if not label.aside][: HOP_LIMIT - 1]
    hops = [(label.span, label.message) for label in labels]
    if all(_place(span) != _place(diagnostic.span) for span, _ in hops):
        at = 0 if diagnostic.code.slug == "disclosure" else len(hops)
        hops.insert(at, (diagnostic.span, diagnostic.message))
    for span, message in hops:
        yield {"location": {**_location(span), "message": _message(message)}}


def _place(span: Span) -> tuple[str, int, int]:
    return span.path, span.start, span.end


def _message(*parts: str) -> Json:
    """Plain text in which nothing is taken for a placeholder `{0}` or a link `[text](1)`."""
    text = "\n".join(parts)
    text = re.sub(r"\{(\d+)\}", r"{{\1}}", text)
    return {"text": re.sub(r"\[(?=[^\]\n]*\]\(\d)", r"\\[", text)}


def _location(span: Span) -> Json:
    return {"physicalLocation": {"artifactLocation": _artifact(span), "region": _region(span)}}


def _artifact(span: Span) -> Json:
    return {"uri": uri_of(span), "uriBaseId": _BASE}


def _region(span: Span) -> Json:
    line, column = span.position
    end_line, end_column = span.end_position
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _fix(fix: Fix) -> Json:
    paths = sorted({edit.span.path for edit in fix.edits})
    return {
        "description": _message(fix.message),
        "artifactChanges": [
            {
                "artifactLocation": _artifact(next(e.span for e in fix.edits if e.span.path == path)),
                "replacements": [
                    {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
                    for edit in sorted(fix.edits, key=lambda edit: edit.span.start)
                    if edit.span.path == path
                ],
            }
            for path in paths
        ],
    }
