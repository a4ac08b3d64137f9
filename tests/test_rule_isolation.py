"""Who may not see what: blind reviewers, and workers of one role."""

from __future__ import annotations

import pytest

from building import LABELS, findings, package, pattern, ref, text, underlined, worker
from skillc.diagnostic import Severity
from skillc.model.package import LabelRule, Package

AUTHOR = worker([], ["核心.危险.隐藏", "规则.草稿"])


def reviewed(*inputs: str, author: dict[str, object] = AUTHOR, **more: object) -> Package:
    blind = worker(list(inputs), ["验收.记录"], isolation="blind_review")
    return package({"write": author, "review": blind}, **more)  # type: ignore[arg-type]


def test_a_wildcard_that_matches_a_hidden_tag_names_it_and_its_writer() -> None:
    (found,) = findings("blind-reads-hidden", reviewed("核心.*", "规则.草稿"))
    assert (
        found.message
        == "`review` has blind_review and reads `核心.*`, which matches `核心.危险.隐藏`, hidden from it"
    )
    assert found.span.text == "核心.*"
    assert [label.span.text for label in found.related] == ["核心.危险.隐藏"]


@pytest.mark.parametrize("tag", ["核心.危险.隐藏", "核心.*.隐藏", "核心.危险.*"])
def test_a_hidden_tag_is_found_however_it_is_named(tag: str) -> None:
    assert underlined("blind-reads-hidden", reviewed(tag)) == [f"review: {tag}"]


def test_hidden_through_a_segment_that_begins_so_a_slot_or_an_acceptance() -> None:
    for output, read in (
        ("世界.隐藏状态", "世界.*"),
        ("设定.底牌#隐藏", "设定.*"),
        ("隐藏.核心.草稿", "隐藏.核心.确认稿"),
        ("角色.{id}.隐藏动机", "角色.*"),
    ):
        made = reviewed(read, author=worker([], [output]))
        assert underlined("blind-reads-hidden", made) == [f"review: {read}"], output


def test_a_source_may_write_it_too() -> None:
    made = reviewed("核心.*", author=worker([], []), sources=[("book", "核心.隐藏")])
    assert underlined("blind-reads-hidden", made) == ["review: 核心.*"]
    asked = reviewed("核心.隐藏", author=worker([], []), asks=["核心.隐藏"])
    assert "the user is asked for" in findings("blind-reads-hidden", asked)[0].related[0].message


def test_a_label_of_the_catalogue_and_a_denial_of_the_manifest_hide_too() -> None:
    rule = LabelRule("hidden", pattern=pattern("谜底.*"), exceptions=(pattern("谜底.提示"),))
    labels = {"labels": (*LABELS, rule)}
    author = worker([], ["谜底.真相", "谜底.提示"])
    assert underlined("blind-reads-hidden", reviewed("谜底.*", author=author, catalogue=labels)) == [
        "review: 谜底.*"
    ]
    assert findings("blind-reads-hidden", reviewed("谜底.提示", author=author, catalogue=labels)) == []
    denied = {"forbidden": ((text("review"), ref("谜底.真相")),)}
    assert underlined("blind-reads-hidden", reviewed("谜底.真相", author=author, manifest=denied)) == [
        "review: 谜底.真相"
    ]
    other = {"forbidden": ((text("other"), ref("谜底.真相")),)}
    assert findings("blind-reads-hidden", reviewed("谜底.真相", author=author, manifest=other)) == []


def test_a_legacy_or_moved_name_is_as_hidden_as_its_new_one() -> None:
    legacy = {"legacy": (("core.danger", "核心.危险.隐藏"),)}
    made = reviewed("core.danger", author=worker([], ["core.danger"]), catalogue=legacy)
    assert underlined("blind-reads-hidden", made) == ["review: core.danger"]


