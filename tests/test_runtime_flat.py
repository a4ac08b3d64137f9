"""Fragment and flat form, there and back: nothing is lost but what the two lists name, and all of that is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.model.fragment import ContextFragment, FlatArtifact
from skillc.runtime.flat import FLAT_CANNOT, TREE_CANNOT, flat_losses, to_flat, to_tree, tree_losses
from skillc.runtime.jsontext import tree_of

TEXT = st.text(max_size=6) | st.sampled_from(
    ["{}", "[1]", '{"a": 1}', "{不是", " 一 ", "8", "null", '"x"', "\n"]
)
LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
TREE = st.recursive(
    LEAF,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["尺度", "rules", "支撑点", " 空 ", "", "a.b", "rules (2)", "sections"])
KEY = st.sampled_from(["尺度", "rules", "支撑点", "a.b", "rules (2)", "正文"])
SHELL = st.fixed_dictionaries(
    {
        "技能": st.just("实现机制"),
        "brief": st.just("短"),
        "mount": st.lists(st.sampled_from(["gm", "narrator"])),
    },
    optional={
        "稳变": st.sampled_from(["稳", "少变", "常变"]),
        "自评": st.just({"维度": [{"名": "必要性", "分数": 8.5}], "薄弱点": ["甲"]}),
        "追问": st.just({"导语": "先问", "题目": [{"问": "几条？", "建议选项": ["一"], "示例": "二"}]}),
        "开放问题": st.lists(TEXT, max_size=2),
        "x-own": TREE,
    },
)
VALID = st.builds(
    lambda shell, body: {"schema": "context-fragment.v1", **shell, "正文": body},
    SHELL,
    st.dictionaries(
        KEY,
        TEXT.filter(lambda text: tree_of(text) is None)
        | st.lists(TREE, max_size=3)
        | st.dictionaries(st.text(max_size=3), TREE, max_size=3),
        max_size=4,
    ),
)
ANY = st.builds(
    lambda shell, body, more: {"schema": "context-fragment.v1", **shell, "正文": body, **more},
    SHELL,
    TREE | st.dictionaries(NAMES, TREE, max_size=4),
    st.fixed_dictionaries({}, optional={"sections": st.just([])}),
)
SECTION = st.fixed_dictionaries(
    {},
    optional={
        "id": NAMES | st.just(3),
        "title": NAMES,
        "text": TEXT | st.none() | st.just(["列"]) | st.just('{"a":1}'),
        "note": st.just("x"),
    },
)
ANY_FLAT = st.builds(
    lambda shell, sections, more: {"schema": "artifact.flat.v1", **shell, "sections": sections, **more},
    SHELL,
    st.lists(SECTION | st.just("散文"), max_size=4) | st.none(),
    st.fixed_dictionaries({}, optional={"正文": st.just({})}),
)


@given(VALID)
def test_what_is_valid_comes_back_as_it_was(fragment: dict[str, Any]) -> None:
    ContextFragment.model_validate(fragment)
    flat = to_flat(fragment)
    FlatArtifact.model_validate(flat)
    assert flat_losses(fragment) == []
    assert to_tree(flat) == fragment
    assert list(to_tree(flat)["正文"]) == list(fragment["正文"])


@given(VALID)
def test_its_flat_form_comes_back_as_it_was(fragment: dict[str, Any]) -> None:
    flat = to_flat(fragment)
    assert tree_losses(flat) == []
    assert to_flat(to_tree(flat)) == flat


@settings(max_examples=300)
@given(ANY)
def test_the_list_of_losses_is_sharp(fragment: dict[str, Any]) -> None:
    """No loss: it comes back. A loss: something does not."""
    losses = flat_losses(fragment)
    same = _exactly(to_tree(to_flat(fragment)), fragment)
    assert same == (not losses), losses
    assert {loss.kind for loss in losses} <= set(FLAT_CANNOT)


@settings(max_examples=300)
@given(ANY_FLAT)
def test_the_list_of_losses_of_a_flat_form_is_sharp(flat: dict[str, Any]) -> None:
    losses = tree_losses(flat)
    assert _exactly(to_flat(to_tree(flat)), flat) == (not losses), losses
    assert {loss.kind for loss in losses} <= set(TREE_CANNOT)


def _exactly(one: object, other: object) -> bool:
    """Equal, with True no 1 and 1.0 no 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_exactly(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_exactly, one, other))
    return type(one) is type(other) and one == other


DEEP: Any = "叶"
for _ in range(101):
    DEEP = [DEEP]
EACH = {
    "body-form": {"正文": ["甲"]},
    "json-text": {"正文": {"例": "[1]"}},
    "scalar": {"正文": {"数量": 3}},
    "name": {"正文": {" 例": "x"}},
    "depth": {"正文": {"例": DEEP}},
    "number": {"正文": {"例": [float("nan")]}},
    "shell-key": {"正文": {}, "sections": []},
}
EACH_FLAT: dict[str, list[Any]] = {
    "section-form": ["散文"],
    "id": [{"title": "甲", "text": "x"}],
    "duplicate-id": [{"id": "甲", "title": "甲", "text": "1"}, {"id": "甲", "title": "甲", "text": "2"}],
    "title": [{"id": "甲", "title": "乙", "text": "x"}],
    "text": [{"id": "甲", "title": "甲"}],
    "formatting": [{"id": "甲", "title": "甲", "text": '{"a":1}'}],
    "section-key": [{"id": "甲", "title": "甲", "text": "x", "note": 1}],
}


@pytest.mark.parametrize("kind", FLAT_CANNOT)
def test_each_of_what_the_flat_form_cannot_carry(kind: str) -> None:
    fragment = {"schema": "context-fragment.v1", **EACH[kind]}
    assert [loss.kind for loss in flat_losses(fragment)] == [kind]
    assert not _exactly(to_tree(to_flat(fragment)), fragment)


@pytest.mark.parametrize("kind", TREE_CANNOT)
def test_each_of_what_a_tree_cannot_carry(kind: str) -> None:
    flat: dict[str, Any] = {"schema": "artifact.flat.v1", "sections": EACH_FLAT.get(kind, [])}
    if kind == "shell-key":
        flat["正文"] = {}
    assert kind in [loss.kind for loss in tree_losses(flat)]
    assert not _exactly(to_flat(to_tree(flat)), flat)


def test_no_section_is_thrown_away() -> None:
    rows = [
        *EACH_FLAT["duplicate-id"],
        {"title": "乙", "text": "3"},
        {"text": "4"},
        "5",
        {"id": "甲 (2)", "text": "6"},
    ]
    body = to_tree({"schema": "artifact.flat.v1", "sections": rows})["正文"]
    assert body == {
        "甲": "1",
        "甲 (2)": "2",
        "乙": "3",
        "section 4": "4",
        "section 5": "5",
        "甲 (2) (2)": "6",
    }
