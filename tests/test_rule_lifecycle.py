"""The life of a text: who may move it from stage to stage, and the rules that ask."""

from __future__ import annotations

from typing import Any

import pytest

from building import findings, package, pattern, ref, text, underlined, worker
from skillc.graph.lifecycle import is_memory, may_move, may_remember, stage_named
from skillc.model.package import Acceptance

ASKED = "需求.核心要点"


@pytest.mark.parametrize("hand", ["worker", "acceptance", "user", "source"])
def test_only_acceptance_and_the_user_make_a_draft_a_confirmed_text(hand: Any) -> None:
    assert may_move(hand, "确认稿", "草稿") == (hand in ("acceptance", "user"))
    assert may_move(hand, "确认稿") == (hand in ("user", "source"))


def test_workers_turn_candidates_into_drafts_and_never_into_facts() -> None:
    assert may_move("worker", "草稿", "候选")
    assert not any(may_move("worker", new, "候选") for new in ("确认稿", "当前", "更新"))
    assert may_move("worker", "当前", "更新") and not may_move("worker", "当前", "草稿")


def test_stages_and_memory_are_named_by_segments() -> None:
    assert stage_named(pattern("角色.{id}.行动.候选"), {}) == "候选"
    assert stage_named(pattern("设计.草稿#天气"), {}) == "草稿"
    assert stage_named(pattern("更新.世界状态"), {}) == "更新"
    assert stage_named(pattern("正文.*"), {}) == stage_named(pattern("大纲.初稿"), {}) == ""
    assert stage_named(pattern("rules.draft"), {"rules.draft": "规则.草稿"}) == "草稿"
    assert is_memory(pattern("角色.{id}.记忆")) and is_memory(pattern("记忆#一"))
    assert not is_memory(pattern("角色.A.相关记忆摘要"))
    assert may_remember("草稿", "候选") and not may_remember("当前", "候选")


def memory(inputs: list[str], output: str = "角色.A.记忆", **more: Any) -> list[str]:
    workers = {
        "act": worker([ASKED], ["角色.A.行动.候选", "正文.草稿"]),
        "remember": worker(inputs, [output]),
    }
    return underlined("candidate-into-memory", package(workers, targets=[ASKED], **more))


def test_memory_takes_no_candidate_and_no_draft() -> None:
    assert memory(["角色.A.行动.候选"]) == ["remember: 角色.A.行动.候选"]
    assert memory(["正文.确认稿", "正文.草稿"], "记忆.长期摘要") == ["remember: 正文.草稿"]
    assert memory(["角色.A.*"]) == ["remember: 角色.A.*"]
    assert memory(["正文.*"], accept={"act": "no_confirmation"}) == ["remember: 正文.*"]


def test_memory_that_is_honest() -> None:
    assert memory(["正文.确认稿", "记忆.更新", "世界.当前状态"]) == []
    assert memory(["正文.*"]) == [], "drafts are confirmed before anybody else runs"
    assert memory(["角色.A.行动.候选"], "记忆.草稿") == [], "a draft of the memory is confirmed itself"
    assert memory(["角色.A.行动.候选"], "正文.续写.草稿") == [], "text workers turn candidates into drafts"
    assert memory(["角色.A.行动.候选"], "角色.A.相关记忆摘要") == []


def test_memory_names_the_writer_of_a_candidate_in_a_family() -> None:
    workers = {
        "act": worker([ASKED], ["角色.A.行动.候选"]),
        "remember": worker(["角色.A.*"], ["角色.A.记忆"]),
    }
    (found,) = findings("candidate-into-memory", package(workers, targets=[ASKED]))
    assert [label.message for label in found.related] == [
        "the memory is written here",
        "`act` writes a 候选 there",
    ]


def drafts(accept: dict[str, str], reader: dict[str, Any] | None = None) -> list[str]:
    workers = {
        "outline": worker([ASKED, "批改.记录?"], ["大纲.草稿"]),
        "write": reader or worker(["大纲.草稿"], ["正文.草稿"]),
        "again": worker(["大纲.草稿"], ["说明.草稿"]),
    }
    return underlined("draft-as-fact", package(workers, targets=[ASKED], accept=accept))


