"""Policies: which items of a tag are taken, and which part of their text (SPEC 9.4, 11.4).

A policy works on one tag's live items, oldest first. `latest`, `concat`, `last_turns` and
`window_turns` choose items; the line and token policies take all items and keep the end of
their texts. The blank line that joins two items counts as nothing.

A tail slides: it begins elsewhere at every step, and a provider's prefix cache with it. A window of n
keeps n..2n and moves its beginning once in about n steps (`window_drop`).
"""

from __future__ import annotations

from skillc.runtime.estimate import THIRD, prefix_of_weight, weight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    T = TypeVar("T")

TURNS = ("latest", "concat", "last_turns", "window_turns")
LINES = ("tail_lines", "window_lines")
TOKENS = ("tail_tokens", "window_tokens")


def window_drop(count: int, n: int) -> int:
    """How many of `count` a window of `n` drops: none up to 2n, then a multiple of an even step
    of about n, so that n..2n remain.

    >>> [window_drop(count, 5) for count in (10, 11, 16, 17)]
    [0, 6, 6, 12]
    """
    if count <= 2 * n:
        return 0
    step = (n + 1) // 2 * 2
    return step * -(-(count - 2 * n) // step)


def choose(items: Sequence[T], kind: str, n: int) -> Sequence[T]:
    """The items that the policy takes."""
    if kind == "latest":
        return items[-1:]
    if kind == "last_turns":
        return items[-n:]
    if kind == "window_turns":
        return items[window_drop(len(items), n) :]
    return items


def cut(texts: Sequence[str], kind: str, n: int) -> Sequence[str]:
    """What a line or token policy leaves of `texts`; texts of which nothing is left are gone."""
    if kind in LINES:
        count = sum(map(_lines, texts))
        drop = max(0, count - n) if kind == "tail_lines" else window_drop(count, n)
        return _without(texts, drop, _lines, _skip_lines)
    if kind in TOKENS:
        count = sum(map(weight, texts))
        drop = max(0, count - THIRD * n) if kind == "tail_tokens" else _window_thirds(count, n)
        return _without(texts, drop, weight, _skip_thirds)
    return texts


def _window_thirds(thirds: int, n: int) -> int:
    """The window over tokens in thirds: the same closed form, the step a whole number of tokens."""
    return THIRD * window_drop(-(-thirds // THIRD), n)


def _without(
    texts: Sequence[str], drop: int, size: Callable[[str], int], skip: Callable[[str, int], str]
) -> list[str]:
    """`texts` without what comes first, as much as `drop` of what `size` counts; the text in which
    that ends is cut by `skip`, and gone where that leaves nothing: no part of a character can go."""
    kept: list[str] = []
    for text in texts:
        have = size(text) if drop > 0 else 0
        if drop > 0 and have <= drop:
            drop -= have
            continue
        rest = skip(text, drop) if drop > 0 else text
        if rest or drop <= 0:
            kept.append(rest)
        drop = 0
    return kept


def _lines(text: str) -> int:
    """Lines by LF; a final LF ends the last line and begins no new one."""
    return text.count("\n") + (not text.endswith("\n") and text != "")


def _skip_lines(text: str, lines: int) -> str:
    at = 0
    for _ in range(lines):
        at = text.index("\n", at) + 1
    return text[at:]


def _skip_thirds(text: str, thirds: int) -> str:
    return text[prefix_of_weight(text, thirds) :]
