"""Two tags of one package that look like one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skillc.checks.confusions import Confusion, confusions
from skillc.checks.lookalikes import code_points, differing, skeleton
from skillc.checks.rule import Rule
from skillc.checks.uses import Use
from skillc.diagnostic import Diagnostic, Edit, Fix, Label, finding
from skillc.graph import TagGraph
from skillc.text import Span
from skillc.wording import Said, say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding for each pair of segments, however many tags share it: at the stranger one."""
    for pair in confusions(graph):
        written = [use for use in pair.odd_uses if not use.derived]
        place = (written or pair.odd_uses)[0]
        other = next((use for use in pair.usual_uses if not use.derived), pair.usual_uses[0])
        if not written:
            pair = Confusion(pair.position, pair.usual, pair.odd, pair.usual_uses, pair.odd_uses)
            place, other, written = other, place, [use for use in pair.odd_uses if not use.derived]
        yield finding(
            "confusable-tags",
            _segment(place, pair.position),
            _message(pair, place, other),
            say(
                "write `{usual}` in all places, if the two are one tag; else rename one of them",
                usual=pair.usual,
            ),
            [Label(other.span, _related(other))],
            _fix(pair, written),
        )


def _message(pair: Confusion, place: Use, other: Use) -> Said:
    odd, usual = differing(pair.odd, pair.usual)
    values = {
        "odd": place.pattern.text,
        "usual": other.pattern.text,
        "a": odd or pair.odd,
        "b": usual or pair.usual,
        "points_a": code_points(odd or pair.odd),
        "points_b": code_points(usual or pair.usual),
    }
    if skeleton(pair.odd) != skeleton(pair.usual):
        return say(
            "`{odd}` and `{usual}` are two tags, in traditional and in simplified characters: `{a}` is {points_a}, "
            "`{b}` is {points_b}",
            **values,
        )
    return say(
        "`{odd}` and `{usual}` are two tags that look alike: `{a}` is {points_a}, `{b}` is {points_b}",
        **values,
    )


def _related(use: Use) -> Said:
    if use.derived:
        return say("accepting this makes `{tag}`", tag=use.pattern.text)
    return say("`{tag}` stands here", tag=use.pattern.text)


def _segment(use: Use, position: int) -> Span:
    """The segment where it stands; the whole tag where it is written in another way."""
    span = use.span
    if span.text != use.pattern.text:
        return span
    start = sum(len(part) + 1 for part in span.text.split(".")[:position])
    return span.part(start, start + len(span.text.split(".")[position]))


def _fix(pair: Confusion, places: Iterable[Use]) -> Fix | None:
    spans = dict.fromkeys(_segment(use, pair.position) for use in places)
    if any(span.text != pair.odd for span in spans):
        return None
    edits = tuple(Edit(span, pair.usual) for span in spans)
    return Fix(say("write `{usual}`", usual=pair.usual), edits, safe=False)


RULE = Rule("confusable-tags", "Two tags of a package look like one.", check)
