"""Plan + board -> the context of one invocation. Standard library only, and light to import.

plan = load_plan("build/novel/basic/plan.json")
board = Board()
board.write("需求.核心要点", "夜班便利店", source="user")
context = plan.assemble("outline", board)
"""

from __future__ import annotations

from skillc.artifact.decoding import PlanError
from skillc.runtime.assembly import assemble
from skillc.runtime.board import Board, Item
from skillc.runtime.context import Context
from skillc.runtime.loading import RunnablePlan, load_plan
from skillc.runtime.refusal import AssemblyRefused

__all__ = [
    "AssemblyRefused",
    "Board",
    "Context",
    "Item",
    "PlanError",
    "RunnablePlan",
    "assemble",
    "load_plan",
]
