"""What a SKILL.md means, and that every error of it is told at its own place in one run."""

from __future__ import annotations

import pytest

from reading import FRONT, PACKAGE, SKILL, lines, read_package, read_worker, skill, texts
from skillc.diagnostic import Severity


def test_a_clean_worker_is_read_whole() -> None:
    worker, found = read_worker(
        FRONT.replace('["需求.核心要点"]', '["需求.核心要点", "用户.修改说明?"]')
        + "stage: run\ninputMerge: concat\ncontextIsolation: role_pov\nactor: program\npersona: 冷静\n"
        + "aliases: {正文: 正文.草稿}\nllmProfileId: fast\nlicense: MIT\nmetadata: {author: 甲}\n"
        + "allowed-tools: Read\ncompatibility: any\nx-note: [1, 2]\n"
    )
    assert found == ()
    assert (worker.id, worker.skill, worker.name, worker.version) == ("write", "demo", "写正文", "1")
    assert (worker.stage, worker.merge, worker.isolation) == ("play", "concat", "role_pov")
    assert (worker.actor, worker.persona) == ("program", "冷静")
    assert [(ref.text, ref.optional) for ref in worker.inputs] == [
        ("需求.核心要点", False),
        ("用户.修改说明", True),
    ]
    assert worker.inputs[1].span.text == "用户.修改说明"
    assert worker.aliases == (("正文", "正文.草稿"),)
    assert worker.profile is not None and worker.profile.value == "fast"
    assert not worker.provides_unknown


@pytest.mark.parametrize("field", ["name: 2024-01-01", "name: 5", "name: no", "name: 1.10", 'name: "true"'])
def test_scalars_are_text_exactly_as_written(field: str) -> None:
    worker, found = read_worker(FRONT.replace("name: 写正文", field))
    assert found == ()
    assert worker.name == field[6:].strip('"')


def test_all_independent_errors_come_in_one_run_each_at_its_place() -> None:
    worker, found = read_worker(
        "id: write_rules\n"
        "skill: other\n"
        "description: d\n"
        "version: 10:30\n"
        "inputTag: []\n"
        'inputTags: ["需求.核心要点"]\n'
        "outputTags: [正文.草稿, {a: b}]\n"
        "inputMerge: newest\n"
    )
    assert lines(found) == [
        "1:1 missing-field",
        "2:5 id-mismatch",
        "3:8 skill-mismatch",
        "5:10 field-type",
        "6:1 unknown-field",
        "8:21 field-type",
        "9:13 field-type",
    ]
    messages = [d.message for d in found]
    assert "`name`" in messages[0]
    assert "`write_rules`" in messages[1] and "`write`" in messages[1]
    assert "`10:30`" in messages[3]
    assert "`inputTags`" in messages[4]
    assert "a mapping" in messages[5]
    assert messages[6] == "`inputMerge` must be `latest` or `concat`, not `newest`"
    assert texts(worker.outputs) == ["正文.草稿"] and worker.broken


def test_a_mismatch_carries_the_edit_that_removes_it() -> None:
    front = FRONT.replace("id: write", 'id: "write_rules"')
    _, found = read_worker(front)
    fix = found[0].fix
    assert fix is not None
    edit = fix.edits[0]
    source = edit.span.source.text
    assert skill() == source[: edit.span.start].replace('"', "") + edit.text + source[edit.span.end + 1 :] + (
        "# 正文\n"
    )


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("inputTag", "inputTags"),
        ("outputtags", "outputTags"),
        ("input_tags", "inputTags"),
        ("desciption", "description"),
        ("context-segments", "contextSegments"),
        ("llmProfile", "llmProfileId"),
    ],
)
def test_an_unknown_field_names_the_nearest_known_one(wrong: str, right: str) -> None:
    _, found = read_worker(FRONT + f"{wrong}: []\n")
    assert [d.code.slug for d in found] == ["unknown-field"]
    assert found[0].span.text == wrong and f"`{right}`" in found[0].message


def test_a_misspelt_required_field_is_one_finding_and_leaves_no_cascade() -> None:
    worker, found = read_worker(FRONT.replace("outputTags", "outputTag").replace("inputTags", "inputTag"))
    assert [d.code.slug for d in found] == ["unknown-field", "unknown-field"]
    assert worker.broken and not worker.inputs_missing


