"""What the rules say of tags themselves: look-alikes, alphabets, patterns within patterns, old names."""

from __future__ import annotations

import pytest

from building import findings, package, text, underlined, worker
from skillc.checks.lookalikes import (
    differing,
    foreign_to_each_other,
    in_latin,
    look_alike,
    simplified,
    skeleton,
)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("A", "\u0410"),
        ("二", "ニ"),
        ("口", "ロ"),
        ("m", "rn"),
        ("0", "O"),
        ("1", "l"),
        ("ﺍ", "ا"),
        ("é", "e\u0301"),
    ],
)
def test_skeletons_of_uts_39(a: str, b: str) -> None:
    assert skeleton(a) == skeleton(b)


def test_skeletons_are_fixed_points_and_keep_different_texts_apart() -> None:
    for char in "АаВеοροс二口ｍ𝐀⑴ﬁ":
        assert skeleton(skeleton(char)) == skeleton(char)
    assert (
        len({skeleton(word) for word in ("规则", "正文", "大纲", "角色", "草稿", "确认稿", "AB", "BA")}) == 8
    )


def test_traditional_and_simplified_forms_are_one_word() -> None:
    assert look_alike("確認稿", "确认稿") and look_alike("規則", "规则")
    assert not look_alike("规则", "规划") and not look_alike("规则", "规则")
    assert simplified("草稿") == "草稿" and differing("確認稿", "确认稿") == ("確認", "确认")


@pytest.mark.parametrize(
    "fine", ["角色A卡", "リンの日記", "한국어版", "ㄅ表", "α值", "Иван", "A_1", "µ值", "々"]
)
def test_alphabets_that_go_together(fine: str) -> None:
    assert foreign_to_each_other(fine) is None


@pytest.mark.parametrize(
    ("mixed", "latin"),
    [("Аlice", "Alice"), ("pаrt", "part"), ("Δv", None), ("角Ж色", None), ("角А色", "角A色")],
)
def test_alphabets_that_do_not(mixed: str, latin: str | None) -> None:
    assert foreign_to_each_other(mixed) is not None
    assert in_latin(mixed) == latin


def test_two_tags_that_look_alike_are_one_finding_with_both_code_points() -> None:
    made = package(
        {
            "a": worker([], ["角色.A.行动", "角色.A.台词"]),
            "b": worker(["角色.А.行动", "角色.А.台词"], []),
            "c": worker(["角色.*.行动"], []),
        }
    )
    (found,) = findings("confusable-tags", made)
    assert (
        "U+0410 (cyrillic capital letter a)" in found.message
        and "U+0041 (latin capital letter a)" in found.message
    )
    assert found.span.text == "А" and found.span.path.endswith("b/SKILL.md")
    assert found.fix and not found.fix.safe and len(found.fix.edits) == 2
    assert findings("mixed-script", made) == [] and findings("unread-output", made) == []


def test_a_wildcard_in_place_of_the_role_hides_no_look_alike() -> None:
    made = package({"a": worker([], ["角色.*.口令"]), "b": worker(["角色.甲.ロ令"], [])})
    assert underlined("confusable-tags", made) == ["b: ロ令"]


def test_what_acceptance_makes_counts_and_the_written_tag_is_underlined() -> None:
    made = package({"a": worker([], ["规则.草稿"]), "b": worker(["规则.確認稿"], [])})
    assert underlined("confusable-tags", made) == ["b: 確認稿"]
    manifest = package({"a": worker([], ["规则.草稿"])}, targets=["规则.確認稿"])
    (found,) = findings("confusable-tags", manifest)
    assert found.related[0].message == "accepting this makes `规则.确认稿`"


def test_redundant_patterns() -> None:
    made = package({"a": worker(["角色.*", "角色.甲.卡", "角色.*.行动?"], ["规则", "规则#一", "世界.状态"])})
    assert underlined("redundant-pattern", made) == ["a: 角色.甲.卡", "a: 角色.*.行动", "a: 规则#一"]
    fine = package({"a": worker(["角色.*?", "角色.甲.卡", "角色.{id}.卡", "世界.*.甲", "世界.乙.*"], [])})
    assert findings("redundant-pattern", fine) == []


def habit(**more: dict[str, object]) -> dict[str, dict[str, object]]:
    pair = ["规则.条文.草稿", "规则.附则.草稿"]
    return {"rules": worker([], pair), "a": worker(pair, []), "b": worker(pair, []), **more}


def test_tags_that_always_go_together_could_be_one() -> None:
    assert underlined("mergeable-tags", package(habit())) == ["rules: 规则.附则.草稿"]
    for apart in (
        habit(c=worker(["规则.条文.草稿"], [])),
        habit(c=worker([], ["规则.附则.草稿"])),
        habit(b=worker([], [])),
        habit(c=worker(broken=True)),
        habit(c=worker(["规则.条文.确认稿"], [])),
    ):
        assert findings("mergeable-tags", package(apart)) == []
    assert findings("mergeable-tags", package(habit(), accept={"rules": "user_confirmed"})) == []


def test_old_names_are_told_once_and_unproduced_ones_elsewhere() -> None:
    catalogue = {"moved": ((text("旧.名"), text("新.名")),)}
    made = package({"a": worker([], ["旧.名"]), "b": worker(["旧.名"], [])}, catalogue=catalogue)
    (found,) = findings("legacy-tag-names", made)
    assert [label.span.text for label in found.related] == ["旧.名"]
    gone = package({"b": worker(["旧.名"], [])}, catalogue=catalogue)
    assert findings("legacy-tag-names", gone) == [] and len(findings("unproduced-input", gone)) == 1
