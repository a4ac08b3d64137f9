"""`--statistics`: how often each code is found, most frequent first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from skillc.diagnostic import Code, Diagnostic, Severity
from skillc.report.counts import Counts
from skillc.report.json_format import FORMAT_VERSION
from skillc.report.language import words_of
from skillc.report.text_format import summary
from skillc.value import asdict
from skillc.wording import said_in, say

FORMATS = ("text", "json")


def render(
    form: str, diagnostics: Sequence[Diagnostic], counts: Counts, color: bool = False, language: str = "en"
) -> str:
    """A table, or JSON: `{"format_version", "statistics": [{code, slug, severity, count, fixable}], "summary"}`."""
    rows, words = _rows(diagnostics), words_of(language)
    if form == "json":
        data = {"format_version": FORMAT_VERSION, "statistics": rows, "summary": asdict(counts)}
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    width = max((len(str(row["count"])) for row in rows), default=1)
    lines = [
        f"{row['count']:>{width}}  {row['code']}  {row['severity']:7}  {row['slug']}"
        + (f"  ({said_in(words, say('{n} fixable', n=row['fixable']))})" if row["fixable"] else "")
        for row in rows
    ]
    return "".join(line + "\n" for line in lines) + summary(counts, color, words) + "\n"


def _rows(diagnostics: Sequence[Diagnostic]) -> list[dict[str, str | int]]:
    found: Counter[tuple[Code, Severity]] = Counter((d.code, d.severity) for d in diagnostics)
    fixable = Counter((d.code, d.severity) for d in diagnostics if d.fix and d.fix.edits and d.fix.safe)
    ordered = sorted(found, key=lambda key: (-found[key], key))
    return [
        {
            "code": code.id,
            "slug": code.slug,
            "severity": severity.word,
            "count": found[code, severity],
            "fixable": fixable[code, severity],
        }
        for code, severity in ordered
    ]
