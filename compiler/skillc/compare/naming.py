"""How sides, kinds of changes and counters are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skillc.compare.difference import Kind
from skillc.compare.side import Side
from skillc.tokens import Counter
from skillc.wording import say, series

_NAMED: Mapping[Kind, str] = {
    "interface": say("interface"),
    "isolation": say("isolation"),
    "acceptance": say("acceptance"),
    "readiness": say("readiness"),
    "slots": say("slots"),
    "scheduling": say("scheduling"),
    "model": say("model"),
    "fixed_prefix": say("fixed prefix"),
    "static_prefix": say("static prefix"),
    "dynamic": say("dynamic part"),
    "prose": say("prose"),
}
_PREFIXES = ("fixed_prefix", "static_prefix")
SHORT = 12
"""Digits of a revision that are shown."""


def kinds_named(kinds: Sequence[Kind]) -> str:
    """The kinds in words. What changes a context only behind its static part is the dynamic part *only*."""
    only = "dynamic" in kinds and not set(kinds) & set(_PREFIXES)
    return series(say("dynamic part only") if only and kind == "dynamic" else _NAMED[kind] for kind in kinds)


def side_named(side: Side) -> str:
    """A side as the user named it, a revision with the beginning of its id."""
    if side.name is None:
        return say("the working tree")
    if side.revision is None or side.revision.startswith(side.name):
        return f"`{side.name}`"
    return f"`{side.name}` ({side.revision[:SHORT]})"


def about(counter: Counter) -> str:
    """What counted."""
    return counter.name if counter.exact else say("{name}, an estimate", name=counter.name)
