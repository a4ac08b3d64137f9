"""Bytes of a `plan.json` -> Plan, or one clear sentence why not. Unknown keys are ignored."""

from __future__ import annotations

from skillc.artifact.plan import (
    SCHEMA,
    Acceptance,
    Flows,
    Input,
    LabelRule,
    Orchestrator,
    PackageInfo,
    Plan,
    Play,
    PlaySlot,
    Profiles,
    Ready,
    Roles,
    SegmentPlan,
    SegmentPolicy,
    Startup,
    WorkerPlan,
)
from skillc.artifact.shape import (
    FLAG,
    LIST,
    OBJECT,
    PATTERN,
    PATTERNS,
    TEXT,
    TEXTS,
    Fault,
    Kind,
    maybe,
    several,
    shape,
    table,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    P = TypeVar("P", bound=Plan)


class PlanError(ValueError):
    """A plan that cannot be used; the text is one sentence for people."""


def decode(data: bytes, make: type[P] = Plan) -> P:  # type: ignore[assignment]
    """The plan in `data`, as a `make`.

    Refuses with PlanError what is not JSON (a cut file, say), another schema, and a missing or
    misshapen part, naming it.
    """
    root = _parse(data)
    try:
        schema = OBJECT.read(root).get("schema")
        if type(schema) is str and schema != SCHEMA:
            raise PlanError(
                f"the plan has schema `{schema}`, and this runtime reads `{SCHEMA}`; build it again"
            )
        return make.of(PLAN.read(root))
    except Fault as fault:
        raise PlanError(fault.sentence) from None
    except RecursionError:
        raise PlanError("the plan is nested too deeply; build it again") from None


def _parse(data: bytes) -> Any:
    try:
        text = data.decode("utf-8")
        value = _scanned(text)
        if "\\u" in text:
            _refuse_halves(value)
        return value
    except UnicodeDecodeError as error:
        raise PlanError(f"the plan is not UTF-8 at byte {error.start}; build it again") from None
    except RecursionError:
        raise PlanError("the plan is nested too deeply; build it again") from None


class _Settings:
    """What `json.loads` asks of the scanner of the standard library."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def _scanned(text: str) -> Any:
    """What `json.loads` gives, by its own scanner alone where that is there: `json` brings in `re` and `enum`, and to
    import these takes longer than to load a plan. It is asked for what the scanner does not take as a whole."""
    try:
        from _json import make_scanner

        value, end = make_scanner(_Settings)(text, 0)  # type: ignore[arg-type]
    except (ImportError, StopIteration, ValueError):
        return _explained(text)
    return _explained(text) if text[end:].strip(" \t\n\r") else value


def _explained(text: str) -> Any:
    import json

    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise PlanError(f"the plan is cut off or no JSON ({place}); build it again") from None


def _refuse_halves(value: object) -> None:
    import json

    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise PlanError(
            "the plan holds half a surrogate pair, which is no character; build it again"
        ) from None


def _condition(items: list[Any]) -> tuple[object, ...]:
    operator = _entry(items, 0, TEXT) if items else None
    if operator in ("and", "or", "not"):
        return (operator, *[_entry(items, at, CONDITION) for at in range(1, len(items))])
    if operator in ("has", "accepted") and len(items) == 2:
        return (operator, _entry(items, 1, PATTERN))
    if operator == "count" and len(items) == 3 and type(items[2]) is int:
        return (operator, _entry(items, 1, PATTERN), items[2])
    if operator == "startupCompleted" and len(items) == 1:
        return (operator,)
    raise Fault("a condition")


def _entry(items: list[Any], at: int, kind: Kind) -> Any:
    try:
        return kind.read(items[at])
    except Fault as fault:
        raise fault.within(at + 1) from None


def _count(number: int) -> int:
    if number < 1:
        raise COUNT.refusal()
    return number


def _slots_have_segments(play: Play) -> None:
    lost = next((slot for slot in play.slots if slot.worker not in play.segments), None)
    if lost:
        raise PlanError(f"slot `{lost.key}` of the plan has no segments; build the plan again")


def _templates_have_acceptance(orchestrator: Orchestrator) -> None:
    lost = next((name for name in orchestrator.templates if name not in orchestrator.acceptance), None)
    if lost is not None:
        raise PlanError(f"template `{lost}` of the plan has no acceptance; build the plan again")


MAYBE_TEXT = maybe(TEXT)
CONDITION = Kind("a list", (list,), _condition)
COUNT = Kind("a positive number or null", (int, type(None)), _count)

PACKAGE = shape(PackageInfo, dict.fromkeys(PackageInfo.fields(), TEXT))
STARTUP = shape(
    Startup, {"prompt": TEXT, "mode": TEXT, "targets": TEXTS, "required": TEXTS, "optional": TEXTS}
)
READY = shape(Ready, {"prerequisites": PATTERNS, "condition": maybe(CONDITION)})
ROLES = shape(Roles, {"ids": TEXTS, "from": MAYBE_TEXT})
LABEL = shape(
    LabelRule, {"label": TEXT, "pattern": maybe(PATTERN), "segment": MAYBE_TEXT, "except": PATTERNS}
)
ACCEPTANCE = table(shape(Acceptance, {"mode": TEXT, "requires_approval": FLAG, "reviews": TEXTS}))
SEGMENTS = several(
    shape(
        SegmentPlan,
        {
            "id": TEXT,
            "tier": TEXT,
            "label": MAYBE_TEXT,
            "tags": PATTERNS,
            "policy": maybe(shape(SegmentPolicy, {"kind": TEXT, "n": COUNT})),
            "projection": MAYBE_TEXT,
            "inline": MAYBE_TEXT,
        },
    )
)
WORKERS = table(
    shape(
        WorkerPlan,
        {
            "id": TEXT,
            "name": TEXT,
            "description": TEXT,
            "version": TEXT,
            "stage": TEXT,
            "actor": TEXT,
            "isolation": TEXT,
            "role_bound": FLAG,
            "inputs": several(shape(Input, {"pattern": PATTERN, "needed": FLAG})),
            "outputs": PATTERNS,
            "denied": PATTERNS,
            "merge": TEXT,
            "aliases": table(TEXT),
            "profiles": shape(Profiles, {"default": MAYBE_TEXT, "by_role": table(TEXT)}),
            "persona": MAYBE_TEXT,
            "system": TEXT,
            "segments": maybe(SEGMENTS),
            "instruction": TEXT,
            "variants": table(SEGMENTS),
            "variant": MAYBE_TEXT,
            "reply": OBJECT,
            "digest": TEXT,
        },
        later={"denied": [], "variant": None},
    )
)
PLAY = shape(
    Play,
    {
        "slots": several(shape(PlaySlot, {"key": TEXT, "worker": TEXT, "on": FLAG})),
        "order": Kind("an object or null", (dict, type(None))),
        "origin": TEXT,
        "segments": table(SEGMENTS),
    },
    sound=_slots_have_segments,
)
ORCHESTRATOR = shape(
    Orchestrator,
    {"system": TEXT, "task": TEXT, "templates": WORKERS, "acceptance": ACCEPTANCE},
    sound=_templates_have_acceptance,
)
PLAN = shape(
    Plan,
    {
        "schema": TEXT,
        "compiler": TEXT,
        "package": PACKAGE,
        "fingerprint": TEXT,
        "startup": maybe(STARTUP),
        "asks": PATTERNS,
        "ready": READY,
        "roles": ROLES,
        "labels": several(LABEL),
        "sources": table(PATTERNS),
        "deliverables": PATTERNS,
        "moved": table(TEXT),
        "order": TEXTS,
        "acceptance": ACCEPTANCE,
        "workers": WORKERS,
        "flows": shape(Flows, {"disclosures": LIST, "declassified": LIST}),
        "play": maybe(PLAY),
        "orchestrator": maybe(ORCHESTRATOR),
    },
    later={"play": None, "orchestrator": None},
)
