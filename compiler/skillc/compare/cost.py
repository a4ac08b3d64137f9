"""What a change costs once: the part of each context's beginning that no provider has in its cache any more.

Counted is what the compiler knows, as in `skillc cache-report`: the system message, labels and constant text. The
board's texts in static segments are named, not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from skillc.artifact.plan import WorkerPlan
from skillc.compare.difference import Kind, Prefix
from skillc.compare.layers import OWN, Key, Layers, static_from
from skillc.compare.side import Side
from skillc.plan.limits import bound_profiles
from skillc.tokens import Counter

Layouts = Mapping[Key, Layers]
Counters = Callable[[str | None], Counter]


def counter_of(worker: WorkerPlan, sides: tuple[Side, ...], counters: Counters) -> Counter:
    """What counts for the worker's first model, as the profiles of the first side that has any name it."""
    for profiles in (side.profiles for side in sides if side.profiles):
        bound = bound_profiles(worker, profiles)
        if bound and bound[0].model:
            return counters(bound[0].model)
    return counters(None)


def prefixes(base: Layouts, head: Layouts, counter: Counter) -> tuple[Prefix, ...]:
    """The beginnings of all layouts of `head` against the same layouts of `base`; a layout that is new against the
    worker's own."""
    return tuple(_prefix(key, base.get(key, base[OWN]), head[key], counter) for key in head)


def _prefix(key: Key, base: Layers, head: Layers, counter: Counter) -> Prefix:
    count = counter.count
    kept = _shared(base.fixed, head.fixed)
    is_fixed = base.fixed == head.fixed
    behind = head.static[static_from(base, head) if is_fixed else 0 :]
    return Prefix(
        variant=key[0],
        slot=key[1],
        tokens=count(head.fixed) + sum(count(piece.text) for piece in head.static),
        fixed_anew=0 if is_fixed else count(head.fixed[kept:]),
        static_anew=sum(count(piece.text) for piece in behind),
        fills=tuple(piece.id for piece in behind if piece.fills),
    )


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def whole(head: Layouts, counter: Counter) -> tuple[Prefix, ...]:
    """The beginnings of a worker that is new: all of them are read for the first time."""
    return tuple(_prefix(key, Layers("", (), ()), layers, counter) for key, layers in head.items())


def reach(base: Layouts, head: Layouts, applied: tuple[str | None, str | None]) -> Kind | None:
    """The first part of a context that is not as before, over all layouts; None where a model notices nothing.

    `applied` are the variants that apply where a run names none, before and now.
    """
    pairs = [(base.get(key, base[OWN]), head.get(key, head[OWN])) for key in {**base, **head}]
    pairs.append((base.get((applied[0], False), base[OWN]), head.get((applied[1], False), head[OWN])))
    if any(before.fixed != after.fixed for before, after in pairs):
        return "fixed_prefix"
    if any(before.static != after.static for before, after in pairs):
        return "static_prefix"
    return "dynamic" if any(before.dynamic != after.dynamic for before, after in pairs) else None
