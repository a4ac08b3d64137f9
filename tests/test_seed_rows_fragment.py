"""The design document of context fragments, row by row: the shell and the bodies of its section 3, the views of its
section 6. Each test is named after the row that it holds the program to."""

from __future__ import annotations

import json
from typing import Any

import pytest

from artifact_samples import BODIES, BY_ID, sample, written
from running import ListedModel, needs, running_plan, writes
from skillc.execute.cards import cards_of
from skillc.execute.session import Session
from skillc.execute.store import open_store
from skillc.model.artifact_reading import ArtifactReading, read_artifact
from skillc.report.artifact_html import render_html
from skillc.report.artifact_text import render_text
from skillc.report.language import words_of
from skillc.runtime.artifacts import expected_mounts
from skillc.runtime.flat import to_flat, to_tree
from skillc.runtime.projection import project
from test_report_artifact import Page


def read(id: str, **changes: Any) -> ArtifactReading:
    return read_artifact(written(sample(id, **changes)), f"设计.{BY_ID[id].name}")


def page(id: str, **changes: Any) -> Page:
    return Page(render_html(read(id, **changes), "zh"))


def notes(reading: ArtifactReading) -> list[str]:
    return [note.kind for note in reading.notes]


# 3 · 公共外壳


def test_row_schema_skill_brief_mount_stability_index_and_mount_and_no_order() -> None:
    """`schema` / `技能` / `brief` / `mount` / `稳变` | 索引与挂载；不写 `order`"""
    fragment = read("generation-rules").fragment
    assert fragment is not None
    assert (fragment.schema, fragment.skill) == ("context-fragment.v1", "生成规则")
    assert fragment.brief == "生成规则一句话" and fragment.stability == "稳"
    assert [name for name, _ in fragment.mounts] == ["gm", "auditor"]
    assert "order" in notes(read("generation-rules", order=3))
    for written_as, read_as in {
        "稳": "稳",
        "少变": "稳",
        "中": "中",
        "偶发": "中",
        "变": "变",
        "常变": "变",
    }.items():
        found = read("mechanism", 稳变=written_as).fragment
        assert found is not None and found.stability == read_as


def test_row_body_is_what_matters_and_has_its_parts() -> None:
    """`正文` | 产物主体（技能自定内部维度，但必须有「各个方面」）"""
    assert notes(read("mechanism", 正文={**BODIES["mechanism"], "自定": {"维度": "x"}})) == ["unknown-key"]
    assert notes(read("mechanism", 正文={})) == ["missing-key"] * 4
    assert notes(read("mechanism", 正文="整柱收成一段散文" * 60)) == ["single-text"]


def test_row_self_assessment_has_dimensions_and_weak_points() -> None:
    """`自评` | 自评评分（`维度[]` + 可选薄弱点；维度名按技能）"""
    fragment = read("aesthetics-interaction").fragment
    assert fragment is not None and fragment.weak == "还薄"
    assert [score.name for score in fragment.scores] == ["交互范式", "美学纲领", "整体协调"]
    mixed = {"维度": [{"名": name, "分数": 8} for name in BY_ID["aesthetics-interaction"].scores]}
    assert notes(read("generation-rules", 自评=mixed)) == ["missing-dimension", "unknown-dimension"]
    assert notes(read("mechanism", 自评={"维度": sample("mechanism")["自评"]["维度"]})) == []


def test_row_questions_become_the_card_and_are_not_repeated(tmp_path: Any) -> None:
    """`追问` | 导语 + 题目（建议选项 / 示例）；可无题则 `题目: []`。程序挂询问卡；不要再抄一份 `askUser`"""
    plan = running_plan({"rules": {"inputs": ["用户.需求"], "outputs": ["设计.生成规则.草稿"]}})
    reply = writes({"设计.生成规则.草稿": sample("generation-rules")}, askUser=["多重？"])
    store = open_store(str(tmp_path / "s.db"))
    session = Session.open(store, plan, ListedModel(reply), board=needs({"用户.需求": "港"}))
    session.advance()
    assert session.pending is not None
    assert session.pending.prompt == "先问一点" and session.pending.questions == (
        "多重？ [轻 / 重] 例：断指",
    )
    assert any("askUser repeats" in note for note in session.record.runs[0].notes)
    none = sample("generation-rules", 追问={"题目": []})
    assert (
        cards_of([("设计.生成规则", written(none))]) == ()
        and notes(read("generation-rules", 追问={"题目": []})) == []
    )


