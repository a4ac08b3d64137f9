"""What an orchestrator may decide: who runs, whom to ask, when it is over (SPEC 12.6). It never carries a tag."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from skillc.execute.misfit import misfit
from skillc.execute.phase import DECISIONS
from skillc.execute.reply import nearest
from skillc.runtime.jsontext import is_encodable

CONTRACT = "what a worker reads and writes stands in its contract"
HALF = "a text of the decision holds half a surrogate pair, which is no character"
_TAGS = (
    "tag",
    "tags",
    "inputTags",
    "outputTags",
    "inputKeys",
    "outputKeys",
    "inputs",
    "input",
    "context",
    "slots",
)
_TEXTS = ("outputs", "output", "content", "text", "texts", "write", "writes", "items", "blackboard")
_PATCHES = ("statePatch", "statePatchAllowed", "patch", "state", "status", "stage", "variables")
LONGEST_ID = 200
"""Characters of the id that a host gives a decision."""
LONGEST_REASON = 2_000
"""Characters of a reason."""

Action = Literal["ask_user", "run_worker", "create_temp_worker", "review_blackboard", "finish"]


class Decision(BaseModel):
    """One decision. `workerId` names whom it is about, `roleId` for whom that one runs; `requiresApproval` asks the user
    first, and never waives what the plan requires. It carries no tags, no texts and no change of the state."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    action: Action
    reason: str = ""
    workerId: str | None = None
    roleId: str | None = None
    requiresApproval: bool = False
    statePatchAllowed: Literal[False] = False


def read_decision(data: Mapping[str, object]) -> Decision | str:
    """The decision in `data`, or one sentence why it is none.

    >>> read_decision({"id": "d1", "action": "run_worker", "workerId": "write", "inputTags": ["规则.草稿"]})
    'the decision never carries `inputTags`: what a worker reads and writes stands in its contract'
    """
    fault = key_fault(data, Decision.model_fields, "the decision")
    if fault is not None:
        return fault
    if data.get("statePatchAllowed", False) is not False:
        return "the decision never changes the state: `statePatchAllowed` is always false"
    if data.get("action") not in DECISIONS:
        return f"`{_short(data.get('action'))}` is nothing that can be decided; there are {names(DECISIONS)}"
    try:
        decision = Decision.model_validate(dict(data), strict=True)
    except ValidationError as problem:
        return fault_of(problem, "the decision")
    if len(decision.id) > LONGEST_ID:
        return f"the id of a decision has at most {LONGEST_ID} characters"
    if len(decision.reason) > LONGEST_REASON:
        return f"a reason has at most {LONGEST_REASON:,} characters"
    if not are_texts(decision.id, decision.reason, decision.workerId or "", decision.roleId or ""):
        return HALF
    return decision


def are_texts(*said: str) -> bool:
    """Whether all can be stored and sent."""
    return all(map(is_encodable, said))


def key_fault(data: Mapping[str, object], known: Mapping[str, object], what: str) -> str | None:
    """Why `what` cannot have the keys that it has: it passes tags, writes a text, changes the state, or misspells one."""
    for key in data:
        if key in known:
            continue
        if key in _TAGS:
            return f"{what} never carries `{key}`: {CONTRACT}"
        if key in _TEXTS:
            return f"{what} never writes: `{key}` is for the worker whose contract has the tag"
        if key in _PATCHES:
            return f"{what} never changes the state: it has no `{key}`"
        if not known:
            return f"{what} takes nothing, so no `{_short(key)}`"
        return f"{what} has no key `{_short(key)}`; the nearest is `{nearest(str(key), known)}`"
    return None


def fault_of(problem: ValidationError, what: str) -> str:
    """The first thing that is wrong, in one sentence."""
    first = problem.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "missing":
        return f"{what} needs `{place}`"
    return f"`{place}` of {what} does not fit: {misfit(first)}"


def names(them: Iterable[str]) -> str:
    """Names in backticks, one after another."""
    return ", ".join(f"`{name}`" for name in them) or "none"


def _short(value: object) -> str:
    return str(value)[:40].encode("utf-8", "replace").decode()
