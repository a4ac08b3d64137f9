"""Orders, slots, boards and fragments of a package: what is said of them, what is not, and what fixes make of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from counting import calls
from skillc import driver
from skillc.diagnostic import Diagnostic
from skillc.fixes import Findings, fix
from skillc.report.concise import line
from skillc.runtime.order import normal_order
from skillc.source.reader import DictReader, Reader

PACKAGE = "skills/novel/demo"
JSON, YAML = f"{PACKAGE}/context-order.json", f"{PACKAGE}/context-order.yaml"
BOARD = f"{PACKAGE}/contexts/first.yaml"
MANIFEST = f"{PACKAGE}/orchestrator.md"


def manifest(*workers: str, front: str = "") -> str:
    names = ", ".join(workers or ("write",))
    return (
        f"---\nname: demo\ndescription: 短文\nworkers: [{names}]\n{front}"
        'demandTag: "需求.核心要点"\nprerequisiteTags: ["需求.核心要点"]\n---\n# 短文\n'
    )


def skill(
    id: str = "write", inputs: str = '"需求.核心要点", "用户.修改说明", "对话.历史"', more: str = ""
) -> str:
    return (
        f"---\nid: {id}\nskill: demo\nname: {id}\ndescription: {id}\n{more}"
        f'inputTags: [{inputs}]\noutputTags: ["正文.草稿"]\n---\n# {id}\n'
    )


def reader(files: Mapping[str, str]) -> Reader:
    base = {MANIFEST: manifest(), f"{PACKAGE}/workers/write/SKILL.md": skill()}
    return DictReader({**base, **files})


def found(files: Mapping[str, str], *codes: str) -> list[Diagnostic]:
    all_found = driver.check(reader(files)).diagnostics
    return [d for d in all_found if d.code.id in codes or (not codes and d.span.path not in (MANIFEST,))]


def told(files: Mapping[str, str], *codes: str) -> list[str]:
    return [f"{d.code.id} {d.span.text}" for d in found(files, *codes)]


def fixed(files: Mapping[str, str]) -> dict[str, str]:
    def check(of: Reader) -> Findings:
        checked = driver.check(of)
        return Findings(checked.diagnostics, driver.reported(checked))

    return {path: data.decode() for path, data in fix(reader(files), check).new.items()}


def rows(*written: str) -> str:
    return "slots:\n  - ref: write\n    inserts:\n" + "".join(f"      - {row}\n" for row in written)


# Slots


@pytest.mark.parametrize(
    "name", ["gm", "perspective", "narrator", "auditor", "旁观维护", "world-simulator", "chance"]
)
def test_names_that_switches_may_use(name: str) -> None:
    assert told({MANIFEST: manifest(front=f"playSlots: {{{name}: false}}\n")}, "C004") == []


@pytest.mark.parametrize("name", ["write", "critic", "叙事"])
def test_a_switch_names_a_slot_and_no_other_worker(name: str) -> None:
    files = {
        MANIFEST: manifest(front=f"playSlots: {{{name}: true}}\n"),
        YAML: f"play_slots: {{{name}: true}}\n",
    }
    assert told(files, "C004") == [f"C004 {name}", f"C004 {name}"]


def test_an_order_may_name_workers_templates_and_slots() -> None:
    template = skill("extra").replace("skill: demo", "skill: demo")
    names = ["write", "extra", "主世界层", "chance", "nobody"]
    order = "slots:\n" + "".join(f'  - {{ref: {n}, inserts: [{{ref: "需求.核心要点"}}]}}\n' for n in names)
    files = {YAML: order, f"{PACKAGE}/templates/extra/SKILL.md": template}
    assert told(files, "C004") == ["C004 nobody"]


def test_a_slot_is_filled_by_its_worker_by_another_or_by_a_template() -> None:
    on = {MANIFEST: manifest(front="playSlots: {gm: true}\n")}
    assert told(on, "C006") == ["C006 gm"]
    agents = "agents:\n  - {id: gm, ref: write}\n"
    assert told({**on, YAML: agents}, "C006") == []
    assert (
        told({**on, f"{PACKAGE}/templates/world-simulator/SKILL.md": skill("world-simulator")}, "C006") == []
    )


def test_a_slot_that_somebody_turns_off_is_not_turned_on_by_its_rows() -> None:
    order = 'agents:\n  - {id: gm, enabled: false, inserts: [{ref: "需求.核心要点"}]}\n'
    assert told({YAML: order}, "C006") == []
    perspective = 'slots:\n  - {ref: role-decide, inserts: [{ref: "需求.核心要点"}]}\n'
    assert told({YAML: perspective}, "C006") == []


def test_one_finding_a_slot_however_many_places_turn_it_on() -> None:
    files = {
        MANIFEST: manifest(front="playSlots: {gm: true}\n"),
        YAML: 'play_slots: {gm: true}\nslots:\n  - {ref: gm, inserts: [{ref: "需求.核心要点"}]}\n',
    }
    (one,) = found(files, "C006")
    assert [label.span.path for label in one.related] == [YAML, YAML]


# Rows


def test_a_row_is_covered_by_an_input_under_whatever_name_the_tag_has() -> None:
    files = {
        f"{PACKAGE}/workers/write/SKILL.md": skill(inputs='"core.danger", "用户.修改说明", "世界.*"'),
        YAML: rows(
            '{order: 0, ref: "核心.危险.隐藏"}',
            '{order: 1, ref: "世界.当前状态"}',
            '{order: 2, ref: "世界.*"}',
        ),
    }
    assert told(files, "C007") == []


def test_each_uncovered_tag_of_a_slot_is_one_finding_with_what_was_meant() -> None:
    files = {
        YAML: rows('{ref: "需求.核心要求"}', '{ref: "需求.核心要求", projection: summary}', '{ref: "**"}')
    }
    first, second = found(files, "C007")
    assert "did you mean `需求.核心要点`" in first.help
    assert first.related[0].span.text == "需求.核心要点"
    assert second.span.text == "**"


def test_nothing_follows_from_a_worker_that_cannot_be_read() -> None:
    broken = skill().replace("inputTags:", "inputTagz:")
    files = {f"{PACKAGE}/workers/write/SKILL.md": broken, YAML: rows('{ref: "大纲.草稿"}')}
    assert told(files, "C007") == []


def test_an_order_that_cannot_be_read_proves_nothing() -> None:
    segments = "contextSegments:\n  - {id: a, tier: dynamic, tags: [需求.核心要点]}\n  - {id: b, tier: static, tags: [用户.修改说明]}\n"
    files = {f"{PACKAGE}/workers/write/SKILL.md": skill(more=segments), YAML: "slots: {\n"}
    assert told(files, "C021", "C022", "C025", "C004") == []
    assert told({**files, YAML: "brief: x\n"}, "C021", "C022") == ["C022 static", "C021 对话.历史"]


def test_segments_that_an_order_replaces_are_not_spoken_of() -> None:
    segments = (
        "contextSegments:\n"
        "  - {id: a, tier: static, tags: [对话.历史], policy: tail_lines_80}\n"
        "  - {id: b, tier: dynamic, tags: [需求.核心要点]}\n"
        "  - {id: c, tier: static, tags: [需求.核心要点]}\n"
    )
    plain = {f"{PACKAGE}/workers/write/SKILL.md": skill(more=segments)}
    spoken = ("C021", "C022", "C023", "C024")
    assert {d.code.id for d in found(plain, *spoken)} == set(spoken)
    assert found({**plain, YAML: rows('{ref: "对话.历史"}', '{ref: "需求.核心要点"}')}, *spoken) == []


def test_a_sliding_tail_that_an_order_replaces_is_not_spoken_of() -> None:
    segments = (
        "contextSegments:\n"
        "  - {id: a, tier: dynamic, tags: [对话.历史], policy: tail_lines_80}\n"
        "  - {id: b, tier: dynamic, tags: [需求.核心要点, 用户.修改说明]}\n"
    )
    plain = {f"{PACKAGE}/workers/write/SKILL.md": skill(more=segments)}
    assert len(found(plain, "C024")) == 1
    assert found({**plain, YAML: rows('{ref: "对话.历史"}')}, "C024") == []
    assert len(found({**plain, YAML: "agents:\n  - {id: write, enabled: true}\n"}, "C024")) == 1


def test_the_dialogue_of_blind_slots() -> None:
    def notes(worker: str, row: str, more: str = "") -> list[str]:
        files = {
            MANIFEST: manifest("write", worker),
            f"{PACKAGE}/workers/{worker}/SKILL.md": skill(worker, '"对话.*"', more),
            YAML: f"slots:\n  - ref: {worker}\n    inserts:\n      - {row}\n",
        }
        return told(files, "C041")

    assert notes("auditor", '{ref: "对话.历史"}') == ["C041 对话.历史"]
    assert notes("auditor", '{ref: "对话.*"}') == ["C041 对话.*"]
    assert notes("auditor", '{ref: "对话.历史", projection: 固定}') == []
    assert notes("auditor", '{ref: "对话.摘要"}') == []
    assert notes("world-simulator", '{ref: "对话.历史"}') == []
    assert notes("review", '{ref: "对话.历史"}', "contextIsolation: blind_review\n") == ["C041 对话.历史"]


# The normal form and its fix


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (['{order: 1, ref: "需求.核心要点"}'], "`1` stands where 0 belongs"),
        (['{order: 0, ref: "需求.核心要点"}', '{ref: "用户.修改说明"}'], "`用户.修改说明` has no number"),
        (
            ['{order: 0, ref: "需求.核心要点"}', '{order: 0, ref: "用户.修改说明"}'],
            "the number `0` stands twice",
        ),
        (
            ['{order: 0, ref: "需求.核心要点"}', "{order: 1, ref: worker.persona}"],
            "`worker.persona` comes first",
        ),
        (['{ref: "需求.核心要点"}', "{ref: worker.persona}"], "`worker.persona` comes first"),
        (
            ['{order: 1, ref: "需求.核心要点"}', '{order: 0, ref: "用户.修改说明"}'],
            "`1` stands where 0 belongs",
        ),
        (['{ref: "对话.历史"}', '{ref: "对话.历史"}'], "`对话.历史` stands among them twice"),
    ],
)
def test_why_rows_are_not_normal(written: list[str], reason: str) -> None:
    (one,) = found({YAML: rows(*written)}, "C025")
    assert reason in one.message
    done = fixed({YAML: rows(*written)})
    assert list(done) == [YAML]
    assert found({YAML: done[YAML]}, "C025") == []


@pytest.mark.parametrize(
    "written",
    [
        ['{order: 0, ref: "需求.核心要点"}', '{order: 1, ref: "用户.修改说明"}'],
        ['{ref: "用户.修改说明"}', '{ref: "需求.核心要点"}'],
        ['{order: "0", ref: worker.persona}', '{order: 1, ref: "对话.历史"}'],
        [],
    ],
)
def test_rows_that_are_normal(written: list[str]) -> None:
    assert found({YAML: rows(*written)}, "C025") == []


def test_a_fix_keeps_what_is_not_its_own() -> None:
    before = """\
