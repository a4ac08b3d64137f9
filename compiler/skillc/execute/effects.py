"""Side effects of variables: when a variable crosses a line, tags are written or workers queued, without a model.

They stand in the live 设计.变量设计与更新规则, under `side_effects`. A list with a fault is refused as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    ValidationError,
    field_validator,
    model_validator,
)

from skillc.artifact.plan import Plan
from skillc.execute.envelope import ReplyError
from skillc.execute.misfit import misfit
from skillc.execute.playturn import slots_on
from skillc.execute.records import EffectState
from skillc.execute.variables import DESIGN, SCHEMA_DIALECT, document_body
from skillc.runtime import AssemblyRefused, Board, Item
from skillc.runtime.boardorder import in_force
from skillc.runtime.history import HISTORY
from skillc.runtime.isolation import lost
from skillc.runtime.naming import tag_fault
from skillc.runtime.order import number
from skillc.runtime.tagnames import CURRENT_ROLE, EDITS, UPDATES, VARIABLES
from skillc.runtime.variables import Cell, cells_of
from skillc.tags import family, matches

KEYS = ("side_effects", "sideEffects", "副作用")
_OPS = {"=": "==", "＝": "==", "≤": "<=", "≥": ">=", "≠": "!=", "＜": "<", "＞": ">"}
_ORDERED = ("<", "<=", ">", ">=")
_OWN = (HISTORY, VARIABLES, CURRENT_ROLE, UPDATES, EDITS)
"""What the runtime itself keeps; a side effect neither writes it nor takes a text from it."""


class EffectsRefused(ValueError):
    """Side effects that cannot be used; the text names each fault."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class When(_Part):
    """A line that a variable crosses. `<`, `<=`, `>`, `>=` compare numbers; a text that is a number counts as one."""

    key: str = Field(min_length=1)
    op: Literal["<", "<=", "==", "!=", ">=", ">"]
    value: StrictBool | StrictInt | StrictFloat | str

    @field_validator("op", mode="before")
    @classmethod
    def _plain(cls, op: object) -> object:
        return _OPS.get(op.strip(), op.strip()) if isinstance(op, str) else op

    @model_validator(mode="after")
    def _comparable(self) -> When:
        if self.op in _ORDERED and number(self.value) is None:
            raise ValueError(f"`{self.op}` compares numbers, and `{self.value}` is none")
        return self


class Write(_Part):
    """A tag and what is written under it: `text`, or what the newest live item under the tag `from` holds.
    Of the runtime's own tags, such as 变量.当前, nothing can be taken."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["text"]}, {"required": ["from"]}]})

    tag: str
    text: str | None = Field(default=None, min_length=1)
    source: str | None = Field(default=None, alias="from")

    @model_validator(mode="after")
    def _one_text(self) -> Write:
        if (self.text is None) == (self.source is None):
            raise ValueError("it needs exactly one of `text` and `from`")
        return self


class Action(_Part):
    """One thing that a side effect does."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    write_tag: Write | None = None
    replace_tag: Write | None = None
    queue_worker: str | None = None

    @model_validator(mode="after")
    def _one_deed(self) -> Action:
        if sum(deed is not None for deed in (self.write_tag, self.replace_tag, self.queue_worker)) != 1:
            raise ValueError("it needs exactly one of `write_tag`, `replace_tag`, `queue_worker`")
        return self

    @property
    def write(self) -> Write | None:
        return self.write_tag or self.replace_tag


class Effect(_Part):
    """A side effect: what it does when its condition begins to hold. `once` in a session, or at `every_edge`."""

    id: str = Field(min_length=1)
    when: When
    do: tuple[Action, ...] = Field(min_length=1)
    mode: Literal["once", "every_edge"] = "once"


class Effects(_Part):
    """All side effects of a session."""

    side_effects: tuple[Effect, ...]


def effects_schema() -> dict[str, Any]:
    """The JSON Schema of the part of a design that holds side effects."""
    return {"$schema": SCHEMA_DIALECT, **Effects.model_json_schema(by_alias=True)}


def read_effects(rows: object) -> tuple[Effect, ...]:
    """The side effects in a list. Refuses (EffectsRefused) with every fault.

    >>> rows = [{"id": "昏倒", "when": {"key": "血量", "op": "<=", "value": 0}, "do": [{"queue_worker": "chance"}]}]
    >>> read_effects(rows)[0].mode
    'once'
    """
    try:
        effects = Effects.model_validate({"side_effects": rows}).side_effects
    except ValidationError as problem:
        errors = problem.errors(include_url=False, include_input=False)
        raise EffectsRefused("; ".join(dict.fromkeys(_sentence(rows, error) for error in errors))) from None
    ids = [effect.id for effect in effects]
    twice = sorted({id for id in ids if ids.count(id) > 1})
    if twice:
        raise EffectsRefused("; ".join(f"two side effects are called `{id}`" for id in twice))
    return effects


def _sentence(rows: object, error: Mapping[str, Any]) -> str:
    """What is wrong, at the keys as they are written."""
    number_, *path = [step for step in error["loc"][1:] if step not in ("bool", "int", "float", "str")] or [
        None
    ]
    where = ".".join(str(step + 1) if isinstance(step, int) else step for step in path)
    what = "`side_effects`" if not isinstance(number_, int) else _name_of(rows, number_)
    return f"{what}, `{where}`: {misfit(error)}" if where else f"{what}: {misfit(error)}"


def _name_of(rows: object, at: int) -> str:
    row = rows[at] if isinstance(rows, list | tuple) and at < len(rows) else None
    name = row.get("id") if isinstance(row, dict) else None
    return f"side effect {at + 1} (`{name}`)" if isinstance(name, str) and name else f"side effect {at + 1}"