def test_one_bad_tag_is_reported_and_the_others_are_kept() -> None:
    worker, found = read_worker(FRONT.replace('["正文.草稿"]', '["正文.草稿", "规则。草稿"]'))
    assert lines(found) == ["8:26 bad-tag"]
    assert texts(worker.outputs) == ["正文.草稿"]
    assert worker.broken


def test_an_error_in_another_field_does_not_break_the_contract() -> None:
    worker, found = read_worker(FRONT + "version2: x\ncontextIsolation: blind\n")
    assert len(found) == 2
    assert not worker.broken and worker.isolation == "none"


def test_absent_inputs_are_left_to_a_rule_and_absent_outputs_are_missing() -> None:
    worker, found = read_worker("id: write\nskill: demo\nname: n\ndescription: d\n")
    assert lines(found) == ["1:1 missing-field"] and "`outputTags`" in found[0].message
    assert worker.inputs_missing and worker.outputs_missing and not worker.broken
    worker, found = read_worker(
        "id: write\nskill: demo\nname: n\ndescription: d\ninputTags:\noutputTags: []\n"
    )
    assert found == () and worker.inputs_missing and not worker.outputs_missing


def test_legacy_keys_are_read_as_tags_with_a_finding() -> None:
    worker, found = read_worker(FRONT.replace("inputTags", "inputKeys").replace("outputTags", "outputKeys"))
    assert lines(found) == ["7:1 legacy-keys", "8:1 legacy-keys"]
    assert texts(worker.inputs) == ["需求.核心要点"] and texts(worker.outputs) == ["正文.草稿"]
    assert not worker.broken
    worker, found = read_worker(FRONT + "inputKeys: [a.b]\n")
    assert lines(found) == ["9:1 legacy-keys"] and found[0].fix is None
    assert texts(worker.inputs) == ["需求.核心要点"]


def test_fields_of_the_old_model_are_ignored_with_a_finding() -> None:
    names = ["key", "summary", "tags", "readableBy", "writableBy", "owner", "visibleTo", "type"]
    worker, found = read_worker(FRONT + "".join(f"{name}: [x]\n" for name in names))
    assert [(d.code.slug, d.span.text, d.severity) for d in found] == [
        ("legacy-fields", name, Severity.WARNING) for name in names
    ]
    assert not worker.broken


def test_a_description_is_counted_in_code_points() -> None:
    front = FRONT.replace("按需求写出正文", "{}")
    assert read_worker(front.format("中" * 1024))[1] == ()
    worker, found = read_worker(front.format("中" * 1025))
    assert [d.code.slug for d in found] == ["too-long-description"]
    assert "1,025" in found[0].message and "1,024" in found[0].message
    assert len(worker.description) == 1025


@pytest.mark.parametrize(
    ("written", "meant"),
    [("design", "design"), ("instantiate", "design"), ("brief", "design"), ("play", "play"), ("run", "play")],
)
def test_stages_have_aliases(written: str, meant: str) -> None:
    worker, found = read_worker(FRONT + f"stage: {written}\n")
    assert found == () and worker.stage == meant


def test_a_stage_of_the_packages_own_table_means_what_the_table_says() -> None:
    table = "## 阶段定义\n\n| stageId | 业务 stage |\n|---|---|\n| setup | 实例化 |\n| review | 运行 |\n"
    manifest = f"---\nname: demo\ndescription: d\nworkers: [write]\n---\n{table}"
    files = {SKILL: skill().replace("version: 1", "stage: setup"), f"{PACKAGE}/orchestrator.md": manifest}
    package, found = read_package(files)
    assert found == () and package.workers[0].stage == "design"
    files[SKILL] = skill().replace("version: 1", "stage: nowhere")
    worker = read_package(files)[0].workers[0]
    assert worker.stage is None and worker.stage_written is not None


