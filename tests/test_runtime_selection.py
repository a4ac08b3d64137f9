"""What is found on a board is kept for as long as it is so, and no longer."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from counting import calls
from sample_plans import sample_plan, segment
from skillc.runtime import Board
from skillc.runtime.selection import visible

TAGS = ("甲.草稿", "甲.确认稿", "乙", "乙#一", "丙.当前", "角色.子.行动", "角色.丑.行动")
INPUTS = ["甲.草稿", "甲.确认稿", "乙", "乙#一", "丙.当前", "丙.草稿", "角色.*"]
PLAN = sample_plan(
    {"w": {"inputs": INPUTS, "segments": [segment(f"s{at}", [tag]) for at, tag in enumerate(INPUTS)]}}
)
STATUSES = ("live", "accepted", "revision_requested", "superseded", "rejected")
WRITE = st.tuples(st.sampled_from(TAGS), st.sampled_from(("a", "b")))
CHANGE = st.tuples(st.integers(1, 9), st.sampled_from(STATUSES), st.one_of(st.none(), st.integers(1, 12)))


def seen(board: Board) -> list[tuple[str, str, list[str]]]:
    reads = visible(PLAN, PLAN.workers["w"], board, None, False)
    return [(read.found, read.tag, [item.id for item in read.items]) for read in reads]


@given(st.lists(st.one_of(WRITE, CHANGE), max_size=25))
def test_a_board_that_was_read_after_each_change_shows_what_a_new_one_shows(
    steps: list[tuple[object, ...]],
) -> None:
    board = Board()
    for step in steps:
        match step:
            case (str(tag), str(source)):
                board.write(tag, str(len(board.items)), source)
            case (int(at), str(status), heir) if at <= len(board.items):
                board.set_status(f"i{at}", status, None if heir is None else f"i{heir}")
        same = Board()
        for item in board.items:
            same.write(item.tag, item.content, f"{item.source}{item.seq}")
        for item in board.items:
            same.set_status(item.id, item.status, item.superseded_by)
        assert seen(board) == seen(same)
        shown = PLAN.assemble("w", board).to_json()
        assert shown == PLAN.assemble("w", same).to_json()


def test_writing_one_tag_leaves_what_was_found_of_others() -> None:
    tags = [f"材料.第{number}份" for number in range(50)]
    plan = sample_plan({"w": {"inputs": tags, "segments": [segment("all", tags)]}})
    board = Board()
    for tag in tags:
        board.write(tag, "一", "user")

    def look() -> None:
        visible(plan, plan.workers["w"], board, None, False)

    first = calls(look)
    board.write(tags[0], "二", "user")
    assert calls(look) < first / 2