def test_row_open_questions_are_optional() -> None:
    """`开放问题` | 未结构化的残项（可选）"""
    assert "谁来付" in page("mechanism").inside("section.open")
    fragment = sample("mechanism")
    del fragment["开放问题"]
    assert notes(read_artifact(written(fragment), "设计.实现机制")) == []


# 3 · 片段与扁形


def test_row_flat_form_is_for_delivery_and_json_texts_become_keys_again() -> None:
    """扁形仅为投递兼容；若 `sections[].text` 是 JSON 对象字符串，程序会还原进正文键"""
    flat = to_flat(sample("mechanism"))
    assert all(isinstance(row["text"], str) for row in flat["sections"])
    assert to_tree(flat) == sample("mechanism")
    assert read_artifact(written(flat), "设计.实现机制").body == BODIES["mechanism"]


def test_row_leaves_are_short_fields_lists_of_texts_and_diagnoses() -> None:
    """深度约 2 层分组 + 叶子（短字段、string[]，或诊断 {结论, 依据, 完备度}）"""
    assert notes(read("aesthetics-interaction")) == []
    deep = {
        "设定逻辑": {"a": {"b": {"c": {"d": {"e": "x"}}}}},
        "交互范式": {"a": "x"},
        "美学纲领": {"a": "x"},
    }
    assert "deep" in notes(read("aesthetics-interaction", 正文=deep))


# 3 · 验收卡排版约定


def test_row_left_product_is_what_goes_into_play() -> None:
    """左 · 产物 | 最终希望插入游玩上下文的契约正文 | `美学纲领`、`交互范式`"""
    left = page("aesthetics-interaction").inside("section.side product")
    assert "美学纲领" in left and "交互范式" in left and "设定逻辑" not in left


def test_row_right_assessment_is_for_those_who_accept() -> None:
    """右 · 评估 | 诊断、完备度、待探 | `设定逻辑`"""
    right = page("aesthetics-interaction").inside("section.side assessment")
    assert all(word in right for word in ("设定逻辑", "结论", "依据", "完备度 高", "待探"))


def test_row_stored_together_and_injected_in_full() -> None:
    """存盘：三块都在同一 `正文` 里。注入：默认 `full` 时整份正文都会进模型"""
    text = written(sample("aesthetics-interaction"))
    assert project(text, "full") == text and "设定逻辑" in project(text, "full")
    assert set(json.loads(text)["正文"]) == {"设定逻辑", "交互范式", "美学纲领"}
    assert project(text, "summary") == "美学纲领与交互范式一句话"
    assert project(text, "fields").startswith("美学纲领与交互范式一句话\nschema = context-fragment.v1\n")


# 3 · 各产物的正文

KEYS = {
    "美学步正文：设定逻辑 + 交互范式 + 美学纲领": ("aesthetics-interaction", "设定逻辑 交互范式 美学纲领"),
    "实现机制正文：依据的核心体验 + 支撑点[] + 支撑点关系[] + 覆盖检验": (
        "mechanism",
        "依据的核心体验 支撑点 支撑点关系 覆盖检验",
    ),
    "舞台骨架正文：尺度 / 基底与变造 / 社会结构 / 世界状况 / 关键舞台区 / 未展开范围": (
        "world-blueprint",
        "尺度 基底与变造 社会结构 世界状况 关键舞台区 未展开范围",
    ),
    "生成规则正文：必要性判断 + rules[]": ("generation-rules", "必要性判断 rules"),
    "具体实例正文：rule_id + records[]": ("instances", "rule_id records"),
    "叙事指南与故事推进正文：一份全文（纲领/遣词/笔墨/禁忌/推进等）": (
        "narration-and-story",
        "全文 纲领 遣词 笔墨 禁忌 推进",
    ),
    "设计.叙事指南（遣词/笔墨/禁忌/写法档）": ("narration", "遣词 笔墨 禁忌 写法档"),
    "设计.故事推进（推进 + 用户输入用法）": ("story", "推进 用户输入用法"),
    "回复呈现：正文/字数/日期/变量": ("monitor", "正文 字数 日期 变量"),
    "正文组成：选壳、分区、正文安全子集": ("composition", "选壳 分区 正文安全子集"),
    "变量设计：真值 + 维护语句 + Data映射索引 + side_effects": (
        "variables",
        "真值 维护语句 Data映射索引 side_effects",
    ),
    "变量控制上下文：各槽视野 + 旁观汇总": ("variable-context", "各槽视野 旁观汇总"),
    "开场白与开场变量：开场正文 + 开场变量初值；用户代入名片": ("opening", "开场正文 开场变量 主角设定"),
    "游玩拓扑：启用哪些固定槽 → play_slots": ("worker-spec", "play_slots"),
    "worker集：play_slots + context_order": ("worker-set", "play_slots context_order"),
    "上下文投影排序：slots，或 agents[]": ("context-order", "play_slots slots agents"),
}


