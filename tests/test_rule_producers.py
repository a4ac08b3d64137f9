"""Who writes a tag: two at once, too late, or the reader itself."""

from __future__ import annotations

import time
from typing import Any

from building import findings, package, ref, text, underlined, worker
from skillc.checks.run import all_rules
from skillc.graph import build_graph
from skillc.model.package import Acceptance

ASKED = "需求.核心要点"


def shared(tag: str = "规则.草稿", reader: dict[str, Any] | None = None, **more: Any) -> list[str]:
    """What is said of two workers a and b that write one tag, which c reads."""
    workers = {
        "a": worker([ASKED], [tag], **more.pop("a", {})),
        "b": worker([ASKED], [tag], **more.pop("b", {})),
        "c": reader or worker([tag], ["正文.草稿"]),
    }
    return underlined("ambiguous-producer", package(workers, targets=[ASKED], **more))


def test_two_workers_that_nothing_orders() -> None:
    assert shared() == ["b: 规则.草稿"]
    (found,) = findings(
        "ambiguous-producer",
        package(
            {"a": worker([], ["规则.草稿"]), "b": worker([], ["规则.草稿"]), "c": worker(["规则.草稿"], [])}
        ),
    )
    assert found.message == (
        "`a` and `b` both write `规则.草稿`, and neither comes after the other: the latest may be of either"
    )
    assert [label.message for label in found.related] == ["`a` writes it too", "`c` reads the latest"]


def test_what_nobody_reads_is_ambiguous_too() -> None:
    assert shared(reader=worker([ASKED], ["正文.草稿"])) == ["b: 规则.草稿"]


def test_workers_that_are_ordered() -> None:
    def pair(a: dict[str, Any], b: dict[str, Any], **more: Any) -> list[str]:
        return underlined("ambiguous-producer", package({"a": a, "b": b}, targets=[ASKED], **more))

    t = ["规则.草稿"]
    assert pair(worker([ASKED], t), worker(t, t)) == [], "b goes on from a"
    assert pair(worker([ASKED], [*t, "甲.草稿"]), worker(["甲.确认稿"], t)) == []
    assert pair(worker(["乙.记录?"], [*t, "甲.记录"]), worker(["甲.记录"], [*t, "乙.记录"])) == [], (
        "they take turns"
    )
    assert pair(worker([ASKED], t, stage="design"), worker([ASKED], t)) == []
    review = Acceptance(text("b"), "programmatic_review", text("b").span, reviews=(text("a"),))
    assert pair(worker([ASKED], t), worker([ASKED], t), manifest={"acceptance": (review,)}) == []


def test_what_is_optional_orders_nobody() -> None:
    def told(**workers: dict[str, Any]) -> list[str]:
        return underlined("ambiguous-producer", package(workers, targets=[ASKED]))

    logic, style = worker(["正文.草稿"], ["验收.记录"]), worker(["正文.草稿"], ["验收.记录"])
    for record in ("验收.记录?", "验收.记录"):
        write = worker([ASKED, record], ["正文.草稿"])
        assert told(write=write, logic=logic, style=style) == ["style: 验收.记录"], (
            "optional by loop, or marked"
        )
    first = worker([ASKED], ["规则.草稿", "甲.记录"])
    assert told(a=first, b=worker([ASKED, "甲.记录?"], ["规则.草稿"])) == ["b: 规则.草稿"]
    assert told(a=first, b=worker([ASKED, "甲.记录"], ["规则.草稿"])) == []
    assert told(a=first, b=worker([ASKED, "规则.草稿?"], ["规则.草稿"])) == [], "it goes on from there"
    assert told(a=worker(["规则.*?"], ["规则.草稿"]), b=worker([ASKED], ["规则.草稿"])) == []


def test_readers_that_take_all_texts() -> None:
    assert shared(reader=worker(["规则.草稿"], [], merge="concat")) == []


def test_families_and_shared_logs_are_nobodys_alone() -> None:
    assert shared("角色.*.行动") == []
    assert shared("运行.事件流") == []
    assert shared("书.设定", sources=[("book", "书.*")]) == []
    assert shared(ASKED) == [], "the user gives it too"


