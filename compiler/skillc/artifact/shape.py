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
_NONE = type(None)
_MOST_PATTERNS = 10_000
_patterns_made: dict[tuple[str, ...], Pattern] = {}
_make = tuple.__new__


class Fault(Exception):
    """Something in a plan is not what it should be; `way` leads from it to the plan."""

    def __init__(self, what: str, *way: str) -> None:
        self.what = what
        self.way = [*way]

    def within(self, name: str) -> Fault:
        """The same fault, seen from what holds `name`."""
        self.way.append(name)
        return self

    def __str__(self) -> str:
        return f"{' of '.join([*self.way, 'the plan'])} {self.what}"


class Kind:
    """A kind of value: the types that it may have in JSON, what a refusal calls it, and what makes the plan's value of
    one of these types (None: it stays as it is)."""

    __slots__ = ("name", "take", "types")

    def __init__(self, name: str, types: tuple[type, ...], take: Callable[[Any], Any] | None = None) -> None:
        self.name = name
        self.types = types
        self.take = take

    def read(self, value: object) -> Any:
        """What becomes of any value. Refuses (Fault) what is not of this kind."""
        if type(value) not in self.types:
            raise self.refusal()
        return value if self.take is None else self.take(value)

    def refusal(self) -> Fault:
        return Fault(f"should be {self.name}")


class Shape(Kind):
    """An object with these keys, in the order of the fields of the `record` that it becomes; `later` has the values of
    keys that earlier plans do not have, and `sound` refuses (Fault) what no type shows."""

    __slots__ = ("_kinds", "_known", "_later", "_record", "_sound", "_takes", "_values")

    def __init__(
        self,
        record: type[Record],
        kinds: Mapping[str, Kind],
        later: Mapping[str, object] | None = None,
        sound: Callable[[Any], None] | None = None,
    ) -> None:
        super().__init__("an object", (dict,), self.make)
        self._record = record
        self._kinds = list(kinds.items())
        self._later = later or {}
        self._sound = sound
        self._values = itemgetter(*kinds)
        self._known = frozenset(product(*[kind.types for kind in kinds.values()]))
        self._takes = [(at, kind.take) for at, kind in enumerate(kinds.values()) if kind.take]

    def make(self, data: dict[str, Any]) -> Any:
        """The record that an object becomes."""
        try:
            values = self._values(data)
        except KeyError:
            values = self._values(self._completed(data))
        if tuple(map(type, values)) not in self._known:
            self._refuse(values)
        if self._takes:
            values, at = [*values], 0
            try:
                for at, take in self._takes:
                    values[at] = take(values[at])
            except Fault as fault:
                raise fault.within(f"`{self._kinds[at][0]}`") from None
        made = _make(self._record, values)
        if self._sound:
            self._sound(made)
        return made

    def _completed(self, data: dict[str, Any]) -> dict[str, Any]:
        whole = {**self._later, **data}
        missing = next((key for key, _ in self._kinds if key not in whole), None)
        if missing is not None:
            raise Fault(f"has no `{missing}`")
        return whole

    def _refuse(self, values: tuple[object, ...]) -> None:
        for (key, kind), value in zip(self._kinds, values, strict=True):
            if type(value) not in kind.types:
                raise kind.refusal().within(f"`{key}`")


def maybe(kind: Kind) -> Kind:
    """That kind, or null."""
    take = kind.take
    return Kind(
        kind.name, (*kind.types, _NONE), take and (lambda value: None if value is None else take(value))
    )


def several(kind: Kind) -> Kind:
    """A list of that kind, as a tuple."""
    read = kind.read

    def take(items: list[Any]) -> tuple[Any, ...]:
        found: list[Any] = []
        try:
            for item in items:
                found.append(read(item))
        except Fault as fault:
            raise fault.within(f"entry {len(found) + 1}") from None
        return tuple(found)

    return Kind("a list", (list,), take)


def table(kind: Kind) -> Kind:
    """An object whose values are all of that kind, whatever its keys."""
    read = kind.read

    def take(data: dict[str, Any]) -> dict[str, Any]:
        key, found = "", {}
        try:
            for key, value in data.items():
                found[key] = read(value)
        except Fault as fault:
            raise fault.within(f"`{key}`") from None
        return found

    return Kind("an object", (dict,), take)


def _texts(items: list[Any]) -> tuple[str, ...]:
    if not _TEXTS.issuperset(map(type, items)):
        at = next(at for at, item in enumerate(items, 1) if type(item) is not str)
        raise TEXT.refusal().within(f"entry {at}")
    return tuple(items)


def _pattern(parts: object) -> Pattern:
    """The pattern of these parts, the same object for the same parts: most patterns of a plan stand in it several
    times, and in other plans too."""
    if type(parts) is not list:
        raise LIST.refusal()
    key = tuple(parts)
    try:
        found = _patterns_made.get(key)
    except TypeError:
        found = None
    return found or _new_pattern(key)


def _new_pattern(parts: tuple[Any, ...]) -> Pattern:
    if not parts or not _TEXTS.issuperset(map(type, parts)):
        raise Fault("should be a list of pattern parts")
    if len(_patterns_made) >= _MOST_PATTERNS:
        _patterns_made.clear()
    found = _patterns_made[parts] = Pattern(parts)
    return found


def _patterns(items: list[Any]) -> tuple[Pattern, ...]:
    try:
        return tuple([_pattern(item) for item in items])
    except Fault as fault:
        raise fault.within("an entry") from None


TEXT = Kind("text", (str,))
FLAG = Kind("true or false", (bool,))
OBJECT = Kind("an object", (dict,))
LIST = Kind("a list", (list,))
TEXTS = Kind("a list", (list,), _texts)
PATTERN = Kind("a list", (list,), _pattern)
PATTERNS = Kind("a list", (list,), _patterns)
