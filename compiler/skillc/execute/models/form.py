"""The form of a reply as providers are asked for it: a schema that their strict modes take, or tools (SPEC 12.4).

Property names are generated (`t1`, `t2`…), since some providers take ASCII only and models translate what they
read; the tag stands in the description, and `names` leads back exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from skillc.tags import Pattern

SUBMIT = "submit"
ASK_USER = "ask_user"
_QUESTIONS = {"type": "array", "items": {"type": "string"}}
_SUMMARY = {"type": "string", "description": "What was done, at most 50 characters"}
Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that the model may call; `parameters` is the schema of its arguments."""

    name: str
    description: str
    parameters: Schema


@dataclass(frozen=True, slots=True)
class Form:
    """The schema of a whole reply, tools that mean the same, and tags by the names that stand for them."""

    schema: Schema
    tools: tuple[Tool, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)


def reply_form(outputs: Iterable[Pattern], taken: Iterable[str] = ()) -> Form:
    """The form of a reply that writes `outputs` (bound to the role). `taken` are names that a reply may use already.

    Where all are tags, each has a name; where some are families, `outputs` is a list of {tag, text}.

    >>> from skillc.tags import literal
    >>> reply_form([literal("大纲.草稿")]).names
    {'t1': '大纲.草稿'}
    """
    patterns = list(outputs)
    listed = any(not pattern.is_tag for pattern in patterns)
    names = {} if listed else _names([pattern.text for pattern in patterns], set(taken))
    written = _list_of(patterns) if listed else _mapping_of(names)
    reply = _closed({"outputs": written, "summary": _SUMMARY, "askUser": _or_null(_QUESTIONS)})
    submit = Tool(SUBMIT, "Deliver what was written.", _closed({"outputs": written, "summary": _SUMMARY}))
    ask = Tool(
        ASK_USER,
        "Ask the user what is needed before anything can be written.",
        _closed({"questions": _QUESTIONS}),
    )
    return Form(reply, (submit, ask), names)


def _names(tags: list[str], taken: set[str]) -> dict[str, str]:
    """A name for each tag, none of which is a tag or an alias itself."""
    names: dict[str, str] = {}
    number = 0
    for tag in tags:
        number += 1
        while f"t{number}" in taken or f"t{number}" in tags:
            number += 1
        names[f"t{number}"] = tag
    return names


def _mapping_of(names: Mapping[str, str]) -> dict[str, Any]:
    """Strict modes want every property to be required: what is not written is null."""
    return _closed(
        {
            name: _or_null({"type": "string"}) | {"description": f"{tag}；不写则为 null"}
            for name, tag in names.items()
        }
    )


def _list_of(patterns: Iterable[Pattern]) -> dict[str, Any]:
    known = ", ".join(pattern.text for pattern in patterns)
    row = {"tag": {"type": "string", "description": f"One of {known}"}, "text": {"type": "string"}}
    return {"type": "array", "items": _closed(row)}


def _closed(properties: Mapping[str, Schema]) -> dict[str, Any]:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _or_null(schema: Schema) -> dict[str, Any]:
    return {"anyOf": [dict(schema), {"type": "null"}]}


def fits(value: object, schema: Schema) -> bool:
    """Whether `value` has the form of `schema`, which is of the kind that is made here: types, closed objects with
    all properties, lists, `anyOf`, `enum`.

    >>> fits({"a": 1}, {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]})
    False
    """
    if "anyOf" in schema:
        return any(fits(value, one) for one in schema["anyOf"])
    if "enum" in schema and value not in schema["enum"]:
        return False
    match schema.get("type"):
        case "object":
            return _fits_object(value, schema)
        case "array":
            return isinstance(value, list) and all(fits(entry, schema["items"]) for entry in value)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "null":
            return value is None
    return True


def _fits_object(value: object, schema: Schema) -> bool:
    properties = schema["properties"]
    return (
        isinstance(value, Mapping)
        and set(schema["required"]) <= set(value) <= set(properties)
        and all(fits(entry, properties[name]) for name, entry in value.items())
    )
