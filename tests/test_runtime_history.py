"""What of a dialogue is shown, and how it is spoken (SPEC 11.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.artifact.plan import SegmentPolicy
from skillc.runtime.history import KEPT, conversation, group_start, kept_blocks, named

ROLES = {"u": "user", "a": "assistant", "s": "system"}


def log(roles: str) -> list[dict[str, str]]:
    """`ua` is a question and its answer, `s` a system block."""
    return [{"role": ROLES[role], "content": str(at)} for at, role in enumerate(roles)]


def policy(own: tuple[str, int] | None) -> SegmentPolicy | None:
    return SegmentPolicy(kind=own[0], n=own[1]) if own else None


def shown(roles: str, own: tuple[str, int] | None = None, projection: str | None = None) -> str:
    """The kept blocks as `u4 a5`."""
    return " ".join(role[0] + text for role, text in kept_blocks(log(roles), policy(own), projection))


def count(roles: str, own: tuple[str, int] | None = None, projection: str | None = None) -> int:
    return len(kept_blocks(log(roles), policy(own), projection))


def test_an_empty_history_is_an_empty_list() -> None:
    """C57: nothing to trim is no error."""
    for own in (None, ("window_turns", 3), ("last_turns", 3), ("tail_lines", 3), ("window_tokens", 3)):
        assert kept_blocks([], policy(own), None) == []


def test_the_projection_says_how_much_is_kept() -> None:
    assert KEPT == {"fields": 5, "summary": 20, "full": 80}
    assert [count("ua" * pairs, projection="fields") for pairs in (5, 6)] == [10, 6]
    assert [count("ua" * pairs) for pairs in (20, 21)] == [40, 22]
    assert [count("ua" * pairs, projection="full") for pairs in (80, 81)] == [160, 82]
    assert count("ua", projection="fixed") == 0
    assert count("ua", ("last_turns", 2), "fixed") == 0


@pytest.mark.parametrize(
    ("roles", "own", "kept"),
    [
        ("uauaua", ("last_turns", 4), "u2 a3 u4 a5"),
        ("uauaua", ("last_turns", 3), "u4 a5"),
        ("ua", ("last_turns", 1), "u0 a1"),
        ("auaua", ("last_turns", 9), "a0 u1 a2 u3 a4"),
        ("uaua", ("concat", 1), "u0 a1 u2 a3"),
        ("uauaua", ("window_turns", 2), "u2 a3 u4 a5"),
        ("uauaua", ("latest", 1), "u0 a1 u2 a3 u4 a5"),
        ("uaua", ("tail_lines", 2), "u2 a3"),
        ("uaua", ("tail_lines", 3), "u2 a3"),
        ("uaua", ("tail_lines", 9), "u0 a1 u2 a3"),
        ("uaua", ("tail_lines", 1), "a3"),
        ("uaua", ("window_tokens", 1), "u2 a3"),
    ],
)
def test_policies_cut_where_a_question_begins(roles: str, own: tuple[str, int], kept: str) -> None:
    assert shown(roles, own) == kept


def test_a_line_policy_keeps_whole_groups_and_else_the_end_of_the_last_one() -> None:
    blocks = log("uaua")
    blocks[3]["content"] = "一\n二\n三"
    assert kept_blocks(blocks, policy(("tail_lines", 4)), None) == [
        ("user", "2"),
        ("assistant", "一\n二\n三"),
    ]
    assert kept_blocks(blocks, policy(("tail_lines", 2)), None) == [("assistant", "二\n三")]


@pytest.mark.parametrize(
    ("roles", "drop", "n", "start"),
    [
        ("uauaua", 2, 9, 2),
        ("uauaua", 3, 9, 4),
        ("usaua", 1, 9, 3),
        ("ussaua", 2, 9, 4),
        ("uasaua", 2, 9, 2),
        ("suasa", 1, 9, 1),
        ("aaaaua", 2, 9, 2),
        ("uaaaaa", 2, 9, 0),
        ("uaaaaa", 2, 3, 3),
        ("ua", 1, 1, 0),
        ("usa", 2, 2, 0),
        ("ussaa", 2, 2, 2),
        ("usaa", 2, 2, 3),
        ("uuua", 1, 9, 1),
    ],
)
def test_where_groups_begin(roles: str, drop: int, n: int, start: int) -> None:
    """A question begins one; what the system says to it belongs to it; answers without one are their own."""
    assert group_start(log(roles), drop, n) == start


@given(st.lists(st.sampled_from(["ua", "uaa", "uua", "usa", "sua", "ua"]), max_size=60), st.integers(3, 12))
def test_no_cut_falls_between_a_question_and_its_answer(groups: list[str], n: int) -> None:
    blocks = log("".join(groups))
    for own in (("window_turns", n), ("last_turns", n)):
        kept = kept_blocks(blocks, policy(own), None)
        assert [text for _, text in kept] == [block["content"] for block in blocks[len(blocks) - len(kept) :]]
        assert not kept or kept[0][0] != "assistant"


@given(st.integers(1, 90), st.integers(1, 12))
def test_a_window_of_questions_and_answers_keeps_n_to_2n_blocks(pairs: int, n: int) -> None:
    kept = count("ua" * pairs, ("window_turns", n))
    assert kept == 2 * pairs if pairs <= n else n <= kept <= 2 * n


@given(st.text("uas", max_size=150), st.integers(2, 12))
def test_any_log_at_all_is_bounded_by_2n(roles: str, n: int) -> None:
    kept = count(roles, ("window_turns", n))
    assert kept == len(roles) if len(roles) <= 2 * n else 1 <= kept <= 2 * n


def test_empty_blocks_are_not_shown() -> None:
    assert kept_blocks([{"role": "user", "content": ""}, *log("ua")[1:]], None, None) == [("assistant", "1")]


def test_blocks_as_text_have_the_names_of_their_roles() -> None:
    blocks = kept_blocks(log("uas"), None, None)
    assert named(blocks, "zh") == ["用户：0", "助手：1", "系统：2"]
    assert named(blocks, "en") == ["User: 0", "Assistant: 1", "System: 2"]


def test_blocks_as_turns_are_verbatim_and_what_the_system_says_is_the_users() -> None:
    blocks = kept_blocks(log("uasua"), None, None)
    assert conversation(blocks, "zh") == [
        ("user", "0"),
        ("assistant", "1"),
        ("user", "系统：2"),
        ("user", "3"),
        ("assistant", "4"),
    ]
    assert conversation(blocks, "en")[2] == ("user", "System: 2")


def test_an_answer_without_a_shown_question_is_no_turn_of_the_assistant() -> None:
    """C57: no orphan answer, and nothing of it is lost."""
    blocks = kept_blocks(log("aaua"), None, None)
    assert conversation(blocks, "zh") == [
        ("user", "助手：0"),
        ("user", "助手：1"),
        ("user", "2"),
        ("assistant", "3"),
    ]
