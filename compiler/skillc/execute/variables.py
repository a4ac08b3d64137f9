"""The table of variables in a session: who changes it, when a reply is refused for it, where it begins (SPEC 12.9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from skillc.artifact.plan import Plan
from skillc.execute.envelope import ReplyError
from skillc.execute.work import Work
from skillc.runtime import Board, Item
from skillc.runtime.boardorder import in_force
from skillc.runtime.fragment import read_fragment
from skillc.runtime.jsontext import json_fault, tree_in
from skillc.runtime.role import is_role
from skillc.runtime.tagnames import EDITS, UPDATES
from skillc.runtime.variables import (
    HIDDEN,
    LONGEST_KEY,
    PUBLIC,
    ROLE,
    Applied,
    Cell,
    VariablesRefused,
    apply_changes,
    cells_of,
    key_fault,
    read_changes,
    visibility_named,
)
from skillc.tags import family, matches

OPENING = "设计.开场白与开场变量"
DESIGN = "设计.变量设计与更新规则"
_OPENING_KEYS = ("开场变量", "开场变量初值", "variables")
_DESIGN_KEYS = ("真值", "变量", "variables")
_VALUE_KEYS = ("value", "初值", "值")


SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def changes_schema() -> dict[str, Any]:
    """The JSON Schema of what stands under 变量.更新 and 变量.用户."""
    fields: dict[str, Any] = {
        "key": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
        "value": {},
        "rev": {
            "description": "The revision of the cell that was seen.",
            "type": ["integer", "null"],
            "minimum": 0,
        },
        "visibility": {
            "description": "public, hidden, user_only, or `role:` and the id of a role.",
            "type": ["string", "null"],
        },
    }
    row = {
        "type": "object",
        "properties": fields,
        "required": ["key", "value"],
        "additionalProperties": False,
    }
    about = "All of them count or none does; no key stands twice."
    return {
        "$schema": SCHEMA_DIALECT,
        "title": "changes of variables",
        "description": about,
        "type": "array",
        "items": row,
    }


def keeps_table(plan: Plan) -> bool:
    """Whether a session of `plan` keeps a table of cells: it plays by slots, or a worker may write 变量.更新."""
    return plan.play is not None or any(
        matches(pattern, UPDATES) for worker in plan.workers.values() for pattern in worker.outputs
    )


def is_changes(tag: str) -> bool:
    """Whether a text under `tag` changes the table."""
    return family(tag) in (UPDATES, EDITS)


def changes_fault(work: Work, outputs: Mapping[str, str], source: str) -> ReplyError | None:
    """Why `source` may not write the changes in `outputs`; None where there is nothing wrong, or no change."""
    try:
        for _ in _applied(work, outputs.items(), source):
            pass
    except _Faulty as problem:
        return ReplyError("bad-variables", str(problem))
    return None


def take_changes(work: Work, items: Iterable[Item], source: str) -> None:
    """Apply what `items` say to the table, in the same step as they are written.

    Refuses (ValueError) what cannot be applied; the step is dropped then.
    """
    pairs = [(item.tag, item.content) for item in items]
    for applied in _applied(work, pairs, source):
        _tell(work, applied)
        work.set_variables(applied.variables)


class _Faulty(ValueError):
    """What is wrong, with the tag that it stands under."""


def _applied(work: Work, texts: Iterable[tuple[str, str]], source: str) -> Iterator[Applied]:
    """The table after each text of changes in `texts`, one built on the other."""
    variables: Mapping[str, Any] = work.board.variables
    for tag, text in texts:
        if not is_changes(tag):
            continue
        try:
            applied = apply_changes(variables, read_changes(text), source, work.progress.table_rev)
        except VariablesRefused as problem:
            raise _Faulty(f"`{tag}` cannot be applied: {problem}; nothing was written") from None
        variables = applied.variables
        yield applied


def _tell(work: Work, applied: Applied) -> None:
    """What the table holds now, with what it held before."""
    before = {cell.key: cell.value for cell in cells_of(work.board.variables)}
    rows = [(cell.key, cell.value, before.get(cell.key)) for cell in applied.changed]
    if rows or applied.kept:
        work.tell("variables", changed=rows, kept=list(applied.kept))


def opening_table(board: Board, left_out: list[str] | None = None) -> dict[str, Any]:
    """The table that play begins with: what the board says, else the live 设计.开场白与开场变量, else the values
    that 设计.变量设计与更新规则 gives its variables. Who may see a cell is what the latter says of it. A value that
    no table can hold is none: a sentence for each goes to `left_out`."""
    opening, design = in_force(board, OPENING), in_force(board, DESIGN)
    levels = {key: level for key, _, level in _rows(design, _DESIGN_KEYS) if level}
    table: dict[str, Any] = {cell.key: cell for cell in cells_of(board.variables)}
    for item, names in ((opening, _OPENING_KEYS), (design, _DESIGN_KEYS)):
        for key, value, level in _rows(item, names):
            fault = json_fault(value)
            if fault and left_out is not None:
                left_out.append(
                    f"the value of `{key}` in `{item.tag if item else ''}` {fault}: it is left out"
                )
            if item is not None and key not in table and value is not None and not fault:
                table[key] = Cell(key, value, 0, item.source, level or levels.get(key, PUBLIC))
    return table


def document_body(item: Item | None) -> Mapping[str, Any]:
    """The tree of a document on the board: the body of a fragment, else the JSON object that it is, else empty."""
    if item is None:
        return {}
    fragment = read_fragment(item.content)
    tree = fragment.body if fragment is not None else tree_in(item.content)
    return tree if isinstance(tree, dict) else {}


def _rows(item: Item | None, names: Sequence[str]) -> Iterator[tuple[str, Any, str | None]]:
    """Key, value and visibility of each variable that a document names; what names none is left out."""
    body = document_body(item)
    part = next((body[name] for name in names if name in body), None)
    entries = (
        part.items()
        if isinstance(part, dict)
        else [(None, row) for row in part or () if isinstance(row, dict)]
    )
    for name, entry in entries:
        row = entry if isinstance(entry, dict) else {"value": entry}
        key = row.get("key", name)
        if key_fault(key) is None:
            value = next((row[word] for word in _VALUE_KEYS if word in row), None)
            yield str(key), value, _level(row.get("visibility", row.get("可见性")))


def _level(word: object) -> str | None:
    """Who may see a variable of a design: in the format's words, or the name of a role. What says neither is
    kept from everybody who is isolated."""
    if word is None:
        return None
    name = word.strip() if isinstance(word, str) else ""
    return visibility_named(name) or (ROLE + name if is_role(name) else HIDDEN)
