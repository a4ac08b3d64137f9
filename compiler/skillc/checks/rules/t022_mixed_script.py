"""A segment written in two alphabets."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.confusions import confusions
from skillc.checks.lookalikes import code_points, foreign_to_each_other, in_latin, script_of
from skillc.checks.rule import Rule
from skillc.checks.uses import Use, segments_used, uses
from skillc.diagnostic import Diagnostic, Edit, Fix, finding
from skillc.graph import TagGraph
from skillc.text import Span
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding for each segment, where it first stands; silent where the segment has a look-alike in the
    package: that says more."""
    foreign = {part for part in segments_used(graph) if foreign_to_each_other(part)}
    if not foreign:
        return
    mixed: dict[str, list[Use]] = {}
    for use in uses(graph):
        for part in use.pattern.parts:
            if part in foreign and not use.derived:
                mixed.setdefault(part, []).append(use)
    reported = {segment for pair in confusions(graph) for segment in (pair.odd, pair.usual)}
    for segment, places in mixed.items():
        if segment not in reported:
            yield _mixed(segment, places)


def _mixed(segment: str, places: list[Use]) -> Diagnostic:
    rare, common = foreign_to_each_other(segment) or ("", "")
    at = next(at for at, char in enumerate(segment) if script_of(char) == rare)
    return finding(
        "mixed-script",
        _character(places[0], segment, at),
        say(
            "`{segment}` in `{tag}` mixes {rare} and {common} letters: `{char}` is {points}",
            segment=segment,
            tag=places[0].pattern.text,
            rare=rare.capitalize(),
            common=common.capitalize(),
            char=segment[at],
            points=code_points(segment[at]),
        ),
        say("write the whole segment in one alphabet; a letter that looks the same is another tag"),
        fix=_fix(segment, places),
    )


def _character(use: Use, segment: str, at: int) -> Span:
    text = use.span.text
    if text != use.pattern.text:
        return use.span
    start = f".{text}.".index(f".{segment}.") + at
    return use.span.part(start, start + 1)


def _fix(segment: str, places: list[Use]) -> Fix | None:
    written = in_latin(segment)
    if written is None or any(use.span.text != use.pattern.text for use in places):
        return None
    spans = dict.fromkeys(_all(use, segment) for use in places)
    edits = tuple(Edit(span, written) for span in spans)
    return Fix(say("write `{latin}` in Latin letters", latin=written), edits, safe=False)


def _all(use: Use, segment: str) -> Span:
    start = f".{use.span.text}.".index(f".{segment}.")
    return use.span.part(start, start + len(segment))


RULE = Rule("mixed-script", "A segment of a tag mixes alphabets.", check)
