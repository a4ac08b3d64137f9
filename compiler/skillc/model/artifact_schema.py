"""The JSON Schema of an artifact's body, made of its file of data (SPEC 10.3).

Kinds of a key, `|` between those that are fine: text (short), prose (may be long), texts, number, flag, diagnosis
{结论, 依据, 完备度}, group (a mapping with `keys`, others free), row (a mapping of one layer), list and map (of `of`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skillc.runtime.artifacts import Artifact

KINDS = ("text", "prose", "texts", "number", "flag", "diagnosis", "group", "row", "list", "map")
DIAGNOSIS = ("结论", "依据", "完备度")
"""The keys of a diagnosis; the first must be there."""
_LEAF = {"type": ["string", "number", "boolean", "null", "array"], "items": {"type": ["string", "number"]}}
Spec = Mapping[str, Any]


def kinds(spec: Spec) -> list[str]:
    """The kinds that a key may be of."""
    return str(spec["kind"]).split("|")


def body_schema(artifact: Artifact) -> dict[str, Any]:
    """The schema of what stands in the body of `artifact`, or of the document that it is."""
    scores = "、".join(artifact.scores)
    mounts = f"；挂 {'、'.join(artifact.mounts)}" if artifact.mounts else ""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": artifact.name,
        "description": f"{artifact.about}。自评：{scores}{mounts}。",
        **_mapping(artifact.body),
    }


def _mapping(keys: Mapping[str, Spec]) -> dict[str, Any]:
    needed = [key for key, spec in keys.items() if spec.get("needed")]
    return {
        "type": "object",
        "properties": {key: schema_of(spec) for key, spec in keys.items()},
        **({"required": needed} if needed else {}),
    }


def schema_of(spec: Spec) -> dict[str, Any]:
    """The schema of one key."""
    found = [_of_kind(kind, spec) for kind in kinds(spec)]
    about = {"description": spec["about"]} if "about" in spec else {}
    return {**about, **(found[0] if len(found) == 1 else {"anyOf": found})}


def _of_kind(kind: str, spec: Spec) -> dict[str, Any]:
    match kind:
        case "text":
            return {"type": "string", **({"enum": list(spec["one_of"])} if "one_of" in spec else {})}
        case "prose":
            return {"type": "string"}
        case "texts":
            return {"type": "array", "items": {"type": "string"}}
        case "number":
            return {"type": "number"}
        case "flag":
            return {"type": "boolean"}
        case "diagnosis":
            conclusion, grounds, complete = DIAGNOSIS
            texts = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
            known = {conclusion: {"type": "string"}, grounds: texts, complete: {"type": ["string", "number"]}}
            return {"type": "object", "properties": known, "required": [conclusion]}
        case "list":
            return {"type": "array", "items": schema_of(spec["of"])}
        case "map":
            return {"type": "object", "additionalProperties": schema_of(spec["of"])}
        case "row":
            return {**_mapping(spec.get("keys", {})), "additionalProperties": _LEAF}
    return _mapping(spec.get("keys", {}))
