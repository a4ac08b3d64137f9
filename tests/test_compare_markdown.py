"""A difference in a comment: it fits, the weighty stays, and nothing that authors wrote has an effect."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from comparing import OUTLINE, RULES, edited, plan, plans, side, workspace
from skillc.compare import Difference, compare
from skillc.compare.markdown import LIMIT, escaped, markdown
from skillc.compare.telling import Line, _weighed, story
from skillc.compare.text import text
from skillc.diagnostic import finding
from skillc.text import Source

ONE = workspace("novel/basic")


def large(packages: int) -> Difference:
    """Many packages of which each changed a little, and some with an error of theirs."""
    workers: dict[str, Mapping[str, Any]] = {
        f"w{n}": {"outputs": [f"甲.输出{n}"], "description": "一"} for n in range(10)
    }
    base, head = [], []
    for number in range(packages):
        info = {
            "path": f"novel/p{number:04}",
            "name": "p",
            "kind": "novel",
            "language": "zh",
            "description": "",
            "version": "1",
        }
        base.append(plan(workers, package=info))
        head.append(plan({id: {**spec, "description": "二"} for id, spec in workers.items()}, package=info))
    found = compare(plans(*base), plans(*head))
    new = tuple(
        finding(
            "unproduced-input", Source(f"skills/novel/p{n:04}/x.md", "甲").span(0, 1), f"`x{n}` reads nothing"
        )
        for n in range(packages)
    )
    return Difference(found.base, found.head, found.packages, (), (), new, ())


def test_a_comment_is_never_longer_than_it_may_be() -> None:
    found = large(150)
    comment = markdown(found, str)
    assert len(text(found, str)) > LIMIT
    assert LIMIT - 500 < len(comment) <= LIMIT
    lines = story(found)
    left = int(re.search(r"(\d+) lines that weigh less did not fit", comment)[1])  # type: ignore[index]
    shown = len(re.findall(r"^ *- |^### ", comment, re.M))
    assert shown + left == len(lines)


def test_errors_stay_where_room_is_short_and_words_go() -> None:
    comment = markdown(large(150), str)
    assert all(f"`x{n}` reads nothing" in comment for n in range(150))
    assert "a session that waits for it cannot go on" in comment
    assert "description: other words" not in comment


def test_nothing_stays_without_what_it_belongs_to() -> None:
    comment = markdown(large(150), str, limit=20_000)
    depth = -1
    for line in comment.splitlines():
        found = re.match(r"( *)- |### ", line)
        if found:
            now = 0 if line.startswith("#") else 1 + len(found[1]) // 2
            assert now <= depth + 1
            depth = now


@pytest.mark.parametrize("limit", [0, 100, 1_000])
def test_a_small_limit_leaves_the_numbers(limit: int) -> None:
    comment = markdown(large(3), str, limit)
    assert "| workers | 30 changed |" in comment


def test_one_long_line_does_not_push_out_the_others() -> None:
    tags = [f"甲.{'很长' * 10}{n}" for n in range(900)]
    base, head = plan({"w": {}, "v": {}}), plan({"w": {"inputs": tags}, "v": {"isolation": "blind_review"}})
    comment = markdown(compare(plans(base), plans(head)), str, 4_000)
    assert len(comment) <= 4_000
    assert "contextIsolation: `none` → `blind_review`" in comment
    assert " …\n" in comment


def test_a_parent_weighs_what_its_heaviest_child_weighs() -> None:
    lines = [
        Line(0, 7, "a"),
        Line(1, 6, "b"),
        Line(2, 2, "c"),
        Line(1, 5, "d"),
        Line(0, 7, "e"),
        Line(1, 4, "f"),
    ]
    assert [line.weight for line in _weighed(lines)] == [2, 2, 2, 5, 4, 4]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>"),
        ("@everyone #1", "@&#8203;everyone #&#8203;1"),
        ("[a](http://b) ![c](d)", "\\[a\\](http://b) \\!\\[c\\](d)"),
        ("a|b *c* ~~d~~ &amp;", "a\\|b \\*c\\* \\~\\~d\\~\\~ \\&amp;"),
        ("`<b>@x|y` @z", "`<b>@x|y` @&#8203;z"),
        ("odd ` one", "odd \\` one"),
    ],
)
def test_words_of_authors_have_no_effect(words: str, expected: str) -> None:
    assert escaped(words) == expected


def test_numbers_come_first_and_packages_are_headings() -> None:
    after = edited(ONE, OUTLINE, "你说话直接", "你说话很直接")
    comment = markdown(compare(side(ONE, "main"), side(after, "HEAD")), str)
    assert comment.startswith(
        "## skillc: `main` → `HEAD`\n\n| what | how many |\n|---|---|\n| packages | 1 changed |\n"
    )
    assert "\n### package `novel/basic`\n\n- worker `outline`: fixed prefix, prose\n  - " in comment
    assert "  - a session that waits for it cannot go on\n" in comment


def test_no_difference_is_said() -> None:
    comment = markdown(compare(side(ONE, "a"), side(ONE, "b")), str)
    assert comment == "## skillc: `a` → `b`\n\nno difference\n\n"


def test_the_text_tells_flows_losses_and_what_came() -> None:
    row = {
        "label": "hidden",
        "secret": "核心.隐藏",
        "kind": "created",
        "worker": "a",
        "writes": "规则.草稿",
        "to": "user",
        "reads": "规则.*",
    }
    read = row | {"kind": "read", "to": "b"}
    asks = row | {"writes": None}
    delivered = row | {"kind": "delivered", "writes": None}
    base = plan(
        {"a": {"outputs": ["规则.草稿"]}, "b": {"inputs": ["规则.*"]}},
        flows={"disclosures": [], "declassified": []},
    )
    entry = {"worker": "a", "tags": ["规则.草稿", "规则.旁注"], "label": "hidden", "reason": "公开"}
    head = plan(
        {"a": {"outputs": ["别的.草稿"]}, "b": {"inputs": ["规则.*"]}},
        flows={"disclosures": [row, read, asks, delivered], "declassified": [entry]},
    )
    lines = text(compare(plans(base), plans(head)), str).splitlines()
    assert [
        line.strip() for line in lines if "disclos" in line or "declass" in line or "reads `规则" in line
    ] == [
        "`b` reads `规则.*`, which nobody writes any more; it came from `a`",
        "new disclosure: `a` makes `核心.隐藏` (hidden) and writes `规则.草稿` beside it, which comes to the user as `规则.*`",
        "new disclosure: `a` reads `核心.隐藏` (hidden) and writes `规则.草稿`, which comes to `b` as `规则.*`",
        "new disclosure: `a` knows `核心.隐藏` (hidden) and asks the user",
        "new disclosure: `核心.隐藏` (hidden) comes to the user as `规则.*`",
        "new declassification: `a` may pass on `规则.草稿`, `规则.旁注` (hidden): 公开",
        "new disclosures: 4",
    ]


def test_text_of_a_package_cannot_steer_a_comment() -> None:
    """A reason is an author's own text; a new declassification carries it into the comment."""
    path = f"{RULES}/tags.yaml"
    two = workspace("novel/weird-rules-short")
    assert "declassify" in two[path].decode()
    evil = re.sub(r"reason: .*", 'reason: "<img src=x> @all | [x](y)"', two[path].decode())
    comment = markdown(compare(side(two), side({**two, path: evil.encode()})), str)
    assert "\\<img src=x\\> @&#8203;all \\| \\[x\\](y)" in comment
