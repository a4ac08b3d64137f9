"""The JSON Schema of projection orders, both forms under all names of their keys, from the tables that read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skillc.runtime.order import ENTRY, PROJECTION, PROJECTIONS, ROW, SCHEMA, TOP
from skillc.runtime.slots import ON_DEMAND, SLOTS

_NUMBER = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+$"}]}
_TEXT = {"type": "string"}


def order_schema() -> dict[str, Any]:
    """The schema of a context-order file (SPEC 11.2). What an order on a board may have beyond it is not said here:
    there unknown keys are passed over."""
    top: dict[str, Any] = {
        "schema": {"const": SCHEMA},
        "brief": {**_TEXT, "description": "One line for people."},
        "note": _TEXT,
        "play_slots": {"$ref": "#/$defs/switches"},
        "slots": {"type": "array", "items": {"$ref": "#/$defs/slot"}},
        "agents": {
            "type": "array",
            "items": {"$ref": "#/$defs/slot"},
            "description": "The author's form of `slots`.",
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SCHEMA,
        "description": "Which tags a slot of the play turn shows, in which order, how much of each.",
        **_object(top, TOP),
        "$defs": {
            "switches": _switches(),
            "slot": _object(_entry(), ENTRY),
            "row": _object(_row(), ROW, ["ref"]),
        },
    }


def _entry() -> dict[str, Any]:
    return {
        "ref": {**_TEXT, "description": "The worker, or any name of the slot that it fills."},
        "id": {**_TEXT, "description": "The slot, where `ref` names another worker that fills it."},
        "label": _TEXT,
        "enabled": {"type": "boolean"},
        "when": {**_TEXT, "description": "Carried for people; no condition is read from it."},
        "note": _TEXT,
        "inserts": {"type": "array", "items": {"$ref": "#/$defs/row"}},
    }


def _row() -> dict[str, Any]:
    return {
        "order": {**_NUMBER, "description": "Rows stand by number; in normal form 0, 1, 2 …"},
        "ref": {
            **_TEXT,
            "description": "A tag or family that the worker reads, worker.persona, or 对话.历史.",
        },
        "projection": {"enum": [*PROJECTIONS, *PROJECTION]},
        "note": {**_TEXT, "description": "For people."},
        "label": {**_TEXT, "description": "Stands above the text."},
        "anchor": {"deprecated": True, "description": "Ignored."},
    }


def _switches() -> dict[str, Any]:
    names = [name for slot in SLOTS for name in (slot.key, slot.worker, slot.name, *slot.others)]
    flags = {name: {"type": "boolean"} for name in [*dict.fromkeys(names), *ON_DEMAND]}
    return {"type": "object", "properties": flags, "additionalProperties": False}


def _object(
    own: dict[str, Any], names: Mapping[str, str], required: list[str] | None = None
) -> dict[str, Any]:
    """An object with the `own` keys, each under its other names too; one of these names stands for a required key."""
    properties = dict(own)
    properties.update({name: own[meant] for name, meant in names.items() if meant in own})
    needs = [
        {
            "anyOf": [
                {"required": [name]} for name in (key, *(n for n, meant in names.items() if meant == key))
            ]
        }
        for key in required or ()
    ]
    return {
        "type": "object",
        "properties": properties,
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
        **({"allOf": needs} if needs else {}),
    }
