"""The tools of an orchestrator: what may be called with what, and how a call is read. Nothing is guessed (SPEC 12.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from skillc.artifact.codec import canonical
from skillc.execute.decision import fault_of, key_fault, names
from skillc.execute.envelope import LENGTH_LIMIT, ReplyError, find_object
from skillc.execute.models.form import Form, Tool
from skillc.execute.models.protocol import Completion

MOST_TAGS = 20


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ReadBlackboard(_Arguments):
    """What is on the board; of the named tags the texts."""

    tags: list[str] = []


class ListWorkers(_Arguments):
    """Who can run now, and who lacks what."""


class ListArtifacts(_Arguments):
    """What the workers wrote so far."""


class DeclareInstanceReady(_Arguments):
    """Go from design to play, or be told what is missing."""


class AskUser(_Arguments):
    """Ask the user, and wait for him."""

    questions: list[str]
    targets: list[str] = []
    reason: str


class RunWorker(_Arguments):
    """Run a worker; what it reads and writes stands in its contract."""

    workerId: str
    roleId: str | None = None
    requiresApproval: bool = False
    reason: str


class CreateTempWorker(_Arguments):
    """Make a worker of a template; it runs by run_worker."""

    templateId: str
    instructions: str = ""
    reason: str


class ReviewBlackboard(_Arguments):
    """See the board, what was written and the workers at once."""

    reason: str


class FinishWork(_Arguments):
    """End: all that is to be delivered was delivered."""

    reason: str


TOOLS: Mapping[str, type[_Arguments]] = {
    "read_blackboard": ReadBlackboard,
    "list_workers": ListWorkers,
    "list_artifacts": ListArtifacts,
    "declare_instance_ready": DeclareInstanceReady,
    "run_worker": RunWorker,
    "ask_user": AskUser,
    "create_temp_worker": CreateTempWorker,
    "review_blackboard": ReviewBlackboard,
    "finish": FinishWork,
}
LOOKS = ("read_blackboard", "list_workers", "list_artifacts", "declare_instance_ready")
"""Tools of the loop; the others decide."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool, in due form."""

    tool: str
    arguments: Any

    @property
    def text(self) -> str:
        """The call as it stands in the conversation."""
        given = self.arguments.model_dump(exclude_unset=True)
        return canonical({"tool": self.tool, "arguments": given}).decode()


def tools_form() -> Form:
    """The tools as providers are told of them; as a schema, all arguments of all tools stand side by side and those
    that are not given are null."""
    tools = tuple(Tool(name, (kind.__doc__ or "").strip(), _closed(kind)) for name, kind in TOOLS.items())
    properties = {key: schema for tool in tools for key, schema in tool.parameters["properties"].items()}
    every = {key: _or_null(schema) for key, schema in properties.items()}
    call = {"tool": {"type": "string", "enum": list(TOOLS)}, "arguments": _object(every)}
    return Form(_object(call), tools)


def _closed(kind: type[_Arguments]) -> dict[str, Any]:
    """The arguments of one tool; strict modes want all of them, so what may be left out may be null."""
    found = {}
    for name, entry in kind.model_fields.items():
        schema = _TYPES[entry.annotation]
        found[name] = schema if entry.is_required() else _or_null(schema)
    return _object(found)


_TYPES: Mapping[object, dict[str, Any]] = {
    list[str]: {"type": "array", "items": {"type": "string"}},
    str: {"type": "string"},
    str | None: {"type": "string"},
    bool: {"type": "boolean"},
}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    return dict(schema) if "anyOf" in schema else {"anyOf": [dict(schema), {"type": "null"}]}


def read_call(completion: Completion) -> Call | ReplyError:
    """The one call in an answer: a tool call of the provider, or the JSON object that stands for one.

    Kinds of refusal: those of a reply's envelope, no-tool, two-calls, bad-tool, bad-arguments.
    """
    if completion.finish_reason == "length":
        return LENGTH_LIMIT
    if len(completion.calls) > 1:
        return ReplyError("two-calls", "one tool is called in each step, and these are several")
    if completion.calls:
        call = completion.calls[0]
        found = find_object(call.arguments) if call.arguments.strip() else {}
        return found if isinstance(found, ReplyError) else _call(call.name, found)
    data = find_object(completion.text)
    if isinstance(data, ReplyError):
        return data
    fault = key_fault(data, dict.fromkeys(("tool", "arguments")), "the call")
    if fault is not None:
        return ReplyError("bad-tool", fault)
    if not isinstance(data.get("tool"), str):
        return ReplyError("no-tool", f"a call names its `tool`, one of {names(TOOLS)}")
    arguments = data.get("arguments")
    if arguments is not None and not isinstance(arguments, dict):
        return ReplyError("bad-arguments", "`arguments` of a call is an object")
    return _call(str(data["tool"]), arguments or {})


def _call(tool: str, given: Mapping[str, object]) -> Call | ReplyError:
    """A null argument was not given; that no state changes, as the record of a decision says it, goes without saying."""
    kind = TOOLS.get(tool)
    if kind is None:
        return ReplyError("bad-tool", f"there is no tool `{tool[:40]}`; there are {names(TOOLS)}")
    given = {
        key: value for key, value in given.items() if not (key == "statePatchAllowed" and value is False)
    }
    stated = {key: value for key, value in given.items() if value is not None or key not in kind.model_fields}
    fault = key_fault(_foreign(stated), kind.model_fields, f"`{tool}`")
    if fault is not None:
        return ReplyError("bad-arguments", fault)
    stated = {key: value for key, value in stated.items() if key in kind.model_fields}
    try:
        arguments = kind.model_validate(stated)
    except ValidationError as problem:
        return ReplyError("bad-arguments", fault_of(problem, f"`{tool}`"))
    return Call(tool, arguments)


def _foreign(given: Mapping[str, object]) -> dict[str, object]:
    """The schema form has the arguments of all tools: those of others that are null say nothing."""
    every = {name for kind in TOOLS.values() for name in kind.model_fields}
    return {key: value for key, value in given.items() if value is not None or key not in every}
