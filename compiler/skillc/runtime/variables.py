"""变量.当前: the table of a session's variables, who may see which cell, and who wins where two write one.

A board keeps it as a mapping of keys; a value is a `Cell`, or plain JSON: what somebody put there who says no more.
The table has revisions: a number that grows with every play turn. A cell has the one in which it was written last.
"""

from __future__ import annotations

from skillc.runtime.jsontext import json_fault
from skillc.runtime.refusal import AssemblyRefused
from skillc.runtime.role import is_role
from skillc.runtime.strictjson import strict_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

USER = "user"
PUBLIC, HIDDEN, USER_ONLY, ROLE = "public", "hidden", "user_only", "role:"
PLAIN = "board"
"""Who wrote a plain value."""
LONGEST_KEY = 120
_VISIBILITY = {
    "公开": PUBLIC,
    "隐藏": HIDDEN,
    "仅用户": USER_ONLY,
}
_NO_LIST = "it is no JSON list of {key, value}"
_CELL_KEYS = ("key", "value", "rev", "source", "visibility")
_CHANGE_KEYS = ("key", "value", "rev", "visibility")


class VariablesRefused(ValueError):
    """Changes that are not applied, none of them; the text says what is wrong with which."""


class Cell:
    """One variable: its JSON `value`, the revision `rev` in which `source` wrote it, and who may see it
    (`visibility`: public, hidden, user_only, or `role:` and the id of a role). Never changes."""

    __slots__ = ("key", "rev", "source", "value", "visibility")

    def __init__(
        self, key: str, value: Any, rev: int = 0, source: str = PLAIN, visibility: str = PUBLIC
    ) -> None:
        self.key = key
        self.value = value
        self.rev = rev
        self.source = source
        self.visibility = visibility

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cell) and self.to_data() == other.to_data()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Cell({self.key!r}, {self.value!r}, {self.rev}, {self.source!r}, {self.visibility!r})"

    def to_data(self) -> dict[str, Any]:
        """The cell as board files and contexts have it; who may see it is left out where everybody may."""
        data = {"key": self.key, "value": self.value, "rev": self.rev, "source": self.source}
        return data if self.visibility == PUBLIC else {**data, "visibility": self.visibility}


class Change:
    """What somebody wants a cell to be. `rev`: the revision of the cell that he saw, None where he does not say."""

    __slots__ = ("key", "rev", "value", "visibility")

    def __init__(self, key: str, value: Any, rev: int | None = None, visibility: str | None = None) -> None:
        self.key = key
        self.value = value
        self.rev = rev
        self.visibility = visibility

    def __repr__(self) -> str:
        return f"Change({self.key!r}, {self.value!r}, {self.rev}, {self.visibility!r})"


class Applied:
    """The table after changes: `variables`, the `changed` cells in it, and the keys that were `kept` as the user
    set them in this turn, or since."""

    __slots__ = ("changed", "kept", "variables")

    def __init__(self, variables: dict[str, Any], changed: list[Cell], kept: list[str]) -> None:
        self.variables = variables
        self.changed = changed
        self.kept = kept


def cells_of(variables: Mapping[str, Any]) -> list[Cell]:
    """The cells of a board's variables, in their order."""
    return [value if isinstance(value, Cell) else Cell(key, value) for key, value in variables.items()]


def revision_of(variables: Mapping[str, Any]) -> int:
    """The highest revision in a table."""
    return max((cell.rev for cell in cells_of(variables)), default=0)


def sees(visibility: str, isolation: str, role: str | None) -> bool:
    """Whether a worker may see a cell, as with labels (SPEC 8.4): without isolation all, blind_review all that is not
    hidden, role_pov what is public or the role's own.

    >>> sees("hidden", "blind_review", None), sees("role:阿离", "role_pov", "阿离"), sees("user_only", "role_pov", "阿离")
    (False, True, False)
    """
    if isolation == "none" or visibility == PUBLIC:
        return True
    if isolation == "blind_review":
        return visibility != HIDDEN
    return role is not None and visibility == ROLE + role


