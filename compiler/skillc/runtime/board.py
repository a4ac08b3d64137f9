"""The blackboard of one session: items in writing order, and the events that change their status.

Append-only: an item's content never changes; its status is what the last event about it says.
"""

from __future__ import annotations

from skillc.artifact.labels import name_of
from skillc.runtime.naming import tag_fault
from skillc.tags import STAGES, WHOLE, family, matches, stage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from skillc.tags import Pattern

STATUSES = ("live", "accepted", "revision_requested", "superseded", "rejected")
_GONE = ("superseded", "rejected")
_REPLACING = (STAGES[1], STAGES[3])
"""草稿 and 当前: rewriting such a tag supersedes the same source's older item (SPEC 7.4)."""


class Item:
    """One text under one tag (SPEC 12.1). Only its board changes `status` and `superseded_by`."""

    __slots__ = (
        "content",
        "dependencies",
        "id",
        "metadata",
        "scope",
        "seq",
        "source",
        "status",
        "superseded_by",
        "tag",
    )

    def __init__(
        self,
        id: str,
        tag: str,
        content: str,
        source: str,
        seq: int,
        scope: str | None = None,
        dependencies: tuple[str, ...] = (),
        metadata: dict[str, Any] | None = None,
    ) -> None:
        self.id = id
        self.tag = tag
        self.content = content
        self.source = source
        self.seq = seq
        self.scope = scope
        self.dependencies = dependencies
        self.metadata = metadata or {}
        self.status = "live"
        self.superseded_by: str | None = None

    @property
    def live(self) -> bool:
        """Whether workers may still read it: neither superseded nor rejected."""
        return self.status not in _GONE

    @property
    def digest(self) -> str:
        """sha256 of the content; computed when asked for, since few readers need it."""
        from skillc.artifact.encoding import digest

        return digest(self.content.encode("utf-8"))

    def __repr__(self) -> str:
        return f"Item({self.id!r}, {self.tag!r}, {self.status!r})"


class StatusEvent:
    """`item_id` got `status`; `superseded_by` is the id of what replaced it, where something did."""

    __slots__ = ("item_id", "status", "superseded_by")

    def __init__(self, item_id: str, status: str, superseded_by: str | None) -> None:
        self.item_id = item_id
        self.status = status
        self.superseded_by = superseded_by


