"""The groups of an artifact's body: one view for each kind of artifact, keys and values for everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from skillc.model.artifact_reading import ArtifactReading
from skillc.report.artifact_view import (
    Block,
    Card,
    Cards,
    Group,
    Pairs,
    Prose,
    Side,
    Table,
    Texts,
    block_of,
    is_table,
    table_of,
    text_of,
    title_key,
)
from skillc.runtime.order import is_history, truth
from skillc.runtime.slots import slot_named

Keys = Mapping[str, Mapping[str, Any]]
Special = Callable[[Any, Mapping[str, Any]], tuple[Block, ...] | None]


def groups_of(reading: ArtifactReading) -> tuple[Group, ...]:
    """The parts of the body in the order of the artifact's own keys, then what it does not know."""
    if reading.order is not None:
        return (*_order_groups(reading), *_rest(reading))
    if reading.body is None and not reading.rest:
        return ()
    if not isinstance(reading.body, dict):
        blocks = () if reading.body is None else (Group("正文", "product", (block_of(reading.body),)),)
        return (*blocks, *_rest(reading))
    keys: Keys = reading.artifact.body if reading.artifact else {}
    special = VIEWS.get(reading.artifact.view, {}) if reading.artifact else {}
    ordered = [key for key in keys if key in reading.body] + [key for key in reading.body if key not in keys]
    groups = (_group(key, reading.body[key], keys.get(key, {}), special.get(key)) for key in ordered)
    return (*groups, *_rest(reading))


def _group(key: str, value: object, spec: Mapping[str, Any], special: Special | None) -> Group:
    blocks = special(value, spec) if special else None
    side: Side = spec.get("side", "product")
    return Group(key, side, blocks if blocks is not None else (block_of(value, spec),))


def _rest(reading: ArtifactReading) -> Iterator[Group]:
    """Keys beside the body that the format does not know: shown, never lost."""
    for key, value in (reading.rest or {}).items():
        if reading.fragment or key not in ("schema", "brief"):
            yield Group(key, "assessment", (block_of(value),))


def _rules(value: Any, spec: Mapping[str, Any]) -> tuple[Block, ...] | None:
    """Rule cards: how many beside the name, then why, the recipe and how it is written, the grades, the table of
    fields, the pools."""
    if not isinstance(value, list) or not all(isinstance(rule, dict) for rule in value):
        return None
    keys: Keys = spec["of"]["keys"]
    return (Cards(tuple(_rule(rule, keys) for rule in value)),)


def _rule(rule: Mapping[str, Any], keys: Keys) -> Card:
    pills = tuple(
        f"{key} {text_of(rule[key])}"
        for key in ("数量", "一次生成")
        if key in rule and not isinstance(rule[key], dict | list)
    )
    name = rule.get("名")
    title = " · ".join(
        text_of(part) for part in (rule.get("rule_id"), name) if part and isinstance(part, str)
    )
    done = {"rule_id", "名"} if title else set()
    done |= {key for key in ("数量", "一次生成") if any(pill.startswith(key) for pill in pills)}
    ordered = [key for key in keys if key in rule] + [key for key in rule if key not in keys]
    rows = tuple((key, _of_rule(key, rule[key], keys.get(key, {}))) for key in ordered if key not in done)
    return Card(title or "—", pills, (Pairs(rows),) if rows else ())


def _of_rule(key: str, value: Any, spec: Mapping[str, Any]) -> Block:
    """The table of fields in either of its shapes; a grade each in a table."""
    if isinstance(value, dict) and key in ("产物格式", "分级表现") and is_table([value] if value else []):
        head = ("字段", "说明") if key == "产物格式" else ("级", "表现")
        return Table(head, tuple((name, text_of(item)) for name, item in value.items()))
    return block_of(value, spec)


def _relations(value: Any, _: Mapping[str, Any]) -> tuple[Block, ...] | None:
    """Relations as arrows where they say from where to where."""
    if not isinstance(value, list) or not value:
        return None
    if not all(isinstance(row, dict) and {"从", "到"} <= set(row) for row in value):
        return None
    if not is_table(value):
        return None
    return (table_of([{"从": row["从"], "→": "→", "到": row["到"], **row} for row in value]),)


def _entities(value: Any, spec: Mapping[str, Any]) -> tuple[Block, ...] | None:
    """A card for each thing, however few keys it has."""
    if not isinstance(value, list) or not value or not all(isinstance(row, dict) for row in value):
        return None
    inner: Mapping[str, Any] = spec["of"]
    keys: Keys = inner.get("keys", {})
    cards = []
    for at, row in enumerate(value, 1):
        name = title_key(row, inner)
        rows = tuple((key, block_of(item, keys.get(key))) for key, item in row.items() if key != name)
        cards.append(Card(text_of(row[name]) if name else str(at), (), (Pairs(rows),) if rows else ()))
    return (Cards(tuple(cards)),)


def _slots(value: Any, _: Mapping[str, Any]) -> tuple[Block, ...] | None:
    """Which slots play."""
    if not isinstance(value, dict) or any(isinstance(on, dict | list) for on in value.values()):
        return None
    rows = []
    for key, on in value.items():
        slot = slot_named(key)
        rows.append(
            (key, slot.name if slot else "", slot.worker if slot else "", "开" if truth(on) else "关")
        )
    return (Table(("槽", "名", "worker", "开关"), tuple(rows)),)


def _order_groups(reading: ArtifactReading) -> Iterator[Group]:
    """The flat table of each slot, with the row of the history standing out."""
    order = reading.order or {}
    if isinstance(order.get("brief"), str) and reading.fragment is None:
        yield Group("brief", "product", (Prose(order["brief"]),))
    if order.get("play_slots"):
        yield Group("play_slots", "product", _slots(order["play_slots"], {}) or ())
    for slot in order.get("slots", ()):
        found = slot_named(slot.get("id", slot["ref"]))
        title = f"{found.name} · {slot['ref']}" if found else slot["ref"]
        when = (Texts((slot["when"],)),) if isinstance(slot.get("when"), str) else ()
        yield Group(title, "product", (*when, _inserts(slot["inserts"])))
    if isinstance(reading.body, dict):
        shown = {"play_slots", "slots", "agents", "context_order"}
        for key, value in reading.body.items():
            if key not in shown:
                yield Group(key, "assessment", (block_of(value),))


def _inserts(rows: list[dict[str, Any]]) -> Table:
    told = tuple(
        (
            str(row["order"]),
            row["ref"],
            row.get("projection", ""),
            row.get("label", ""),
            row.get("note", ""),
        )
        for row in rows
    )
    history = frozenset(at for at, row in enumerate(rows) if is_history(row["ref"]))
    return Table(("序", "标签", "投影", "标题", "备注"), told, history)


VIEWS: Mapping[str, Mapping[str, Special]] = {
    "rules": {"rules": _rules},
    "mechanism": {"支撑点": _entities, "支撑点关系": _relations, "覆盖检验": _entities},
    "stage": {"关键舞台区": _entities},
    "slots": {"play_slots": _slots},
    "order": {"play_slots": _slots},
    "variables": {"side_effects": _entities},
}
"""Per view, the keys of a body that have a look of their own."""