def table_text(variables: Mapping[str, Any], isolation: str = "none", role: str | None = None) -> str | None:
    """The text of 变量.当前 for a worker; None when it may see no cell.

    Plain values are one JSON object; a table of cells is the JSON list of them, which `fields` shows as rows
    `key = value`. Refuses (AssemblyRefused) a value that is none of JSON: readers and files refuse it before.
    """
    cells = [cell for cell in cells_of(variables) if sees(cell.visibility, isolation, role)]
    if not cells:
        return None
    import json

    whole = any(isinstance(value, Cell) for value in variables.values())
    data = [cell.to_data() for cell in cells] if whole else {cell.key: cell.value for cell in cells}
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
    except (TypeError, ValueError, RecursionError):
        faults = (fault for cell in cells if (fault := cell_fault(cell)))
        why = next(faults, "it is no JSON")
        raise AssemblyRefused(f"the board's variables cannot be shown: {why}") from None
    return text


def cell_fault(cell: Cell) -> str | None:
    """What is wrong with the name or the value of a cell, in one sentence."""
    named, held = key_fault(cell.key), json_fault(cell.value)
    if named:
        return f"`{cell.key}` is no name of a variable: it {named}"
    return f"the value of `{cell.key}` {held}" if held else None


def table_data(variables: Mapping[str, Any]) -> dict[str, Any] | list[dict[str, Any]]:
    """The variables as a board file has them: a mapping where all are plain, else a list of cells."""
    if any(isinstance(value, Cell) for value in variables.values()):
        return [cell.to_data() for cell in cells_of(variables)]
    return dict(variables)


def read_table(data: object) -> dict[str, Any]:
    """The inverse of `table_data`. Refuses (ValueError) what is neither a mapping nor a list of cells, and in both
    what is no name of a variable or no value of JSON."""
    if isinstance(data, dict):
        wrong = [fault for cell in cells_of(data) if (fault := cell_fault(cell))]
        if wrong:
            raise ValueError(f"`variables` of the board: {'; '.join(wrong)}")
        return dict(data)
    if not isinstance(data, list | tuple):
        raise ValueError(f"`variables` must be a mapping or a list of cells, not {type(data).__name__}")
    faults: list[str] = []
    cells = [_read_cell(entry, f"cell {number}", faults) for number, entry in enumerate(data, 1)]
    faults += _twice(cell.key for cell in cells)
    if faults:
        raise ValueError(f"`variables` of the board: {'; '.join(faults)}")
    return {cell.key: cell for cell in cells}


def _read_cell(entry: object, name: str, faults: list[str]) -> Cell:
    fields = _fields(entry, name, _CELL_KEYS, faults)
    source = fields.get("source", PLAIN)
    if not isinstance(source, str):
        faults.append(f"`source` of {name} is no text")
    change = _read_change(fields, name, faults)
    return Cell(change.key, change.value, change.rev or 0, str(source), change.visibility or PUBLIC)


def read_changes(text: str) -> list[Change]:
    """The changes that the text of a 变量.更新 or 变量.用户 holds: a JSON list, alone or in one fence.

    Refuses (VariablesRefused) with all that is wrong; an empty list changes nothing.

    >>> read_changes('[{"key": "血量", "value": 3}]')
    [Change('血量', 3, None, None)]
    """
    try:
        data = strict_json(text, _NO_LIST)
    except ValueError as problem:
        raise VariablesRefused(str(problem)) from None
    if not isinstance(data, list):
        raise VariablesRefused(_NO_LIST)
    return changes_in(data)


def changes_in(rows: Iterable[object]) -> list[Change]:
    """`read_changes` for a list that is data already."""
    faults: list[str] = []
    changes = []
    for number, row in enumerate(rows, 1):
        name = f"entry {number}"
        changes.append(_read_change(_fields(row, name, _CHANGE_KEYS, faults), name, faults))
    faults += _twice(change.key for change in changes)
    if faults:
        raise VariablesRefused("; ".join(faults))
    return changes