# 名册
slots:
  - ref: write
    inserts:
      - order: 2
        ref: "对话.历史"
        note: '按投影裁剪'
      - order: 1
        ref: 需求.核心要点
        projection: 摘要
      -   ref: worker.persona
    label: 写
"""
    after = """\
# 名册
slots:
  - ref: write
    inserts:
      - order: 0
        ref: worker.persona
      - order: 1
        ref: 需求.核心要点
        projection: 摘要
      - order: 2
        ref: "对话.历史"
        note: '按投影裁剪'
    label: 写
"""
    assert fixed({YAML: before.replace("-   ref", "- ref")}) == {YAML: after}
    assert fixed({YAML: before}) == {}, "rows that begin in different columns are left to their author"


def test_comments_between_rows_are_left_where_they_are() -> None:
    moved = rows('{order: 1, ref: "需求.核心要点"}', "# 用户", '{order: 0, ref: "用户.修改说明"}').replace(
        "- #", "#"
    )
    assert len(found({YAML: moved}, "C025")) == 1
    assert fixed({YAML: moved}) == {}
    gaps = rows('{order: 1, ref: "需求.核心要点"}', "# 用户", '{order: 7, ref: "用户.修改说明"}').replace(
        "- #", "#"
    )
    assert fixed({YAML: gaps}) == {YAML: gaps.replace("order: 1", "order: 0").replace("order: 7", "order: 1")}


def test_anchors_go_wherever_they_stand() -> None:
    flow = rows(
        '{anchor: a, order: 0, ref: "需求.核心要点"}', '{order: 1, ref: "用户.修改说明", anchor: "b"}'
    )
    assert fixed({YAML: flow}) == {YAML: flow.replace("anchor: a, ", "").replace(', anchor: "b"', "")}
    block = "slots:\n  - ref: write\n    inserts:\n      - anchor: 史前\n        ref: 需求.核心要点\n        锚点: x\n"
    assert told({YAML: block}, "P006") == ["P006 锚点"]
    block = block.replace("        锚点: x\n", "") + "      - ref: 用户.修改说明\n        锚点: 'x'\n"
    done = fixed({YAML: block})[YAML]
    assert done == block.replace("- anchor: 史前\n        ref", "- ref").replace("        锚点: 'x'\n", "")
    (one,) = found({YAML: block}, "D004")
    assert [label.span.text for label in one.related] == ["锚点"]
    text = '{"slots": [{"ref": "write", "inserts": [{"ref": "需求.核心要点", "anchor": null}]}]}'
    assert fixed({JSON: text}) == {JSON: text.replace(', "anchor": null', "")}


TAGS = ["worker.persona", "对话.历史", "需求.核心要点", "用户.修改说明"]
ORDERS = st.lists(
    st.fixed_dictionaries(
        {"ref": st.sampled_from(TAGS)},
        optional={
            "order": st.integers(0, 12),
            "projection": st.sampled_from(["full", "摘要"]),
            "anchor": st.just("a"),
        },
    ),
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(ORDERS, st.sampled_from(["json", "indented", "block", "flow"]))
def test_a_fixed_order_is_normal_and_means_the_same(inserts: list[dict[str, Any]], form: str) -> None:
    data = {"slots": [{"ref": "write", "inserts": inserts}]}
    if form in ("json", "indented"):
        path, text = JSON, json.dumps(data, ensure_ascii=False, indent=2 if form == "indented" else None)
    else:
        path, text = (
            YAML,
            yaml.safe_dump(data, allow_unicode=True, default_flow_style=form == "flow", width=9999),
        )
    after = fixed({path: text}).get(path, text)
    assert found({path: after}, "C025", "D004", "P005", "P006") == []
    read = json.loads(after) if path == JSON else yaml.safe_load(after)
    assert normal_order(read)["slots"] == normal_order(data)["slots"]
    assert len(normal_order(read)["slots"] or [{"inserts": []}]) == 1
    kept = read["slots"][0]["inserts"]
    assert [row["ref"] for row in kept] == [
        r["ref"] for s in normal_order(data)["slots"] for r in s["inserts"]
    ]


# What an order may be written as


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("schema: context-order.v2\n", ["P008"]),
        ("slots:\n  - inserts: []\n", ["P009"]),
        ("slots:\n  - ref: write\n    inserts:\n      - {order: 0}\n", ["P009"]),
        ("slots:\n  - ref: write\n    inserts:\n      - {order: 1.5, ref: a.b}\n", ["C007", "P008"]),
        ("slots:\n  - ref: write\n    rows: []\n", ["P007"]),
        ("slots: write\n", ["P008"]),
        ("- ref: write\n", ["P008"]),
        (
            "slots:\n  - {ref: gm, inserts: [{ref: a.b}]}\n  - {ref: 主世界层, inserts: [{ref: a.b}]}\n",
            ["C006", "P006"],
        ),
        (
            "slots:\n  - {id: gm, ref: write, inserts: [{ref: 需求.核心要点}]}\n  - {id: auditor, ref: write}\n",
            ["P006"],
        ),
        ("slots:\n  - {id: gm, ref: write}\n  - {id: 主世界层, ref: narrator}\n", ["C006", "P006"]),
        ("slots:\n  - {id: narrator, ref: gm}\n", ["C004"]),
        ("slots:\n  - {ref: gm, inserts: [{ref: 需求.核心要点}]}\n  - {id: gm, ref: write}\n", ["P006"]),
        (
            "slots:\n  - {ref: narrator, inserts: [{ref: 需求.核心要点}]}\n  - {id: narrator, ref: write}\n",
            ["P006"],
        ),
        ("slots:\n  - {id: narrator, ref: auditor}\n", ["C006"]),
        ("slots: []\nagents: []\nbrief: x\nnote: y\nx-own: 1\n", []),
        ("{}\n", ["P009"]),
        ("brief: x\n", ["P009"]),
        ("play_slots: {gm: false}\n", []),
        ("", []),
        ("# nothing\n", []),
        ("agents:\n  - {id: auditor, enabled: false, when: 每轮末}\n  - id: write\n    inserts: []\n", []),
    ],
)
def test_the_form_of_an_order(text: str, codes: list[str]) -> None:
    assert sorted(d.code.id for d in found({YAML: text}) if d.span.path == YAML) == codes


def test_an_order_says_of_a_slot_that_is_given_twice_where_it_was_given_before() -> None:
    text = "slots:\n  - {id: gm, ref: write}\n  - {id: narrator, ref: write}\n"
    (doubled,) = found({YAML: text}, "P006")
    assert line(doubled).endswith(
        ":3:25: P006 error duplicate-key: `write` is given the slot `gm` in line 2 already"
    )
    assert [label.span.position[0] for label in doubled.related] == [2]


def test_a_package_plays_as_its_order_gives_the_slots() -> None:
    text = "slots:\n  - {id: narrator, ref: auditor, inserts: [{ref: 需求.核心要点}]}\n"
    files = {
        MANIFEST: manifest("write", "narrator", "auditor"),
        f"{PACKAGE}/workers/narrator/SKILL.md": skill("narrator").replace("正文.草稿", "正文.转述"),
        f"{PACKAGE}/workers/auditor/SKILL.md": skill("auditor").replace("正文.草稿", "正文.旁注"),
        YAML: text,
    }
    (built,) = driver.build(driver.check(reader(files)))
    assert built.plan is not None and built.plan.play is not None
    assert [(slot.key, slot.worker) for slot in built.plan.play.slots] == [("narrator", "auditor")]
    assert [segment.id for segment in built.plan.play.segments["auditor"]] == ["需求.核心要点"]


def test_an_order_with_errors_stops_the_build() -> None:
    checked = driver.check(reader({YAML: rows('{ref: "大纲.草稿"}')}))
    assert [built.plan for built in driver.build(checked)] == [None]
    (built,) = driver.build(driver.check(reader({YAML: rows('{ref: "需求.核心要点"}')})))
    (plain,) = driver.build(driver.check(reader({})))
    assert built.plan and plain.plan
    assert built.files["write.prompt.md"] == plain.files["write.prompt.md"]


# Boards


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("items: [\n", ["P005"]),
        ("items:\n  - {tag: 需求.核心要点}\n", ["P009"]),
        ("items:\n  - {content: x}\n", ["P009"]),
        ("items:\n  - {tag: 需求．核心要点, content: x}\n", ["T001"]),
        ("items:\n  - {tag: 需求.核心要点, content: x, status: gone}\n", ["P008"]),
        ("items:\n  - {tag: 需求.核心要点, content: x, colour: red}\n", ["P007"]),
        ("items:\n  - {key: 需求.核心要点, content: x}\n", ["D002"]),
        ("history:\n  - {role: tool, content: x}\n", ["P008"]),
        ("worker: wrote\n", ["M002"]),
        ("slot: narator\n", ["C004"]),
        ("role: a b\n", ["T001"]),
        ("worker: write\nvariant: short\n", ["P008"]),
        ("items: x\n", ["P008"]),
        ("- x\n", ["P008"]),
        ("", []),
        ("role: 阿离\nworker: write\nvariables: {hp: 3}\n", []),
        ("slot: 主世界层\nhistory:\n  - {role: user, content: 开门}\n  - {role: system, content: 夜}\n", []),
        (
            "items:\n  - {tag: 设计.生成规则#天气, content: {a: [1]}, source: s, status: accepted, id: i9}\n",
            [],
        ),
        (
            "items:\n  - tag: 需求.核心要点\n    content: |\n      key: summary\n      tags: [core.danger]\n",
            [],
        ),
    ],
)
def test_the_form_of_a_board(text: str, codes: list[str]) -> None:
    assert [d.code.id for d in found({BOARD: text}) if d.span.path == BOARD] == codes


def test_what_stands_in_scripts_is_said_by_the_command_that_runs_them() -> None:
    assert found({f"{PACKAGE}/scripts/demo.yaml": "replies: [\n"}) == []


def test_roles_are_known_where_the_manifest_lists_them() -> None:
    board = {BOARD: "role: C\n"}
    assert told({**board, MANIFEST: manifest(front="roles: [A, B]\n")}, "P008") == ["P008 C"]
    assert told({**board, MANIFEST: manifest(front="rolesFrom: 世界.名册\n")}, "P008") == []
    assert told({BOARD: "role: A\n", MANIFEST: manifest(front="roles: [A, B]\n")}, "P008") == []


def test_a_worker_that_manifest_and_board_name_is_missing_once() -> None:
    files = {MANIFEST: manifest("write", "judge"), BOARD: "worker: judge\n"}
    (one,) = [d for d in driver.check(reader(files)).diagnostics if d.code.id == "M002"]
    assert one.span.path == MANIFEST


def test_old_names_on_boards_and_in_orders_are_found_and_replaced() -> None:
    files = {BOARD: "items:\n  - key: core.danger\n    content: 第三层\n"}
    assert told(files, "D002", "D003") == ["D002 key", "D003 core.danger"]
    assert fixed(files) == {BOARD: "items:\n  - tag: 核心.危险.隐藏\n    content: 第三层\n"}
    worker = {f"{PACKAGE}/workers/write/SKILL.md": skill(inputs='"核心.危险.隐藏?"')}
    assert told({**worker, YAML: rows("{ref: core.danger}")}, "D003", "C007") == ["D003 core.danger"]


def test_the_old_key_of_a_board_is_one_finding_and_one_fix() -> None:
    files = {BOARD: "items:\n" + "  - {key: 需求.核心要点, content: x}\n" * 18}
    (one,) = found(files, "D002")
    assert (len(one.related), one.fix and len(one.fix.edits)) == (17, 18)
    assert fixed(files) == {BOARD: files[BOARD].replace("key:", "tag:")}


def test_a_slip_in_a_tag_on_boards_is_found_once_and_what_may_be_anything_is_not() -> None:
    slip = "items:\n  - {tag: 正文.草搞, content: x}\n  - {tag: 正文.草搞, content: y}\n"
    files = {BOARD: slip, f"{PACKAGE}/contexts/second.yaml": slip}
    (one,) = found(files, "T025")
    assert one.message == "`正文.草搞` is no tag of this package, and nearly `正文.草稿`"
    assert (one.span.path, len(one.related), one.fix is not None and len(one.fix.edits)) == (BOARD, 3, 4)
    worker = {
        f"{PACKAGE}/workers/write/SKILL.md": skill(inputs='"需求.核心要点", "角色.*.记忆", "人物.阿珍?"'),
        "skills/tags.yaml": "sources:\n  user: [角色.*.记忆, 人物.阿珍]\n",
    }
    for honest in (
        "正文.草稿",
        "正文",
        "角色.甲.记忆",
        "正文.草稿#一",
        "正文.草稿.一",
        "正文.终稿",
        "别的.东西",
        "用户.偏好",
        "需求.核心要点二",
    ):
        board = f"items:\n  - {{tag: {honest}, content: x}}\n"
        assert told({**worker, BOARD: board}, "T025") == [], honest
    assert (
        told(
            {
                f"{PACKAGE}/workers/write/SKILL.md": skill(inputs='"需求.核心要占"'),
                BOARD: "items:\n  - {tag: 需求.核心要占, content: x}\n",
            },
            "T025",
        )
        == []
    )


def test_a_suppression_on_a_board_counts() -> None:
    board = "items:\n  - owner: a # skillc: ignore[D002] 旧板\n    tag: 需求.核心要点\n    content: x\n"
    checked = driver.check(reader({BOARD: board}))
    assert [d.code.id for d in driver.reported(checked) if d.span.path == BOARD] == []


# Fragments


def fragment(indent: str = "      ", **more: object) -> str:
    shell = {"schema": "context-fragment.v1", "brief": "短", "mount": ["gm"], "正文": {}, **more}
    text = json.dumps(shell, ensure_ascii=False, indent=1)
    return "".join(f"{indent}{row}\n" for row in text.split("\n"))


def on_board(content: str, tag: str = "设计.实现机制.草稿", more: str = "") -> dict[str, str]:
    return {BOARD: f"items:\n  - tag: {tag}\n{more}    content: {content}"}


SCORES = {"维度": [{"名": "必要性", "分数": 85}, {"名": "妥当", "分数": 9}, {"名": "协调", "分数": "70%"}]}


@pytest.mark.parametrize(
    "content",
    [
        "|\n" + fragment(自评=SCORES),
        "|-\n\n" + fragment(自评=SCORES),
        "|\n      ```json\n" + fragment(自评=SCORES) + "      ```\n",
        "'" + fragment("", 自评=SCORES).replace("\n", "") + "'\n",
    ],
)
def test_places_inside_a_content_are_exact(content: str) -> None:
    files = on_board(content)
    (one,) = found(files, "D005")
    assert [one.span.text, *(label.span.text for label in one.related)] == ["85", "70%"]
    assert fixed(files)[BOARD] == files[BOARD].replace("85", "8.5").replace("70%", "7")


@pytest.mark.parametrize("form", ["folded", "escaped"])
def test_where_the_file_does_not_hold_the_text_the_whole_is_the_place(form: str) -> None:
    text = fragment("", 自评=SCORES).replace("\n", "")
    content = f">\n      {text}\n" if form == "folded" else json.dumps(text, ensure_ascii=False) + "\n"
    (one,) = found(on_board(content), "D005")
    assert one.fix is None
    assert one.span.position[0] == 3


def test_items_that_are_gone_are_not_looked_at() -> None:
    content = "|\n" + fragment(mount=["nobody"], order=1)
    assert told(on_board(content), "C008", "C026") == ["C026 nobody", "C008 order"]
    for status in ("superseded", "rejected"):
        assert told(on_board(content, more=f"    status: {status}\n"), "C008", "C026") == []


def test_mounts_on_templates_and_on_what_the_manifest_misses() -> None:
    files = {
        **on_board("|\n" + fragment(mount=["extra", "judge", "write", "write", "x", "x"])),
        f"{PACKAGE}/templates/extra/SKILL.md": skill("extra"),
        MANIFEST: manifest("write", "judge"),
    }
    assert told(files, "C026") == ["C026 x"]


@pytest.mark.parametrize(
    ("mount", "front", "missing"),
    [
        (["gm", "auditor"], "", None),
        (["主世界层", "旁观"], "", None),
        (["gm"], "", "`auditor`"),
        ([], "", "`gm` and `auditor`"),
        (["gm"], "playSlots: {auditor: false}\n", None),
        (["gm"], "playSlots: {auditor: true}\n", "`auditor`"),
        (["gm", "auditer"], "", None),
    ],
)
def test_the_mounts_of_an_artifact(mount: list[str], front: str, missing: str | None) -> None:
    files = on_board("|\n" + fragment(mount=mount), "设计.生成规则.草稿")
    told_of = [d.message for d in found({**files, MANIFEST: manifest(front=front)}, "C027")]
    assert told_of == ([f"`设计.生成规则.草稿` is not mounted on {missing}"] if missing else [])


def test_the_order_of_files_changes_nothing() -> None:
    files = {
        YAML: rows('{order: 3, ref: "大纲.草稿", anchor: x}'),
        **on_board("|\n" + fragment(mount=["x"], order=1, 自评=SCORES)),
        f"{PACKAGE}/contexts/second.yaml": "worker: nobody\n",
    }
    one = [line(d) for d in found(files)]
    assert one == [line(d) for d in found(dict(reversed(files.items())))]
    assert sorted(row.split()[1] for row in one) == ["C007", "C008", "C025", "C026", "D004", "D005", "M002"]


def test_many_slots_rows_and_boards_cost_no_more_than_they_are() -> None:
    def work(count: int) -> int:
        files = {
            YAML: "slots:\n"
            + "".join(
                f'  - {{ref: w{at}, enabled: true, inserts: [{{ref: "某.{at}"}}, {{ref: "另.{at}"}}]}}\n'
                for at in range(count)
            ),
            **{
                f"{PACKAGE}/contexts/b{at}.yaml": on_board("|\n" + fragment(mount=[f"n{at}"]))[BOARD]
                for at in range(count)
            },
            **{f"{PACKAGE}/workers/w{at}/SKILL.md": skill(f"w{at}") for at in range(count)},
        }
        checked = driver.check(reader(files))
        graph = checked.graphs["novel/demo"]
        from skillc.checks.run import all_rules

        mine = [
            r
            for r in all_rules()
            if r.code.id in ("C004", "C006", "C007", "C025", "C026", "C027", "C041", "D004")
        ]
        return calls(lambda: [list(rule.check(graph)) for rule in mine if rule.check])

    assert work(80) < 2.6 * work(40)


def test_a_second_persona_behind_other_rows_is_told() -> None:
    files = {YAML: rows("{ref: worker.persona}", '{ref: "对话.历史"}', "{ref: worker.persona}")}
    (one,) = found(files, "C025")
    assert one.span.position[0] == 6
    assert "C025" not in "".join(told({YAML: rows("{ref: worker.persona}", "{ref: worker.persona}")}, "C025"))


READS = '"需求.核心要点", "用户.最新输入", "变量.当前", "对话.历史", "正文.草稿?"'


@pytest.mark.parametrize(
    ("rows", "early"),
    [
        (("用户.最新输入", "需求.核心要点"), ["用户.最新输入"]),
        (("worker.persona", "变量.当前", "正文.草稿", "需求.核心要点", "对话.历史"), ["变量.当前"]),
        (("变量.当前", "用户.最新输入", "需求.核心要点"), ["变量.当前"]),
        (("worker.persona", "需求.核心要点", "对话.历史", "变量.当前", "用户.最新输入"), []),
        (("worker.persona", "需求.核心要点", "变量.当前", "对话.历史", "用户.最新输入"), []),
        (("对话.历史", "用户.最新输入", "需求.核心要点"), []),
        (("用户.最新输入", "对话.历史", "需求.核心要点"), []),
        (("用户.最新输入", "正文.草稿"), []),
        (("用户.最新输入", "worker.persona"), []),
        (("正文.草稿", "需求.核心要点"), []),
    ],
)
def test_what_every_turn_brings_anew_stands_behind_what_stays(
    rows: tuple[str, ...], early: list[str]
) -> None:
    """Only where moving it would help: before the dialogue, and before a row that nobody in play writes."""
    order = {
        "slots": [{"ref": "write", "inserts": [{"order": at, "ref": ref} for at, ref in enumerate(rows)]}]
    }
    files = {
        f"{PACKAGE}/workers/write/SKILL.md": skill(inputs=READS),
        JSON: json.dumps(order, ensure_ascii=False),
    }
    shown = found(files, "C022")
    assert [(d.span.path, d.span.text.strip('"')) for d in shown] == [(JSON, tag) for tag in early]
    for finding in shown:
        (label,) = finding.related
        assert label.span.text.strip('"') == "需求.核心要点"


def test_rows_are_read_by_their_numbers_for_what_stands_early() -> None:
    rows = [{"order": 1, "ref": "用户.最新输入"}, {"order": 0, "ref": "需求.核心要点"}]
    order = json.dumps({"slots": [{"ref": "write", "inserts": rows}]}, ensure_ascii=False)
    assert told({f"{PACKAGE}/workers/write/SKILL.md": skill(inputs=READS), JSON: order}, "C022") == []
