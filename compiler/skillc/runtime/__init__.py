"""Plan + board -> the context of one invocation. Standard library only, and light to import.

plan = load_plan("build/novel/basic/plan.json")
board = Board()
board.write("需求.核心要点", "夜班便利店", source="user")
context = plan.assemble("outline", board)
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from skillc.artifact.decoding import PlanError
    from skillc.runtime.assembly import assemble
    from skillc.runtime.board import Board, Item
    from skillc.runtime.context import Context
    from skillc.runtime.loading import RunnablePlan, load_plan
    from skillc.runtime.refusal import AssemblyRefused
else:

    def __getattr__(name):
        """Each name is loaded when it is first asked for: the compiler needs few modules of this room, a host nearly all."""
        if name not in _HOMES:
            raise AttributeError(name)
        # `importlib.import_module` would do the same, and loads what it does not need.
        found = globals()[name] = getattr(__import__(f"skillc.{_HOMES[name]}", fromlist=[name]), name)
        return found


_HOMES = {
    "AssemblyRefused": "runtime.refusal",
    "Board": "runtime.board",
    "Context": "runtime.context",
    "Item": "runtime.board",
    "PlanError": "artifact.decoding",
    "RunnablePlan": "runtime.loading",
    "assemble": "runtime.assembly",
    "load_plan": "runtime.loading",
}

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