def test_a_users_turn_is_taken_as_actor_user_and_asked_to_say_so() -> None:
    manifest = "---\nname: demo\ndescription: d\n---\n## 用户回合\n\n- `write`：玩家出手\n- `role-x` 不存在\n"
    turn = {f"{PACKAGE}/workers/user-turn/SKILL.md": skill("user-turn", "角色.用户.行动")}
    package, found = read_package({**turn, f"{PACKAGE}/orchestrator.md": manifest})
    assert [(d.code.slug, d.severity) for d in found] == [("legacy-fields", Severity.INFO)] * 2
    assert {worker.id: worker.actor for worker in package.workers} == {"user-turn": "user", "write": "user"}
    turn = {path: text.replace("version: 1", "actor: user") for path, text in turn.items()}
    package, found = read_package(turn)
    assert found == () and package.workers[1].actor == "user"


def test_a_worker_with_an_injected_contract_provides_unknown_tags() -> None:
    text = skill("design-step").replace('["正文.草稿"]', "[]")
    package, found = read_package({f"{PACKAGE}/workers/design-step/SKILL.md": text})
    worker = package.worker("design-step")
    assert found == () and worker is not None and worker.injected and worker.provides_unknown


@pytest.mark.parametrize(
    ("aliases", "part"),
    [
        ("{a: 大纲.草稿}", "not among the outputTags"),
        ("{a: 正文.草稿, b: 正文.草稿}", "both stand for"),
        ("[a]", "must be a mapping"),
        ("{a: [正文.草稿]}", "must be text"),
    ],
)
def test_aliases_map_one_to_one_onto_outputs(aliases: str, part: str) -> None:
    worker, found = read_worker(FRONT + f"aliases: {aliases}\n")
    assert [d.code.slug for d in found] == ["field-type"] and part in found[0].message
    assert not worker.broken


def test_an_alias_may_stand_for_a_tag_that_an_output_pattern_covers() -> None:
    front = FRONT.replace('["正文.草稿"]', '["设计.*"]')
    worker, found = read_worker(front + "aliases: {规则: 设计.规则.草稿}\n")
    assert found == () and worker.aliases == (("规则", "设计.规则.草稿"),)


def test_a_broken_frontmatter_gives_a_broken_worker_and_no_finding_of_ours() -> None:
    package, found = read_package({SKILL: "# 没有 frontmatter\n"})
    assert [d.code.slug for d in found] == ["frontmatter-missing"]
    assert package.workers[0].broken and package.workers[0].provides_unknown


def test_the_body_is_never_read_as_yaml() -> None:
    assert read_worker(FRONT, "key: [unclosed\n- : :\n")[1] == ()


def test_the_names_of_a_package_that_disagree_are_one_finding() -> None:
    manifest = "---\nname: demo-two\ndescription: d\n---\n"
    files = {f"{PACKAGE}/orchestrator.md": manifest, SKILL: skill().replace("skill: demo", "skill: demo-two")}
    package, found = read_package(files)
    assert [d.code.slug for d in found] == ["id-mismatch"] and package.name == "demo"


BOTH = "id: write\nskill: demo\nname: 甲\ndescription: 乙\n"


@pytest.mark.parametrize(
    ("front", "inputs_unread", "outputs_unread"),
    [
        ("inputTags: [需求。要点]\noutputTags: [正文.草稿]\n", True, False),
        ("inputTags: [需\u200b求.要点]\noutputTags: [正文.草稿]\n", True, False),
        ("inputTags: [需求.要点]\noutputTags: [正文。草稿]\n", False, True),
        ("inputTags: 需求.要点\noutputTags: [正文.草稿]\n", True, False),
        ("inputTags: [需求.要点]\noutputTags: [正文.草稿]\noutputTags: [大纲.草稿]\n", False, True),
        ("inputTags: [需求.要点]\noutputTags: [正文.草稿]\nname: 丙\n", False, False),
        ("inputTags: [需求.要点]\noutputTag: [正文.草稿]\n", False, True),
        ("inputTags: [需求.要点\noutputTags: [正文.草稿]\n", True, True),
    ],
)
def test_what_cannot_be_read_of_one_side_says_nothing_of_the_other(
    front: str, inputs_unread: bool, outputs_unread: bool
) -> None:
    made, _ = read_worker(BOTH + front)
    assert (made.inputs_unread, made.outputs_unread) == (inputs_unread, outputs_unread)


