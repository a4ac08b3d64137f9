"""The order that stands on a board, and the switches of the slots there (SPEC 11.5, 12.9).

What counts is the newest live item of a tag or of its 确认稿: a 草稿 is nothing to play by until it is accepted.
"""

from __future__ import annotations

from skillc.artifact.encoding import canonical, digest
from skillc.runtime.fragment import read_fragment
from skillc.runtime.jsontext import tree_in
from skillc.runtime.order import TOP, normal_order, renamed
from skillc.runtime.tagnames import ORDER, WORKER_SET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from skillc.runtime.board import Board, Item

SPECS = "设计.worker规格"
CONTEXT_ORDER = ("context_order", "contextOrder", "上下文投影排序", "投影排序")
"""The key of the order inside 设计.worker集, and its other names."""


REMEMBERED = 64
"""Documents that need not be read again; the oldest goes first."""


class Reading:
    """What the documents of a board say of the order. `order` is as written, None where only switches stand there;
    `origin` says in which it stands; `switches` count on top of those of the order."""

    __slots__ = ("digest", "order", "origin", "switches")

    def __init__(self, order: Any, origin: str, switches: dict[str, bool]) -> None:
        self.order = order
        self.origin = origin
        self.switches = switches
        self.digest = digest(canonical([origin, order, switches]))


class Applying:
    """A reading, with the `item` that the order stands in; None where only switches are said."""

    __slots__ = ("item", "reading")

    def __init__(self, reading: Reading, item: Item | None) -> None:
        self.reading = reading
        self.item = item


_known: dict[tuple[str | None, ...], Reading | None] = {}


def applying(board: Board | None) -> Applying | None:
    """What `board` says of the order and the slots; None where it says nothing (SPEC 11.5)."""
    if board is None:
        return None
    items = [in_force(board, tag) for tag in (WORKER_SET, ORDER, SPECS)]
    texts = tuple(item.content if item else None for item in items)
    if texts not in _known:
        if len(_known) >= REMEMBERED:
            del _known[next(iter(_known))]
        _known[texts] = _read(*texts)
    reading = _known[texts]
    if reading is None:
        return None
    return Applying(reading, {"worker-set": items[0], "order": items[1]}.get(reading.origin))


def _read(whole: str | None, order: str | None, specs: str | None) -> Reading | None:
    trees = list(_trees_of(whole))
    switches = {**_switches(_trees_of(specs)), **_switches(trees)}
    inside = next((tree[key] for tree in trees for key in CONTEXT_ORDER if key in tree), None)
    if inside is not None:
        return Reading(_unfolded(inside), "worker-set", switches)
    if order is not None:
        return Reading(order_in(order), "order", switches)
    return Reading(None, "package", switches) if switches else None


def in_force(board: Board, tag: str) -> Item | None:
    """The newest item of `tag` or of its 确认稿 that is live or accepted."""
    items = [item for name in (tag, f"{tag}.确认稿") for item in board.alive(name)]
    usable = [item for item in items if item.status in ("live", "accepted")]
    return max(usable, key=lambda item: item.seq, default=None)


def order_in(text: str) -> Any:
    """The order that `text` holds: JSON as a whole, in a fence or in prose; alone, or as the body of a fragment.
    What is no order comes back as it is, so that a reader can say what is wrong with it."""
    trees = list(_trees_of(text))
    found = next((tree for tree in trees if {"slots", "agents"} & renamed(tree, TOP).keys()), None)
    return found if found is not None else (trees[0] if trees else text)


def _unfolded(value: object) -> object:
    """An order that stands as text inside a document is read like any other text."""
    return order_in(value) if isinstance(value, str) else value


def _trees_of(text: str | None) -> Iterator[dict[str, Any]]:
    """The mapping that `text` holds; of a fragment, also its body."""
    tree = tree_in(text) if text is not None else None
    if isinstance(tree, dict):
        yield tree
        fragment = read_fragment(tree)
        if fragment is not None and isinstance(fragment.body, dict):
            yield fragment.body


def _switches(trees: Iterator[dict[str, Any]] | list[dict[str, Any]]) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for tree in trees:
        found.update(_said(renamed(tree, TOP)))
    return found


def _said(tree: Mapping[str, Any]) -> dict[str, bool]:
    switches: dict[str, bool] = normal_order({"play_slots": tree.get("play_slots")})["play_slots"]
    return switches
