"""How far every secret comes (SPEC 8.4): the fixpoint of sets of secrets, as bits, over the workers.

Workers are taken in an order in which readers come after writers as far as loops allow, so a package without loops
is gone through once, whatever the number of its secrets.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from skillc.graph.channels import Channel, Channels, Place
from skillc.graph.clearance import Clearance
from skillc.graph.compartments import Compartments
from skillc.graph.flow_types import USER
from skillc.graph.types import OutputKey


class Reach:
    """`carried`: all that is in each output, uncut; `refused`: the members that come to somebody who must not
    know them; `shown`: those of them that come to the user; `read`: the places where something of a family comes
    by reading to somebody who must not know it."""

    def __init__(self, parts: Compartments, channels: Channels, clearance: Clearance) -> None:
        self.parts, self.channels, self.clearance = parts, channels, clearance
        self.born = clearance.beside()
        self.carried: dict[OutputKey, int] = dict(self.born)
        self.refused = self.shown = 0
        self.read: set[tuple[Place, int]] = set()
        self._known: dict[str, int] = {}
        self._order = self._in_order()
        self._run()

    def carry(self, channel: Channel, bits: int) -> int:
        """What of the bits of an output goes through one of its channels."""
        return (self.parts.widened(bits) if channel.widens else bits) & channel.keep

    def direct(self) -> Iterator[Channel]:
        """The channels of labelled tags themselves."""
        for writer, number in dict.fromkeys((s.writer, s.number) for s in self.parts.secrets):
            if writer is not None:
                yield from (c for c in self.channels.of_output((writer, number)) if c.direct)
        yield from self.channels.of_sources()

    def _run(self) -> None:
        waiting = _Queue(self._in_order())
        for channel in self.direct():
            self._arrive(channel, channel.direct, waiting)
        for key, bits in self.born.items():
            self._send(key, bits, waiting)
        while waiting:
            id = waiting.pop()
            for key in self.clearance.outputs(id):
                carried = self.carried.get(key, 0)
                new = self.clearance.leave(key, self._known[id]) & ~carried
                if new:
                    self.carried[key] = carried | new
                    self._send(key, new, waiting)

    def _send(self, key: OutputKey, bits: int, waiting: _Queue) -> None:
        sent = bits & self.clearance.passes(key)
        for channel in self.channels.of_output(key) if sent else ():
            self._arrive(channel, self.carry(channel, sent), waiting)

    def _arrive(self, channel: Channel, bits: int, waiting: _Queue) -> None:
        reader = channel.reader
        refused, stopped = self.clearance.wall(reader)
        if bits & refused:
            self._refuse(channel, bits & refused)
        known = self._known.get(reader, 0)
        new = bits & ~stopped & ~known & ~self.clearance.absorbed(reader)
        if new:
            self._known[reader] = known | new
            waiting.push(reader)

    def _refuse(self, channel: Channel, bits: int) -> None:
        members = self.parts.members_in(bits)
        self.refused |= members
        self.shown |= members if channel.reader == USER else 0
        read = bits & self.parts.reading
        self.read.update((channel.place, family) for family in self.parts.families if read & family)

    def _in_order(self) -> dict[str, int]:
        """The number of each worker that a secret may come to: writers before readers, but for loops."""
        starts = [channel.reader for channel in self.direct()]
        starts += [channel.reader for key in self.born for channel in self.channels.of_output(key)]
        finished: list[str] = []
        seen = {USER}
        for start in starts:
            if start not in seen:
                self._finish(start, seen, finished)
        return {id: number for number, id in enumerate(reversed(finished))}

    def _finish(self, start: str, seen: set[str], finished: list[str]) -> None:
        """Depth first, without recursion: a chain may be as long as a package."""
        seen.add(start)
        stack = [(start, self._readers(start))]
        while stack:
            id, readers = stack[-1]
            reader = next((reader for reader in readers if reader not in seen), None)
            if reader is None:
                finished.append(id)
                stack.pop()
            else:
                seen.add(reader)
                stack.append((reader, self._readers(reader)))

    def _readers(self, id: str) -> Iterator[str]:
        for key in self.clearance.outputs(id):
            yield from (channel.reader for channel in self.channels.of_output(key))


class _Queue:
    """Workers that have something new to pass on, each once, first in order first."""

    def __init__(self, order: dict[str, int]) -> None:
        self._order = order
        self._heap: list[tuple[int, str]] = []
        self._in: set[str] = set()

    def push(self, id: str) -> None:
        if id not in self._in:
            self._in.add(id)
            heapq.heappush(self._heap, (self._order[id], id))

    def pop(self) -> str:
        _, id = heapq.heappop(self._heap)
        self._in.discard(id)
        return id

    def __bool__(self) -> bool:
        return bool(self._heap)