@pytest.mark.parametrize("isolation", ["blind_review", "role_pov"])
def test_changes_of_variables_are_of_cells_for_anybody(isolation: str) -> None:
    author = worker([], ["变量.更新"])

    def made(*inputs: str) -> Package:
        return package({"write": author, "act": worker(list(inputs), [], isolation=isolation)})

    for read in ("变量.更新", "变量.*", "变量.更新#甲", "变量.用户"):
        found = findings("blind-reads-hidden", made(read))
        assert [(one.severity, one.span.text) for one in found] == [(Severity.ERROR, read)], read
        assert found[0].help.startswith("read `变量.当前`")
    assert findings("blind-reads-hidden", made("变量.当前", "变量.更新说明")) == []
    sighted = package({"write": author, "keep": worker(["变量.更新", "变量.*"], [])})
    assert findings("blind-reads-hidden", sighted) == []


def test_a_wildcard_over_the_table_is_honest_where_only_the_user_sets_variables() -> None:
    act = worker(["变量.*"], ["角色.{id}.行动"], isolation="role_pov")
    for others in ({}, {"write": worker([], ["**"])}, {"write": worker([], ["变量.*"])}):
        assert findings("blind-reads-hidden", package({"act": act, **others})) == [], others


def test_what_a_blind_reviewer_must_not_see_is_one_finding() -> None:
    shown = [("draft", "static", ["规则.草稿"])]
    body = "读 `规则.草稿`，写 `验收.记录`。"
    blind = worker(
        ["规则.草稿", "核心.危险.隐藏"], ["验收.记录"], isolation="blind_review", segments=shown, body=body
    )
    made = package({"write": AUTHOR, "review": blind})
    assert underlined("blind-reads-hidden", made) == ["review: 核心.危险.隐藏"]
    assert underlined("input-in-no-segment", made) == underlined("unmentioned-input", made) == []
    open_eyed = package({"write": AUTHOR, "review": {**blind, "isolation": "none"}})
    assert underlined("input-in-no-segment", open_eyed) == ["review: 核心.危险.隐藏"]


def test_no_false_alarm() -> None:
    assert findings("blind-reads-hidden", reviewed("规则.草稿", "核心.公开")) == []
    wildcards = worker([], ["核心.*", "规则.草稿"])
    assert findings("blind-reads-hidden", reviewed("核心.*", author=wildcards)) == []
    sighted = package({"write": AUTHOR, "review": worker(["核心.*"], [])})
    assert findings("blind-reads-hidden", sighted) == []
    nobody = reviewed("核心.*", author=worker([], ["核心.公开"]))
    assert findings("blind-reads-hidden", nobody) == []


def test_the_whole_board_blind_is_one_error() -> None:
    made = reviewed("**")
    (found,) = findings("whole-board", made)
    assert found.severity is Severity.ERROR
    assert findings("blind-reads-hidden", made) == []


@pytest.mark.parametrize("read", ["角色.*", "角色.*.记忆.当前", "角色.*.思考", "**"])
def test_one_role_that_reads_what_is_private_to_all(read: str) -> None:
    made = package({"decide": worker(["世界.当前角色.id", read], ["角色.{id}.行动"])})
    assert underlined("role-reads-others", made) == [f"decide: {read}"]


def test_what_a_role_may_read() -> None:
    own = ["世界.当前角色.id", "角色.{id}.*", "角色.*.行动", "场景.可见信息", "角色.甲.记忆"]
    assert findings("role-reads-others", package({"decide": worker(own, [])})) == []
    pov = worker(["世界.当前角色.id", "角色.*"], ["角色.{id}.行动"], isolation="role_pov")
    assert findings("role-reads-others", package({"decide": pov})) == []
    assert (
        findings("role-reads-others", package({"narrator": worker(["角色.*", "世界.*"], ["输出.叙述"])}))
        == []
    )


def test_bound_by_role_counts_as_one_role() -> None:
    made = package({"decide": worker(["角色.*"], [])}, by_role=["decide"])
    (found,) = findings("role-reads-others", made)
    assert found.related[0].message == "its models are bound by role, so each run is of one role"


def test_a_segment_of_one_role_binds_its_worker() -> None:
    rows = [("own", "static", ["角色.{id}.卡"])]
    made = package({"decide": worker(["角色.*"], [], segments=rows)})
    assert underlined("role-reads-others", made) == ["decide: 角色.*"]