@pytest.mark.parametrize(("id", "keys"), KEYS.values(), ids=KEYS)
def test_row_keys_of_the_body(id: str, keys: str) -> None:
    assert set(keys.split()) <= set(BY_ID[id].body)


SCORES = {
    "自评＝必要性/属性妥当/材料得当/格式准确": (
        "generation-rules",
        ("必要性", "属性妥当", "材料得当", "格式准确"),
    ),
    "美学纲领自评仍为：交互范式 / 美学纲领 / 整体协调": (
        "aesthetics-interaction",
        ("交互范式", "美学纲领", "整体协调"),
    ),
    "自评＝合规模（只按规则执行）": ("instances", ("合规模",)),
}


@pytest.mark.parametrize(("id", "scores"), SCORES.values(), ids=SCORES)
def test_row_dimensions_of_the_self_assessment(id: str, scores: tuple[str, ...]) -> None:
    assert BY_ID[id].scores == scores


MOUNTS = {
    "整份双挂转述与主世界层": ("叙事指南与故事推进", {"narrator", "gm"}),
    "各自双挂：叙事指南": ("叙事指南", {"narrator", "gm"}),
    "各自双挂：故事推进": ("故事推进", {"narrator", "gm"}),
    "mount 含主世界层与旁观维护": ("变量控制上下文", {"gm", "auditor"}),
    "合同挂主世界层 + 旁观": ("生成规则", {"gm", "auditor"}),
}


@pytest.mark.parametrize(("name", "slots"), MOUNTS.values(), ids=MOUNTS)
def test_row_where_an_artifact_must_be_mounted(name: str, slots: set[str]) -> None:
    assert set(expected_mounts(f"设计.{name}.确认稿")) == slots
    (artifact,) = [artifact for artifact in BY_ID.values() if artifact.name == name]
    assert "missing-mount" in notes(read(artifact.id, mount=["perspective"]))


def test_row_rules_have_recipe_grades_one_layer_pools_and_amounts() -> None:
    """设计判断 + 生成与描写含配方/表现 + 分级表现 + 单层产物格式 + 方向池 / 元素池 + 数量与一次生成"""
    keys = BY_ID["generation-rules"].body["rules"]["of"]["keys"]
    wanted = ("设计判断", "生成与描写", "分级表现", "产物格式", "方向池", "元素池", "数量", "一次生成")
    assert set(wanted) <= set(keys) and set(keys["生成与描写"]["keys"]) == {"配方", "表现"}
    rule = {**BODIES["generation-rules"]["rules"][0], "产物格式": [{"字段": "a", "类型": {"深": "x"}}]}
    assert "nested-row" in notes(read("generation-rules", 正文={"必要性判断": "要", "rules": [rule]}))


def test_row_instances_are_always_a_list_of_one_layer() -> None:
    """`records[]`（始终数组；单层，键随规则）"""
    assert notes(read("instances", 正文={"rule_id": "w", "records": {"name": "x"}})) == ["wrong-kind"]
    assert notes(read("instances", 正文={"rule_id": "w", "records": [{"a": {"b": 1}}]})) == ["nested-row"]
    assert notes(read("instances", 正文={"rule_id": "w", "records": [{"任何键": 1}]})) == []