class Board:
    """Items by sequence number and by tag, the dialogue, and the variables of a session.

    `moved` maps old tag names to new ones: an old name has the stage of its new one (SPEC 3.6).

    >>> board = Board()
    >>> board.write("大纲.草稿", "一", source="outline").id
    'i1'
    >>> second = board.write("大纲.草稿", "二", source="outline")
    >>> [item.status for item in board.items]
    ['superseded', 'live']
    """

    def __init__(self, moved: Mapping[str, str] | None = None) -> None:
        self.items: list[Item] = []
        self.events: list[StatusEvent] = []
        self.history: list[dict[str, str]] = []
        self.variables: dict[str, Any] = {}
        self.case: dict[str, str] = {}
        """`role`, `variant`, `worker`, `slot` of a board file: what its author wants to see."""
        self.found: dict[str, Any] = {}
        """What readers found under their patterns. Of a family it stays until that is written; see `loose`."""
        self.loose: list[str] = []
        """The keys of what was found and may change with any tag: wildcards, and what lives on under other tags."""
        self._moved = dict(moved or {})
        self._ids: dict[str, Item] = {}
        self._tags: dict[str, list[Item]] = {}
        self._live: dict[str, dict[int, Item]] = {}
        self._roots: dict[str, list[str]] = {}
        self._families: dict[str, list[str]] = {}

    def write(
        self,
        tag: str,
        content: str,
        source: str,
        *,
        id: str | None = None,
        dependencies: Iterable[str] = (),
        metadata: Mapping[str, Any] | None = None,
        scope: str | None = None,
    ) -> Item:
        """Append an item. Where the tag's stage is 草稿 or 当前 it supersedes the live items that
        the same source wrote under that tag before.

        Refuses (ValueError) a tag that is no concrete tag, naming the character that is wrong; content
        that is no encodable text; a used id.
        """
        if not isinstance(tag, str) or tag not in self._tags:
            check_tag(tag)
        check_content(tag, content)
        for what, text in (("source", source), ("id", id or ""), ("scope", scope or "")):
            check_encodable(f"the {what} of the item under `{tag}`", text)
        seq = len(self.items) + 1
        item = Item(self._new_id(id, seq), tag, content, source, seq, scope, tuple(dependencies))
        item.metadata.update(metadata or {})
        older = self._replaced_by(item)
        self._append(item)
        for old in older:
            self.set_status(old.id, "superseded", item.id)
        return item

    def set_status(self, item_id: str, status: str, superseded_by: str | None = None) -> None:
        """Append the event that `item_id` has `status` from now on."""
        if status not in STATUSES:
            raise ValueError(f"`{status}` is no status of an item; there are {', '.join(STATUSES)}")
        item = self.get(item_id)
        if item is None:
            raise ValueError(f"there is no item `{item_id}` on the board")
        self.events.append(StatusEvent(item_id, status, superseded_by))
        was_live = item.live
        item.status, item.superseded_by = status, superseded_by
        self._forget(item.tag if was_live != item.live else None)
        if was_live != item.live:
            self._index_life(item)

    def get(self, item_id: str) -> Item | None:
        """The item with this id."""
        return self._ids.get(item_id)

    def tags(self, pattern: Pattern) -> list[str]:
        """The tags of `pattern` that were ever written, in code point order."""
        if pattern.exact is not None and "#" not in pattern.exact:
            return list(self._families.get(pattern.exact, ()))
        if pattern.parts[0] == WHOLE:
            return sorted(self._tags)
        rooted = self._roots.get(family(pattern.parts[0]), ())
        return sorted(tag for tag in rooted if matches(pattern, tag))

    def written(self, tag: str) -> list[Item]:
        """Every item of the concrete `tag`, whatever its status, oldest first."""
        return list(self._tags.get(tag, ()))

    def alive(self, tag: str) -> list[Item]:
        """The live items of the concrete `tag`, oldest first."""
        live = self._live.get(tag)
        return [*live.values()] if live else []

    def live(self, pattern: Pattern) -> tuple[Item, ...]:
        """The live items of all tags of `pattern`, oldest first."""
        found = [item for tag in self.tags(pattern) for item in self._live[tag].values()]
        return tuple(sorted(found, key=lambda item: item.seq))

    def newest(self, tag: str) -> Item | None:
        """The live item of the concrete `tag` that was written last."""
        live = self._live.get(tag)
        return next(reversed(live.values())) if live else None

    def heir(self, item: Item) -> Item | None:
        """The live item that `item` was superseded by, through any number of steps (SPEC 7.2)."""
        return self._heir(item, {})

    def heirs(self, tag: str) -> list[Item]:
        """What the items of the concrete `tag` live on as, themselves where they are live: each once, oldest
        first. Linear, however long the chains are."""
        known: dict[str, Item | None] = {}
        found = {heir.seq: heir for item in self._tags.get(tag, ()) if (heir := self._heir(item, known))}
        return [found[seq] for seq in sorted(found)]

    def _heir(self, item: Item, known: dict[str, Item | None]) -> Item | None:
        """`known` holds what was found for items before, and takes what is found now; a circle has no heir."""
        passed: list[str] = []
        at: Item | None = item
        while at is not None and not at.live and at.id not in known:
            known[at.id] = None
            passed.append(at.id)
            at = self.get(at.superseded_by) if at.superseded_by is not None else None
        heir = at if at is None or at.live else known[at.id]
        known.update(dict.fromkeys(passed, heir))
        return heir

    @classmethod
    def from_data(cls, data: object, moved: Mapping[str, str] | None = None) -> Board:
        """The board that a board file (SPEC 17.1) describes; ValueError names what is wrong in it."""
        from skillc.runtime.boardfile import read_board_data

        return read_board_data(cls(moved), data)

    def to_data(self) -> dict[str, Any]:
        """This board as a board file; `from_data` gives the same board back."""
        from skillc.runtime.boardfile import board_data

        return board_data(self)

    def _new_id(self, id: str | None, seq: int) -> str:
        if id is not None:
            if id in self._ids:
                raise ValueError(f"the board has an item `{id}` already")
            return id
        while f"i{seq}" in self._ids:
            seq += 1
        return f"i{seq}"

    def _replaced_by(self, item: Item) -> list[Item]:
        if stage(name_of(item.tag, self._moved) if self._moved else item.tag) not in _REPLACING:
            return []
        return [old for old in self._live.get(item.tag, {}).values() if old.source == item.source]

    def _append(self, item: Item) -> None:
        self._forget(item.tag)
        self.items.append(item)
        self._ids[item.id] = item
        if item.tag not in self._tags:
            from bisect import insort

            self._tags[item.tag], self._live[item.tag] = [], {}
            self._roots.setdefault(family(item.tag.split(".", 1)[0]), []).append(item.tag)
            insort(self._families.setdefault(family(item.tag), []), item.tag)
        self._tags[item.tag].append(item)
        self._live[item.tag][item.seq] = item

    def _forget(self, tag: str | None) -> None:
        """What was found of `tag` is no longer so, nor is what may change with any."""
        for key in self.loose:
            self.found.pop(key, None)
        self.loose.clear()
        if tag is not None:
            self.found.pop(family(tag), None)

    def _index_life(self, item: Item) -> None:
        live = self._live[item.tag]
        if item.live:
            live[item.seq] = item
            self._live[item.tag] = dict(sorted(live.items()))
        else:
            del live[item.seq]


def check_tag(tag: object) -> None:
    """Refuse (ValueError) what is no concrete tag: a text under it could never be read."""
    fault = tag_fault(tag)
    if fault is not None:
        raise ValueError(f"`{tag}` is no tag: {fault}")


def check_content(tag: str, content: object) -> None:
    """Refuse (ValueError) what is no text, and text that UTF-8 cannot carry."""
    if not isinstance(content, str):
        raise ValueError(f"the content of `{tag}` must be text, not {type(content).__name__}")
    check_encodable(f"the content of `{tag}`", content)


def check_encodable(what: str, text: str) -> None:
    """Refuse (ValueError) text that UTF-8 cannot carry."""
    if text.isascii():
        return
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{what} holds half a surrogate pair at character {error.start + 1}, which is no text"
        ) from None
