"""The algebra of patterns is exact: it agrees with counting out all tags of a small world."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.tags import (
    ONE,
    REST,
    ROLE,
    WHOLE,
    Pattern,
    bind,
    covers,
    family,
    literal,
    matches,
    overlaps,
    stage,
)

NAMES = ("角色", "A", "b")
FRESH = "z"
"""One name that no pattern holds stands for all of them."""
SLOTS = ("", "#s", "#t")
ROLES = (*NAMES, FRESH)

WORLD = [
    ".".join(segments) + slot
    for length in range(1, 5)
    for segments in product((*NAMES, FRESH), repeat=length)
    for slot in SLOTS
]

segment = st.sampled_from([*NAMES, ONE, ROLE])
ending = st.sampled_from([*NAMES, ONE, ROLE, REST, "b#s", "A#s"])


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    if draw(st.integers(0, 15)) == 0:
        return Pattern((WHOLE,))
    first = draw(st.sampled_from(NAMES))
    if draw(st.integers(0, 4)) == 0:
        return Pattern((draw(st.sampled_from([first, f"{first}#s"])),))
    middle = draw(st.lists(segment, max_size=1))
    return Pattern((first, *middle, draw(ending)))


def belongs(parts: tuple[str, ...], tag: str, role: str | None) -> bool:
    """By the words of the definition: whether `tag` is one of `parts`; without a role `{id}` is any segment."""
    if parts == (WHOLE,):
        return True
    segments = tag.split(".")
    if parts[-1] == REST:
        return len(segments) >= len(parts) and all(
            fits(part, segment, role, False)
            for part, segment in zip(parts, segments, strict=False)
            if part != REST
        )
    return len(segments) == len(parts) and all(
        fits(part, segment, role, at == len(parts) - 1)
        for at, (part, segment) in enumerate(zip(parts, segments, strict=True))
    )


def fits(part: str, segment: str, role: str | None, last: bool) -> bool:
    name = segment.split("#")[0]
    if part == ONE or (part == ROLE and role is None):
        return True
    wanted = role if part == ROLE else part
    return segment == wanted or (last and name == wanted)


@given(patterns(), st.sampled_from(WORLD))
def test_matches_agrees_with_the_definition(pattern: Pattern, tag: str) -> None:
    assert matches(pattern, tag) == belongs(pattern.parts, tag, None)


@given(patterns(), patterns())
def test_overlaps_is_to_share_a_tag(p: Pattern, q: Pattern) -> None:
    shared = any(belongs(p.parts, tag, None) and belongs(q.parts, tag, None) for tag in WORLD)
    assert overlaps(p, q) == shared == overlaps(q, p)


@given(patterns(), patterns())
def test_covers_is_to_have_every_tag_under_every_role(p: Pattern, q: Pattern) -> None:
    every = all(belongs(p.parts, tag, role) for role in ROLES for tag in WORLD if belongs(q.parts, tag, role))
    assert covers(p, q) == every


@given(patterns(), st.sampled_from(ROLES), st.sampled_from(WORLD))
def test_a_bound_pattern_has_the_tags_of_that_role(pattern: Pattern, role: str, tag: str) -> None:
    assert matches(bind(pattern, role, False), tag) == belongs(pattern.parts, tag, role)


@given(patterns(), st.sampled_from(ROLES), st.sampled_from(WORLD))
def test_role_pov_narrows_wildcards_behind_the_role_family(pattern: Pattern, role: str, tag: str) -> None:
    narrowed = pattern.parts[0] == "角色" and pattern.parts[1:2] in ((ONE,), (REST,))
    bound = bind(pattern, role, True)
    if pattern.parts == ("角色", REST):
        assert matches(bound, tag) == (belongs(pattern.parts, tag, role) and tag.startswith(f"角色.{role}."))
    elif narrowed:
        own = tag.split(".")[1:2] in ([role], [f"{role}#s"], [f"{role}#t"])
        assert matches(bound, tag) == (belongs(pattern.parts, tag, role) and own)
    else:
        assert bound == bind(pattern, role, False)


@given(patterns(), patterns(), patterns())
def test_covering_is_an_order(p: Pattern, q: Pattern, r: Pattern) -> None:
    assert covers(p, p)
    if covers(p, q) and covers(q, r):
        assert covers(p, r)
    if covers(p, q):
        assert overlaps(p, q)


@pytest.mark.parametrize(
    ("pattern", "tag", "expected"),
    [
        (("角色", "A", REST), "角色.A.行动.候选", True),
        (("角色", "A", REST), "角色.A", False),
        (("角色", "A", REST), "角色.AB.行动", False),
        (("大纲", ONE, "草稿"), "大纲.第一章.草稿", True),
        (("大纲", ONE, "草稿"), "大纲.第一章.场景.草稿", False),
        (("设计", "生成规则"), "设计.生成规则#天气", True),
        (("设计", "生成规则#天气"), "设计.生成规则", False),
        (("规则",), "规则.草稿", False),
        ((WHOLE,), "任何.tag#x", True),
    ],
)
def test_matching_of_the_specified_examples(pattern: tuple[str, ...], tag: str, expected: bool) -> None:
    assert matches(Pattern(pattern), tag) is expected


def test_b42_many_wildcards_end_at_once() -> None:
    wide = Pattern(("角色", *[ONE] * 30, REST))
    assert not matches(wide, ".".join(["角色"] * 31))
    assert matches(wide, ".".join(["角色"] * 32))
    assert overlaps(wide, wide)


@given(patterns())
def test_a_pattern_is_its_parts(pattern: Pattern) -> None:
    assert Pattern(pattern.parts) == pattern
    assert len({pattern, Pattern(pattern.parts)}) == 1
    assert pattern.is_tag == (not {ONE, ROLE, REST, WHOLE} & set(pattern.parts))


def test_the_text_of_a_pattern_is_what_an_author_writes() -> None:
    assert Pattern(("角色", ROLE, REST)).text == "角色.{id}.*"
    assert Pattern((WHOLE,)).text == "**"
    assert literal("设计.生成规则#天气").parts == ("设计", "生成规则#天气")
    assert family("设计.生成规则#天气") == "设计.生成规则"


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("规则.草稿", "草稿"),
        ("规则.草稿#一", "草稿"),
        ("更新.世界状态", "更新"),
        ("更新.世界.当前", "当前"),
        ("规则.草稿稿", None),
        ("草稿.规则", None),
    ],
)
def test_the_stage_of_a_tag(tag: str, expected: str | None) -> None:
    assert stage(tag) == expected
