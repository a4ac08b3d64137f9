"""The JSON Schemas of `skillc diff` and `skillc compat` with `--format json`. Readers allow more fields."""

from __future__ import annotations

from typing import Any

from skillc.compare.difference import KINDS
from skillc.compare.totals import Totals
from skillc.value import fields

Schema = dict[str, Any]
_TEXT: Schema = {"type": "string"}
_MAYBE_TEXT: Schema = {"type": ["string", "null"]}
_NUMBER: Schema = {"type": "integer", "minimum": 0}
_MAYBE_NUMBER: Schema = {"type": ["integer", "null"], "minimum": 0}
_FLAG: Schema = {"type": "boolean"}
_KIND: Schema = {"enum": list(KINDS)}
_STATUS: Schema = {"enum": ["added", "removed", "renamed", "changed"]}


def _object(description: str, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(properties),
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _document(id: str, title: str, body: Schema) -> Schema:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": id,
        "title": title,
        **body,
    }


_VERSION: Schema = {"type": "string", "pattern": "^1\\.[0-9]+$"}
_SIDE = _object(
    "One side. `name` as the user gave it, null for the working tree; `revision` the full id of a git revision; "
    "`compiler` the version of skillc that made its plans.",
    name=_MAYBE_TEXT,
    kind={"enum": ["revision", "workspace", "build"]},
    revision=_MAYBE_TEXT,
    compiler=_TEXT,
    packages=_NUMBER,
    left_out=_NUMBER,
)
_CHANGE = _object(
    "A field that differs: a list by `added` and `removed`, a value by `was` and `now`, a long text by nothing.",
    kind=_KIND,
    field=_TEXT,
    added=_list(_TEXT),
    removed=_list(_TEXT),
    was=_MAYBE_TEXT,
    now=_MAYBE_TEXT,
)
_COUNTER = _object(
    "What counted the tokens; `why` it is an estimate, empty where it is exact.",
    name=_TEXT,
    exact=_FLAG,
    why=_TEXT,
)
_PREFIX = _object(
    "The part of a context before the first dynamic segment, in one layout: all known tokens of it, those of the fixed "
    "prefix and of static segments that are read anew once, and the segments among them that the board fills.",
    variant=_MAYBE_TEXT,
    slot=_FLAG,
    tokens=_NUMBER,
    fixed_anew=_NUMBER,
    static_anew=_NUMBER,
    fills=_list(_TEXT),
)
_WORKER = _object(
    "A worker that is not as before. `resumes`: whether a session that waits for it can go on.",
    id=_TEXT,
    was=_MAYBE_TEXT,
    status=_STATUS,
    kinds=_list(_KIND),
    changes=_list(_CHANGE),
    resumes=_FLAG,
    counter={"oneOf": [{"type": "null"}, _COUNTER]},
    tokens_anew=_NUMBER,
    prefixes=_list(_PREFIX),
)
_LOST = _object(
    "An input that has lost producers: workers, or sources in parentheses; `left` is how many it still has.",
    worker=_TEXT,
    pattern=_TEXT,
    lost=_list(_TEXT),
    left=_NUMBER,
)
_FLOWS = _object(
    "Rows of `flows` of the plans that are in force now and were not, and the other way round.",
    new=_list({"type": "object"}),
    gone=_list({"type": "object"}),
)
_PACKAGE = _object(
    "A package that is not as before. `stranded`: workers for which no waiting session can go on.",
    path=_TEXT,
    was=_MAYBE_TEXT,
    status=_STATUS,
    kinds=_list(_KIND),
    changes=_list(_CHANGE),
    workers=_list(_WORKER),
    lost_producers=_list(_LOST),
    disclosures=_FLOWS,
    declassified=_FLOWS,
    stranded=_list(_TEXT),
)
_LEFT_OUT = _object(
    "A package that is not compared: why, on either side; null where it compiles there.",
    path=_TEXT,
    base={"enum": ["errors", "stale", "damaged", "absent", None]},
    head={"enum": ["errors", "stale", "damaged", "absent", None]},
    same={"type": "boolean", "description": "whether its sources are equal all the same"},
    detail=_MAYBE_TEXT,
)
_FINDING = _object(
    "A finding; lines and columns from 1, columns in code points.",
    code={"type": "string", "pattern": "^[A-Z][0-9]{3}$"},
    slug=_TEXT,
    severity={"enum": ["error", "warning", "info"]},
    path=_TEXT,
    line={"type": "integer", "minimum": 1},
    column={"type": "integer", "minimum": 1},
    message=_TEXT,
    leak={"type": "boolean", "description": "whether it says that a secret reaches somebody uncleared"},
)
_FINDINGS = _object(
    "What is found now and was not, and the other way round.", new=_list(_FINDING), gone=_list(_FINDING)
)
_UNKNOWN = ("leaks", "errors", "warnings", "infos", "gone")
"""Numbers that are null where one side knows no findings."""


def diff_schema() -> Schema:
    """The schema of `skillc diff --format json`."""
    numbers = {name: _MAYBE_NUMBER if name in _UNKNOWN else _NUMBER for name in fields(Totals)}
    body = _object(
        "What differs between two states of a workspace, and what that costs.",
        format_version=_VERSION,
        base=_SIDE,
        head=_SIDE,
        different=_FLAG,
        packages=_list(_PACKAGE),
        left_out=_list(_LEFT_OUT),
        same_plan=_list(_TEXT),
        findings={"oneOf": [{"type": "null"}, _FINDINGS]},
        summary=_object("The numbers; those of findings are null where one side knows none.", **numbers),
    )
    return _document("urn:skillc:diff:1", "skillc diff 1", body)


_VERDICT = _object(
    "A worker of the old side. `survives`: whether a session that waits for it goes on with the new plan by itself; "
    "`kinds` say what changed.",
    id=_TEXT,
    survives=_FLAG,
    status={"enum": ["same", "changed", "renamed", "removed"]},
    now=_MAYBE_TEXT,
    kinds=_list(_KIND),
)
_COMPATIBLE = _object(
    "A package of the old side. `reason` says why none of its sessions can go on, whatever waits for what; `unknown` "
    "that the old side has no plan of it, so that only a store can tell.",
    path=_TEXT,
    survives=_FLAG,
    reason={"enum": ["removed", "renamed", "errors", "stale", "damaged", "unknown", None]},
    now=_MAYBE_TEXT,
    workers=_list(_VERDICT),
)
_SESSION = _object(
    "A session of the store that is not over.",
    id=_TEXT,
    package=_TEXT,
    worker=_MAYBE_TEXT,
    role=_MAYBE_TEXT,
    waits=_MAYBE_TEXT,
    survives=_FLAG,
    why={"enum": ["package", "changed", "removed", None]},
)


def compat_schema() -> Schema:
    """The schema of `skillc compat --format json`."""
    body = _object(
        "Whether suspended sessions of the old side go on with the plans of the new one.",
        format_version=_VERSION,
        old=_SIDE,
        new=_SIDE,
        survive=_FLAG,
        packages=_list(_COMPATIBLE),
        sessions={"oneOf": [{"type": "null"}, _list(_SESSION)]},
    )
    return _document("urn:skillc:compat:1", "skillc compat 1", body)
