"""What the rules over producers, readers and loops say, and when they keep still."""

from __future__ import annotations

import time
from typing import Any

from building import findings, package, ref, text, underlined, worker
from skillc.checks.run import run_checks
from skillc.diagnostic import Severity
from skillc.graph import build_graph
from skillc.model.package import Acceptance, Package, Readiness
from skillc.tags import literal
from skillc.value import replace


def test_an_unproduced_input_is_told_once_with_its_other_readers() -> None:
    made = package(
        {
            "write": worker(["需求.核心要点", "规则.草搞"], ["规则.草稿"]),
            "review": worker(["规则.草搞", "规则.草稿"], ["验收.记录"]),
        },
        targets=["需求.核心要点"],
    )
    (found,) = findings("unproduced-input", made)
    assert found.message == "`write` reads `规则.草搞`, which no worker writes and no source gives"
    assert found.span.text == "规则.草搞"
    assert "did you mean `规则.草稿`, which `write` writes" in found.help
    assert "启动询问" in found.help and "tags.yaml" in found.help
    assert [label.message for label in found.related] == ["`review` reads it too"]


def test_what_acceptance_makes_may_be_meant_too() -> None:
    def hint(tag: str, mode: str = "user_confirmed") -> str:
        made = package(
            {"world": worker([], ["设定.物理.草稿"]), "write": worker([tag], ["正文.草稿"])},
            accept={"world": mode},
        )
        (found,) = findings("unproduced-input", made)
        assert "world: 设定.物理.草稿" not in underlined("unread-output", made), "one cause, one finding"
        return found.help.split("?")[0]

    confirmed = "did you mean `设定.物理.确认稿`, which accepting the draft of `world` gives"
    assert hint("设定.物里.确认稿") == hint("设定.物理.确认搞") == confirmed
    assert hint("设定.物里.草稿") == "did you mean `设定.物理.草稿`, which `world` writes"
    assert "`设定.物理.草稿`" in hint("设定.物里.确认稿", "no_confirmation")


def of_a_role(
    tag: str, *, roles: str = "甲乙", more: dict[str, Any] | None = None, **given: Any
) -> list[str]:
    """The ways out where a referee reads `tag` and players, one for each of `roles`, write `角色.{id}.行动`."""
    workers = {
        "player": worker([], ["角色.{id}.行动"], isolation="role_pov"),
        "referee": worker([tag], ["裁决.当前"]),
        **(more or {}),
    }
    listed = {"roles": tuple(text(role) for role in roles), **given}
    return [told.help for told in findings("unproduced-input", package(workers, manifest=listed))]


def test_nobody_writes_as_a_role_that_is_not_listed() -> None:
    assert of_a_role("角色.丙.行动") == [
        "`player` writes `角色.{id}.行动` for the roles `甲` and `乙`; name one of these, or list the role under "
        "`roles`"
    ]
    assert len(of_a_role("角色.丙.*")) == 1
    made = package(
        {"player": worker([], ["角色.{id}.行动"]), "referee": worker(["角色.船天.行动"], [])},
        manifest={"roles": (text("船夫"), text("寡妇"))},
    )
    assert findings("unproduced-input", made)[0].help.startswith("did you mean `角色.船夫.行动`?")
    assert "player: 角色.{id}.行动" not in underlined("unread-output", made), "one cause, one finding"


def test_a_role_that_somebody_writes_for() -> None:
    assert of_a_role("角色.甲.行动") == of_a_role("角色.*.行动") == of_a_role("角色.*") == []
    assert of_a_role("角色.丙.行动?") == [], "it may be missing"
    assert of_a_role("角色.丙.行动", roles="") == [], "who plays is not listed"
    assert of_a_role("角色.丙.行动", roles_from=ref("角色.名单")) == [], "the list is made in play"
    assert of_a_role("角色.丙.行动", more={"guest": worker([], ["角色.丙.行动"])}) == []
    assert of_a_role("角色.丙.行动", more={"world": worker([], ["角色.*.行动"])}) == [], "whoever it is"


def test_a_prerequisite_may_mean_what_acceptance_makes() -> None:
    made = package({"plan": worker([], ["立项.草稿"])}, manifest={"prerequisites": (ref("立项.确认搞"),)})
    (found,) = findings("prerequisite-unproduced", made)
    assert "did you mean `立项.确认稿`?" in found.help


