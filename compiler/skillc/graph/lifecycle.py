"""The life of a text, as a typestate of its tag: which stage may become which, and who may do it (SPEC 7).

The last segment of a tag is its stage; a tag without one states something as it is. Rules ask this module;
that the stages are five, and how a tag names one, is `tags`' business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from skillc.graph.promotion import CONFIRMED, DRAFT, under_new_name
from skillc.tags import Pattern, family, stage

Hand = Literal["worker", "acceptance", "user", "source"]
"""Who moves a text: a worker that writes it, the acceptance of a draft, the user himself, the world outside."""

CANDIDATE, CURRENT, UPDATE = "候选", "当前", "更新"
FACT = ""
"""The stage of a tag that names none."""
MEMORY = "记忆"

_MOVES: Mapping[tuple[str | None, str], tuple[Hand, ...]] = {
    (None, CANDIDATE): ("worker", "user", "source"),
    (None, DRAFT): ("worker", "user", "source"),
    (None, CONFIRMED): ("user", "source"),
    (None, CURRENT): ("worker", "user", "source"),
    (None, UPDATE): ("worker", "user", "source"),
    (None, FACT): ("worker", "user", "source"),
    (CANDIDATE, CANDIDATE): ("worker",),
    (CANDIDATE, DRAFT): ("worker", "user"),
    (DRAFT, CANDIDATE): ("worker",),
    (DRAFT, DRAFT): ("worker", "user"),
    (DRAFT, CONFIRMED): ("acceptance", "user"),
    (CONFIRMED, CANDIDATE): ("worker",),
    (CONFIRMED, DRAFT): ("worker", "user"),
    (CONFIRMED, CURRENT): ("worker", "user"),
    (CONFIRMED, UPDATE): ("worker", "user"),
    (UPDATE, CURRENT): ("worker", "user"),
    (CURRENT, CURRENT): ("worker", "user"),
    (CURRENT, UPDATE): ("worker", "user"),
}
"""Whose hand may take a text from one stage to the next; None is what was not there before."""

_OPEN = (CANDIDATE, DRAFT)


def stage_named(pattern: Pattern, names: Mapping[str, str]) -> str:
    """The stage that all tags of `pattern` have, under their new names; `FACT` where it names none.

    >>> stage_named(Pattern(("角色", "{id}", "行动", "候选")), {})
    '候选'
    """
    new = under_new_name(pattern, names)
    return stage(new.text) or FACT


def may_move(hand: Hand, new: str, old: str | None = None) -> bool:
    """Whether `hand` may make a text of stage `new` out of one of stage `old`, or out of nothing.

    >>> may_move("worker", "确认稿", "草稿"), may_move("acceptance", "确认稿", "草稿")
    (False, True)
    """
    return hand in _MOVES.get((old, new), ())


def is_open(stage: str) -> bool:
    """Whether a text of this stage may still come to nothing: a candidate or a draft is no fact."""
    return stage in _OPEN


def is_memory(pattern: Pattern) -> bool:
    """Whether the tags of `pattern` are long-term memory (SPEC 7.5): a segment is 记忆."""
    return MEMORY in pattern.text and any(family(part) == MEMORY for part in pattern.parts)


def may_remember(memory: str, taken: str) -> bool:
    """Whether long-term memory of stage `memory` may be written straight from a text of stage `taken`.

    Memory that is itself still open, a candidate or a draft, is confirmed or dropped like any other.
    """
    return is_open(memory) or not is_open(taken)


def is_replaced(stage: str) -> bool:
    """Whether a new text under the same tag takes the place of its writer's older one (SPEC 7.4)."""
    return stage in (DRAFT, CURRENT)