def test_a_tag_that_one_worker_lists_twice_has_one_writer() -> None:
    assert underlined("ambiguous-producer", package({"a": worker([], ["规则.草稿", "规则.草稿"])})) == []


def test_many_writers_of_one_tag_are_one_finding_and_order_does_not_matter() -> None:
    ids = [f"w{n}" for n in range(5)]
    made = package({id: worker([], ["规则.草稿"]) for id in ids})
    assert underlined("ambiguous-producer", made) == ["w1: 规则.草稿"]
    assert len(findings("ambiguous-producer", made)[0].related) == 4


def design(inputs: list[str], play: dict[str, Any], **more: Any) -> list[str]:
    workers = {"setup": worker(inputs, ["设定.草稿"], stage="design"), "survey": play}
    return underlined("wrong-stage-producer", package(workers, targets=[ASKED], **more))


PLAY = worker([ASKED], ["勘察.草稿"])


def test_a_design_worker_that_waits_for_play() -> None:
    assert design(["勘察.草稿"], PLAY) == ["setup: 勘察.草稿"]
    assert design(["勘察.确认稿"], PLAY) == ["setup: 勘察.确认稿"]
    assert design(["勘察.*"], PLAY) == ["setup: 勘察.*"]


def test_design_workers_that_do_not() -> None:
    assert design(["勘察.草稿?", ASKED], PLAY) == []
    assert design(["勘察.草稿"], worker([ASKED], ["勘察.草稿"], stage="design")) == []
    assert design(["勘察.草稿"], PLAY, sources=[("book", "勘察.*")]) == []
    unknown = worker([ASKED], ["勘察.草稿"], stage_written=text("drafting"))
    assert design(["勘察.草稿"], unknown) == [], "its stage is not known"
    assert design(["勘察.草稿"], PLAY, registered=["setup", "survey", "ghost"]) == [], "ghost may write it"


def test_updates_in_place() -> None:
    def told(inputs: list[str], outputs: list[str]) -> list[str]:
        return underlined("updates-in-place", package({"a": worker(inputs, outputs)}))

    assert told(["大纲.当前"], ["大纲.当前"]) == ["a: 大纲.当前"]
    assert told(["大纲.*"], ["大纲.当前"]) == ["a: 大纲.当前"]
    assert told(["角色.{id}.记忆", "甲.草稿"], ["乙.草稿", "角色.{id}.记忆", "甲.草稿"]) == [
        "a: 角色.{id}.记忆"
    ]
    assert told(["大纲.草稿"], ["大纲.当前"]) == []
    assert told(["**"], ["大纲.当前"]) == [], "whole-board says so"
    assert told(["角色.A.记忆"], ["角色.B.记忆"]) == []


def test_prerequisites_that_are_there() -> None:
    def told(tag: str, **more: Any) -> list[str]:
        workers = {"setup": worker([ASKED], ["设定.草稿"], stage="design", **more)}
        made = package(workers, targets=[ASKED], manifest={"prerequisites": (ref(tag),)})
        return [d.span.text for d in findings("prerequisite-unproduced", made)]

    assert told("设定.确认稿") == told("设定.*") == told(ASKED) == told("用户.最新输入") == []
    assert told("设计.run_skill清单") == []
    assert told("设定.地图") == ["设定.地图"]
    assert told("设定.地图", broken=True) == [], "it may write anything"


def test_two_thousand_workers_that_share_tags_are_checked_in_time() -> None:
    size = 2000
    chain = {
        f"w{n:04}": worker([f"环.节{n - 1}"] if n else [ASKED], [f"环.节{n}", f"共.有{n // 2}"])
        for n in range(size)
    }
    graph = build_graph(package(chain, targets=[ASKED]))
    rules = {rule.slug: rule for rule in all_rules()}
    begun = time.process_time()
    for slug in (
        "ambiguous-producer",
        "wrong-stage-producer",
        "updates-in-place",
        "prerequisite-unproduced",
        "draft-as-fact",
    ):
        check = rules[slug].check
        assert check is not None and list(check(graph)) == []
    assert time.process_time() - begun < 30
