"""Which codes are on, and how much they weigh: names are a code, a slug, a family letter, or ALL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from skillc.diagnostic import CODES, Code, Severity, find_code
from skillc.resemblance import closest
from skillc.value import value
from skillc.wording import say

ALL = "ALL"
FAMILIES = {code.id[0] for code in CODES.values()}


def specificity(name: str, code: Code) -> int:
    """How closely `name` means `code`: 3 its number or slug, 2 its family, 1 all, 0 not at all.

    >>> specificity("G", CODES["unproduced-input"]), specificity("g001", CODES["unproduced-input"])
    (2, 3)
    """
    if name == ALL:
        return 1
    if name == code.id[0]:
        return 2
    return 3 if find_code(name) is code else 0


def names(name: str, code: Code) -> bool:
    """Whether `name` means `code`, alone or among others."""
    return specificity(name, code) > 0


def unknown_name(name: str) -> str | None:
    """Why `name` names no code, with the nearest name; None when it does."""
    if name == ALL or name in FAMILIES or find_code(name):
        return None
    known = [*CODES, *(code.id for code in CODES.values()), *sorted(FAMILIES), ALL]
    folded = {each.lower(): each for each in reversed(known)}
    near = closest(name.lower(), folded)
    hint = (
        say("did you mean `{near}`?", near=folded[near]) if near else say("`skillc explain` lists all codes")
    )
    return say("no finding is called `{name}`: {hint}", name=name, hint=hint)


@value
class Layer:
    """One source of wishes: the settings, or the command line."""

    select: tuple[str, ...] | None = None
    extend: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


@value
class Selection:
    """What settings and the command line say of which codes are on.

    Each layer is (select, extend, ignore), settings first. `select` None says nothing. The most specific
    name decides; between equally specific ones the later layer, and in one layer ignore.
    """

    layers: tuple[Layer, ...] = ()

    def has(self, code: Code) -> bool:
        """Whether findings of `code` are reported."""
        start = max((at for at, layer in enumerate(self.layers) if layer.select is not None), default=None)
        best, on = (0, -1, 0), start is None
        for at, layer in enumerate(self.layers):
            replaced = start is not None and at < start
            chosen = [] if replaced else [*(layer.select or ()), *layer.extend]
            for weight, verdict in ((0, chosen), (1, layer.ignore)):
                closest = max((specificity(name, code) for name in verdict), default=0)
                if closest and (closest, at, weight) > best:
                    best, on = (closest, at, weight), not weight
        return on


def severity_of(code: Code, usual: Severity, wanted: Mapping[str, Severity | None]) -> Severity | None:
    """The severity that the settings give `code`, else the usual one; None switches it off."""
    best = max(wanted, key=lambda name: specificity(name, code), default=None)
    if best is None or not names(best, code):
        return usual
    return wanted[best]


def first_unknown(given: Iterable[str]) -> str | None:
    """What is wrong with the first of the names that names no code."""
    return next((problem for name in given if (problem := unknown_name(name))), None)
