"""What changed between two states, in which kind, and what it costs."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from comparing import BASIC, OUTLINE, REVIEW, RULES, edited, moved, plan, plan_of, plans, side, workspace
from sample_plans import parts, sample_data, segment
from skillc.artifact.plan import Plan, WorkerPlan
from skillc.compare import Difference, compare
from skillc.compare.difference import Change, PackageDifference, WorkerDifference
from skillc.compare.telling import story
from skillc.runtime.estimate import estimate_tokens
from skillc.tokens import Counter

ONE = workspace("novel/basic")
TWO = workspace("novel/basic", "novel/weird-rules-short")


def difference(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Difference:
    return compare(side(before), side(after))


def only(found: Difference) -> PackageDifference:
    """The one package that differs."""
    (one,) = found.packages
    return one


def worker(found: Difference) -> WorkerDifference:
    """The one worker that differs."""
    (one,) = only(found).workers
    return one


def test_the_same_files_differ_in_nothing_and_nothing_is_compiled() -> None:
    base, head = side(TWO), side(TWO)
    broken = {path: type(bundle)(_never, bundle.mark) for path, bundle in head.packages.items()}
    head = type(head)(head.name, head.kind, broken, findings=head.findings)
    found = compare(base, head)
    assert not found.different
    assert (found.packages, found.left_out, found.new, found.gone) == ((), (), (), ())


def _never() -> Plan:
    raise AssertionError("compiled without need")


def test_a_comment_compiles_to_the_same() -> None:
    after = edited(ONE, OUTLINE, "id: outline\n", "id: outline # 一个注释\n")
    found = difference(ONE, after)
    assert found.same_plan == ("novel/basic",)
    assert not found.different


def test_words_of_the_body_are_prose_and_cost_the_prefix_from_there_on() -> None:
    found = difference(ONE, edited(ONE, OUTLINE, "你说话直接", "你说话很直接"))
    one = worker(found)
    assert one.kinds == ("fixed_prefix", "prose")
    assert Change("prose", "body or shared context") in one.changes
    assert not one.resumes and only(found).stranded == ("outline",)
    (prefix,) = one.prefixes or ()
    system = (
        side(edited(ONE, OUTLINE, "你说话直接", "你说话很直接"))
        .packages["novel/basic"]
        .plan()
        .workers["outline"]
        .system
    )
    assert prefix.fixed_anew == estimate_tokens(system[system.index("很直接") :])
    assert 0 < prefix.fixed_anew < estimate_tokens(system) < prefix.tokens
    assert prefix.static_anew > 0 and prefix.fills == ("brief",)
    assert one.counter and one.counter.name == "skillc-estimate/1"


def test_shared_context_is_in_the_prefix_of_every_worker() -> None:
    path = f"{RULES}/shared-context.md"
    found = difference(TWO, {**TWO, path: TWO[path] + "\n最后一句。\n".encode()})
    assert [(w.id, w.kinds) for w in only(found).workers] == [
        (id, ("fixed_prefix", "prose")) for id in ("write-rules", "review-infer", "review-author")
    ]


def test_a_label_of_a_dynamic_segment_leaves_the_prefix_as_it_is() -> None:
    one = worker(difference(ONE, edited(ONE, OUTLINE, "## 上一稿", "## 你的上一稿")))
    assert one.kinds == ("dynamic",)
    assert one.anew == 0
    assert one.changes == (Change("dynamic", "previous.label"),)


def test_a_label_of_a_static_segment_costs_that_segment() -> None:
    one = worker(difference(ONE, edited(ONE, OUTLINE, '"## 创作需求"', '"## 需求"')))
    assert one.kinds == ("static_prefix",)
    (prefix,) = one.prefixes or ()
    assert prefix.fixed_anew == 0
    assert prefix.static_anew == estimate_tokens("## 需求\n\n---\n\n")
    assert prefix.fills == ("brief",)


def test_a_description_strands_sessions_and_costs_no_token() -> None:
    one = worker(
        difference(ONE, edited(ONE, OUTLINE, "description: 从需求出发", "description: 从用户的需求出发"))
    )
    assert (one.kinds, one.anew, one.resumes) == (("prose",), 0, False)


def test_a_new_output_is_interface_and_its_line_in_the_protocol_no_prose() -> None:
    after = edited(
        ONE, OUTLINE, 'outputTags:\n  - "大纲.草稿"', 'outputTags:\n  - "大纲.草稿"\n  - "输出.备注"'
    )
    one = worker(difference(ONE, after))
    assert one.kinds == ("interface", "fixed_prefix")
    assert Change("interface", "outputTags", added=("输出.备注",)) in one.changes
    assert Change("fixed_prefix", "output protocol") in one.changes


def test_inputs_come_go_and_become_optional() -> None:
    after = edited(ONE, OUTLINE, '  - "需求.核心要点"\n', '  - "需求.核心要点?"\n')
    one = worker(difference(ONE, after))
    assert one.kinds == ("interface",)
    assert one.changes == (Change("interface", "inputTags: 需求.核心要点", was="needed", now="optional"),)


def test_isolation_acceptance_and_readiness() -> None:
    manifest = f"{RULES}/orchestrator.md"
    after = edited(TWO, REVIEW, "contextIsolation: blind_review\n", "")
    after = edited(after, manifest, "mode: user_confirmed", "mode: no_confirmation", 1)
    after = edited(
        after,
        manifest,
        '"startupCompleted and has(需求.核心要点)"',
        '"has(需求.核心要点) or accepted(规则.*)"',
    )
    one = only(difference(TWO, after))
    assert one.changes == (
        Change(
            "readiness",
            "instanceReadyWhen",
            was="startupCompleted and has(需求.核心要点)",
            now="has(需求.核心要点) or accepted(规则.*)",
        ),
    )
    assert [(w.id, w.kinds, w.resumes) for w in one.workers] == [
        ("write-rules", ("acceptance",), True),
        ("review-infer", ("isolation",), False),
    ]
    assert one.kinds == ("isolation", "acceptance", "readiness")
    assert one.stranded == ("review-infer",)


def test_a_leak_that_a_change_brings_is_a_new_finding() -> None:
    after = edited(TWO, REVIEW, "inputTags:\n", 'inputTags:\n  - "核心.危险.隐藏"\n')
    found = difference(TWO, after)
    assert [one.path for one in found.left_out] == ["novel/weird-rules-short"]
    assert (found.left_out[0].base, found.left_out[0].head, found.left_out[0].same) == (None, "errors", False)
    assert "blind-reads-hidden" in [d.code.slug for d in found.new or ()]
    assert found.different and not found.packages
    marked = [
        line.text.startswith("new leak: ") for line in story(found) if " blind-reads-hidden: " in line.text
    ]
    assert marked and all(marked)
    assert not any("new leak: " in line.text for line in story(difference(after, TWO)))


def test_packages_with_the_same_errors_on_both_sides_are_no_difference() -> None:
    broken = edited(TWO, REVIEW, "inputTags:\n", 'inputTags:\n  - "核心.危险.隐藏"\n')
    found = difference(broken, broken)
    assert [(one.base, one.head, one.same) for one in found.left_out] == [("errors", "errors", True)]
    assert not found.different
    assert difference(broken, edited(broken, REVIEW, "version: 1", "version: 2")).different


def test_findings_are_known_again_where_lines_and_folders_move() -> None:
    noted = edited(
        ONE, OUTLINE, '  - "大纲.草稿"\ninputMerge', '  - "大纲.草稿"\n  - "大纲.没人读"\ninputMerge'
    )
    assert [d.code.slug for d in difference(ONE, noted).new or ()] != []
    lower = edited(noted, OUTLINE, "stage: play\n", "stage: play\nx-note: 一\n")
    renamed = edited(
        moved(lower, BASIC, "skills/novel/plain"),
        "skills/novel/plain/orchestrator.md",
        "name: basic",
        "name: plain",
    )
    renamed = edited(renamed, "skills/novel/plain/workers/outline/SKILL.md", "skill: basic", "skill: plain")
    found = difference(noted, renamed)
    assert [(one.path, one.was, one.status) for one in found.packages] == [
        ("novel/plain", "novel/basic", "renamed")
    ]
    assert (found.new, found.gone) == ((), ())
    assert only(found).stranded == ("outline",)


def test_packages_and_workers_come_and_go() -> None:
    found = difference(ONE, TWO)
    one = only(found)
    assert (one.path, one.status) == ("novel/weird-rules-short", "added")
    assert [w.status for w in one.workers] == ["added"] * 3
    assert all(w.prefixes and w.prefixes[0].fixed_anew for w in one.workers)
    flows = side(TWO).packages[one.path].plan().flows
    assert (list(one.flows.disclosed), list(one.flows.declassified)) == (
        flows.disclosures,
        flows.declassified,
    )
    assert one.flows
    back = only(difference(TWO, ONE))
    assert (back.status, back.stranded) == ("removed", ("write-rules", "review-infer", "review-author"))


def test_a_worker_with_another_id_and_nothing_else_is_renamed() -> None:
    spec = {"inputs": ["需求.*"], "outputs": ["大纲.草稿"]}
    reader = {"inputs": ["大纲.草稿"], "outputs": ["正文.草稿"]}
    base = plan({"outline": spec | {"name": "大纲"}, "write": reader})
    head = plan({"plot": spec | {"name": "大纲"}, "write": reader})
    one = only(compare(plans(base), plans(head)))
    (renamed,) = one.workers
    assert (renamed.id, renamed.was, renamed.status, renamed.resumes) == ("plot", "outline", "renamed", False)
    assert one.lost == () and one.stranded == ("outline",)
    assert one.changes == ()


def test_a_worker_that_changed_with_its_id_is_gone_and_new() -> None:
    base = plan({"a": {"outputs": ["大纲.草稿"]}})
    head = plan({"b": {"outputs": ["大纲.草稿", "大纲.当前"]}})
    one = only(compare(plans(base), plans(head)))
    assert [(w.id, w.status) for w in one.workers] == [("b", "added"), ("a", "removed")]


def test_of_two_packages_that_a_third_could_be_the_one_with_most_in_common_is_it() -> None:
    staff: dict[str, Mapping[str, Any]] = {id: {"outputs": [f"甲.{id}"]} for id in "abcd"}
    base = [
        _named(plan({id: staff[id] for id in ids}), path)
        for path, ids in (("novel/x", "abc"), ("novel/y", "abcd"))
    ]
    head = _named(plan(staff), "novel/z")
    found = compare(plans(*base), plans(head))
    assert [(one.path, one.was, one.status) for one in found.packages] == [
        ("novel/x", None, "removed"),
        ("novel/z", "novel/y", "renamed"),
    ]


def test_packages_with_half_in_common_are_two() -> None:
    base = _named(plan({"a": {"outputs": ["甲.一"]}, "b": {"outputs": ["甲.二"]}}), "novel/x")
    head = _named(plan({"a": {"outputs": ["甲.一"]}, "c": {"outputs": ["甲.三"]}}), "novel/y")
    assert [one.status for one in compare(plans(base), plans(head)).packages] == ["removed", "added"]


def _named(one: Plan, path: str) -> Plan:
    return one.but(package=one.package.but(path=path))


def test_who_loses_a_producer() -> None:
    drafts = {"outputs": ["大纲.草稿"]}
    reader = {"inputs": ["大纲.确认稿", "大纲.*", "用户.要求", "别的.*"], "outputs": ["正文.草稿"]}
    base = plan(
        {"outline": drafts, "second": {"outputs": ["大纲.旁注"]}, "write": reader}, asks=[["用户", "要求"]]
    )
    head = plan(
        {"outline": {"outputs": ["提纲.草稿"]}, "second": {"outputs": ["大纲.旁注"]}, "write": reader}
    )
    lost = only(compare(plans(base), plans(head))).lost
    assert [(one.worker, one.pattern, one.lost, one.left) for one in lost] == [
        ("write", "大纲.确认稿", ("outline",), 0),
        ("write", "大纲.*", ("outline",), 1),
        ("write", "用户.要求", ("(ask)",), 0),
    ]


def test_whoever_stops_confirming_produces_no_confirmed_text() -> None:
    workers: dict[str, Mapping[str, Any]] = {
        "outline": {"outputs": ["大纲.草稿"]},
        "write": {"inputs": ["大纲.确认稿"], "outputs": ["正文.草稿"]},
    }
    data = sample_data(workers)
    after = copy.deepcopy(data)
    after["acceptance"]["outline"]["mode"] = "no_confirmation"
    one = only(compare(plans(plan_of(data)), plans(plan_of(after))))
    assert [(lost.worker, lost.lost) for lost in one.lost] == [("write", ("outline",))]


def test_disclosures_and_declassifications_in_force() -> None:
    row = {
        "label": "hidden",
        "secret": "核心.隐藏",
        "kind": "created",
        "worker": "a",
        "writes": "规则.草稿",
        "to": "b",
        "reads": "规则.*",
    }
    entry = {"worker": "a", "tags": ["规则.草稿"], "label": "hidden", "reason": "本来就该公开"}
    workers: dict[str, Mapping[str, Any]] = {"a": {"outputs": ["规则.草稿"]}, "b": {"inputs": ["规则.*"]}}
    base = plan(workers, flows={"disclosures": [row], "declassified": []})
    head = plan(workers, flows={"disclosures": [], "declassified": [entry]})
    flows = only(compare(plans(base), plans(head))).flows
    assert (flows.disclosed, flows.undisclosed, flows.declassified, flows.reclassified) == (
        (),
        (row,),
        (entry,),
        (),
    )
    renamed = plan(
        {"z": workers["a"] | {"name": "a"}, "b": workers["b"]},
        flows={"disclosures": [row | {"worker": "z"}], "declassified": []},
    )
    assert not only(compare(plans(base), plans(renamed))).flows


def test_the_layout_that_loses_most_counts_and_variants_and_slots_are_layouts() -> None:
    def made(label: str) -> Plan:
        long = segment("s", [], "static", inline="甲" * 30)
        spec = {"segments": [long], "variants": {"short": [segment("s", [], "static", inline=label)]}}
        played = {"key": "gm", "worker": "w", "on": True}
        play = {
            "slots": [played],
            "order": None,
            "origin": "declared",
            "segments": {"w": [segment("t", [], "static", inline=label * 2)]},
        }
        return plan({"w": spec}, play=play)

    found = compare(plans(made("乙")), plans(made("丙")), lambda _: Counter("letters", len))
    one = worker(found)
    assert [(p.variant, p.slot, p.static_anew) for p in one.prefixes or ()] == [
        (None, False, 0),
        ("short", False, 8),
        (None, True, 9),
    ]
    assert one.anew == 9
    assert one.kinds == ("slots", "static_prefix")


def test_nobody_reads_the_context_of_a_user() -> None:
    base, head = (plan({"u": {"actor": "user", "system": text}}) for text in ("一", "二"))
    one = worker(compare(plans(base), plans(head)))
    assert (one.prefixes, one.anew, one.counter) == (None, 0, None)


OTHER: dict[str, Any] = {
    "name": "别名",
    "description": "别的",
    "version": "2",
    "stage": "design",
    "actor": "user",
    "isolation": "role_pov",
    "role_bound": True,
    "inputs": [{"pattern": ["别的"], "needed": True}],
    "outputs": [["别的"]],
    "denied": [["别的"]],
    "merge": "concat",
    "aliases": {"短": "大纲.草稿"},
    "profiles": {"default": "p", "by_role": {}},
    "persona": "另一个人",
    "system": "别的系统",
    "segments": None,
    "instruction": "别的",
    "variants": {"v": []},
    "variant": "v",
    "reply": {"type": "array"},
}
"""Another value for each field of a worker, but its id and digest."""
WORKER = {
    "inputs": ["需求.*"],
    "outputs": ["大纲.草稿"],
    "segments": [segment("s", ["需求.*"])],
    "variants": {"v": [], "w": []},
}


def test_another_value_is_known_for_every_field_of_a_worker() -> None:
    assert set(OTHER) == set(WorkerPlan.fields()) - {"id", "digest"}


@pytest.mark.parametrize("field", sorted(OTHER))
def test_no_field_of_a_worker_changes_unnoticed(field: str) -> None:
    data = sample_data({"w": WORKER})
    after = copy.deepcopy(data)
    after["workers"]["w"][field] = OTHER[field]
    one = worker(compare(plans(plan_of(data)), plans(plan_of(after))))
    assert one.changes and one.kinds and not one.resumes


PLAN: dict[str, Any] = {
    "package": {
        "path": "novel/sample",
        "name": "b",
        "kind": "dialogue",
        "language": "en",
        "description": "新",
        "version": "2",
    },
    "startup": {"prompt": "问", "mode": "ask", "targets": ["甲"], "required": ["乙"], "optional": ["丙"]},
    "asks": [["甲"]],
    "ready": {"prerequisites": [["甲"]], "condition": ["not", ["count", ["甲"], 2]]},
    "roles": {"ids": ["A"], "from": "甲"},
    "labels": [],
    "sources": {"user": [["甲"]], "runtime": [], "book": [], "rag": []},
    "deliverables": [["甲"]],
    "moved": {"甲": "乙"},
    "order": ["v", "w"],
    "acceptance": {
        id: {"mode": "no_confirmation", "requires_approval": True, "reviews": ["w"]} for id in "wv"
    },
    "flows": {
        "disclosures": [],
        "declassified": [{"worker": "w", "tags": [], "label": "hidden", "reason": ""}],
    },
    "play": {
        "slots": [{"key": "gm", "worker": "w", "on": False}],
        "order": {"slots": []},
        "origin": "package",
        "segments": {"w": []},
    },
    "orchestrator": {"system": "别的", "task": "", "templates": {}, "acceptance": {}},
}
"""Another value for each field of a plan, but those that say what it was made of and by."""


def test_another_value_is_known_for_every_field_of_a_plan() -> None:
    assert set(PLAN) == set(Plan.fields()) - {"schema", "compiler", "fingerprint", "workers"}


@pytest.mark.parametrize("field", sorted(PLAN))
def test_no_field_of_a_plan_changes_unnoticed(field: str) -> None:
    data = sample_data({"w": WORKER, "v": {"inputs": ["需求.*"]}})
    after = {**copy.deepcopy(data), field: PLAN[field]}
    one = only(compare(plans(plan_of(data)), plans(plan_of(after))))
    assert one.kinds or one.flows
    assert only(compare(plans(plan_of(after)), plans(plan_of(data)))).path == "novel/sample"


def orchestrated(**more: Any) -> dict[str, Any]:
    """A plan with one template."""
    made = sample_data({"t": {"inputs": ["需求.*"], **more}})
    told = {"system": "总管", "task": "任务", "templates": made["workers"], "acceptance": made["acceptance"]}
    return sample_data({"w": WORKER}, orchestrator=told)


def test_a_template_that_changes_is_named() -> None:
    was, now = orchestrated(), orchestrated(outputs=["大纲.草稿"])
    (change,) = only(compare(plans(plan_of(was)), plans(plan_of(now)))).changes
    assert (change.kind, change.field) == ("interface", "templates.t")
    now = orchestrated()
    now["orchestrator"]["acceptance"]["t"]["mode"] = "no_confirmation"
    (change,) = only(compare(plans(plan_of(was)), plans(plan_of(now)))).changes
    assert change.field == "templates.t"


SEGMENT: dict[str, Any] = {
    "tier": "static",
    "label": "名",
    "tags": [parts("别的.*")],
    "policy": {"kind": "tail_lines", "n": 3},
    "projection": "summary",
    "inline": "话",
}


@pytest.mark.parametrize("field", sorted(SEGMENT))
@pytest.mark.parametrize("tier", ["static", "dynamic"])
def test_a_change_of_a_segment_is_of_its_part_of_the_context(field: str, tier: str) -> None:
    segments = [segment("a", ["需求.甲"], tier), segment("b", ["需求.乙"], "dynamic")]
    data = sample_data({"w": WORKER | {"segments": segments}})
    after = copy.deepcopy(data)
    after["workers"]["w"]["segments"][0][field] = (
        SEGMENT[field] if (field, tier) != ("tier", "static") else "dynamic"
    )
    one = worker(compare(plans(plan_of(data)), plans(plan_of(after))))
    expected = "static_prefix" if tier == "static" or field == "tier" else "dynamic"
    assert one.kinds == (expected,)
    (change,) = one.changes
    assert change.field == f"a.{field}"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda s: s.reverse(), "order of contextSegments"),
        (lambda s: s.pop(), "contextSegments"),
        (lambda s: s.append(segment("c", ["需求.丙"])), "contextSegments"),
    ],
)
def test_segments_come_go_and_change_places(change: Callable[[list[Any]], object], field: str) -> None:
    data = sample_data({"w": WORKER | {"segments": [segment("a", ["需求.甲"]), segment("b", ["需求.乙"])]}})
    after = copy.deepcopy(data)
    change(after["workers"]["w"]["segments"])
    one = worker(compare(plans(plan_of(data)), plans(plan_of(after))))
    assert [c.field for c in one.changes] == [field]


def test_sides_may_be_exchanged() -> None:
    """What came is what goes the other way; nothing is told of one direction only."""
    after = edited(TWO, OUTLINE, "你说话直接", "你说话很直接")
    there, back = difference(TWO, after), difference(after, TWO)
    assert [(w.id, w.kinds, w.resumes) for w in only(there).workers] == [
        (w.id, w.kinds, w.resumes) for w in only(back).workers
    ]
