"""Records that nobody changes and that are made by the hundred for each file.

They are what `dataclass(frozen=True, slots=True)` makes, without its start: `dataclasses` imports half of what reads
source code, and compiles the source of every method of every class. Here a method is made when it is first called:
of most classes that are loaded a run makes no record. Records of as many fields differ in names alone, so a method
is compiled once for all of them and takes over their names.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import field as field
    from dataclasses import replace as replace
    from types import CodeType, FunctionType
    from typing import Any, dataclass_transform
else:
    FunctionType = type(lambda: None)

    def dataclass_transform(**_):
        """Only type checkers need the real one: it lets them check the fields of a record."""
        return lambda function: function

    def field(**how):
        """What is to be said of a field beside its type: the keywords are those of Field."""
        return Field(**how)

    def replace(record, /, **changes):
        """A record like this one, with `changes`; fields that `__init__` does not take are made anew."""
        kept = {name: getattr(record, name) for name in record.__match_args__ if name not in changes}
        return record.__class__(**kept, **changes)


class Unset:
    """What stands for a field that nothing was said about."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()
SIGNS = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


class Field:
    """How a field begins (`default`, or what `default_factory` makes), whether `__init__` takes it (`init`), and
    whether it counts in comparisons (`compare`) and is shown (`repr`)."""

    __slots__ = ("compare", "default", "factory", "init", "repr")

    def __init__(
        self,
        default: object = UNSET,
        default_factory: Callable[[], object] | None = None,
        init: bool = True,
        compare: bool = True,
        repr: bool = True,
    ) -> None:
        self.default = default
        self.factory = default_factory
        self.init = init
        self.compare = compare
        self.repr = repr


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(
    cls: type | None = None,
    /,
    *,
    frozen: bool = True,
    eq: bool = True,
    order: bool = False,
    slots: bool = True,
) -> Any:
    """The class as a record of its annotated fields: made, compared, hashed and shown by them.

    That nothing is assigned to is proved by the type checker; at run time nothing refuses it, since the refusing
    takes two thirds of the time that making such a record takes. One that is not `frozen` has no hash; one without
    `eq` is equal to itself alone; one without `slots` has room for what is worked out later.

    >>> @value
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(y=0, x=1), replace(Point(1), y=2)
    (Point(x=1, y=0), True, Point(x=1, y=2))
    """

    def record(cls: type) -> type:
        own = _own_fields(cls)
        fields = {**getattr(cls, "__fields__", {}), **own}
        made: dict[str, Any] = {"__fields__": fields, "__match_args__": _taken(fields)}
        made["__repr__"] = _repr([name for name, field in fields.items() if field.repr])
        owner: list[type] = []
        made["__init__"] = _put_off(owner, _init, fields)
        if eq:
            compared = [name for name, field in fields.items() if field.compare]
            made["__hash__"] = _put_off(owner, _hash, compared) if frozen else None
            for method in SIGNS if order else ("__eq__",):
                made[method] = _put_off(owner, _comparison, compared, method)
        owner.append(_with(cls, made, own, slots))
        return owner[0]

    return record if cls is None else record(cls)


def fields(record: object) -> tuple[str, ...]:
    """The names of the fields of a record, or of a class of records, in order."""
    return tuple(record.__fields__)  # type: ignore[attr-defined]


def asdict(record: object) -> dict[str, Any]:
    """The fields of a record by name, as they are."""
    return {name: getattr(record, name) for name in fields(record)}


def _own_fields(cls: type) -> dict[str, Field]:
    own = {}
    for name, kind in vars(cls).get("__annotations__", {}).items():
        if "ClassVar" not in str(kind):
            default = vars(cls).get(name, UNSET)
            own[name] = default if isinstance(default, Field) else Field(default)
    return own


