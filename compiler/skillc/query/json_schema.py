"""The JSON Schema of `skillc query --output json`: minor versions only add fields, so readers allow more."""

from __future__ import annotations

from typing import Any, get_args

from skillc.query.attributes import CLOSED
from skillc.query.network import KINDS, EdgeKind

SCHEMA_ID = "urn:skillc:query:1"


def query_schema() -> dict[str, Any]:
    """The schema, as docs/schema publishes it."""
    label = {"type": "string", "description": "`package:name`, unique; a query takes it as it is"}
    node = {
        "label": label,
        "kind": {"enum": list(KINDS)},
        "package": {"type": "string", "description": "the path below the skills folder"},
        "name": {
            "type": "string",
            "description": "a worker's id, a tag or pattern, or a source in parentheses",
        },
    }
    known = {
        **{name: {"enum": [*CLOSED[name]]} for name in CLOSED if name != "kind"},
        "labels": {
            "type": "array",
            "items": {"type": "string"},
            "description": "of a tag: what it surely carries",
        },
    }
    edge = {"from": label, "to": label, "kind": {"enum": list(get_args(EdgeKind))}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "skillc query 1",
        "type": "object",
        "description": "Nodes by label, or in the order of the way for a somepath; edges in the direction of what is given.",
        "required": ["format_version", "nodes", "edges"],
        "properties": {
            "format_version": {"type": "string", "pattern": "^1\\.[0-9]+$"},
            "nodes": {
                "type": "array",
                "items": {"type": "object", "required": list(node), "properties": {**node, **known}},
            },
            "edges": {
                "type": "array",
                "items": {"type": "object", "required": list(edge), "properties": edge},
            },
        },
    }
