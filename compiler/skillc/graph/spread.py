"""By which ways the secrets come that must not (SPEC 8.4): rounds of sets of bits, each worker taking part with what
is new to it, so that the first way a secret finds to somebody is a shortest one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skillc.graph.channels import Channel
from skillc.graph.compartments import PLANES
from skillc.graph.flow_types import DENIED, USER, Secret
from skillc.graph.reach import Reach
from skillc.graph.types import OutputKey

STEPS = 20_000
"""How often workers may take part until only those causes are followed on that have led to nobody yet: only a
large package full of leaks gets there, and then not every end of each cause is known."""


@dataclass(frozen=True, slots=True)
class Root:
    """How a way begins: the first worker read the secret through `channel` (None: it made it), and wrote `key`
    (None: it is the one who must not know)."""

    channel: Channel | None
    key: OutputKey | None = None

    @property
    def cause(self) -> object:
        """What the ways of one cause have in common."""
        return self.channel or (self.key and self.key[0])


@dataclass(frozen=True, slots=True)
class Came:
    """The bits that came to a reader first through this channel, on ways that begin alike."""

    bits: int
    channel: Channel
    root: Root


Rooted = dict[Root, int]


class Spread:
    """`came` to each worker, in order; `refused` to those who must not know it, once for each of their inputs."""

    def __init__(self, reach: Reach) -> None:
        self.reach, self.parts, self.clearance = reach, reach.parts, reach.clearance
        self.came: dict[str, list[Came]] = {}
        self.refused: list[Came] = []
        self._order = reach.clearance.order
        self._traced = self.parts.bits(reach.refused, *PLANES)
        self._families = [
            self.parts.bits(self.parts.members(lambda s: is_private(s) == private), *PLANES)  # noqa: B023
            for private in (False, True)
        ]
        self._shown = self.parts.bits(reach.shown, *PLANES)
        self._told: dict[tuple[object, bool], int] = {}
        self._steps = 0
        self._known: dict[str, int] = {}
        self._seen: dict[tuple[str, object], int] = {}
        self._carried: dict[OutputKey, int] = {}
        self._fresh: dict[str, Rooted] = {}
        self._run()

    def _run(self) -> None:
        for channel in self.reach.direct():
            self._arrive(channel, channel.direct, Root(channel))
        leaving = {
            key: {Root(None, key): bits & self._traced & self.clearance.passes(key)}
            for key, bits in self.reach.born.items()
        }
        while leaving or self._fresh:
            fresh, self._fresh = self._fresh, {}
            for key, rooted in leaving.items():
                for root, bits in rooted.items():
                    for channel in self.reach.channels.of_output(key) if bits else ():
                        self._arrive(channel, self.reach.carry(channel, bits), root)
            leaving = self._left(fresh)

    def _arrive(self, channel: Channel, bits: int, root: Root) -> None:
        bits &= self._traced
        reader = channel.reader
        refused, stopped = self.clearance.wall(reader) if bits else (0, 0)
        if bits & refused:
            self._refuse(channel, bits & refused, root)
        new = bits & ~stopped & ~self._known.get(reader, 0) & ~self.clearance.absorbed(reader)
        if new:
            self._known[reader] = self._known.get(reader, 0) | new
            self.came.setdefault(reader, []).append(Came(new, channel, root))
            rooted = self._fresh.setdefault(reader, {})
            rooted[root] = rooted.get(root, 0) | new

    def _refuse(self, channel: Channel, bits: int, root: Root) -> None:
        at = (channel.reader, channel.node if channel.reader == USER else channel.number)
        bad = bits & ~self._seen.get(at, 0)
        if bad:
            self._seen[at] = self._seen.get(at, 0) | bad
            self.refused.append(Came(bad, channel, root))
            families = sum(family for family in self._families if bad & family)
            cause = (root.cause, channel.reader == USER)
            self._told[cause] = self._told.get(cause, 0) | families

    def _left(self, fresh: dict[str, Rooted]) -> dict[OutputKey, Rooted]:
        """What is new in the outputs of those to whom something new came, in manifest order."""
        found: dict[OutputKey, Rooted] = {}
        for id in sorted(fresh, key=lambda id: self._order.get(id, -1)):
            followed = self._followed(fresh[id])
            for key in self.clearance.outputs(id) if followed else ():
                for root, bits in followed:
                    sent = self._leaving(key, bits)
                    if sent:
                        begun = root if root.key else Root(root.channel, key)
                        rooted = found.setdefault(key, {})
                        rooted[begun] = rooted.get(begun, 0) | sent
        return found

    def _followed(self, rooted: Rooted) -> list[tuple[Root, int]]:
        """What is worth following on: all, as long as that is little work; then what has led to nobody yet, or
        to workers only and leads to the user too."""
        self._steps += len(rooted)
        if self._steps <= STEPS:
            return list(rooted.items())
        left = ((root, bits & ~self._finished(root.cause)) for root, bits in rooted.items())
        return [(root, bits) for root, bits in left if bits]

    def _finished(self, cause: object) -> int:
        to_user = self._told.get((cause, True), 0)
        return to_user | self._told.get((cause, False), 0) & ~self._shown

    def _leaving(self, key: OutputKey, bits: int) -> int:
        carried = self._carried.get(key, 0)
        new = self.clearance.leave(key, bits) & ~carried
        self._carried[key] = carried | new
        return new & self.clearance.passes(key)

    def way(self, came: Came, bit: int) -> list[Channel]:
        """The channels by which one bit came, first to last."""
        channels = [came.channel]
        while not self._begins(channels[0], bit):
            step = self._before(channels[0], bit)
            if step is None:
                break
            before, bit = step
            channels.insert(0, before)
        return channels

    def _begins(self, channel: Channel, bit: int) -> bool:
        if bit & channel.direct or channel.node is None:
            return True
        born = self.reach.born.get(channel.node, 0) & self.clearance.passes(channel.node)
        return bool(self.reach.carry(channel, born & self.parts.origins(bit)) & bit)

    def _before(self, channel: Channel, bit: int) -> tuple[Channel, int] | None:
        """The channel through which the writer had got what became `bit`, and what that was."""
        node = channel.node
        if node is None:
            return None
        for came in self.came.get(node[0], ()):
            for origin in self._candidates(came.bits, bit):
                sent = self.clearance.leave(node, origin) & self.clearance.passes(node)
                if self.reach.carry(channel, sent) & bit:
                    return came.channel, origin
        return None

    def _candidates(self, bits: int, bit: int) -> Iterator[int]:
        rest = bits & self.parts.origins(self.parts.origins(bit))
        while rest:
            yield rest & -rest
            rest &= rest - 1


def is_private(secret: Secret) -> bool:
    """Whether it is kept for the user's or a role's sake: these go together. Else it is hidden, or forbidden."""
    return secret.label not in ("hidden", DENIED)
