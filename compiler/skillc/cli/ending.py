"""What a finished session leaves: the texts that were delivered or confirmed, and the file they go into."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from skillc.artifact.labels import labels_of
from skillc.artifact.plan import Plan
from skillc.cli.readable import below
from skillc.execute.acceptance import USER_CONFIRMED
from skillc.execute.session import Session
from skillc.runtime import Board, Item
from skillc.tags import stage
from skillc.value import value

CONFIRMED = "确认稿"


@value
class Ending:
    """`delivered`: what people read. `confirmed`: what else the user accepted, and other 确认稿; nothing hidden.
    `written`: the newest of what workers wrote, where there is neither. One item for each tag."""

    delivered: tuple[Item, ...]
    confirmed: tuple[Item, ...]
    written: tuple[Item, ...]

    @property
    def texts(self) -> tuple[Item, ...]:
        return (*self.delivered, *self.confirmed, *self.written)


def ending_of(plan: Plan, session: Session) -> Ending:
    """What `session` leaves, in the order in which it was written."""
    board = session.board
    delivered = tuple(session.deliverables())
    tags = {item.tag for item in delivered}
    accepted = (item for item in board.items if item.status == "accepted" and item.tag not in tags)
    confirmed = _newest(board, (item for item in accepted if _confirmed(plan, item)))
    if delivered or confirmed:
        return Ending(delivered, confirmed, ())
    return Ending((), (), _newest(board, filter(partial(_open, plan), board.items)))


def _confirmed(plan: Plan, item: Item) -> bool:
    """Whether an accepted text is one that people meant to have: neither hidden nor the record of a review."""
    rule = plan.acceptance.get(item.source)
    meant = rule is not None and rule.mode == USER_CONFIRMED
    return (meant or stage(item.tag) == CONFIRMED) and _open(plan, item)


def _open(plan: Plan, item: Item) -> bool:
    """Whether a worker wrote it, and not as something hidden."""
    return item.source in plan.workers and "hidden" not in labels_of(item.tag, plan.labels, plan.moved)


def _newest(board: Board, items: Iterable[Item]) -> tuple[Item, ...]:
    tags = dict.fromkeys(item.tag for item in items if item.live)
    return tuple(item for item in map(board.newest, tags) if item is not None)


def markdown(title: str, items: Iterable[Item]) -> str:
    """The texts as one Markdown document, each under its tag, its headings below that."""
    parts = [f"# {title}", *(f"## {item.tag}\n\n{below(item.content.strip(), 2)}" for item in items)]
    return "\n\n".join(parts) + "\n"
