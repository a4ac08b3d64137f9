"""What keeps a mapping from being read by its schema, found by pydantic: every error with its exact location.

Loaded when something cannot be read, and not before: a workspace without such errors does without pydantic.
"""

from __future__ import annotations

from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    create_model,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from skillc.model.scalars import REFUSED, Before, Leaf, Refused
from skillc.model.schema import Fields, Read, declared
from skillc.source.node import Scalar

Location = tuple[int | str, ...]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        known = {field.alias for field in cls.model_fields.values()}
        return {k: v for k, v in data.items() if not (k in known and isinstance(v, Scalar) and v.is_null)}


class _Open(_Model):
    model_config = ConfigDict(extra="ignore")


_MODELS: dict[type[Fields], type[BaseModel]] = {}


def model(schema: type[Fields]) -> type[BaseModel]:
    """The pydantic model of a schema: what `shape(schema).read` reads, it accepts, and nothing else."""
    if schema not in _MODELS:
        _MODELS[schema] = _made(schema)
    return _MODELS[schema]


def _made(schema: type[Fields]) -> type[BaseModel]:
    fields: Any = {
        field.name: (_type(field.type), Field(getattr(schema, field.name, ...), alias=key))
        for key, field in declared(schema).items()
    }
    base = _Open if schema.is_open else _Model
    return create_model(schema.__name__, __base__=base, **fields)


def _type(hint: Any) -> Any:
    """A declared type in pydantic's terms."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        extras = tuple(_validator(extra) for extra in parts[1:] if isinstance(extra, Leaf | Before))
        return Annotated[(_type(parts[0]), *extras)] if extras else _type(parts[0])
    if origin in (Union, UnionType):
        return Union[tuple(_type(part) for part in parts)]  # noqa: UP007
    if origin in (list, dict):
        return origin[tuple(_type(part) for part in parts)]
    return model(hint) if isinstance(hint, type) and issubclass(hint, Fields) else hint


def _validator(extra: Leaf | Before) -> PlainValidator | BeforeValidator:
    if isinstance(extra, Leaf):
        return PlainValidator(_telling(extra.read))
    return BeforeValidator(_telling(extra.change))


def _telling(read: Read) -> Read:
    """`read`, whose refusal pydantic understands."""

    def told(value: Any) -> Any:
        try:
            return read(value)
        except Refused as refused:
            raise PydanticCustomError(REFUSED, "{wanted}", {"wanted": refused.wanted}) from None

    return told


def prune_until_valid(schema: type[Fields], data: Any) -> list[ErrorDetails]:
    """Remove from `data` what is wrong, until the rest is right; returns the errors of the first look.

    Later looks only find what the removals caused (a segment that lost its tier): not news.
    """
    first: list[ErrorDetails] | None = None
    while True:
        try:
            model(schema).model_validate(data)
            return first or []
        except ValidationError as error:
            details = error.errors(include_url=False, include_input=False)
            first = details if first is None else first
            _prune(data, {_culprit(data, detail) for detail in details})


def _culprit(data: Any, error: ErrorDetails) -> Location:
    """The part to leave out: where the error is, or what lacks the field."""
    location = error["loc"][:-1] if error["type"] == "missing" else error["loc"]
    at = data
    for depth, step in enumerate(location):
        inside = step in at if isinstance(at, dict) else isinstance(at, list) and step in range(len(at))
        if not inside:
            return location[:depth]
        at = at[step]
    return location


def _prune(data: Any, locations: set[Location]) -> None:
    """Delete the outermost of `locations`, last ones first so that positions in lists stay true."""
    outermost = [at for at in locations if not any(at[:n] in locations for n in range(1, len(at)))]
    for *path, last in sorted(outermost, key=_path_key, reverse=True):
        holder = data
        for step in path:
            holder = holder[step]
        del holder[last]


def _path_key(location: Location) -> list[tuple[int, str]]:
    return [(step, "") if isinstance(step, int) else (-1, step) for step in location]
