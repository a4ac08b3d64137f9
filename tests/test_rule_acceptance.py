"""What a manifest says of acceptance, readiness, startup and context; who can work in a rejection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from building import findings, package, ref, worker
from building import text as text_of
from reading import MANIFEST, PACKAGE, read
from skillc.checks.run import all_rules
from skillc.diagnostic import Diagnostic, in_order
from skillc.graph import build_graph
from skillc.graph.brief import overview
from skillc.model.package import Package, Readiness, RegistryRow, Workspace

ASKED = "需求.核心要点"
FRONT = "name: demo\ndescription: 短文\nprerequisiteTags: []\n"


def demo(body: str, front: str = FRONT, **workers: str) -> Package:
    """The package `demo`, its manifest out of these words, its workers (`review_author` is `review-author`) out
    of "inputs > outputs"."""
    files = {MANIFEST: f"---\n{front}---\n{body}"}
    for id, contract in (workers or {"write": f"{ASKED} > 正文.草稿"}).items():
        inputs, outputs = (tuple(side.split()) for side in contract.split(">"))
        name = id.replace("_", "-")
        quoted = [", ".join(f'"{tag}"' for tag in side) for side in (inputs, outputs)]
        files[f"{PACKAGE}/workers/{name}/SKILL.md"] = (
            f"---\nid: {name}\nskill: demo\nname: {name}\ndescription: {name}\n"
            f"inputTags: [{quoted[0]}]\noutputTags: [{quoted[1]}]\n---\n# {name}\n"
        )
    return read(files)[0].packages[0]


def places(slug: str, made: Package) -> list[str]:
    """What each finding of the rule points at."""
    return [f"{d.span.position[0]}: {d.span.text}" for d in found(slug, made)]


def found(slug: str, made: Package) -> list[Diagnostic]:
    rule = next(rule for rule in all_rules() if rule.slug == slug)
    assert rule.check is not None
    return list(in_order(rule.check(build_graph(made))))


def table(*rows: str) -> str:
    head, *rest = rows
    return "\n".join([head, "|---" * (head.count("|") - 1) + "|", *rest, ""])


def test_three_entries_of_one_worker_are_one_conflict_with_all_places() -> None:
    body = table(
        "| worker | acceptanceMode |",
        "| write | no_confirmation |",
        "| write | user_confirmed |",
        "| write | programmatic_review |",
    )
    (conflict,) = found("acceptance-conflict", demo(body))
    assert conflict.span.text == "user_confirmed"
    assert [label.span.text for label in conflict.related] == ["no_confirmation", "programmatic_review"]


def test_a_machine_form_without_a_mode_is_in_force_and_conflicts() -> None:
    front = FRONT + "acceptance:\n  write:\n    requiresApproval: true\n"
    body = table("| worker | acceptanceMode |", "| write | no_confirmation |")
    (conflict,) = found("acceptance-conflict", demo(body, front))
    assert "`user_confirmed` in the frontmatter" in conflict.message


def test_acceptance_that_agrees_or_is_of_nobody() -> None:
    agree = FRONT + "acceptance:\n  write:\n    mode: no_confirmation\n"
    body = table("| worker | acceptanceMode |", "| write | no_confirmation |", "| ghost | user_confirmed |")
    assert found("acceptance-conflict", demo(body, agree)) == []
    assert found("acceptance-conflict", demo("")) == []
    assert found("acceptance-conflict", demo(body.replace("ghost", "无"))) == []


@pytest.mark.parametrize(
    ("body", "columns"),
    [
        (
            "## Worker 编排\n\n" + table("| worker | 读 | 写 |", "| write | `需求.核心要点` | `正文.草稿` |"),
            ["读", "写"],
        ),
        ("## 注册表\n\n" + table("| worker | inputKeys |", "| write | book.brief |"), ["inputKeys"]),
        ("## 调度\n\n" + table("| 步骤 | worker | 产出 |", "| 1 | write | 正文.草稿 |"), ["产出"]),
        ("## 调度\n\n" + table("| 步骤 | worker | 产出 |", "| 1 | write | 一篇短文 |"), []),
        ("## 产物\n\n" + table("| inputTags | 说明 |", "| 需求.核心要点 | 依据 |"), []),
        (
            "## 验收策略\n\n"
            + table("| worker | 产物 | acceptanceMode |", "| write | `正文.草稿` | user_confirmed |"),
            [],
        ),
        ("## 注册表\n\n" + table("| worker | 输入 |", "| write | 用户说的话 |"), []),
    ],
)
def test_columns_that_declare_what_workers_read(body: str, columns: list[str]) -> None:
    seen = found("manifest-declares-io", demo(body))
    assert len(seen) == bool(columns)
    assert [d.span.text for d in seen] + [label.span.text for d in seen for label in d.related] == columns


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        ("run_worker(write)，传入 inputTags 与风格。\n", True),
        ("为每个 worker 选择合适的 `inputKeys`。\n", True),
        ("Pass the inputTags that fit to the worker.\n", True),
        ('`run_worker(write, inputTags: ["需求.核心要点"])`\n', True),
        ('`workerContext: {inputKeys: ["book.brief"]}`\n', True),
        ('决策：\n\n```json\n{"action": "run_worker", "inputKeys": ["book.brief"]}\n```\n', True),
        ('不要这样写：\n\n```json\n{"action": "run_worker", "inputKeys": ["book.brief"]}\n```\n', False),
        ('产物：\n\n```json\n{"inputTags": ["book.brief"]}\n```\n', False),
        ('`workerContext: {roleId: "A"}`\n', False),
        ("不在 run_worker 里传入 inputTags / outputTags。\n", False),
        ("Never pass inputTags to a worker.\n", False),
        ("Runtime 按 inputTags 选择条目。\n", False),
        ("inputTags / contextSegments 在 Worker SKILL.md。\n", False),
        ("每个 worker 只看到 inputTags 声明的内容。\n", False),
        ("## 禁用行为\n\n- 传入 inputTags\n", False),
        ("由用户选择结局；inputTags 写在各自的文件里。\n", False),
    ],
)
def test_a_manifest_that_routes_context(body: str, fires: bool) -> None:
    assert len(found("manifest-routes-context", demo(body))) == fires


def test_all_places_that_route_context_are_one_finding() -> None:
    (one,) = found("manifest-routes-context", demo("传入 inputTags。\n\n再传入 inputKeys。\n"))
    assert [one.span.text, *(label.span.text for label in one.related)] == ["inputTags", "inputKeys"]


def test_readiness_may_be_said_anywhere_and_be_nothing() -> None:
    bare = "name: demo\ndescription: 短文\n"
    assert places("missing-readiness", demo("# 短文\n", bare)) == ["2: demo"]
    for front, body in (
        (bare + "prerequisiteTags: []\n", ""),
        (bare + "instanceReadyWhen: startupCompleted\n", ""),
        (bare, "## 实例化\n\n- prerequisiteTags：无\n"),
        (bare, "## 就绪条件\n\n- 用户说够了\n"),
    ):
        assert places("missing-readiness", demo(body, front)) == []
    assert places("missing-readiness", demo("", "name: [demo\n")) == []


def test_an_inquiry_needs_a_target() -> None:
    asks = "## 启动询问\n\n```text\n写什么？\n```\n"
    assert places("no-startup-target", demo(asks)) == ["6: 启动询问"]
    prompt = FRONT + "uiPrompt: 写什么\n"
    assert places("no-startup-target", demo("", prompt + "startupMode: ask\n")) == ["5: 写什么"]
    assert places("no-startup-target", demo("", prompt)) == []
    assert places("no-startup-target", demo(asks, FRONT + f'demandTag: "{ASKED}"\n')) == []
    assert places("no-startup-target", demo(asks + f"\n写入目标：`{ASKED}`\n")) == []
    assert places("no-startup-target", demo("## 启动询问\n\n无。\n")) == []
    assert places("no-startup-target", demo(asks, FRONT + "startupMode: none\n")) == []
    assert places("no-startup-target", demo("")) == []


def registry(description: str) -> list[str]:
    made = package({"write": worker(), "review": worker(broken=True)})
    row = RegistryRow(text_of("demo"), text_of("novel/demo"), "novel/demo", text_of(description))
    rule = next(rule for rule in all_rules() if rule.slug == "registry-stale")
    assert rule.workspace is not None
    return [
        d.span.text
        for d in rule.workspace(overview(Workspace("skills", (made,), (row,)), [build_graph(made)]))
    ]


def test_a_registry_that_calls_unwritten_what_is_there() -> None:
    assert registry("短文（TODO）") == ["TODO"]
    assert registry("短文，待建") == ["待建"]
    assert registry("polish 待建；write 未写") == ["未写"]
    assert registry("两个 worker 未写") == ["未写"]


def test_a_registry_that_is_right() -> None:
    assert registry("短文，一步写成") == []
    assert registry("polish-text 待建") == [], "it is not there"
    assert registry("TODO 配一张封面") == [], "a note about something else"
    assert registry("写一份 TODOs 应用的小说") == []


NOTED = {"write": "user_confirmed"}


def unheard(inputs: list[str], accept: dict[str, str] | None = None, **more: object) -> list[str]:
    made = package(
        {"write": worker([ASKED, *inputs], ["正文.草稿"], **more)}, targets=[ASKED], accept=accept or NOTED
    )
    return [d.message for d in findings("unreachable-revision", made)]


def test_who_reruns_needs_the_notes() -> None:
    assert unheard([]) == ["the user may reject what `write` writes, but `write` never reads the notes on it"]


@pytest.mark.parametrize(
    "notes", ["用户.修改说明?", "用户.修订说明", "用户.*", "**", "用户.退回意见?", "编辑.反馈?"]
)
def test_notes_have_many_names(notes: str) -> None:
    assert unheard([notes]) == []


@pytest.mark.parametrize("notes", ["评语.用户?", "用户要求.本轮?", "user.comments?", "口味.本轮?"])
def test_what_the_user_is_asked_for_may_be_the_notes(notes: str) -> None:
    made = package(
        {"write": worker([ASKED, notes], ["正文.草稿"])}, targets=[ASKED], asks=[notes[:-1]], accept=NOTED
    )
    assert findings("unreachable-revision", made) == []


def test_the_task_and_what_workers_write_are_no_notes() -> None:
    task = package(
        {"write": worker(["写作要求.本书"], ["正文.草稿"])}, targets=["写作要求.本书"], accept=NOTED
    )
    assert len(findings("unreachable-revision", task)) == 1
    workers = {"write": worker([ASKED, "风格.建议?"], ["正文.草稿"]), "hint": worker([ASKED], ["风格.建议"])}
    assert len(findings("unreachable-revision", package(workers, targets=[ASKED], accept=NOTED))) == 1
    needed = package(
        {"write": worker([ASKED, "口味.本书"], ["正文.草稿"])},
        targets=[ASKED],
        asks=["口味.本书"],
        accept=NOTED,
    )
    assert len(findings("unreachable-revision", needed)) == 1, "what must be there before the first run"


def test_nobody_needs_notes_whose_work_is_not_rejected() -> None:
    assert unheard([], {"write": "no_confirmation"}) == []
    assert unheard([], {"other": "user_confirmed"}) == [], "only where somebody wrote it down"
    assert unheard([], actor="user") == []
    assert unheard([], broken=True) == []
    assert unheard([], inputs_missing=True) == []


def test_a_reviewer_that_is_not_heard() -> None:
    front = FRONT + "acceptance:\n  review:\n    mode: programmatic_review\n    reviews: [write]\n"
    silent = demo("", front, write=f"{ASKED} > 正文.草稿", review="正文.草稿 > 验收.记录")
    (told,) = found("unreachable-revision", silent)
    assert told.message == "`review` sends `write` back, but `write` reads nothing of what `review` writes"
    assert told.span.text == "inputTags" and "/write/" in told.span.path
    heard = demo("", front, write=f"{ASKED} 验收.*? > 正文.草稿", review="正文.草稿 > 验收.记录")
    assert found("unreachable-revision", heard) == []
    other = demo(
        "",
        front,
        write=f"{ASKED} > 正文.草稿",
        rework="正文.草稿 验收.记录 > 正文.草稿",
        review="正文.草稿 > 验收.记录",
    )
    assert found("unreachable-revision", other) == []


def test_one_finding_for_all_that_the_same_worker_writes_too_late() -> None:
    condition = ("and", ("has", ref("甲.草稿").pattern), ("has", ref("乙.草稿").pattern))
    written = text_of("has(甲.草稿) and has(乙.草稿)")
    made = package(
        {"setup": worker([ASKED], ["甲.草稿", "乙.草稿"])},
        targets=[ASKED],
        manifest={"prerequisites": (ref("甲.草稿"),), "ready": (Readiness(written, condition),)},
    )
    (told,) = findings("prerequisite-unproduced", made)
    assert [told.span.text, *(label.span.text for label in told.related)] == [
        "甲.草稿",
        "甲.草稿",
        "乙.草稿",
        "setup",
    ]


def test_a_prerequisite_that_an_input_lacks_too_is_told_at_the_input() -> None:
    made = package({"write": worker(["设定.地图"], [])}, manifest={"prerequisites": (ref("设定.地图"),)})
    assert findings("prerequisite-unproduced", made) == []
    assert len(findings("unproduced-input", made)) == 1


def test_a_prerequisite_of_a_worker_that_cannot_run_has_its_cause_elsewhere() -> None:
    made = package(
        {"setup": worker(["种子"], ["设定.草稿"], stage="design")},
        manifest={"prerequisites": (ref("设定.确认稿"),)},
    )
    assert findings("prerequisite-unproduced", made) == []
    assert len(findings("unproduced-input", made)) == 1


def waits_for_play(
    *,
    cast: str = "play",
    need: str = "人物.草稿",
    more: Mapping[str, dict[str, Any]] | None = None,
    **given: Any,
) -> list[Diagnostic]:
    """What is said where `plot`, which makes the prerequisite by way of `review`, needs what `cast` writes."""
    workers = {
        "cast": worker([ASKED], ["人物.草稿"], stage=cast),
        "plot": worker([ASKED, need], ["情节.草稿"], stage="design"),
        "review": worker(["情节.确认稿"], ["验收.记录"], stage="design"),
        **(more or {}),
    }
    asked = {"prerequisites": (ref("情节.确认稿"), ref("验收.记录"))}
    return findings("prerequisite-unproduced", package(workers, targets=[ASKED], manifest=asked, **given))


def test_what_design_makes_only_after_play_is_never_there() -> None:
    (told,) = waits_for_play()
    assert told.message == (
        "`情节.确认稿` is a prerequisite of the package, but before that `plot` needs `人物.草稿`, which is "
        "written in play only, by `cast`"
    )
    assert [label.message for label in told.related] == [
        "asked for here too",
        "`plot` waits for it in design",
        "`cast` runs in play",
    ]


def test_what_design_makes_all_the_same() -> None:
    assert waits_for_play(cast="design") == []
    assert waits_for_play(need="人物.草稿?") == [], "it may be missing"
    assert waits_for_play(sources=[("book", "人物.*")]) == [], "a Book may give it"
    assert waits_for_play(registered=["cast", "plot", "review", "ghost"]) == [], (
        "nobody knows what ghost writes"
    )
    other = {"draw": worker([ASKED], ["情节.草稿"], stage="design")}
    assert waits_for_play(more=other) == [], "another worker of design makes it"


def test_what_waits_for_play_and_lacks_something_too_has_both_findings() -> None:
    assert (
        len(waits_for_play(more={"review": worker(["情节.确认稿", "地图"], ["验收.记录"], stage="design")}))
        == 1
    )


def test_step_tables() -> None:
    steps = table("| 步骤 | worker |", "| 1 | write |")
    assert places("step-table", demo("## 调度\n\n" + steps)) == ["8: 步骤"]
    assert places(
        "step-table", demo("## Worker 编排\n\n" + table("| worker | 说明 |", "| write | 写 |"))
    ) == ["8: worker"]
    products = table("| 序号 | 产物 | worker |", "| 1 | `正文.草稿` | write |")
    assert places("step-table", demo("## 产物说明\n\n" + products)) == []
    assert places("step-table", demo("## 阶段定义\n\n" + steps)) == []
    assert places("step-table", demo("## 流程\n\n" + table("| 步骤 | 说明 |", "| 1 | 写 |"))) == []


def test_conditions_that_only_people_can_judge() -> None:
    assert places("prose-condition", demo("## 实例化\n\n- instanceReadyWhen：说够了\n")) == ["8: 说够了"]
    assert places("prose-condition", demo("## 实例化\n\n- instanceReadyWhen：`startupCompleted`\n")) == []
    assert places("prose-condition", demo("", FRONT + "instanceReadyWhen: 说够了\n")) == []


EARLY = {"setup": f"{ASKED} > 线索.草稿 线索.隐藏", "write": "线索.草稿 > 正文.草稿"}


def early(front: str, body: str = "", **workers: str) -> list[Diagnostic]:
    """What early-readiness says of a package whose registry puts `setup` and `plan` into design."""
    table_of = {
        "instantiate": ("setup", "plan"),
        "run": tuple(id for id in workers or EARLY if id not in ("setup", "plan")),
    }
    tables = "".join(
        f"### {title}\n\n"
        + table("| worker | 用途 |", *(f"| {id} | 写 |" for id in ids if id in (workers or EARLY)))
        for title, ids in table_of.items()
    )
    return found(
        "early-readiness",
        demo(f"## Skill 注册表\n\n{tables}\n{body}", front, **(workers or EARLY)),
    )


STARTS = f"name: demo\ndescription: 短文\ndemandTag: {ASKED}\n"


def test_readiness_without_the_design_that_play_waits_for_names_both_and_what_to_add() -> None:
    (said,) = early(f"{STARTS}instanceReadyWhen: startupCompleted\n")
    assert said.span.text == "startupCompleted"
    assert "without `setup`, so `write` waits in vain for `线索.草稿`" in said.message
    assert said.help.startswith("add `has(线索.草稿)` to instanceReadyWhen")
    assert [label.span.text for label in said.related] == ["线索.草稿"]


def test_prerequisites_of_the_startup_alone_skip_design_and_the_field_that_asks_is_named() -> None:
    (said,) = early(f"{STARTS}prerequisiteTags: [{ASKED}]\n")
    assert said.span.text == ASKED
    assert said.help.startswith("add `线索.草稿` to prerequisiteTags")


def test_a_confirmed_draft_is_asked_for_as_accepted() -> None:
    (said,) = early(
        f"{STARTS}instanceReadyWhen: startupCompleted\n",
        setup=f"{ASKED} > 线索.草稿",
        write="线索.确认稿 > 正文.草稿",
    )
    assert said.help.startswith("add `accepted(线索.确认稿)`")


def test_only_the_design_that_comes_after_readiness_is_skipped() -> None:
    """`setup` runs first and `has(线索.草稿)` ends design behind it, before `plan`."""
    (said,) = early(
        f"{STARTS}instanceReadyWhen: has(线索.草稿)\n",
        setup=f"{ASKED} > 线索.草稿",
        plan=f"{ASKED} > 大纲.草稿",
        write="线索.草稿 大纲.草稿 > 正文.草稿",
    )
    assert "without `plan`" in said.message
    assert len(said.related) == 1


@pytest.mark.parametrize(
    ("front", "workers"),
    [
        ("instanceReadyWhen: has(线索.隐藏)\n", EARLY),
        ("instanceReadyWhen: startupCompleted\n", {**EARLY, "write": f"{ASKED} 线索.草稿? > 正文.草稿"}),
        ("instanceReadyWhen: startupCompleted\n", {"write": f"{ASKED} > 正文.草稿"}),
        ("instanceReadyWhen: startupCompleted\n", {**EARLY, "write": f"{ASKED} > 正文.草稿"}),
        ("instanceReadyWhen: startupCompleted\n", {**EARLY, "rewrite": f"{ASKED} > 线索.草稿"}),
        (
            "instanceReadyWhen: has(大纲.草稿)\n",
            {
                "setup": f"{ASKED} > 线索.草稿",
                "plan": "线索.草稿 > 大纲.草稿",
                "write": "线索.草稿 > 正文.草稿",
            },
        ),
        ("prerequisiteTags: []\n", EARLY),
        ("", EARLY),
    ],
    ids=[
        "another tag of the same worker is asked for",
        "the input is optional",
        "no design workers",
        "nobody in play needs it",
        "play writes it too",
        "what is asked for comes after it",
        "nothing ends design",
        "no readiness at all",
    ],
)
def test_readiness_that_does_not_come_too_early_is_left_alone(front: str, workers: dict[str, str]) -> None:
    assert not early(STARTS + front, **workers)


def test_a_condition_in_prose_is_the_orchestrators_to_judge() -> None:
    body = f"## 实例化\n\n- prerequisiteTags：`{ASKED}`\n- instanceReadyWhen：线索布好之后\n"
    assert not early(STARTS, body)


def conflicts(front: str, body: str, **workers: str) -> list[tuple[str, list[str]]]:
    """What each manifest-conflict points at in the body, and in the frontmatter."""
    said = found("manifest-conflict", demo(body, STARTS + front, **workers))
    return [(d.span.text, [label.span.text for label in d.related]) for d in said]


INSTANCE = "## 实例化\n\n"
TWO = {"plan": f"{ASKED} > 大纲.草稿", "write": "大纲.草稿 > 正文.草稿"}


def test_other_prerequisites_in_the_body_are_told_with_both_places() -> None:
    given = f"prerequisiteTags: [{ASKED}]\n"
    body = INSTANCE + "- prerequisiteTags：`正文.草稿`\n"
    assert conflicts(given, body) == [("正文.草稿", [ASKED])]
    more = INSTANCE + f"- prerequisiteTags：`{ASKED}`、`正文.草稿`\n"
    assert conflicts(given, more) == [("正文.草稿", ["prerequisiteTags"])]


def test_prerequisites_that_the_body_leaves_out_are_told_where_it_lists_them() -> None:
    front = f"prerequisiteTags: [{ASKED}, 用户.最新输入]\n"
    assert conflicts(front, INSTANCE + f"- prerequisiteTags：`{ASKED}`\n") == [(ASKED, ["用户.最新输入"])]


def test_another_condition_in_the_body_is_told() -> None:
    front = "instanceReadyWhen: count(用户.最新输入) >= 2\n"
    body = INSTANCE + "- instanceReadyWhen：`count(用户.最新输入) >= 3`\n"
    assert conflicts(front, body) == [("count(用户.最新输入) >= 3", ["count(用户.最新输入) >= 2"])]


def test_another_target_of_the_inquiry_is_told() -> None:
    assert conflicts("", "## 启动询问\n\n写入目标：`需求.题材`\n") == [("需求.题材", [ASKED])]


def test_a_worker_that_only_one_of_list_and_table_names_is_told() -> None:
    rows = table("| worker | 用途 |", "| plan | 想 |", "| write | 写 |")
    registry = f"## Skill 注册表\n\n{rows}"
    assert conflicts("workers: [write]\n", registry, **TWO) == [("plan", ["workers"])]
    one = "## Skill 注册表\n\n" + table("| worker | 用途 |", "| write | 写 |")
    assert conflicts("workers: [plan, write]\n", one, **TWO) == [("write", ["plan"])]


@pytest.mark.parametrize(
    ("front", "body"),
    [
        (f"prerequisiteTags: [{ASKED}]\n", ""),
        (
            f"prerequisiteTags: [{ASKED}, 用户.最新输入]\n",
            f"- prerequisiteTags：`用户.最新输入`、`{ASKED}`（回答）\n",
        ),
        (f"prerequisiteTags: [{ASKED}]\n", "- prerequisiteTags：见 frontmatter\n"),
        ("", f"- prerequisiteTags：`{ASKED}`\n"),
        (f"prerequisiteTags: [{ASKED}]\n", f"- instanceReadyWhen：`startupCompleted and has({ASKED})`\n"),
        (
            "instanceReadyWhen: has(用户.最新输入) and (startupCompleted and not has(正文.草稿))\n",
            "- instanceReadyWhen：`not has(正文.草稿) and has(用户.最新输入)`（开局）\n",
        ),
        ("instanceReadyWhen: startupCompleted\n", "- instanceReadyWhen：需求齐了就可以\n"),
        ("prerequisiteTags: [线索.草稿]\n", f"- prerequisiteTags：`{ASKED}`\n"),
    ],
    ids=[
        "the body is silent",
        "another order, a remark",
        "the body points at the frontmatter",
        "the frontmatter is silent",
        "each says another field",
        "conditions joined in another order",
        "prose",
        "a prerequisite that nobody makes has its own finding",
    ],
)
def test_what_both_mean_alike_is_no_conflict(front: str, body: str) -> None:
    assert conflicts(front, INSTANCE + body) == []


def test_tables_may_name_more_than_is_suggested_and_more_targets_than_the_demand() -> None:
    rows = table("| worker | 用途 |", "| plan | 想 |", "| write | 写 |")
    body = f"## Skill 注册表\n\n{rows}\n## 启动询问\n\n写入目标：`{ASKED}`、`需求.题材`\n"
    assert conflicts("suggestedWorkers: [write]\n", body, **TWO) == []


def test_a_worker_that_is_not_there_is_told_once() -> None:
    body = "## Skill 注册表\n\n" + table("| worker | 用途 |", "| write | 写 |")
    assert conflicts("workers: [wriet]\n", body) == []
