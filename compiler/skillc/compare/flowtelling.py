"""Disclosures and declassifications in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.compare.difference import FlowDifference, Row
from skillc.wording import say, series


def flow_lines(flows: FlowDifference) -> Iterator[tuple[bool, str]]:
    """(whether a secret reaches more than before, the sentence) of each row."""
    for row in flows.disclosed:
        yield True, say("new disclosure: {what}", what=disclosure_told(row))
    for row in flows.declassified:
        yield True, say("new declassification: {what}", what=_declassified(row))
    for row in flows.undisclosed:
        yield False, say("no longer disclosed: {what}", what=disclosure_told(row))
    for row in flows.reclassified:
        yield False, say("no longer declassified: {what}", what=_declassified(row))


def disclosure_told(row: Row) -> str:
    """Who lets which secret out, and where it arrives."""
    values = {
        **row,
        "to": say("the user") if row["to"] == "user" else f"`{row['to']}`",
        "where": say("as `{reads}`", reads=row["reads"]),
    }
    if row["kind"] == "delivered":
        return say("`{secret}` ({label}) comes to {to} {where}", **values)
    if row["writes"] is None:
        return say("`{worker}` knows `{secret}` ({label}) and asks the user", **values)
    if row["kind"] == "created":
        return say(
            "`{worker}` makes `{secret}` ({label}) and writes `{writes}` beside it, which comes to {to} {where}",
            **values,
        )
    return say(
        "`{worker}` reads `{secret}` ({label}) and writes `{writes}`, which comes to {to} {where}", **values
    )


def _declassified(row: Row) -> str:
    tags = series(f"`{tag}`" for tag in row["tags"])
    return say(
        "`{worker}` may pass on {tags} ({label}): {reason}",
        worker=row["worker"],
        tags=tags,
        label=row["label"],
        reason=row["reason"],
    )
