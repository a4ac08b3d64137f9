"""Never a snapshot alone: the index of every context of the example packages slices its conversation exactly."""

from __future__ import annotations

from itertools import takewhile

import pytest

from skillc.runtime.context import BREAK
from test_examples import BOARDS, context_of


@pytest.mark.parametrize("board", BOARDS)
def test_the_parts_make_the_whole(board: str) -> None:
    """Segments follow each other; between two of them is nothing but the break, or the border of two messages, and
    the last message ends with the last segment, or is the instruction alone."""
    context = context_of(board)
    texts = [message["content"].encode() for message in context.messages]
    data = b"".join(texts)
    borders = {sum(map(len, texts[:number])) for number in range(1, len(texts) + 1)}
    at = len(texts[0])
    assert context.prefix["fixed_bytes"] == at
    for segment in context.segments:
        between = data[at : segment["start"]]
        assert between == BREAK.encode() if at not in borders else not between
        assert segment["end"] > segment["start"]
        assert segment["start"] >= sum(map(len, texts[: segment["message"]]))
        at = segment["end"]
    assert data[at:] in (b"", texts[-1]) and at in borders
    leading = takewhile(lambda segment: segment["tier"] == "static", context.segments)
    assert context.prefix["static_bytes"] in {len(texts[0]), *(segment["end"] for segment in leading)}
