"""A tail that begins elsewhere at every step, with more text behind it."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.graph.hysteresis import UNITS, policy_name, window_name
from skillc.graph.sliding import Slide, slides
from skillc.wording import Said, say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a policy, however many variants share it (SPEC 9.4)."""
    seen = set()
    for slide in slides(graph):
        if slide.policy.span not in seen:
            seen.add(slide.policy.span)
            yield finding(
                "sliding-tail",
                slide.policy.span,
                say(
                    "`{policy}` of segment `{segment}` slides with every addition, so nothing from there on stays cached",
                    policy=policy_name(slide.policy.kind, slide.policy.n),
                    segment=slide.segment.id.value,
                ),
                _help(slide),
                list(_behind(slide)),
            )


def _help(slide: Slide) -> Said:
    kind, n, saves = slide.policy.kind, slide.policy.n or 1, slide.saves
    return say(
        "write `{window}`: it keeps {n} to {most} {units} and moves its beginning only now and then; in {turns} turns "
        "that each add {growth}, {saved} of {all} {units} ({percent} %) need not be read anew",
        window=window_name(kind, n),
        n=f"{n:,}",
        most=f"{2 * n:,}",
        units=UNITS[kind],
        turns=saves.turns,
        growth=f"{saves.growth:,}",
        saved=f"{saves.tail - saves.window:,}",
        all=f"{saves.tail:,}",
        percent=saves.percent,
    )


def _behind(slide: Slide) -> Iterator[Label]:
    if slide.behind is not None:
        yield Label(slide.behind.id.span, say("`{segment}` stands behind it", segment=slide.behind.id.value))


RULE = Rule(
    "sliding-tail", "A tail of exactly the last N slides at every step, with more text behind it.", check
)
