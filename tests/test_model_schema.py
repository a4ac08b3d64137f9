"""What a schema reads at once is what pydantic accepts, and nothing else; the values are the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from skillc.model.acceptance import AcceptanceFields
from skillc.model.bindings import BindingsFields
from skillc.model.boards import BoardFields
from skillc.model.catalogue import CatalogueFields
from skillc.model.effects import ChangesFields, EffectsFields
from skillc.model.manifest_front import ManifestFields
from skillc.model.order import OrderFields
from skillc.model.profiles import ProfileFields
from skillc.model.registry import RegistryFields
from skillc.model.scalars import Refused
from skillc.model.schema import Fields, declared, shape
from skillc.model.segments import SegmentFields, VariantFields
from skillc.model.validating import model
from skillc.model.worker import WorkerFields
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.text import Source, Text

SCHEMAS: list[type[Fields]] = [
    *(AcceptanceFields, BindingsFields, BoardFields, CatalogueFields, ChangesFields, EffectsFields),
    *(ManifestFields, OrderFields, ProfileFields, RegistryFields, SegmentFields, VariantFields, WorkerFields),
]
PLACE = Source("a.yaml", "x").span(0, 1)
VALUES = [
    "",
    "x",
    "a, b",
    "true",
    "false",
    "null",
    "~",
    "7",
    "1.10",
    "10:30",
    "static",
    "latest",
    "写",
    "a b",
    ".",
]
SCALARS = st.builds(Scalar, st.sampled_from(VALUES), st.just(PLACE), st.booleans())


def _words(schema: type[Fields]) -> list[str]:
    """Keys that stand anywhere in a schema, and some that do not."""
    inner = [key for hint in _nested(schema) for key in declared(hint)]
    return [*dict.fromkeys([*declared(schema), *inner, "a", "x-own"])]


def _nested(schema: type[Fields]) -> list[type[Fields]]:
    def walk(hint: Any) -> list[type[Fields]]:
        if isinstance(hint, type) and issubclass(hint, Fields):
            return [hint, *_nested(hint)]
        return [found for part in getattr(hint, "__args__", ()) for found in walk(part)]

    return [found for field in declared(schema).values() for found in walk(field.type)]


def _trees(keys: list[str]) -> st.SearchStrategy[Any]:
    return st.recursive(
        SCALARS,
        lambda inner: st.one_of(
            st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(keys), inner, max_size=4)
        ),
        max_leaves=8,
    )


def _plain(value: Any) -> Any:
    """The values of either reading, by the names of their fields."""
    if isinstance(value, BaseModel):
        return {name: _plain(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, Fields):
        return {
            field.name: _plain(getattr(value, field.name, None)) for field in declared(type(value)).values()
        }
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return [_plain(entry) for entry in value] if isinstance(value, list) else value


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.__name__)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_both_readings_accept_the_same_and_give_the_same(schema: type[Fields], data: st.DataObject) -> None:
    keys = _words(schema)
    drawn = data.draw(st.dictionaries(st.sampled_from(keys), _trees(keys), max_size=4))
    try:
        accepted: Any = model(schema).model_validate(drawn)
    except ValidationError:
        accepted = None
    try:
        read: Any = shape(schema).read(drawn)
    except Refused:
        read = None
    assert (read is None) == (accepted is None)
    assert _plain(read) == _plain(accepted)
    try:
        of_nodes: Any = shape(schema).read(_node(drawn))
    except Refused:
        of_nodes = None
    assert _plain(of_nodes) == _plain(read)


def _node(data: Any) -> Node:
    """Plain data as the tree that it is made of."""
    if isinstance(data, dict):
        return Mapping(tuple((Text(key, PLACE), _node(entry)) for key, entry in data.items()), PLACE)
    return Sequence(*PLACE.place, tuple(map(_node, data))) if isinstance(data, list) else data


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.__name__)
def test_fields_are_known_by_the_same_names_in_the_same_order(schema: type[Fields]) -> None:
    assert [field.alias for field in model(schema).model_fields.values()] == list(schema.known())
