"""Side effects and changes of variables on boards: what is wrong there has its place, and what a session takes is fine."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reading import PACKAGE, read_package
from skillc.diagnostic import Diagnostic
from skillc.execute.effects import EffectsRefused, read_effects
from skillc.runtime.variables import VariablesRefused, read_changes

CASE = f"{PACKAGE}/contexts/first.yaml"
DESIGN = "设计.变量设计与更新规则"
WHEN = {"key": "时辰", "op": ">=", "value": 18}
WRITE = {"write_tag": {"tag": "正文.草稿", "text": "天黑了"}}


def effect(**more: Any) -> dict[str, Any]:
    return {"id": "入夜", "when": WHEN, "do": [WRITE], **more}


def board(tag: str, content: object, **more: object) -> list[Diagnostic]:
    """The findings about a board with one item whose content is JSON text."""
    item = {"tag": tag, "content": json.dumps(content, ensure_ascii=False), **more}
    _, found = read_package({CASE: json.dumps({"items": [item]}, ensure_ascii=False)})
    return [finding for finding in found if finding.span.path == CASE]


def design(rows: object) -> list[Diagnostic]:
    return board(DESIGN, {"side_effects": rows})


ROWS: list[Any] = [
    [],
    [effect()],
    [effect(mode="every_edge"), effect(id="旧债", do=[{"queue_worker": "chance"}])],
    [effect(when={**WHEN, "op": "≥", "value": "18"})],
    [effect(when={**WHEN, "op": "==", "value": True})],
    [effect(do=[{"replace_tag": {"tag": "正文.草稿", "from": "大纲"}}])],
    {"id": "入夜"},
    "入夜",
    [effect(), effect()],
    [effect(mode="twice")],
    [effect(when={**WHEN, "op": "~"})],
    [effect(when={**WHEN, "value": "晚"})],
    [effect(when={**WHEN, "value": [18]})],
    [effect(when={"key": "时辰", "op": ">="})],
    [effect(when={**WHEN, "key": ""})],
    [effect(id="")],
    [effect(why="夜")],
    [{"when": WHEN, "do": [WRITE]}],
    [effect(do=[])],
    [effect(do=[{}])],
    [effect(do=[{**WRITE, "queue_worker": "chance"}])],
    [effect(do=[{"wirte_tag": {"tag": "正文.草稿", "text": "天黑了"}}])],
    [effect(do=[{"write_tag": {"tag": "正文.草稿"}}])],
    [effect(do=[{"write_tag": {"tag": "正文.草稿", "text": "天黑了", "from": "大纲"}}])],
    [effect(do=[{"write_tag": {"tag": "正文.草稿", "text": ""}}])],
    [effect(do=[{"write_tag": {"text": "天黑了"}}])],
]


@pytest.mark.parametrize("rows", ROWS, ids=lambda rows: json.dumps(rows, ensure_ascii=False)[-50:])
def test_a_board_has_findings_exactly_where_a_session_refuses(rows: object) -> None:
    try:
        read_effects(rows)
        refused = False
    except EffectsRefused:
        refused = True
    assert bool(design(rows)) == refused


CHANGES: list[Any] = [
    [],
    [{"key": "血量", "value": 3}],
    [{"key": "血量", "value": None, "rev": None}],
    [{"key": "血量", "value": {"上限": 9}, "rev": 2, "visibility": "role:阿离"}],
    {"血量": 3},
    ["血量"],
    [{"key": "血量"}],
    [{"value": 3}],
    [{"key": " 血量", "value": 3}],
    [{"key": "", "value": 3}],
    [{"key": "血量", "value": 3, "rev": -1}],
    [{"key": "血量", "value": 3, "why": "伤"}],
    [{"key": "血量", "value": 3, "visibility": "某人看得见"}],
    [{"key": "血量", "value": 3}, {"key": "血量", "value": 4}],
]


@pytest.mark.parametrize("tag", ["变量.更新", "变量.用户"])
@pytest.mark.parametrize("rows", CHANGES, ids=lambda rows: json.dumps(rows, ensure_ascii=False)[-40:])
def test_changes_on_a_board_are_read_as_a_session_reads_them(rows: object, tag: str) -> None:
    try:
        read_changes(json.dumps(rows))
        refused = False
    except VariablesRefused:
        refused = True
    assert bool(board(tag, rows)) == refused


@pytest.mark.parametrize(
    "number",
    ["1e999", "-1e999", "7" * 1001, "-" + "7" * 1000, "7" * 1000, "1e308", "-0", "true", "null", '"1e999"'],
)
@pytest.mark.parametrize("row", ['{"key": "血量", "value": %s}', '{"key": "血量", "value": [{"a": %s}]}'])
def test_numbers_on_a_board_are_those_that_a_table_holds(row: str, number: str) -> None:
    text = "[" + row % number + "]"
    try:
        read_changes(text)
        refused = False
    except VariablesRefused:
        refused = True
    found = told(f" {json.dumps(text, ensure_ascii=False)}\n", "变量.更新")
    assert bool(found) == refused == (number.lstrip("-") in ("1e999", "7" * 1001))


@pytest.mark.parametrize("key", ["' '", "' a'", '"a\\nb"', "长" * 121])
def test_variables_of_a_board_have_names(key: str) -> None:
    for variables in (f"{{{key}: 1, 血量: 2}}", f"[{{key: {key}, value: 1}}, {{key: 血量, value: 2}}]"):
        _, found = read_package({CASE: f"items: []\nvariables: {variables}\n"})
        (one,) = [d for d in found if d.span.path == CASE]
        assert (one.code.slug, one.span.text) == ("field-type", key.strip("'\""))
        assert "is no name of a variable" in one.message


def told(content: str, tag: str = DESIGN) -> list[tuple[str, str, tuple[int, int]]]:
    """Code, underlined text and place of the findings about a board that is written out."""
    text = f"items:\n  - tag: {tag}\n    content:{content}"
    _, found = read_package({CASE: text})
    return [(d.code.slug, d.span.text, d.span.position) for d in found if d.span.path == CASE]


def test_places_are_those_of_the_words_at_fault() -> None:
    inline = (
        '\n      side_effects:\n        - {id: a, when: {key: 时辰, op: ">", value: 晚}, do: [{queue: x}]}\n'
    )
    assert told(inline) == [("field-type", "晚", (5, 51)), ("unknown-field", "queue", (5, 61))]
    block = (
        ' |\n      {"side_effects": [{"id": "a", "when": {"key": "时辰", "op": "~", "value": 1}, "do": '
        '[{"queue_worker": "b"}]}]}\n'
    )
    assert told(block) == [("field-type", "~", (4, 66))]
    assert told(' "血量减三"\n', "变量.更新") == [("field-type", "血量减三", (3, 15))]


def test_a_fragment_and_its_flat_form_are_read_alike() -> None:
    bad = [effect(mode="twice")]
    body = {"schema": "context-fragment.v1", "brief": "短", "mount": ["auditor"], "正文": {"副作用": bad}}
    assert [d.code.slug for d in board(DESIGN, body)] == ["field-type"]
    flat = {
        "schema": "artifact.flat.v1",
        "brief": "短",
        "mount": ["auditor"],
        "sections": [{"id": "side_effects", "title": "side_effects", "text": json.dumps(bad)}],
    }
    assert [d.code.slug for d in board(DESIGN, flat)] == ["field-type"]


def test_tags_of_side_effects_are_tags() -> None:
    found = design([effect(do=[{"write_tag": {"tag": "正文．草稿", "text": "天黑了"}}])])
    assert [d.code.slug for d in found] == ["bad-tag"]


def test_what_is_not_live_or_no_design_is_left_alone() -> None:
    rows = {"side_effects": [effect(mode="twice")]}
    assert board(DESIGN, rows, status="rejected") == []
    assert board("设计.变量控制上下文", rows) == [] and board(DESIGN, {"真值": []}) == []
    assert board("变量.更新", "旧", status="superseded") == []