def _with(cls: type, made: dict[str, Any], own: Mapping[str, Field], slots: bool) -> type:
    """The class with what was made where it says nothing itself; for slots it has to be made once more."""
    written = vars(cls)
    made = {name: held for name, held in made.items() if written.get(name) is None}
    if not slots:
        for name, held in made.items():
            setattr(cls, name, held)
        return cls
    kept = {name: held for name, held in written.items() if name not in own and name not in _UNSLOTTED}
    made |= {"__slots__": tuple(own), "__qualname__": cls.__qualname__}
    made_anew: type = type(cls)(cls.__name__, cls.__bases__, kept | made)
    return made_anew


_UNSLOTTED = ("__dict__", "__weakref__")
"""What only instances without slots have."""


def _taken(fields: Mapping[str, Field]) -> tuple[str, ...]:
    """What `__init__` takes, in order: what has to be given stands first."""
    taken, begun = [], False
    for name, field in fields.items():
        if field.init:
            if begun and field.default is UNSET and not field.factory:
                raise TypeError(f"`{name}` has no default, but a field before it has")
            begun = begun or field.default is not UNSET or bool(field.factory)
            taken.append(name)
    return tuple(taken)


def _put_off(owner: list[type], make: Callable[..., FunctionType], *of: object) -> Callable[..., Any]:
    """A method of the class `owner` until it is first called: then what is made `of` these takes its place."""

    def first(*given: Any, **named: Any) -> Any:
        method = make(*of)
        method.__qualname__ = f"{owner[0].__qualname__}.{method.__name__}"
        setattr(owner[0], method.__name__, method)
        return method(*given, **named)

    return first


def _init(fields: Mapping[str, Field]) -> FunctionType:
    taken, lines, defaults = ["self"], [], []
    known: dict[str, object] = {"UNSET": UNSET}
    for number, field in enumerate(fields.values()):
        begins = f"_{number}"
        if field.factory:
            known[f"make_{number}"] = field.factory
            begins = (
                f"make_{number}() if _{number} is UNSET else _{number}" if field.init else f"make_{number}()"
            )
        lines.append(f"self._{number} = {begins}")
        if field.init:
            taken.append(f"_{number}")
        if field.init and (field.factory or field.default is not UNSET):
            defaults.append(field.default)
    source = f"def made({', '.join(taken)}):\n " + "\n ".join(lines or ["pass"])
    return _function("__init__", source, list(fields), known, tuple(defaults))


def _hash(names: list[str]) -> FunctionType:
    return _function("__hash__", f"def made(self): return hash({_values('self', names)})", names)


def _comparison(names: list[str], method: str) -> FunctionType:
    ordered = f"{_values('self', names)} {SIGNS[method]} {_values('other', names)}"
    source = f"""def made(self, other):
        return {ordered} if self.__class__ is other.__class__ else NotImplemented"""
    return _function(method, source, names)


def _values(record: str, names: list[str]) -> str:
    """The fields of a record as a tuple, in source."""
    return f"({''.join([f'{record}._{number}, ' for number in range(len(names))])})"


def _function(
    method: str,
    source: str,
    names: list[str],
    known: dict[str, object] = {},  # noqa: B006 - nothing is put into it
    defaults: tuple[object, ...] = (),
) -> FunctionType:
    """The function that `source` defines, in which `_0`, `_1`, … stand for `names`."""
    code = _CODES.get(source)
    if code is None:
        made: dict[str, Any] = {}
        exec(source, made)  # of this module's own text alone: names of fields are no part of it
        code = _CODES[source] = made["made"].__code__
    named = {f"_{number}": name for number, name in enumerate(names)}
    code = code.replace(
        co_name=method,
        co_names=tuple([named.get(name, name) for name in code.co_names]),
        co_varnames=tuple([named.get(name, name) for name in code.co_varnames]),
    )
    return FunctionType(code, known, method, defaults)


_CODES: dict[str, CodeType] = {}
"""The compiled text of each source so far."""


def _repr(names: list[str]) -> Callable[[object], str]:
    def __repr__(self: object) -> str:
        shown = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
        return f"{self.__class__.__qualname__}({shown})"

    return __repr__