def test_a_draft_that_nobody_confirms_is_told_once() -> None:
    assert drafts({"outline": "no_confirmation"}) == ["write: 大纲.草稿"]


def test_drafts_that_are_honest() -> None:
    assert drafts({"outline": "user_confirmed"}) == []
    assert drafts({}) == [], "confirmed by default"
    both = {"outline": "no_confirmation", "write": "programmatic_review", "again": "programmatic_review"}
    assert drafts(both) == [], "reviewers read drafts"
    loop = worker(["大纲.草稿"], ["批改.记录"])
    only = package(
        {"outline": worker([ASKED, "批改.记录?"], ["大纲.草稿"]), "write": loop},
        targets=[ASKED],
        accept={"outline": "no_confirmation"},
    )
    assert underlined("draft-as-fact", only) == [], "they work on it together"
    own = package(
        {"a": worker(["大纲.草稿?"], ["大纲.草稿"])}, targets=[ASKED], accept={"a": "no_confirmation"}
    )
    assert underlined("draft-as-fact", own) == []
    implicit = Acceptance(text("outline"), "no_confirmation", text("outline").span, explicit=False)
    workers = {"outline": worker([ASKED], ["大纲.草稿"]), "write": worker(["大纲.草稿"], [])}
    made = package(workers, targets=[ASKED], manifest={"acceptance": (implicit,)})
    assert underlined("draft-as-fact", made) == []


def test_a_confirmed_text_in_place_of_the_draft_that_is_read_is_one_finding() -> None:
    made = package({"a": worker([], ["大纲.确认稿"]), "b": worker(["大纲.草稿"], [])})
    assert underlined("unproduced-input", made) == ["a: 大纲.确认稿"]
    assert underlined("direct-confirm", made) == []
    optional = package({"a": worker([], ["大纲.确认稿"]), "b": worker(["大纲.草稿?"], [])})
    assert underlined("unproduced-input", optional) == []
    assert underlined("direct-confirm", optional) == ["a: 大纲.确认稿"]


def test_a_confirmed_text_is_written_by_no_model() -> None:
    assert underlined("direct-confirm", package({"a": worker([], ["大纲.确认稿"])})) == ["a: 大纲.确认稿"]
    slot = package({"a": worker([], ["设计.确认稿#天气"])})
    assert underlined("direct-confirm", slot) == ["a: 设计.确认稿#天气"]
    for actor in ("user", "program"):
        assert underlined("direct-confirm", package({"a": worker([], ["大纲.确认稿"], actor=actor)})) == []
    honest = package({"a": worker(["大纲.确认稿"], ["大纲.草稿", "大纲.*", "确认稿.说明"])})
    assert underlined("direct-confirm", honest) == []


def test_a_stage_that_nobody_knows() -> None:
    def staged(written: str, table: tuple[tuple[Any, Any], ...] = (), **more: Any) -> list[str]:
        made = package({"a": worker([], [], stage_written=text(written), **more)}, manifest={"stages": table})
        return [d.message for d in findings("unknown-stage", made)]

    assert staged("desing") == [
        "`desing` is no stage that the package knows, so `a` counts as a worker of play"
    ]
    assert staged("drafting", ((text("drafting"), None),)) == []
    assert staged("run", stage="play") == []
    made = package({"a": worker([], [], stage_written=text("x"))}, manifest={"broken": True})
    assert findings("unknown-stage", made) == []
    assert findings("unknown-stage", package({"a": worker([], [])})) == []


def test_a_prerequisite_that_is_never_confirmed_says_so() -> None:
    workers = {"setup": worker([ASKED], ["设定.草稿"], stage="design")}
    made = package(
        workers,
        targets=[ASKED],
        accept={"setup": "no_confirmation"},
        manifest={"prerequisites": (ref("设定.确认稿"),)},
    )
    (found,) = findings("prerequisite-unproduced", made)
    assert "no_confirmation leaves the draft of `setup` a draft" in found.message