def test_an_unproduced_input_names_the_asked_tag_or_the_new_name() -> None:
    asked = package({"write": worker(["需求.核心要求"], [])}, targets=["需求.核心要点"])
    assert "`需求.核心要点`, which the user is asked for" in findings("unproduced-input", asked)[0].help
    moved = package(
        {"write": worker(["旧.名字"], [])}, catalogue={"moved": ((text("旧.名字"), text("新.名字")),)}
    )
    assert "is called `新.名字` now" in findings("unproduced-input", moved)[0].help


def test_inputs_with_any_kind_of_producer_are_left_alone() -> None:
    inputs = [
        "用户.最新输入",
        "worker.persona",
        "对话.历史",
        "世界.设定",
        "项目.风格",
        "规则.确认稿",
        "角色.甲.行动",
        "没有?",
    ]
    made = package(
        {"write": worker(inputs, ["规则.草稿", "角色.*.行动"])},
        asks=["项目.风格"],
        sources=[("book", "世界.*")],
    )
    assert findings("unproduced-input", made) == []


def test_no_cascade_behind_broken_missing_or_unreadable() -> None:
    reader = {"write": worker(["规则.草稿", "需求.要点"], [])}
    assert findings("unproduced-input", package({**reader, "b": worker(broken=True)})) == []
    assert findings("unproduced-input", package({**reader, "b": worker(outputs_missing=True)})) == []
    assert findings("unproduced-input", package(reader, registered=["write", "gone"])) == []
    assert underlined("unproduced-input", package(reader, manifest={"broken": True})) == ["write: 规则.草稿"]
    assert underlined("unproduced-input", package(reader, catalogue={"broken": True})) == ["write: 规则.草稿"]


def test_what_an_injected_worker_may_write_is_only_noted() -> None:
    made = package(
        {
            "design-step": worker(["用户.输入"], [], injected=True),
            "play": worker(["设计.机制", "规则.草稿"], ["设计.骨架"]),
        }
    )
    noted, wrong = findings("unproduced-input", made)
    assert (noted.span.text, noted.severity) == ("设计.机制", Severity.INFO)
    assert (wrong.span.text, wrong.severity) == ("规则.草稿", Severity.ERROR)


def test_a_draft_that_is_never_confirmed_is_its_own_finding() -> None:
    workers = {"write": worker([], ["规则.草稿"]), "read": worker(["规则.确认稿"], [])}
    made = package(workers, accept={"write": "no_confirmation"})
    assert underlined("never-promoted", made) == ["read: 规则.确认稿"]
    assert findings("unproduced-input", made) == []
    assert findings("never-promoted", package(workers)) == []


def test_missing_inputs_lists_what_body_and_tables_name() -> None:
    made = package(
        {"write": worker([], ["规则.草稿"], inputs_missing=True), "other": worker(["规则.草稿"], [])}
    )
    (found,) = findings("missing-inputs", made)
    assert found.message == "`write` has no inputTags"
    assert findings("unread-output", made) == []
    assert findings("missing-inputs", package({"write": worker([], [])})) == []
    assert (
        findings("missing-inputs", package({"step": worker([], [], inputs_missing=True, injected=True)}))
        == []
    )


def test_an_output_that_nobody_reads() -> None:
    made = package(
        {"write": worker([], ["规则.说明.草稿", "规则.草稿"]), "read": worker(["规则.确认稿"], [])}
    )
    assert underlined("unread-output", made) == ["write: 规则.说明.草稿"]


def test_outputs_that_people_or_the_runtime_read_are_left_alone() -> None:
    delivered = {"deliverables": (literal("正文.确认稿"), literal("输出.场景反馈"))}
    outputs = ["正文.草稿", "输出.场景反馈", "运行.事件流", "变量.当前", "角色.甲.思考", "设计.worker集"]
    outputs += ["变量.更新", "设计.上下文投影排序"]
    assert findings("unread-output", package({"write": worker([], outputs)}, catalogue=delivered)) == []
    loose = {"write": worker([], ["规则.说明"])}
    assert len(findings("unread-output", package(loose))) == 1
    assert findings("unread-output", package(loose, accept={"write": "user_confirmed"})) == []
    assert findings("unread-output", package(loose, accept={"write": "programmatic_review"})) == []
    assert len(findings("unread-output", package(loose, accept={"write": "no_confirmation"}))) == 1
    implied = Acceptance(text("write"), "user_confirmed", text("write").span, explicit=False)
    assert len(findings("unread-output", package(loose, manifest={"acceptance": (implied,)}))) == 1


