"""The JSON in what a model wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.runtime.findjson import FoundJson, NoJson, find_json
from skillc.runtime.fragment import find_fragment, is_fragment

TREE = '{"brief": "短", "正文": {}}'


def found(text: str) -> FoundJson:
    result = find_json(text, is_fragment)
    assert isinstance(result, FoundJson), result.kind
    return result


@pytest.mark.parametrize(
    ("text", "how"),
    [
        (TREE, "whole"),
        (f"\n {TREE}\n", "whole"),
        (f"```json\n{TREE}\n```", "fence"),
        (f"```\n{TREE}```", "fence"),
        (f"好的：\n```json\n{TREE}\n```\n请看。", "fence"),
        (f"好的：{TREE}。完", "prose"),
        (f"用 {{id}} 和 [1] 说明：{TREE}", "prose"),
        (json.dumps(TREE, ensure_ascii=False), "packed"),
    ],
)
def test_where_it_stands(text: str, how: str) -> None:
    result = found(text)
    assert (result.how, result.tree) == (how, json.loads(TREE))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "blank"),
        (" \n", "blank"),
        ("一段散文", "none"),
        ("{角色} 与 [甲]", "none"),
        ('"一句话"', "none"),
        ('{"a": "b', "broken"),
        ('{"a": 1,}', "broken"),
        ("好的：{\n  'a': 1}", "none"),
        ('{"a": ' * 20000 + "1" + "}" * 20000, "deep"),
        ('{"a": ' * 150 + "1" + "}" * 150, "deep"),
        ('{"a": ' + "9" * 5000 + "}", "broken"),
    ],
)
def test_why_there_is_none(text: str, kind: str) -> None:
    result = find_json(text)
    assert isinstance(result, NoJson) and result.kind == kind


def test_the_place_of_what_is_broken() -> None:
    result = find_json('先说\n{"a": 1,\n "b" 2}')
    assert isinstance(result, NoJson)
    assert (result.line, result.column) == (3, 6)


def test_a_fragment_is_chosen_before_other_json() -> None:
    result = found(f'{{"schema": "other"}}\n\n{TREE}\n[{{"a": 1}}]')
    assert result.tree == json.loads(TREE)
    assert result.others == 2


def test_repeated_keys_are_named_once() -> None:
    assert found('{"brief": "a", "brief": "b", "正文": {"x": 1, "x": 2, "x": 3}}').repeated == ("x", "brief")


def test_a_fragment_anywhere_in_a_text() -> None:
    fragment = find_fragment(f"好的：{TREE}")
    assert fragment is not None and fragment.brief == "短"
    assert find_fragment('好的：{"a": 1}') is None and find_fragment("散文") is None


@pytest.mark.parametrize(
    "text", ['{"' * 50000, "[" * 100000, '{"a":' * 30000, "{" * 100000, '[{"a"\n' * 20000]
)
def test_hostile_texts_end_soon(text: str) -> None:
    assert isinstance(find_json(text), NoJson)


@given(st.text(alphabet='{}[]":,a1 \n`', max_size=40))
def test_what_is_found_is_what_stands_there(text: str) -> None:
    result: Any = find_json(text)
    if isinstance(result, FoundJson) and result.how != "packed":
        assert json.loads(text[result.start : result.end]) == result.tree
