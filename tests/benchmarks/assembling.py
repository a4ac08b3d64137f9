"""The plan and the board of the assembly benchmark: thirty segments of two kilobytes each."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from sample_plans import sample_plan, segment
from skillc.runtime import Board, RunnablePlan

SEGMENTS = 30
BYTES = 2048


def thirty_segments() -> tuple[RunnablePlan, Board, str]:
    """A plan whose worker `w` reads thirty tags, a board that has them, and the worker's id."""
    tags = [f"材料.第{number}份" for number in range(SEGMENTS)]
    segments = [segment(f"s{number}", [tag], label=f"## 材料 {number}") for number, tag in enumerate(tags)]
    plan = sample_plan({"w": {"inputs": tags, "segments": segments}})
    board = Board()
    for tag in tags:
        board.write(tag, "这是一段会被逐字放入上下文的材料。"[:16] * (BYTES // 48), source="user")
    return plan, board, "w"
