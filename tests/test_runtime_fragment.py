"""Fragments as models write them: read as far as they can be, what is wrong is a named fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.runtime.artifacts import expected_mounts
from skillc.runtime.fragment import Fragment, json_part, read_fragment

FULL: dict[str, Any] = {
    "schema": "context-fragment.v1",
    "技能": "实现机制",
    "brief": " 三条支撑点 ",
    "mount": ["gm", "旁观维护"],
    "稳变": "少变",
    "正文": {"支撑点": ["规则必有代价"]},
    "自评": {"维度": [{"名": "必要性", "分数": 8, "说明": "够"}], "薄弱点": "代价偏轻"},
    "追问": {"导语": "先问两点", "题目": [{"问": "多重？", "建议选项": ["轻", "重"], "示例": "断指"}]},
    "开放问题": ["谁来付", ""],
}


def fragment(value: object) -> Fragment:
    found = read_fragment(value)
    assert found is not None
    return found


def told(value: object) -> list[tuple[str, object]]:
    return [(fault.kind, fault.value) for fault in fragment(value).faults]


def test_a_whole_fragment() -> None:
    found = fragment(FULL)
    assert (found.skill, found.brief, found.stability) == ("实现机制", "三条支撑点", "稳")
    assert found.mounts == [("gm", ("mount", 0)), ("旁观维护", ("mount", 1))]
    assert found.body == FULL["正文"]
    assert [(s.name, s.value, s.note) for s in found.scores] == [("必要性", 8, "够")]
    assert (found.weak, found.lead, found.open) == ("代价偏轻", "先问两点", ["谁来付"])
    assert [(q.text, q.choices, q.example) for q in found.questions] == [("多重？", ("轻", "重"), "断指")]
    assert found.faults == []


@pytest.mark.parametrize("shape", ["{0}", "  {0}\n", "```json\n{0}\n```", "```\n{0}```\n\n"])
def test_a_text_alone_or_in_a_fence(shape: str) -> None:
    assert fragment(shape.replace("{0}", json.dumps(FULL, ensure_ascii=False))).brief == "三条支撑点"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "一段散文",
        "{",
        "{}",
        "[1]",
        "```json",
        '{"schema": "context-order.v1", "brief": "x", "正文": 1}',
        '{"brief": "x"}',
        '先说一句 {"schema": "context-fragment.v1"}',
        "{" * 100000 + "}",
        '{"a": ' * 20000 + "1" + "}" * 20000,
    ],
)
def test_what_is_no_fragment(text: str) -> None:
    assert read_fragment(text) is None


def test_the_older_form_without_a_schema() -> None:
    assert fragment({"brief": "x", "正文": "y", "挂载": "gm"}).mounts == [("gm", ("挂载",))]


def test_a_key_counts_before_its_other_name() -> None:
    found = fragment({"schema": "context-fragment.v1", "mount": ["gm"], "挂载": ["auditor"], "概要": "a"})
    assert found.mounts == [("gm", ("mount", 0))]
    assert found.brief == "a"


def test_forms_of_mount() -> None:
    def mounts(value: object) -> list[str]:
        return [name for name, _ in fragment({"schema": "context-fragment.v1", "mount": value}).mounts]

    assert mounts(["gm", " ", 3, {"slot": "narrator"}, {"note": "x"}]) == ["gm", "narrator"]
    assert mounts({"gm": True, "auditor": False, "narrator": "true"}) == ["gm", "narrator"]
    assert mounts("gm") == ["gm"]
    assert mounts(None) == mounts(7) == []


def test_order_in_the_shell_and_in_mounts_only() -> None:
    base = {"schema": "context-fragment.v1", "正文": {"order": 1}}
    assert told(base) == []
    assert told({**base, "order": 3}) == [("order", 3)]
    assert told({**base, "序": 3}) == [("order", 3)]
    assert told({**base, "mount": [{"slot": "gm", "order": 2}]}) == [("order", 2)]


@pytest.mark.parametrize(
    ("score", "value", "kind"),
    [
        (0, 0, None),
        (10, 10, None),
        ("7.5", 7.5, None),
        ("8/10", 8, None),
        ("8 / 10", 8, None),
        (10.5, 1.05, "percent"),
        (85, 8.5, "percent"),
        ("100", 10, "percent"),
        ("85%", 8.5, "percent"),
        ("8%", 0.8, "percent"),
        (100.5, None, "score"),
        (-1, None, "score"),
        ("高", None, "score"),
        (None, None, None),
        (True, None, "score"),
        ([8], None, "score"),
        (float("nan"), None, "score"),
        ("120%", None, "score"),
    ],
)
def test_scores(score: object, value: float | None, kind: str | None) -> None:
    found = fragment({"schema": "context-fragment.v1", "自评": {"维度": [{"名": "必要性", "分数": score}]}})
    assert found.scores[0].value == pytest.approx(value)
    assert [fault.kind for fault in found.faults] == ([kind] if kind else [])
    if kind:
        assert found.faults[0].path == ("自评", "维度", 0, "分数")


def test_a_dimension_without_a_score_is_no_fault() -> None:
    assert told({"schema": "context-fragment.v1", "自评": {"维度": [{"名": "x"}, "y", None]}}) == []


def test_the_flat_form_becomes_a_tree() -> None:
    sections = [
        {"id": "规则", "text": '{"a": [1]}'},
        {"title": "散文", "text": "{不是 JSON"},
        {"id": "表", "text": "[1, 2]"},
        {"id": "规则", "text": "again"},
        {"id": "空"},
    ]
    found = fragment({"schema": "artifact.flat.v1", "sections": sections})
    assert found.body == {
        "规则": {"a": [1]},
        "散文": "{不是 JSON",
        "表": [1, 2],
        "规则 (2)": "again",
        "空": None,
    }


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["维度", "分数", "题目", "问", "order", "slot", "id", "text"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)
SHELLS = st.dictionaries(
    st.sampled_from(
        ["brief", "mount", "挂载", "稳变", "正文", "自评", "追问", "开放问题", "order", "sections", "技能"]
    ),
    VALUES,
)


@given(SHELLS, st.sampled_from(["context-fragment.v1", "artifact.flat.v1"]))
def test_nothing_in_a_fragment_is_too_odd_to_read(shell: dict[str, Any], schema: str) -> None:
    found = fragment({**shell, "schema": schema})
    assert all(score.value is None or 0 <= score.value <= 10 for score in found.scores)


@given(st.text(alphabet="{}`\n a", max_size=12))
def test_the_json_part_is_an_object_of_the_text(text: str) -> None:
    part = json_part(text)
    if part:
        assert text[part[0]] == "{"
        assert text[part[1] - 1] == "}"


def test_expected_mounts_go_by_the_artifact() -> None:
    assert expected_mounts("设计.叙事指南与故事推进.确认稿") == ("narrator", "gm")
    assert expected_mounts("设计.变量控制上下文") == ("gm", "auditor")
    assert expected_mounts("设计.生成规则#天气") == ("gm", "auditor")
    assert (
        expected_mounts("设计.舞台骨架.草稿")
        == expected_mounts("设计")
        == expected_mounts("生成规则.草稿")
        == ()
    )
