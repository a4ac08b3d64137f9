"""What a piece of a plan's JSON must be and what becomes of it, checked and made in one walk.

An object's values are fetched at once and their types compared as a whole; where something is at fault, the refusal
learns on its way out where that stands. Keys that no shape names are ignored.
"""

from __future__ import annotations

from itertools import product
from operator import itemgetter

from skillc.tags import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from skillc.artifact.plan import Record

_TEXTS = {str}
_MOST_PATTERNS = 10_000
_make = tuple.__new__


class Fault(Exception):
    """Something in a plan is not what it should be, or is `missing`; `way` leads from it to the plan, by keys and by
    numbers in lists (0: no number)."""

    def __init__(self, wanted: str, *way: str | int, missing: str = "") -> None:
        self.wanted = wanted
        self.way = [*way]
        self.missing = missing

    def within(self, step: str | int) -> Fault:
        """The same fault, seen from what holds it under `step`."""
        self.way.append(step)
        return self

    @property
    def sentence(self) -> str:
        place = "the plan"
        for step in reversed(self.way):
            if type(step) is str:
                place = f"`{step}` of {place}"
            else:
                place = f"entry {step} of {place}" if step else f"an entry of {place}"
        if self.missing:
            return f"{place} has no `{self.missing}`; build the plan again"
        return f"{place} should be {self.wanted}; build the plan again"


class Kind:
    """A kind of value: the types that it may have in JSON, what a refusal calls it, and what makes the plan's value of
    one of these types (None: it stays as it is, as null always does)."""

    __slots__ = ("name", "take", "types")

    def __init__(self, name: str, types: tuple[type, ...], take: Callable[[Any], Any] | None = None) -> None:
        self.name = name
        self.types = types
        self.take = take

    def read(self, value: object) -> Any:
        """What becomes of any value. Refuses (Fault) what is not of this kind."""
        if type(value) not in self.types:
            raise self.refusal()
        return value if value is None or self.take is None else self.take(value)

    def refusal(self) -> Fault:
        return Fault(self.name)


def shape(
    record: type[Record],
    kinds: Mapping[str, Kind],
    later: Mapping[str, object] | None = None,
    sound: Callable[[Any], None] | None = None,
) -> Kind:
    """An object with these keys, in the order of the fields of the `record` that it becomes; `later` has the values of
    keys that earlier plans do not have, and `sound` refuses (Fault) what no type shows."""
    fetch = itemgetter(*kinds)
    known = [[*types] for types in product(*[kind.types for kind in kinds.values()])]
    takes = [(at, kind.take) for at, kind in enumerate(kinds.values()) if kind.take]
    usual = known[0]

    def make(data: dict[str, Any]) -> Any:
        nonlocal usual
        try:
            values = fetch(data)
        except KeyError:
            values = fetch(_completed(data, kinds, later or {}))
        types = [*map(type, values)]
        if types != usual:
            if types not in known:
                raise _misshapen(values, kinds)
            usual = types
        if takes:
            values, at = [*values], 0
            try:
                for at, take in takes:
                    if values[at] is not None:
                        values[at] = take(values[at])
            except Fault as fault:
                raise fault.within([*kinds][at]) from None
        made = _make(record, values)
        if sound:
            sound(made)
        return made

    return Kind("an object", (dict,), make)


def _completed(
    data: dict[str, Any], kinds: Mapping[str, Kind], later: Mapping[str, object]
) -> dict[str, Any]:
    whole = {**later, **data}
    missing = next((key for key in kinds if key not in whole), None)
    if missing is not None:
        raise Fault("", missing=missing)
    return whole


def _misshapen(values: tuple[object, ...], kinds: Mapping[str, Kind]) -> Fault:
    key, kind = next(
        (key, kind)
        for (key, kind), value in zip(kinds.items(), values, strict=True)
        if type(value) not in kind.types
    )
    return kind.refusal().within(key)


def maybe(kind: Kind) -> Kind:
    """That kind, or null."""
    return Kind(kind.name, (*kind.types, type(None)), kind.take)


def several(kind: Kind) -> Kind:
    """A list of that kind, as a tuple."""
    types, make = kind.types, kind.take or _same

    def take(items: list[Any]) -> tuple[Any, ...]:
        found: list[Any] = []
        try:
            for item in items:
                if type(item) not in types:
                    raise kind.refusal()
                found.append(make(item))
        except Fault as fault:
            raise fault.within(len(found) + 1) from None
        return tuple(found)

    return Kind("a list", (list,), take)


def table(kind: Kind) -> Kind:
    """An object whose values are all of that kind, whatever its keys."""
    types, make = kind.types, kind.take or _same

    def take(data: dict[str, Any]) -> dict[str, Any]:
        key, found = "", {}
        try:
            for key, value in data.items():
                if type(value) not in types:
                    raise kind.refusal()
                found[key] = make(value)
        except Fault as fault:
            raise fault.within(key) from None
        return found

    return Kind("an object", (dict,), take)


def _same(value: Any) -> Any:
    return value


def _texts(items: list[Any]) -> tuple[str, ...]:
    if not _TEXTS.issuperset(map(type, items)):
        at = next(at for at, item in enumerate(items, 1) if type(item) is not str)
        raise TEXT.refusal().within(at)
    return tuple(items)


class _Patterns(dict[tuple[object, ...], Pattern]):
    """Patterns by their parts, made when they are asked for: most stand in a plan several times, and in other plans."""

    def __missing__(self, parts: tuple[Any, ...]) -> Pattern:
        if not parts or not _TEXTS.issuperset(map(type, parts)):
            raise Fault(_PARTS)
        if len(self) >= _MOST_PATTERNS:
            self.clear()
        found = self[parts] = Pattern(parts)
        return found


_PARTS = "a list of pattern parts"
_patterns_made = _Patterns()


def _pattern(parts: list[Any]) -> Pattern:
    try:
        return _patterns_made[tuple(parts)]
    except TypeError:
        raise Fault(_PARTS) from None


def _patterns(items: list[Any]) -> tuple[Pattern, ...]:
    found = []
    try:
        for parts in items:
            if type(parts) is not list:
                raise LIST.refusal()
            found.append(_patterns_made[tuple(parts)])
    except Fault as fault:
        raise fault.within(0) from None
    except TypeError:
        raise Fault(_PARTS, 0) from None
    return tuple(found)


TEXT = Kind("text", (str,))
FLAG = Kind("true or false", (bool,))
OBJECT = Kind("an object", (dict,))
LIST = Kind("a list", (list,))
TEXTS = Kind("a list", (list,), _texts)
PATTERN = Kind("a list", (list,), _pattern)
PATTERNS = Kind("a list", (list,), _patterns)
