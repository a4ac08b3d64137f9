from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.runtime.estimate import estimate_tokens, prefix_of_weight, weight
from skillc.runtime.policy import choose, cut, window_drop

TEXTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=40), max_size=6)
CHINESE = st.lists(st.text("你好世界，。", max_size=60), max_size=6)


@given(st.integers(0, 400), st.integers(1, 90))
def test_a_window_keeps_n_to_2n(count: int, n: int) -> None:
    kept = count - window_drop(count, n)
    assert kept == count if count <= 2 * n else n <= kept <= 2 * n


@given(st.integers(1, 60))
def test_the_beginning_of_a_window_moves_once_in_about_n_steps(n: int) -> None:
    drops = [window_drop(count, n) for count in range(2 * n, 8 * n)]
    step = n if n % 2 == 0 else n + 1
    runs = [drops.count(drop) for drop in sorted(set(drops))]
    assert all(drop % step == 0 for drop in drops)
    assert all(run == step for run in runs[1:-1])


@pytest.mark.parametrize(
    ("kind", "n", "kept"),
    [
        ("latest", 1, "五"),
        ("concat", 1, "一二三四五"),
        ("last_turns", 2, "四五"),
        ("last_turns", 9, "一二三四五"),
        ("window_turns", 2, "三四五"),
        ("window_turns", 3, "一二三四五"),
        ("tail_lines", 1, "一二三四五"),
    ],
)
def test_choosing_items(kind: str, n: int, kept: str) -> None:
    assert "".join(choose("一二三四五", kind, n)) == kept


@pytest.mark.parametrize(
    ("texts", "n", "kept"),
    [
        (["a\nb\nc"], 2, ["b\nc"]),
        (["a\nb\nc\n"], 2, ["b\nc\n"]),
        (["a\nb", "c"], 2, ["b", "c"]),
        (["a\nb", "c"], 1, ["c"]),
        (["a\r\nb\r\n"], 1, ["b\r\n"]),
        (["a", "", "b"], 9, ["a", "", "b"]),
        (["a\u2028b\x0bc"], 1, ["a\u2028b\x0bc"]),
        ([], 1, []),
    ],
)
def test_tail_lines_keeps_exactly_the_last_lines(texts: list[str], n: int, kept: list[str]) -> None:
    assert cut(texts, "tail_lines", n) == kept


@given(TEXTS, st.integers(1, 12), st.sampled_from(["tail_lines", "window_lines"]))
def test_a_cut_of_lines_is_an_end_of_the_text(texts: list[str], n: int, kind: str) -> None:
    kept = "\n".join(cut(texts, kind, n))
    assert "\n".join(texts).endswith(kept)


@given(CHINESE, st.integers(1, 40))
def test_tail_tokens_keeps_exactly_n_chinese_characters(texts: list[str], n: int) -> None:
    kept = "".join(cut(texts, "tail_tokens", n))
    assert kept == "".join(texts)[-n:]


@given(CHINESE, st.integers(1, 40))
def test_window_tokens_keeps_n_to_2n_chinese_characters(texts: list[str], n: int) -> None:
    whole = "".join(texts)
    kept = "".join(cut(texts, "window_tokens", n))
    assert whole.endswith(kept)
    assert len(kept) == len(whole) if len(whole) <= 2 * n else n <= len(kept) <= 2 * n


@given(TEXTS, st.integers(1, 40), st.sampled_from(["tail_tokens", "window_tokens"]))
def test_token_policies_stay_within_their_bound(texts: list[str], n: int, kind: str) -> None:
    kept = "".join(cut(texts, kind, n))
    assert "".join(texts).endswith(kept)
    assert estimate_tokens(kept) <= (n if kind == "tail_tokens" else 2 * n)


def test_a_window_of_tokens_begins_at_the_same_place_while_the_text_grows() -> None:
    story = "".join(chr(0x4E00 + at) for at in range(280))
    starts = {story.index(cut([story[:end]], "window_tokens", 50)[0][:50]) for end in range(101, 151)}
    assert len(starts) == 1


@given(st.text(st.characters(codec="utf-8"), max_size=60), st.integers(0, 200))
def test_a_prefix_of_some_weight_is_the_smallest(text: str, thirds: int) -> None:
    at = prefix_of_weight(text, thirds)
    assert at == len(text) or weight(text[:at]) >= thirds
    assert at == 0 or weight(text[: at - 1]) < thirds


def test_the_estimate_does_not_undercount_chinese() -> None:
    assert estimate_tokens("你好世界" * 1000) >= 4000
    assert estimate_tokens("𠮷野家") >= 3
    assert estimate_tokens("１２３ＡＢＣ，。「」") >= 10


@given(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8")))
def test_weights_are_additive(a: str, b: str) -> None:
    assert weight(a + b) == weight(a) + weight(b)


def test_a_text_of_which_a_cut_leaves_nothing_is_gone() -> None:
    """Nine thirds of a token may stay: the whole second text, and of the first less than its last character."""
    assert cut(["雨夜甲", "乙a乙"], "tail_tokens", 3) == ["乙a乙"]


@given(st.lists(st.text("雨a 🕒", min_size=1), max_size=6), st.integers(1, 6))
def test_no_text_that_is_kept_is_empty(texts: list[str], n: int) -> None:
    for kind in ("tail_tokens", "window_tokens"):
        kept = cut(texts, kind, n)
        assert all(kept) and "".join(texts).endswith("".join(kept))
