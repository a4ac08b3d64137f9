"""The JSON Schema of `--format json`: minor versions of the format only add fields, so readers allow more."""

from __future__ import annotations

import json
from typing import Any

from skillc.report.json_format import SCHEMA_ID

Schema = dict[str, Any]


def response_schema() -> str:
    """The schema as text, as `skillc check --response-schema` prints it and docs/schema publishes it."""
    return json.dumps(_REPORT, ensure_ascii=False, indent=2) + "\n"


def _object(description: str, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(properties),
    }


_TEXT: Schema = {"type": "string"}
_FROM_ONE: Schema = {"type": "integer", "minimum": 1}
_NUMBER: Schema = {"type": "integer", "minimum": 0}
_PATH: Schema = {"type": "string", "description": "relative to the workspace, with `/`"}
_RANGE: dict[str, Schema] = {
    "path": _PATH,
    "line": _FROM_ONE,
    "column": _FROM_ONE,
    "end_line": _FROM_ONE,
    "end_column": _FROM_ONE,
}
_EDIT = _object(
    "Replace what the range covers by `text`; places are those of the file as read.", **_RANGE, text=_TEXT
)
_FIX = _object(
    "A change that removes the finding; edits do not overlap.",
    message=_TEXT,
    safe={"type": "boolean", "description": "whether the package means the same afterwards"},
    edits={"type": "array", "items": _EDIT},
)
_RELATED = _object(
    "Another place that belongs to the finding.", path=_PATH, line=_FROM_ONE, column=_FROM_ONE, message=_TEXT
)
_FINDING = _object(
    "One finding. Lines and columns count from 1, columns in code points; the end is behind the last character.",
    code={"type": "string", "pattern": "^[A-Z][0-9]{3}$"},
    slug=_TEXT,
    severity={"enum": ["error", "warning", "info"]},
    **_RANGE,
    message=_TEXT,
    help=_TEXT,
    related={"type": "array", "items": _RELATED},
    fix={"oneOf": [{"type": "null"}, _FIX]},
)
_REPORT: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": SCHEMA_ID,
    "title": "skillc report 1",
    **_object(
        "Findings by path, position and code.",
        format_version={"type": "string", "pattern": "^1\\.[0-9]+$"},
        diagnostics={"type": "array", "items": _FINDING},
        summary=_object(
            "How many of each severity, and how much was read.",
            errors=_NUMBER,
            warnings=_NUMBER,
            infos=_NUMBER,
            packages=_NUMBER,
            workers=_NUMBER,
        ),
    ),
}
