from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from skillc.artifact.plan import SegmentPolicy
from skillc.runtime.history import history_texts, window_blocks


def log(roles: str) -> list[dict[str, str]]:
    """`ua` is a question and its answer, `s` a system block."""
    names = {"u": "user", "a": "assistant", "s": "system"}
    return [{"role": names[role], "content": str(at)} for at, role in enumerate(roles)]


def shown(roles: str, policy: tuple[str, int] | None = None, projection: str | None = None) -> list[str]:
    own = SegmentPolicy(kind=policy[0], n=policy[1]) if policy else None
    return history_texts(log(roles), own, projection, "zh")


def test_blocks_are_named_by_role() -> None:
    assert shown("uas") == ["用户：0", "助手：1", "系统：2"]
    assert history_texts(log("ua"), None, None, "en") == ["User: 0", "Assistant: 1"]


def test_an_empty_history_is_an_empty_list() -> None:
    assert shown("") == []
    assert shown("", ("window_turns", 3)) == []
    assert shown("", ("tail_lines", 3)) == []


def test_the_projection_says_how_much_is_kept() -> None:
    assert len(shown("ua" * 5, projection="fields")) == 10
    assert len(shown("ua" * 6, projection="fields")) == 6
    assert len(shown("ua" * 20)) == 40
    assert len(shown("ua" * 21)) == 22
    assert len(shown("ua" * 81, projection="full")) == 82
    assert shown("ua", projection="fixed") == []


def test_policies_work_on_blocks() -> None:
    assert shown("uauaua", ("last_turns", 3)) == ["助手：3", "用户：4", "助手：5"]
    assert shown("ua" * 30, ("concat", 1)) == [f"{'用户' if i % 2 == 0 else '助手'}：{i}" for i in range(60)]
    assert shown("uaua", ("tail_lines", 1)) == ["助手：3"]


@given(st.text("uasu", max_size=120), st.integers(1, 12))
def test_a_window_never_begins_with_an_answer_whose_question_it_dropped(roles: str, n: int) -> None:
    blocks = log(roles)
    kept = window_blocks(blocks, n)
    assert blocks[len(blocks) - len(kept) :] == kept
    dropped = blocks[: len(blocks) - len(kept)]
    if dropped:
        assert kept
        assert kept[0]["role"] != "assistant" or all(b["role"] == "assistant" for b in dropped)


@given(st.integers(1, 90), st.integers(1, 12))
def test_a_window_of_questions_and_answers_keeps_n_to_2n_blocks(pairs: int, n: int) -> None:
    kept = len(window_blocks(log("ua" * pairs), n))
    assert kept == 2 * pairs if pairs <= n else n <= kept <= 2 * n