def apply_changes(
    variables: Mapping[str, Any], changes: Iterable[Change], source: str, revision: int
) -> Applied:
    """The table when `source` made `changes` in `revision`; all of them count, or none does.

    The user wins: what a worker would make of a cell that the user set in this revision or after the one that the
    worker saw is left out and told in `kept`. Refuses (VariablesRefused) a change of a cell that moved on since the
    `rev` it names, a `rev` that has not come, and a worker's change of who may see a cell.
    """
    known = {cell.key: cell for cell in cells_of(variables)}
    table = dict(variables)
    faults: list[str] = []
    changed: list[Cell] = []
    kept: list[str] = []
    for change in changes:
        old = known.get(change.key)
        if old is not None and _user_wins(old, change, source, revision):
            kept += [change.key] if old.value != change.value else []
            continue
        fault = _change_fault(old, change, source, revision)
        if fault:
            faults.append(fault)
            continue
        visibility = change.visibility or (old.visibility if old else PUBLIC)
        changed.append(Cell(change.key, change.value, revision, source, visibility))
        table[change.key] = changed[-1]
    if faults:
        raise VariablesRefused("; ".join(faults))
    return Applied(table, changed, kept)


def _user_wins(old: Cell, change: Change, source: str, revision: int) -> bool:
    if source == USER or old.source != USER or _is_ahead(change, revision):
        return False
    return old.rev >= revision or (change.rev is not None and change.rev < old.rev)


def _is_ahead(change: Change, revision: int) -> bool:
    return change.rev is not None and change.rev > revision


def _change_fault(old: Cell | None, change: Change, source: str, revision: int) -> str | None:
    wrong = cell_fault(Cell(change.key, change.value))
    if wrong:
        return wrong
    if _is_ahead(change, revision):
        return f"`{change.key}` has no revision {change.rev} yet: the table is at {revision}"
    if old is None:
        return None
    if change.rev is not None and change.rev < old.rev:
        return (
            f"`{change.key}` was changed by `{old.source}` in revision {old.rev}, "
            f"and this change knows revision {change.rev}"
        )
    if source != USER and change.visibility not in (None, old.visibility):
        return f"who may see `{change.key}` stays as it is: only the user changes that"
    return None


def _fields(entry: object, name: str, keys: tuple[str, ...], faults: list[str]) -> dict[str, Any]:
    if not isinstance(entry, dict):
        faults.append(f"{name} is no mapping of `key` and `value`")
        return {"key": name, "value": None}
    unknown = [str(key) for key in entry if key not in keys]
    if unknown:
        names = ", ".join(f"`{key}`" for key in unknown)
        faults.append(f"{name} has {names}; there are {', '.join(keys)}")
    return entry


def _read_change(fields: Mapping[str, Any], name: str, faults: list[str]) -> Change:
    key, rev, visibility = fields.get("key"), fields.get("rev"), fields.get("visibility")
    fault = key_fault(key)
    if fault:
        faults.append(f"`key` of {name} {fault}")
    if "value" not in fields:
        faults.append(f"{name} has no `value`")
    elif held := json_fault(fields["value"]):
        faults.append(f"`value` of {name} {held}")
    whole = _whole(rev)
    if rev is not None and whole is None:
        faults.append(f"`rev` of {name} is no whole number")
    seen = None if visibility is None else visibility_named(visibility)
    if visibility is not None and seen is None:
        faults.append(f"`visibility` of {name} is none of public, hidden, user_only, role:<id>")
    return Change(str(key), fields.get("value"), whole, seen)


def key_fault(key: object) -> str | None:
    """What is wrong with the name of a variable, in words that follow it."""
    if not isinstance(key, str) or not key.strip():
        return "is no name"
    if key != key.strip() or not key.isprintable():
        return "has blanks around it or characters that cannot be seen"
    if len(key) > LONGEST_KEY:
        return f"has more than {LONGEST_KEY} characters"
    return None


def visibility_named(word: object) -> str | None:
    """Who may see a cell, in the format's own word; None for what says nothing of it.

    >>> visibility_named("隐藏"), visibility_named("role:阿离"), visibility_named("all")
    ('hidden', 'role:阿离', None)
    """
    if not isinstance(word, str):
        return None
    name = _VISIBILITY.get(word.strip(), word.strip())
    name = ROLE + name[3:] if name.startswith(("角色:", "角色：")) else name
    if name in (PUBLIC, HIDDEN, USER_ONLY):
        return name
    return name if name.startswith(ROLE) and is_role(name.removeprefix(ROLE)) else None


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and value >= 0 else None


def _twice(keys: Iterable[str]) -> list[str]:
    names = list(keys)
    return [f"`{key}` stands twice" for key in sorted({key for key in names if names.count(key) > 1})]