def test_row_old_names_of_the_monitor() -> None:
    """artifact=`设计.监控栏`（旧称设计监控栏/状态栏）"""
    for name in ("设计监控栏", "状态栏"):
        assert read_artifact("{}", f"设计.{name}").artifact is BY_ID["monitor"]


def test_row_shells_are_carried_as_text() -> None:
    """开场正文（present.v1，壳与正文组成一致）"""
    assert (
        notes(read("opening", 正文={**BODIES["opening"], "开场正文": {"schema": "present.v1", "区": "x"}}))
        == []
    )


# 6 · UI 渲染


def test_view_shell_brief_mount_score_of_ten_questions() -> None:
    """`context-fragment.v1` 外壳 | brief / 挂载 / 自评十分制（x/10） / 追问"""
    shown = page("mechanism")
    assert "实现机制一句话" in shown.inside("p.brief")
    assert "支撑有力 8/10" in shown.inside("li.score") and "gm" in shown.inside("dl.facts")
    assert "多重？" in shown.inside("section.questions") and "断指" in shown.inside("section.questions")


def test_view_aesthetics_is_a_mosaic() -> None:
    """美学纲领与交互范式 | mosaic（设定逻辑 / 交互范式 / 美学纲领）"""
    assert page("aesthetics-interaction").inside("h3.").split() == ["交互范式", "美学纲领", "设定逻辑"]


def test_view_rules_are_cards() -> None:
    """生成规则 | 必要性 + 规则卡（配方/表现、分级表象、单层字段表、方向池/元素池）"""
    shown = page("generation-rules")
    assert "必要性判断" in shown.inside("section.side assessment")
    assert all(
        word in shown.inside("article.card") for word in ("weather", "配方", "表现", "方向池", "元素池")
    )
    assert all(word in shown.inside("table.") for word in ("字段", "类型", "级"))


def test_view_stage_is_entity_cards() -> None:
    """舞台骨架 | 尺度 / 社会 / 状况 / 关键区实体卡"""
    shown = page("world-blueprint")
    assert {"尺度", "社会结构", "世界状况", "关键舞台区"} <= set(shown.inside("h3.").split())
    assert "账房" in shown.inside("h4.") and "码头" in shown.inside("h4.")


def test_view_mechanism_is_cards_relations_and_coverage() -> None:
    """实现机制 | 支撑点卡 + 关系 + 覆盖检验"""
    shown = page("mechanism")
    assert "代价" in shown.inside("h4.") and "促成" in shown.inside("table.")
    assert "覆盖检验" in shown.inside("h3.")


def test_view_any_other_body_is_keys_and_values() -> None:
    """其它技能正文 | 通用结构化（KV）"""
    shown = Page(
        render_html(read_artifact('{"技能": "别的", "brief": "短", "正文": {"甲": {"乙": "丙"}}}'), "zh")
    )
    assert "甲" in shown.inside("h3.") and "乙" in shown.inside("dt.") and "丙" in shown.inside("dd.")


def test_view_order_is_a_flat_table_with_the_history_row_standing_out() -> None:
    """`context-order.v1` | 扁平序表；历史行高亮"""
    order = {"schema": "context-order.v1", **BODIES["context-order"]}
    shown = Page(render_html(read_artifact(written(order)), "zh"))
    assert "对话.历史" in shown.inside("tr.marked")
    assert "▶" in render_text(read_artifact(written(order)), 80)


def test_view_what_does_not_parse_is_no_wall_and_stays_folded() -> None:
    """解析失败时勿只甩 JSON 墙：提示无法解析并保留原文折叠"""
    broken = written(sample("mechanism"))[:-40]
    shown = Page(render_html(read_artifact(broken, "设计.实现机制"), "zh"))
    assert "照原样显示" in shown.inside("p.reason") and broken in shown.inside("details.raw")
    assert broken[:40] not in shown.inside("header.") + shown.inside("section.")


def test_view_scores_go_to_ten_and_old_percentages_are_read_as_tenths() -> None:
    """自评 `分数` 契约为 0–10（旧百分数会按 /10 兼容显示）"""
    reading = read("mechanism", 自评={"维度": [{"名": "支撑有力", "分数": 85}]})
    assert "支撑有力 8.5/10" in render_text(reading, 80, words=words_of("zh"))
    assert "percent" in notes(reading)
