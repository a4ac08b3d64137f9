"""Where each secret comes, in rounds (SPEC 8.4).

A label flows from every tag read to every tag written. Sets of secrets go as the bits of one number, each
worker takes part with what is new to it: so the first way that a secret finds to somebody is a shortest one, and
what that way was is kept. Nothing goes on from whoever must not know it: what follows there has the same cause.
"""

from __future__ import annotations

from dataclasses import dataclass

from skillc.graph.channels import Channel, Channels
from skillc.graph.clearance import Clearance
from skillc.graph.compartments import Compartments
from skillc.graph.flow_types import USER
from skillc.graph.types import OutputKey, TagGraph


@dataclass(frozen=True, slots=True)
class Came:
    """The bits that came to a reader first through this channel."""

    bits: int
    channel: Channel


class Spread:
    """What came where: `came` to each worker, in order; `refused` to those who must not know it; `born` is what
    the creators of secrets put into their other outputs, `carried` all that is in an output, uncut."""

    def __init__(
        self, graph: TagGraph, parts: Compartments, channels: Channels, clearance: Clearance
    ) -> None:
        self.graph, self.parts = graph, parts
        self.channels, self.clearance = channels, clearance
        self.came: dict[str, list[Came]] = {}
        self.refused: list[Came] = []
        self.born = clearance.beside()
        self.carried: dict[OutputKey, int] = dict(self.born)
        self._known: dict[str, int] = {}
        self._seen: dict[tuple[str, object], int] = {}
        self._fresh: dict[str, int] = {}
        self._run()

    def carry(self, channel: Channel, bits: int) -> int:
        """What of the bits of an output goes through one of its channels."""
        return (self.parts.widened(bits) if channel.widens else bits) & channel.keep

    def _run(self) -> None:
        keys = dict.fromkeys((s.writer, s.number) for s in self.parts.secrets if s.writer)
        for writer, number in keys:
            for channel in self.channels.of_output((str(writer), number)):
                self._arrive(channel, channel.direct)
        for channel in self.channels.of_sources():
            self._arrive(channel, channel.direct)
        leaving = {key: bits & self.clearance.passes(key) for key, bits in self.born.items()}
        while leaving or self._fresh:
            fresh, self._fresh = self._fresh, {}
            for key, bits in leaving.items():
                for channel in self.channels.of_output(key):
                    self._arrive(channel, self.carry(channel, bits))
            leaving = self._left(fresh)

    def _arrive(self, channel: Channel, bits: int) -> None:
        if not bits:
            return
        reader = channel.reader
        refused, stopped = self.clearance.wall(reader)
        at = (reader, channel.node if reader == USER else channel.number)
        bad = bits & refused & ~self._seen.get(at, 0)
        if bad:
            self._seen[at] = self._seen.get(at, 0) | bad
            self.refused.append(Came(bad, channel))
        known = self._known.get(reader, 0)
        new = bits & ~stopped & ~known & ~self.clearance.absorbed(reader)
        if new:
            self._known[reader] = known | new
            self.came.setdefault(reader, []).append(Came(new, channel))
            self._fresh[reader] = self._fresh.get(reader, 0) | new

    def _left(self, fresh: dict[str, int]) -> dict[OutputKey, int]:
        """What is new in the outputs of those to whom something new came, in manifest order."""
        found: dict[OutputKey, int] = {}
        for id in sorted(fresh, key=lambda id: self.graph.order.get(id, -1)):
            for key in self.clearance.outputs(id):
                carried = self.carried.get(key, 0)
                new = self.clearance.leave(key, fresh[id]) & ~carried
                if new:
                    self.carried[key] = carried | new
                    sent = new & self.clearance.passes(key)
                    if sent:
                        found[key] = sent
        return found
