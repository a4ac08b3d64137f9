"""Static segments that play rewrites, and tails that slide; and the honest ones that are neither."""

from __future__ import annotations

from typing import Any

import pytest

from building import findings, package, ref, text, underlined, worker
from skillc.graph import build_graph
from skillc.graph.hysteresis import saving
from skillc.graph.stability import Cut, cuts
from skillc.model.package import Package, Policy, Segment
from skillc.runtime.policy import choose

BRIEF = ("brief", "static", ["需求.核心要点"])


def static(*tags: str) -> list[tuple[str, str, list[str]]]:
    return [BRIEF, ("shown", "static", list(tags))]


def rewritten(made: Package) -> list[str]:
    return underlined("static-but-rewritten", made)


def loop(shown: str, **more: Any) -> Package:
    """write ⇄ review, and publish behind them; review shows `shown` as static."""
    return package(
        {
            "write": worker(["需求.核心要点", "验收.记录?"], ["正文.草稿"], **more),
            "review": worker(
                ["需求.核心要点", "正文.草稿", "正文.确认稿?"], ["验收.记录"], segments=static(shown)
            ),
        },
        targets=["需求.核心要点"],
    )


def test_what_a_loop_rewrites_is_not_static() -> None:
    (found,) = findings("static-but-rewritten", loop("正文.草稿"))
    assert (
        found.message
        == "static segment `shown` of `review` shows `正文.草稿`, which `write` rewrites in play"
    )
    assert [label.span.text for label in found.related] == ["正文.草稿", "正文.草稿"]
    assert found.related[1].span.path.endswith("write/SKILL.md")


def test_what_is_confirmed_or_written_in_design_is_settled() -> None:
    assert rewritten(loop("正文.确认稿")) == []
    assert rewritten(loop("正文.草稿", stage="design")) == []
    assert rewritten(loop("需求.核心要点")) == []


def test_a_line_of_play_workers_writes_once() -> None:
    made = package(
        {
            "outline": worker(["需求.核心要点"], ["大纲.草稿"]),
            "cast": worker(["大纲.草稿"], ["人物.卡"]),
            "write": worker(["大纲.草稿", "人物.*"], ["正文.草稿"], segments=static("大纲.草稿", "人物.*")),
        },
        targets=["需求.核心要点"],
    )
    assert rewritten(made) == []


def test_a_line_that_every_turn_starts_anew_writes_every_turn() -> None:
    made = package(
        {
            "listen": worker(["用户.最新输入?"], ["理解.当前"]),
            "plan": worker(["理解.当前"], ["计划.要点"]),
            "write": worker(["计划.要点", "计划.确认稿?"], ["正文.草稿"], segments=static("计划.要点")),
        }
    )
    assert rewritten(made) == ["write: shown"]


def test_a_wildcard_of_user_tags_makes_no_turn() -> None:
    made = package(
        {
            "outline": worker(["用户.*"], ["大纲.要点"]),
            "write": worker(["大纲.要点", "用户.*"], ["正文.草稿"], segments=static("大纲.要点", "用户.*")),
        }
    )
    assert rewritten(made) == []


@pytest.mark.parametrize("tag", ["用户.最新输入", "对话.历史", "变量.当前", "运行.事件流"])
def test_what_every_turn_brings_is_not_static(tag: str) -> None:
    made = package({"w": worker([tag], [], segments=static(tag))})
    (found,) = findings("static-but-rewritten", made)
    assert f"`{tag}`, which every turn of play brings anew" in found.message


@pytest.mark.parametrize(
    "tag", ["用户.修改说明", "用户.worker答复", "创作.偏好", "世界.当前角色.id", "worker.persona"]
)
def test_what_the_session_gives_once_or_for_a_role_is_left_alone(tag: str) -> None:
    assert rewritten(package({"w": worker([tag], [], segments=static(tag))})) == []


def test_workers_that_no_model_reads_and_design_workers_are_left_alone() -> None:
    for more in ({"actor": "user"}, {"actor": "program"}, {"stage": "design"}):
        spec = worker(["正文.草稿"], ["正文.草稿"], segments=static("正文.草稿"), **more)
        assert rewritten(package({"w": spec})) == []


def test_a_segment_of_several_variants_is_reported_once() -> None:
    name = text("shown")
    shown = Segment(name, "static", (ref("正文.草稿"),))
    spec = worker(["正文.草稿"], ["正文.草稿"], variants={"x": (shown,), "y": (shown,)})
    assert len(findings("static-but-rewritten", package({"w": spec}))) == 1


def log(kind: str, n: int, tag: str, behind: int = 1, before: str | None = None, **more: Any) -> Package:
    """A worker that shows a log under a policy, with `behind` segments after it and one before it."""
    place = text(f"{kind}_{n}").span
    names = [text(id) for id in ("first", "log", "next")]
    shown = [
        Segment(names[0], "dynamic", (ref(before or "需求.核心要点"),)),
        Segment(names[1], "dynamic", (ref(tag),), policy=Policy(kind, n, place)),
        Segment(names[2], "dynamic", (ref("用户.修改说明"),)),
    ]
    inputs = ["需求.核心要点", tag, "用户.修改说明?", *([before] if before else [])]
    spec = worker(inputs, ["输出.反馈"], variants={"v": tuple(shown[: 2 + behind])}, **more)
    return package({"w": spec}, targets=["需求.核心要点"])


def sliding(made: Package) -> list[str]:
    return [d.span.text for d in findings("sliding-tail", made)]


