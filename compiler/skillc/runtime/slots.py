"""The fixed slots of a play turn, and the names that people give them (SPEC 11.1). One table, in turn order."""

from __future__ import annotations


class Slot:
    """A place in the turn: its `key`, the `worker` that fills it, its Chinese `name` and others by which authors
    call it; `on`: whether it plays where nobody says anything; `history`: whether it gets the dialogue by default."""

    __slots__ = ("history", "key", "name", "on", "others", "worker")

    def __init__(
        self, key: str, worker: str, name: str, others: tuple[str, ...], on: bool, history: bool
    ) -> None:
        self.key = key
        self.worker = worker
        self.name = name
        self.others = others
        self.on = on
        self.history = history

    def __repr__(self) -> str:
        return f"Slot({self.key!r})"


SLOTS = (
    Slot("gm", "world-simulator", "主世界层", ("主世界", "世界模拟"), on=True, history=True),
    Slot("perspective", "role-decide", "角色视角", ("视角",), on=False, history=True),
    Slot("narrator", "narrator", "叙事转述", ("转述",), on=True, history=False),
    Slot("auditor", "auditor", "旁观维护", ("旁观",), on=True, history=False),
)
ON_DEMAND = ("chance",)
"""Workers that a turn calls when it needs them; they have no place in it."""
_NAMED = {word: slot for slot in SLOTS for word in (slot.key, slot.worker, slot.name, *slot.others)}


def slot_named(name: str) -> Slot | None:
    """The slot that `name` means: its key, its worker, or a Chinese name of it.

    >>> slot_named("旁观维护"), slot_named("world-simulator"), slot_named("critic")
    (Slot('auditor'), Slot('gm'), None)
    """
    return _NAMED.get(name.strip().lower())


def worker_named(name: str) -> str:
    """The worker that a slot's name stands for; any other name is a worker's own."""
    slot = slot_named(name)
    return slot.worker if slot else name.strip()
