"""What a mapping of YAML may hold, as a class with a field for each key; and the reading of one that is as it should be.

What is read is a node, or plain data: dicts, lists and scalars, where something wrong was taken out of it. Nothing is
said here of what is wrong: `shape.read` either gives the values or raises Refused, and `validating` then finds out what
keeps it from being read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import UnionType
from typing import Annotated, Any, ClassVar, Generic, TypeVar, Union, get_args, get_origin

from skillc.model.scalars import Before, Leaf, Refused, as_text, plain
from skillc.source.node import NULLS, Mapping, Scalar, Sequence
from skillc.text import Text
from skillc.value import value
from skillc.wording import say

Read = Callable[[Any], Any]
F = TypeVar("F", bound="Fields")


@value
class Key:
    """The key of a field whose name is not its own in camelCase; used as `Annotated[Word | None, Key("from")]`."""

    name: str


class Fields:
    """A schema: fields by their camelCase names, `x-…` keys free, a null the same as leaving a key out.

    A class that is one annotates its fields; those without a value must be there.
    """

    noun: ClassVar[str] = say("this file")
    """What the mapping is, for messages: `a worker`."""
    required: ClassVar[tuple[str, ...]] = ()
    """Fields of the outermost mapping that must be there."""
    short: ClassVar[str] = ""
    """The field that a text in place of the whole mapping is most likely meant for."""
    legacy: ClassVar[tuple[str, ...]] = ()
    """Fields of the old key model, ignored with a finding."""
    is_open: ClassVar[bool] = False
    """Whether other keys are passed over."""

    @classmethod
    def known(cls) -> tuple[str, ...]:
        """The names of all fields, as declared."""
        return tuple(declared(cls))


@value
class Declared:
    """A field as it is declared: its name in the class, the type of its value, whether it must be there."""

    name: str
    type: Any
    needed: bool


_DECLARED: dict[type[Fields], dict[str, Declared]] = {}


def declared(schema: type[Fields]) -> dict[str, Declared]:
    """The fields of a schema by key, those of the classes above it first."""
    if schema not in _DECLARED:
        _DECLARED[schema] = _declared(schema)
    return _DECLARED[schema]


def _declared(schema: type[Fields]) -> dict[str, Declared]:
    found = {}
    for name, hint in _types(schema).items():
        keys = [extra.name for extra in getattr(hint, "__metadata__", ()) if isinstance(extra, Key)]
        found[keys[0] if keys else camel(name)] = Declared(name, hint, not hasattr(schema, name))
    return found


def _types(schema: type[Fields]) -> dict[str, Any]:
    """The types of the fields, as `get_type_hints` gives them, which takes twice as long over what is said of the
    class alone."""
    found = {}
    for owner in reversed(schema.__mro__):
        known = vars(sys.modules[owner.__module__])
        for name, written in vars(owner).get("__annotations__", {}).items():
            if not str(written).startswith("ClassVar"):
                found[name] = eval(
                    written, known
                )  # the annotation of a class of this room, as its module means it
    return found


def camel(name: str) -> str:
    """
    >>> camel("llm_profile_id")
    'llmProfileId'
    """
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


class Shape(Generic[F]):
    """How the values of a schema are read."""

    __slots__ = ("_fields", "_needed", "_required", "_schema")

    def __init__(self, schema: type[F]) -> None:
        fields = declared(schema)
        self._schema = schema
        self._fields = {sys.intern(key): (field.name, reader(field.type)) for key, field in fields.items()}
        self._needed = tuple(field.name for field in fields.values() if field.needed)
        self._required = tuple(fields[key].name for key in schema.required)

    def read(self, data: Any) -> F:
        """The values that `data` holds; raises Refused when anything is not as the schema says."""
        if data.__class__ is Mapping:
            data = data.values
        elif data.__class__ is not dict:
            raise Refused("")
        made = self._schema()
        held = made.__dict__
        fields = self._fields
        for key, given in data.items():
            field = fields.get(key)
            if field is None:
                if self._schema.is_open:
                    continue
                raise Refused("")
            name, read = field
            if given.__class__ is not Scalar:
                held[name] = read(given)
            elif not (given.plain and given.value in NULLS):
                held[name] = given if read is as_text else read(given)
        for name in self._needed:
            if name not in held:
                raise Refused("")
        return made

    def holds_all(self, made: F) -> bool:
        """Whether what was read has all that the outermost mapping must have, none of it blank."""
        held = made.__dict__
        for name in self._required:
            found = held.get(name)
            if found is None or (isinstance(found, Text) and not found.value.strip()):
                return False
        return True


_SHAPES: dict[type[Fields], Shape[Any]] = {}


def shape(schema: type[F]) -> Shape[F]:
    """The shape of a schema, made when it is first needed."""
    if schema not in _SHAPES:
        _SHAPES[schema] = Shape(schema)
    return _SHAPES[schema]


def reader(hint: Any) -> Read:
    """What reads a value of a declared type; it raises Refused for any other value."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(parts[0], parts[1:])
    if origin in (Union, UnionType):
        # What is left out or null is no value here; only what changes a value makes None of it.
        return reader(next(part for part in parts if part is not None.__class__))
    if origin is list:
        return _list(reader(parts[0]))
    if origin is dict:
        return _dict(reader(parts[1]))
    return plain if hint is Any else shape(hint).read


def _annotated(hint: Any, extras: tuple[Any, ...]) -> Read:
    for extra in extras:
        if isinstance(extra, Leaf):
            return extra.read
        if isinstance(extra, Before):
            return _after(extra.change, reader(hint))
    return reader(hint)


def _after(change: Read, read: Read) -> Read:
    def changed(value: Any) -> Any:
        value = change(value)
        return None if value is None else read(value)

    return changed


def _list(read: Read) -> Read:
    def entries(value: Any) -> list[Any]:
        if value.__class__ is Sequence:
            value = value.items
        elif value.__class__ is not list:
            raise Refused("")
        return [read(entry) for entry in value]

    return entries


def _dict(read: Read) -> Read:
    def entries(value: Any) -> dict[str, Any]:
        if value.__class__ is Mapping:
            value = value.values
        elif value.__class__ is not dict:
            raise Refused("")
        return {key: read(entry) for key, entry in value.items()}

    return entries