def effects_in(body: Mapping[str, Any], plan: Plan, board: Board) -> tuple[Effect, ...]:
    """The side effects of a document's `body`, checked against what `plan` declares; refuses with EffectsRefused."""
    rows = next((body[key] for key in KEYS if body.get(key) is not None), ())
    effects = read_effects(rows)
    faults = [f"side effect `{e.id}`: {fault}" for e in effects for fault in _faults(e, plan, board)]
    if faults:
        raise EffectsRefused("; ".join(faults))
    return effects


def effects_of(plan: Plan, board: Board) -> tuple[Effect, ...]:
    """The side effects in force on `board`; refuses with EffectsRefused, naming the document."""
    item = in_force(board, DESIGN)
    try:
        return effects_in(document_body(item), plan, board)
    except EffectsRefused as problem:
        tag = item.tag if item else DESIGN
        raise EffectsRefused(f"the side effects in `{tag}` are not used: {problem}") from None


def effects_fault(outputs: Mapping[str, str], plan: Plan, board: Board) -> ReplyError | None:
    """Why a reply that writes a design of variables is refused: its side effects have a fault."""
    for tag, text in outputs.items():
        if family(tag) == DESIGN or family(tag).startswith(DESIGN + "."):
            try:
                effects_in(document_body(Item("", tag, text, "", 0)), plan, board)
            except EffectsRefused as problem:
                return ReplyError("bad-side-effects", f"`{tag}`: {problem}; nothing was written")
    return None


def _faults(effect: Effect, plan: Plan, board: Board) -> Iterator[str]:
    for action in effect.do:
        if action.write is not None:
            yield from _write_faults(action.write, plan)
        elif action.queue_worker is not None:
            yield from queue_faults(action.queue_worker, plan, board)


def _write_faults(write: Write, plan: Plan) -> Iterator[str]:
    """A side effect writes what a play worker may write or the package lets the runtime write, and brings no text
    to who may not have it."""
    for tag in (write.tag, write.source):
        fault = tag_fault(tag) if tag is not None else None
        if fault:
            yield f"`{tag}` is no tag: {fault}"
            return
    if not may_write(plan, write.tag):
        yield (
            f"`{write.tag}` is nothing that a side effect may write: no play worker has it in its outputs, "
            "and the package does not list it under `sources: runtime` in tags.yaml"
        )
    if write.source is not None and family(write.source) in _OWN:
        yield f"`{write.source}` is kept by the runtime itself: no text can be brought from there"
    elif write.source is not None:
        labels, foreign = lost(plan.labels, plan.moved, write.source, write.tag)
        if labels:
            yield f"`{write.source}` is {', '.join(sorted(labels))}, and `{write.tag}` is not"
        if foreign:
            yield f"`{write.source}` is role_private, and not of the same role as `{write.tag}`"


def may_write(plan: Plan, tag: str) -> bool:
    """Whether a side effect may write `tag`: an output of a play worker, or a runtime source of the package, so that
    a compiler knows of every reader where its text may be from. Not what the runtime itself keeps."""
    if family(tag) in _OWN:
        return False
    outputs = [p for worker in plan.workers.values() if worker.stage == "play" for p in worker.outputs]
    return any(matches(pattern, tag) for pattern in (*outputs, *plan.sources.get("runtime", ())))


def queue_faults(worker_id: str, plan: Plan, board: Board) -> Iterator[str]:
    """Why a worker cannot be called into a turn: it is none of play, or plays anyway."""
    worker = plan.workers.get(worker_id)
    if worker is None or worker.stage != "play":
        names = ", ".join(f"`{w.id}`" for w in plan.workers.values() if w.stage == "play")
        yield f"there is no play worker `{worker_id}` to queue; there are {names or 'none'}"
    elif _plays(worker_id, plan, board):
        yield f"`{worker_id}` plays in every turn, so it cannot be queued"


def _plays(worker_id: str, plan: Plan, board: Board) -> bool:
    try:
        return any(slot.worker == worker_id for slot in slots_on(plan, board))
    except AssemblyRefused:  # an order that cannot be followed is told where it is played by
        return False


def crossings(
    effects: Iterable[Effect], states: Mapping[str, EffectState], variables: Mapping[str, Any]
) -> tuple[list[Effect], dict[str, EffectState]]:
    """Which side effects fire on the table `variables`, and how all of them stand then.

    One fires where its condition holds and did not at the last look. At the first look nothing fires: what holds
    from the start crosses no line. A variable that is not there is on no side of any line.
    """
    cells = {cell.key: cell for cell in cells_of(variables)}
    now = dict(states)
    fired: list[Effect] = []
    for effect in effects:
        held = holds(effect.when, cells.get(effect.when.key))
        before = states.get(effect.id)
        count = before.fired if before else 0
        edge = before is not None and held and not before.held
        if edge and (effect.mode == "every_edge" or count == 0):
            fired.append(effect)
            count += 1
        now[effect.id] = EffectState(held=held, fired=count)
    return fired, now


def holds(when: When, cell: Cell | None) -> bool:
    """Whether the value of `cell` stands on that side of the line."""
    if cell is None:
        return False
    left, right = _comparable(cell.value), _comparable(when.value)
    if when.op in ("==", "!="):
        return (left == right) == (when.op == "==")
    if not isinstance(left, float) or not isinstance(right, float):
        return False
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[when.op]


def _comparable(value: object) -> object:
    """A number as float, also one that is written as text; true and false as their words; else the value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    found = number(value)
    return value if found is None else found
