"""Artifacts as they are really written: read as far as they go, with a note for each thing, and nothing lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from artifact_samples import BODIES, BY_ID, sample, written
from skillc.model.artifact_note import place_of
from skillc.model.artifact_reading import ArtifactReading, read_artifact
from skillc.runtime.flat import to_flat

RULES = "设计.生成规则.草稿"


def told(reading: ArtifactReading) -> list[tuple[str, str, str]]:
    return [(note.level, note.kind, place_of(note.path)) for note in reading.notes]


def read(tree: object, tag: str | None = None) -> ArtifactReading:
    return read_artifact(written(tree), tag)


@pytest.mark.parametrize("id", BODIES)
def test_a_sound_artifact_has_nothing_to_be_told(id: str) -> None:
    reading = read(sample(id), f"设计.{BY_ID[id].name}.草稿")
    assert told(reading) == []
    assert (reading.artifact, reading.reason) == (BY_ID[id], "")
    assert reading.body == BODIES[id]


@pytest.mark.parametrize("id", BODIES)
def test_its_flat_form_reads_the_same(id: str) -> None:
    reading = read(to_flat(sample(id)), f"设计.{BY_ID[id].name}")
    assert reading.body == BODIES[id]
    assert {note.kind for note in reading.notes} <= {"restored"}


@pytest.mark.parametrize("id", BODIES)
def test_without_a_tag_it_is_what_it_says(id: str) -> None:
    assert read(sample(id)).artifact is BY_ID[id]
    assert read({**sample(id), "技能": id}).artifact is BY_ID[id]


@pytest.mark.parametrize(
    ("id", "document"),
    [
        ("context-order", {"schema": "context-order.v1", **BODIES["context-order"]}),
        ("context-order", {"agents": [{"id": "gm", "inserts": [{"ref": "对话.历史"}]}]}),
        ("worker-set", BODIES["worker-set"]),
        ("worker-spec", {"playSlots": {"gm": True}}),
    ],
)
def test_documents_are_artifacts_without_a_shell(id: str, document: dict[str, Any]) -> None:
    reading = read(document)
    assert reading.artifact is BY_ID[id] and reading.fragment is None
    assert not [note for note in reading.notes if note.level == "warning"]
    assert (reading.order is not None) == (id != "worker-spec")


CASES: list[tuple[str, dict[str, Any], list[tuple[str, str, str]]]] = [
    ("place in an order", {"order": 3}, [("warning", "order", "order")]),
    ("no brief", {"brief": ""}, [("warning", "empty-key", "brief")]),
    (
        "mount as a text",
        {"mount": "gm、auditor"},
        [("note", "shape", "mount"), ("warning", "missing-mount", "mount")],
    ),
    ("one slot too few", {"mount": ["主世界层"]}, [("warning", "missing-mount", "mount")]),
    ("no stability of ours", {"稳变": "偶尔"}, [("warning", "stability", "稳变")]),
    ("a key of nobody", {"评语": "好"}, [("note", "unknown-key", "评语")]),
    ("another schema", {"schema": "context-fragment.v2"}, [("warning", "schema", "schema")]),
    ("a skill of another artifact", {"技能": "实现机制"}, [("warning", "skill", "技能")]),
    ("open questions as a text", {"开放问题": "谁来付"}, [("warning", "wrong-kind", "开放问题")]),
    ("a body of JSON text", {"正文": written(BODIES["generation-rules"])}, [("note", "restored", "正文")]),
    ("no self-assessment", {"自评": None}, [("note", "missing-dimension", "自评")]),
    (
        "questions as texts",
        {"追问": ["几条？"]},
        [("note", "shape", "追问")],
    ),
    (
        "percent, and no score at all",
        {
            "自评": {
                "维度": [
                    {"名": "必要性", "分数": 85},
                    {"名": "属性妥当", "分数": "高"},
                    {"名": "材料得当"},
                    {"名": "格式准确", "分数": 7},
                ]
            }
        },
        [
            ("note", "percent", "自评.维度[0].分数"),
            ("warning", "score", "自评.维度[1].分数"),
            ("warning", "missing-key", "自评.维度[2].分数"),
        ],
    ),
    (
        "scores by name",
        {"自评": {"必要性": 8, "属性妥当": 8, "材料得当": 8, "好看": 120}},
        [
            ("warning", "score", "自评.好看"),
            ("note", "shape", "自评"),
            ("note", "missing-dimension", "自评.维度"),
            ("note", "unknown-dimension", "自评.维度"),
        ],
    ),
]


@pytest.mark.parametrize(("change", "notes"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_notes_on_the_shell(change: dict[str, Any], notes: list[tuple[str, str, str]]) -> None:
    reading = read({**sample("generation-rules"), **change}, RULES)
    assert told(reading) == notes
    assert reading.fragment is not None and reading.body == BODIES["generation-rules"]


def test_other_names_of_keys_are_read_and_told_where_they_stand() -> None:
    tree = {
        "schema": "context-fragment.v1",
        "skill": "生成规则",
        "概要": "短",
        "挂载": ["gm", "旁观维护"],
        "body": BODIES["generation-rules"],
        "自评": {"维度": [{"名称": "必要性", "评分": 8}]},
        "追问": {"题目": [{"问题": "几条？", "选项": "一"}]},
    }
    reading = read(tree, RULES)
    assert reading.fragment is not None
    assert (reading.fragment.skill, reading.fragment.brief) == ("生成规则", "短")
    assert [score.value for score in reading.fragment.scores] == [8]
    assert [(q.text, q.choices) for q in reading.fragment.questions] == [("几条？", ("一",))]
    assert [place for level, kind, place in told(reading) if kind == "key-alias"] == [
        "skill",
        "概要",
        "挂载",
        "body",
        "自评.维度[0].名称",
        "自评.维度[0].评分",
        "追问.题目[0].问题",
        "追问.题目[0].选项",
    ]


def body_notes(id: str, body: object) -> list[tuple[str, str]]:
    reading = read(sample(id, 正文=body), f"设计.{BY_ID[id].name}")
    return [(note.kind, place_of(note.path)) for note in reading.notes]


def changed(id: str, **changes: Any) -> dict[str, Any]:
    return {key: value for key, value in {**BODIES[id], **changes}.items() if value is not ...}


@pytest.mark.parametrize(
    ("id", "body", "notes"),
    [
        ("mechanism", changed("mechanism", 支撑点=...), [("missing-key", "正文.支撑点")]),
        ("mechanism", changed("mechanism", 支撑点=[]), [("empty-key", "正文.支撑点")]),
        ("mechanism", changed("mechanism", 支撑点="三条"), [("wrong-kind", "正文.支撑点")]),
        ("mechanism", changed("mechanism", 支撑点=["代价"]), [("wrong-kind", "正文.支撑点[0]")]),
        (
            "mechanism",
            changed("mechanism", 支撑点=[{"名称": "代价"}]),
            [("key-alias", "正文.支撑点[0].名称")],
        ),
        ("mechanism", changed("mechanism", 支撑点=[{}]), []),
        ("mechanism", changed("mechanism", 支撑点=[{"作用": "x"}]), [("missing-key", "正文.支撑点[0].名")]),
        ("mechanism", changed("mechanism", 补充="x"), [("unknown-key", "正文.补充")]),
        ("mechanism", changed("mechanism", 覆盖检验={"结论": "够"}), []),
        ("mechanism", "长" * 301, [("single-text", "正文")]),
        ("mechanism", "短", [("body-form", "正文")]),
        ("mechanism", ["甲"], [("body-form", "正文")]),
        ("narration-and-story", "长" * 2000, []),
        ("narration", changed("narration", 遣词="长" * 2000), []),
        (
            "instances",
            {"rule_id": "weather", "records": {"name": "雾"}},
            [("wrong-kind", "正文.records")],
        ),
        (
            "instances",
            {"rule_id": "weather", "records": [{"name": {"深": 1}}]},
            [("nested-row", "正文.records[0].name")],
        ),
        (
            "variables",
            changed(
                "variables",
                side_effects=[{"id": "x", "when": {"key": "a", "op": "=>", "value": 1}, "do": [{}]}],
            ),
            [("wrong-kind", "正文.side_effects[0].when.op")],
        ),
        ("worker-spec", {"play_slots": {"gm": "true", "auditor": "关"}}, []),
        ("worker-spec", {"play_slots": {"gm": "也许"}}, [("wrong-kind", "正文.play_slots.gm")]),
    ],
)
def test_notes_on_the_body(id: str, body: object, notes: list[tuple[str, str]]) -> None:
    assert body_notes(id, body) == notes


def test_a_long_text_wrapped_in_keys_is_still_one_text() -> None:
    assert ("single-text", "正文") in body_notes("mechanism", {"全文": {"内容": "长" * 400}})


def test_json_texts_under_the_body_become_trees() -> None:
    body = {**BODIES["mechanism"], "支撑点": written(BODIES["mechanism"]["支撑点"])}
    reading = read(sample("mechanism", 正文=body), "设计.实现机制")
    assert reading.body == BODIES["mechanism"]
    assert [(note.kind, place_of(note.path)) for note in reading.notes] == [("restored", "正文.支撑点")]


def test_duplicate_sections_are_told_and_kept() -> None:
    flat = to_flat(sample("generation-rules"))
    flat["sections"].append({"id": "rules", "title": "rules", "text": "另一份"})
    reading = read(flat, RULES)
    assert ("warning", "duplicate-id", "sections[2].id") in told(reading)
    assert isinstance(reading.body, dict) and reading.body["rules (2)"] == "另一份"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("```json\n{0}\n```", ["fence"]),
        ("好的：\n```json\n{0}\n```\n请看。", ["fence", "prose"]),
        ("好的：{0}", ["prose"]),
        ('{0}\n{"另": 1}', ["prose", "more-json"]),
    ],
)
def test_where_the_json_stands_is_told(text: str, kinds: list[str]) -> None:
    reading = read_artifact(text.replace("{0}", written(sample("mechanism"))), "设计.实现机制")
    assert [note.kind for note in reading.notes] == kinds
    assert reading.body == BODIES["mechanism"]


def test_the_text_around_is_kept() -> None:
    reading = read_artifact(f"好的：\n```json\n{written(sample('mechanism'))}\n```\n请看。")
    assert (reading.before, reading.behind) == ("好的：", "请看。")


def test_repeated_keys_are_told() -> None:
    reading = read_artifact('{"brief": "a", "brief": "b", "正文": {}}', "设计.实现机制")
    assert ("warning", "duplicate-key", "") in told(reading)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the text is blank"),
        ("一段散文", "there is no JSON in it"),
        ('{"brief": "短", "正文": {', "its JSON cannot be read at line 1, column 23"),
        ('{"a": ' * 20000 + "1" + "}" * 20000, "its JSON is nested too deeply"),
    ],
)
def test_what_cannot_be_read_keeps_its_text_and_its_reason(text: str, reason: str) -> None:
    reading = read_artifact(text, RULES)
    assert reading.reason.startswith(reason)
    assert reading.text == text and reading.tree is None and reading.artifact is BY_ID["generation-rules"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "正文",
                    "rules",
                    "名",
                    "维度",
                    "分数",
                    "题目",
                    "问",
                    "slots",
                    "inserts",
                    "ref",
                    "play_slots",
                    "id",
                    "text",
                ]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=10,
)


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "schema",
                "技能",
                "brief",
                "mount",
                "稳变",
                "正文",
                "自评",
                "追问",
                "开放问题",
                "sections",
                "slots",
                "order",
            ]
        ),
        VALUES | st.sampled_from(["context-fragment.v1", "artifact.flat.v1", "context-order.v1"]),
    ),
    st.sampled_from([None, *(f"设计.{artifact.name}" for artifact in BY_ID.values())]),
)
def test_nothing_is_too_odd_to_read(tree: dict[str, Any], tag: str | None) -> None:
    reading = read_artifact(json.dumps(tree, ensure_ascii=False), tag)
    assert reading.reason == "" and all(note.message and note.kind for note in reading.notes)