@pytest.mark.parametrize(("kind", "n"), [("tail_lines", 80), ("tail_tokens", 2000), ("last_turns", 8)])
def test_a_tail_with_text_behind_it_slides(kind: str, n: int) -> None:
    (found,) = findings("sliding-tail", log(kind, n, "运行.事件流"))
    window = {"tail_lines": "window_lines_80", "tail_tokens": "window_tokens_2000"}.get(
        kind, "window_turns_8"
    )
    assert f"`{window}`" in found.help and "%" in found.help
    assert found.span.text == f"{kind}_{n}"


def test_what_the_help_says_a_window_saves() -> None:
    (found,) = findings("sliding-tail", log("tail_lines", 80, "运行.事件流"))
    assert found.help == (
        "write `window_lines_80`: it keeps 80 to 160 lines and moves its beginning only now and then; in 100 turns "
        "that each add 4, 5,840 of 6,480 lines (90 %) need not be read anew"
    )


def test_tails_that_cost_nothing() -> None:
    assert sliding(log("tail_lines", 80, "运行.事件流", behind=0)) == []
    assert sliding(log("window_lines", 80, "运行.事件流")) == []
    assert sliding(log("last_turns", 1, "运行.事件流")) == []
    assert sliding(log("tail_lines", 80, "运行.事件流", before="用户.最新输入")) == []
    assert sliding(log("tail_lines", 80, "运行.事件流", stage="design")) == []
    assert sliding(log("tail_lines", 80, "运行.事件流", actor="program")) == []
    assert sliding(log("tail_lines", 80, "需求.核心要点")) == []


def test_the_manifest_may_choose_the_window_for_the_dialogue() -> None:
    made = log("last_turns", 20, "对话.历史")
    assert sliding(made) == ["last_turns_20"]
    chosen = package(
        {"w": worker(["对话.历史"], [], variants=made.workers[0].variants)},
        manifest={"context_profile": {"w": {"historyPolicy": "window_turns_20"}}},
    )
    assert sliding(chosen) == []


def test_what_stands_for_a_dialogue_before_it_begins_changes_its_segment() -> None:
    """Events and input of no segment of their own are shown in the place of the dialogue (SPEC 11.4)."""

    def found(*shown: str) -> dict[str, int]:
        rows = [BRIEF, ("h", "dynamic", ["对话.历史"]), *((tag, "dynamic", [tag]) for tag in shown)]
        inputs = ["需求.核心要点", "对话.历史", "运行.*", "用户.最新输入"]
        made = package({"w": worker(inputs, [], segments=rows)}, targets=["需求.核心要点"])
        return {cut.tag: cut.position for cut in cuts(build_graph(made))}

    everything = {"需求.核心要点": 0, "对话.历史": 1, "运行.事件流": 1, "用户.最新输入": 1}
    assert found() == everything
    assert found("用户.最新输入") == {**everything, "用户.最新输入": 2}
    assert found("用户.最新输入", "运行.*")["运行.*"] == 3


@pytest.mark.parametrize("n", [4, 5, 20, 21])
def test_the_saving_is_what_the_policies_do(n: int) -> None:
    """Counted out item by item with the runtime's own policies."""

    def anew(kind: str) -> int:
        shown: list[int] = []
        total = 0
        for turn in range(1, 101):
            before, shown = shown, list(choose(range(turn), kind, n))
            same = 0
            while same < min(len(before), len(shown)) and before[same] == shown[same]:
                same += 1
            total += len(shown) - same
        return total

    found = saving("last_turns", n)
    assert (found.tail, found.window) == (anew("last_turns"), anew("window_turns"))


def test_cuts_name_the_first_segment_that_each_writer_changes() -> None:
    made = package(
        {
            "setup": worker(["需求.核心要点"], ["设定.草稿"], stage="design"),
            "write": worker(
                ["需求.核心要点", "设定.确认稿", "验收.记录?", "用户.最新输入?"],
                ["正文.草稿"],
                segments=[
                    BRIEF,
                    ("rules", "static", ["设定.确认稿"]),
                    ("both", "dynamic", ["用户.最新输入", "验收.记录"]),
                    ("late", "dynamic", ["验收.记录"]),
                ],
            ),
            "review": worker(["正文.草稿"], ["验收.记录"]),
            "plan": worker(["正文.草稿"], [], actor="program"),
        },
        targets=["需求.核心要点"],
    )
    assert [(c.reader, c.writer, c.kind, c.stage, c.position, c.tag) for c in cuts(build_graph(made))] == [
        ("setup", "startup", "source", "design", 0, "需求.核心要点"),
        ("write", "startup", "source", "design", 0, "需求.核心要点"),
        ("write", "setup", "promotion", "design", 1, "设定.确认稿"),
        ("write", "user", "source", "play", 2, "用户.最新输入"),
        ("write", "review", "worker", "play", 2, "验收.记录"),
        ("review", "write", "worker", "play", 0, "正文.草稿"),
    ]


def test_variants_have_cuts_of_their_own() -> None:
    name = text("only")
    only = Segment(name, "dynamic", (ref("甲.b"),))
    made = package(
        {
            "w": worker(["甲.a", "甲.b"], [], segments=[("a", "dynamic", ["甲.a"])], variants={"v": (only,)}),
            "x": worker([], ["甲.*"]),
        }
    )
    assert list(cuts(build_graph(made))) == [
        Cut("w", None, "x", "worker", "play", 0, "甲.a"),
        Cut("w", "v", "x", "worker", "play", 0, "甲.b"),
    ]