def test_what_a_condition_asks_about_is_read() -> None:
    loose = {"write": worker([], ["设定.草稿", "规则.说明"])}
    ready = Readiness(text("x"), ("and", ("accepted", literal("设定.确认稿")), ("has", literal("规则.说明"))))
    assert findings("unread-output", package(loose, manifest={"ready": (ready,)})) == []
    assert underlined("unread-output", package(loose, manifest={"prerequisites": (ref("规则.说明"),)})) == [
        "write: 设定.草稿"
    ]


def test_a_hidden_tag_is_delivered_to_nobody() -> None:
    made = package({"write": worker([], ["核心.隐藏"])}, accept={"write": "user_confirmed"})
    assert underlined("unread-output", made) == ["write: 核心.隐藏"]


def test_a_mistyped_input_is_one_finding_not_two() -> None:
    made = package({"write": worker([], ["规则.草稿"]), "read": worker(["规则.初稿"], [])})
    assert underlined("unproduced-input", made) == ["read: 规则.初稿"]
    assert findings("unread-output", made) == []


def test_readers_that_nobody_knows_silence_unread_output() -> None:
    loose = {"write": worker([], ["规则.说明"])}
    assert findings("unread-output", package({**loose, "b": worker(broken=True)})) == []
    assert findings("unread-output", package({**loose, "b": worker(inputs_missing=True)})) == []
    assert findings("unread-output", package(loose, registered=["write", "gone"])) == []


def dead_ring(**more: dict[str, object]) -> Package:
    return package({"b": worker(["甲.文"], ["乙.文"]), "a": worker(["乙.文"], ["甲.文"]), **more})


def test_a_deadlock_is_one_finding_with_the_route() -> None:
    (found,) = findings("deadlocked-loop", dead_ring())
    assert (
        found.message
        == "none of these 2 workers can ever run, each waits for the one before: `a` → `b` → `a`"
    )
    assert [label.span.text for label in found.related] == ["乙.文", "乙.文", "甲.文", "甲.文"]
    assert findings("feedback-loop", dead_ring()) == []


def test_who_waits_for_a_deadlock_is_unreachable_and_the_next_one_follows() -> None:
    made = dead_ring(c=worker(["甲.文"], ["丙.文"]), d=worker(["丙.文"], ["丁.文"]))
    assert underlined("unreachable-worker", made) == ["c: 甲.文"]
    assert findings("unreachable-worker", dead_ring(c=worker(["甲.文?"], []))) == []
    assert findings("unreachable-worker", dead_ring(c=worker(["甲.*"], []), d=worker([], ["甲.图"]))) == []


def test_a_worker_fed_by_a_deadlock_and_by_another_stuck_one_is_not_forgotten() -> None:
    made = dead_ring(e=worker(["甲.文", "戊.文"], ["己.文"]), f=worker(["己.文"], ["戊.文"]))
    assert underlined("unreachable-worker", made) == ["e: 甲.文"]


def test_loops_that_can_start_are_noted_and_block_nobody() -> None:
    made = package(
        {
            "write": worker(["需求.要点", "验收.记录"], ["规则.草稿"]),
            "review": worker(["规则.草稿"], ["验收.记录"]),
        },
        targets=["需求.要点"],
    )
    (found,) = findings("feedback-loop", made)
    assert found.message == "2 workers feed each other: `review` → `write` → `review`"
    for slug in ("deadlocked-loop", "unreachable-worker", "unproduced-input", "unread-output"):
        assert findings(slug, made) == [], slug


def test_a_set_that_is_larger_than_its_shortest_loop_is_counted_whole() -> None:
    made = package(
        {
            "write": worker(["需求.要点", "验收.一?", "验收.二?"], ["规则.草稿"]),
            "one": worker(["规则.草稿"], ["验收.一"]),
            "two": worker(["规则.草稿"], ["验收.二"]),
        },
        targets=["需求.要点"],
    )
    (found,) = findings("feedback-loop", made)
    assert found.message == "3 workers feed each other; a shortest loop: `one` → `write` → `one`"