def test_a_worker_has_a_largest_number_of_tags() -> None:
    tags = ", ".join(f"甲.{at}" for at in range(1000))
    made, found = read_worker(BOTH + f"inputTags: [{tags}]\noutputTags: [乙.一, 乙.二]\n")
    assert [d.code.slug for d in found] == ["too-large"] and found[0].span.text == "乙.一"
    assert found[0].message == "the worker reads and writes 1,002 tags, more than 1,000"
    assert not made.broken
    assert read_worker(BOTH + f"inputTags: [{tags}]\noutputTags: []\n")[1] == ()


@pytest.mark.parametrize("field", ["name", "description", "skill", "id"])
@pytest.mark.parametrize("blank", ['""', "'  '"])
def test_an_empty_text_is_no_required_field(field: str, blank: str) -> None:
    front = "".join(f"{name}: {blank if name == field else value}\n" for name, value in REQUIRED)
    _, found = read_worker(front + "inputTags: []\noutputTags: []\n")
    assert [(d.code.slug, d.message) for d in found] == [
        ("missing-field", f"required field `{field}` of a worker is empty")
    ]


REQUIRED = (("id", "write"), ("skill", "demo"), ("name", "甲"), ("description", "乙"))


@pytest.mark.parametrize("id", ['""', '" "', "a b", "a/b", "..", "/etc", '"a\u200b"'])
def test_a_segment_has_a_name(id: str) -> None:
    segments = f"contextSegments:\n  - {{id: {id}, tier: static, tags: [甲.一]}}\n"
    made, found = read_worker(BOTH + "inputTags: [甲.一]\noutputTags: []\n" + segments)
    assert [d.code.slug for d in found] == ["invisible-character" if "\u200b" in id else "field-type"]
    assert "\u200b" in id or (made.segments_broken and found[0].help)


@pytest.mark.parametrize(
    ("lines", "help"),
    [
        ("inputTags: 需求.核心要点", "write one entry a line, each behind `- `, or `[需求.核心要点]`"),
        (
            "inputTags: 正文.草稿、“大纲.草稿”",
            "write one entry a line, each behind `- `, or `[正文.草稿, 大纲.草稿]`",
        ),
        (
            "inputTags:\n  — 正文.草稿\n  — 大纲.草稿",
            "write one entry a line, each behind `- `, or `[正文.草稿, 大纲.草稿]`",
        ),
        (
            "inputTags:\n  • 正文.草稿\n  • 大纲.草稿",
            "write one entry a line, each behind `- `, or `[正文.草稿, 大纲.草稿]`",
        ),
        ("inputTags:\n  - tag: 正文.草稿", "write the text alone: `正文.草稿`"),
        ("inputTags: []\ncontextIsolation: role-pov", "did you mean `role_pov`?"),
        ("inputTags: []\nname: [a]", "write one text, not a list of them"),
        ("inputTags: []\ncontextVariants: x", "write `key: value` lines below it, indented more"),
    ],
)
def test_a_value_of_the_wrong_type_is_shown_as_it_is_written_right(lines: str, help: str) -> None:
    front = "".join(f"{key}: {value}\n" for key, value in REQUIRED if f"{key}:" not in lines)
    _, found = read_worker(front + lines + "\noutputTags: []\n")
    assert [d.help for d in found if d.code.slug == "field-type"] == [help]
    assert {d.code.slug for d in found} <= {"field-type", "folded-cjk"}


@pytest.mark.parametrize("value", ["!!t x", "[{{x}}]", "[*a]", "[&a {b: c}]", "\n  -需求.x"])
def test_of_the_type_of_a_value_with_an_error_of_form_nothing_is_said(value: str) -> None:
    made, found = read_worker(BOTH + f"inputTags: {value}\noutputTags: []\nversion: [x]\n")
    slugs = {d.code.slug for d in found if d.span.position[0] < 8 and "version" not in d.message}
    assert slugs == {"yaml-syntax"} and made.inputs_unread
    assert [d.message for d in found if d.code.slug == "field-type"][:1] == (
        ["`version` must be a number or the name of a version, such as `2` or `1.10`, not a list"]
        if made.document and made.document.front
        else []
    )
