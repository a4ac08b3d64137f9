"""`plan.json` -> a plan that assembles contexts."""

from __future__ import annotations

from skillc.artifact.decoding import PlanError, decode
from skillc.artifact.plan import Plan
from skillc.runtime.assembly import assemble

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Self

    from skillc.runtime.board import Board
    from skillc.runtime.context import Context


class RunnablePlan(Plan):
    """A plan with the one thing that is done with it; `memo` keeps what does not depend on a board."""

    memo: dict[Any, Any]

    @classmethod
    def of(cls, values: Iterable[Any]) -> Self:
        plan = super().of(values)
        object.__setattr__(plan, "memo", {})
        return plan

    def assemble(
        self,
        worker: str,
        board: Board,
        role: str | None = None,
        variant: str | None = None,
        history: Sequence[Mapping[str, str]] | None = None,
        slot: str | None = None,
    ) -> Context:
        """The context of one invocation; see `skillc.runtime.assemble`."""
        return assemble(self, worker, board, role, variant, history, slot)


def load_plan(plan: str | os.PathLike[str] | bytes) -> RunnablePlan:
    """The plan in the file `plan`, or in the bytes of one.

    Refuses with PlanError, one sentence that names the file, what cannot be read or is no plan.
    """
    if isinstance(plan, bytes):
        return decode(plan, RunnablePlan)
    try:
        with open(plan, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise PlanError(f"there is no plan `{_whole(plan)}`; `skillc build` writes it") from None
    except OSError as error:
        raise PlanError(f"the plan `{_whole(plan)}` cannot be read: {error.strerror}") from None
    try:
        return decode(data, RunnablePlan)
    except PlanError as error:
        raise PlanError(f"`{_whole(plan)}`: {error}") from None


def _whole(plan: str | os.PathLike[str]) -> str:
    """The absolute path: a relative one says little to whoever started the program elsewhere."""
    import os

    return os.path.abspath(plan)