def test_updating_in_place_and_a_second_producer_are_no_errors() -> None:
    made = package({"a": worker(["大纲.当前"], ["大纲.当前"]), "b": worker([], ["大纲.当前"])})
    for slug in (
        "deadlocked-loop",
        "feedback-loop",
        "unreachable-worker",
        "unproduced-input",
        "unread-output",
    ):
        assert findings(slug, made) == [], slug


def test_deadlock_is_silent_where_a_producer_is_unknown() -> None:
    assert findings("deadlocked-loop", dead_ring(x=worker(broken=True))) == []
    made = package({"b": worker(["甲.文", "没有.人写"], ["乙.文"]), "a": worker(["乙.文"], ["甲.文"])})
    assert findings("deadlocked-loop", made) == [] and findings("unreachable-worker", made) == []


def test_a_ring_of_two_thousand_workers_is_one_finding() -> None:
    size = 2000
    made = package({f"w{n:04}": worker([f"环.节{(n - 1) % size}"], [f"环.节{n}"]) for n in range(size)})
    found = run_checks(build_graph(made))
    assert [d.code.slug for d in found] == ["deadlocked-loop"]
    assert "2000 workers" in found[0].message and len(found[0].message) < 200


def test_many_workers_are_checked_in_linear_time() -> None:
    def seconds(size: int) -> float:
        made = package(
            {f"w{n}": worker([f"甲.x{n}.草稿", "用户.输入"], [f"甲.x{n + 1}.草稿"]) for n in range(size)}
        )
        start = time.process_time()
        run_checks(build_graph(made))
        return time.process_time() - start

    seconds(50)
    few, many = (min(seconds(size) for _ in range(3)) for size in (400, 4000))
    assert many < 40 * max(few, 0.01)


def test_order_of_workers_changes_no_finding() -> None:
    workers = {
        "a": worker(["乙.文", "没有.人写"], ["甲.文"]),
        "b": worker(["甲.文", "也.没有"], ["乙.文"]),
        "c": worker([], ["丙.文", "丁.文"]),
    }
    turned = dict(reversed(workers.items()))

    def seen(made: Package) -> list[tuple[str, str]]:
        return sorted((d.code.id, d.message) for d in run_checks(build_graph(made)))

    assert seen(package(workers)) == seen(package(turned))


def test_nothing_is_unread_or_stuck_behind_a_manifest_that_cannot_be_read() -> None:
    loose = {"write": worker([], ["规则.说明"])}
    assert findings("unread-output", package(loose, manifest={"broken": True})) == []
    assert findings("unread-output", package(loose, catalogue={"broken": True})) == []
    ring = {"b": worker(["甲.文"], ["乙.文"]), "a": worker(["乙.文"], ["甲.文"])}
    assert findings("deadlocked-loop", package(ring, manifest={"broken": True})) == []


def test_an_injected_worker_may_start_a_loop() -> None:
    assert findings("deadlocked-loop", dead_ring(step=worker(["用户.输入"], [], injected=True))) == []


def test_workers_made_of_templates_read_and_write_too() -> None:
    made = replace(
        package({"write": worker(["规则.草稿"], ["正文.说明"])}, registered=["write", "extra"]),
        templates=package({"extra": worker(["正文.说明"], ["规则.草稿"])}).workers,
    )
    for slug in ("unproduced-input", "unread-output", "missing-worker"):
        assert findings(slug, made) == [], slug
    other = replace(made, templates=package({"extra": worker(["甲.乙"], ["丙.丁"])}).workers)
    assert underlined("unproduced-input", other) == ["write: 规则.草稿"]
    assert underlined("unread-output", other) == ["write: 正文.说明"]
    unread = replace(made, templates=package({"extra": worker([], [], broken=True)}).workers)
    for slug in ("unproduced-input", "unread-output", "missing-worker"):
        assert findings(slug, unread) == [], slug


def test_a_mistyped_draft_of_a_confirmed_text_is_one_finding() -> None:
    made = package({"write": worker([], ["大纲.初稿"]), "read": worker(["大纲.确认稿"], [])})
    (found,) = findings("unproduced-input", made)
    assert "`大纲.初稿`, which `write` writes" in found.help
    assert findings("unread-output", made) == []


def test_two_things_of_one_stage_are_not_alike() -> None:
    made = package({"write": worker([], ["正文.草稿"]), "read": worker(["规则.草稿"], [])})
    (found,) = findings("unproduced-input", made)
    assert "did you mean" not in found.help
    assert underlined("unread-output", made) == ["write: 正文.草稿"]
