"""The JSON Schema of a worker's valid replies (SPEC 12.3).

Concrete outputs and aliases are properties. No regular expression is built from package text: a family
(a pattern with wildcards) opens `outputs` to any key, and the description says which keys are meant;
whoever takes the reply checks them against the plan's patterns.
"""

from __future__ import annotations

from typing import Any

from skillc.model.package import Worker

SUMMARY_LENGTH = 50


def reply_schema(worker: Worker) -> dict[str, Any]:
    """The schema of one reply object: outputs, summary, askUser, nothing else."""
    return {
        "type": "object",
        "properties": {
            "outputs": _outputs(worker),
            "summary": {"type": "string", "description": f"at most {SUMMARY_LENGTH} characters"},
            "askUser": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"type": "string"}}]},
        },
        "required": ["outputs"],
        "additionalProperties": False,
    }


def _outputs(worker: Worker) -> dict[str, Any]:
    concrete = [ref.text for ref in worker.outputs if ref.pattern.is_tag]
    families = [ref.text for ref in worker.outputs if not ref.pattern.is_tag]
    names = dict.fromkeys([*concrete, *(short for short, _ in worker.aliases)])
    schema: dict[str, Any] = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    if worker.injected:
        schema["description"] = "keys are the tags that the task names"
    elif families:
        schema["description"] = "further keys are instances of " + ", ".join(families)
    open_ended = bool(families) or worker.injected
    schema["additionalProperties"] = {"type": "string"} if open_ended else False
    return schema
