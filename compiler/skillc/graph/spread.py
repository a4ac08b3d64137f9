"""By which ways the secrets come that must not (SPEC 8.4): rounds of sets of bits, each worker taking part with what
is new to it, so that the first way a secret finds to somebody is a shortest one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from skillc.graph.channels import Channel, Place
from skillc.graph.compartments import PLANES
from skillc.graph.flow_types import USER
from skillc.graph.reach import Reach
from skillc.graph.types import OutputKey
from skillc.value import value

STEPS = 20_000
"""How often workers may take part until only those causes are followed on that have led to nobody yet: only a
large package full of leaks gets there, and then not every end of each cause is known."""


@value(eq=False)
class Root:
    """How a way begins: the first worker read the secret through `channel` (None: it made it), and wrote `key`
    (None: it is the one who must not know). One object for each, so that it is itself that is compared."""

    channel: Channel | None
    key: OutputKey | None = None

    @property
    def cause(self) -> object:
        """What the ways of one cause have in common."""
        return self.channel or (self.key and self.key[0])


@value
class Came:
    """The bits that came to a reader first through this channel, on ways that begin alike."""

    bits: int
    channel: Channel
    root: Root


Rooted = dict[Root, int]
Leaving = tuple[tuple[Channel, ...], Rooted]
Outlet = tuple[OutputKey, tuple[Channel, ...], int]
"""An output that somebody receives, its channels, and what acceptance leaves of it."""


@value(frozen=False)
class _At:
    """One reader: what it must not know, what would still be new to it and go on, and what came."""

    refused: int
    room: int
    came: list[Came]


class Spread:
    """`came` to each worker, in order; `refused` to those who must not know it, once for each of their inputs."""

    def __init__(self, reach: Reach) -> None:
        self.reach, self.parts, self.clearance = reach, reach.parts, reach.clearance
        self.came: dict[str, list[Came]] = {}
        self.refused: list[Came] = []
        self._order = reach.clearance.order
        self._shown = self.parts.bits(reach.shown, *PLANES)
        self._told: dict[tuple[object, bool], int] = {}
        self._made = False
        self._at: dict[str, _At] = {}
        self._seen: dict[Place, int] = {}
        self._carried: dict[OutputKey, int] = {}
        self._fresh: dict[str, Rooted] = {}
        self._outlets: dict[str, list[Outlet]] = {}
        self._begun: dict[tuple[Channel | None, OutputKey], Root] = {}
        self._leads: Mapping[str, int] = self._leading()
        traced = self.parts.bits(reach.refused, *PLANES)
        for channel in reach.direct():
            self._arrive(channel, channel.direct & traced, Root(channel))
        self._run([])
        self._beside(traced)

    def _beside(self, traced: int) -> None:
        """What lies beside a secret comes where the secret itself may come: only what it tells somebody to whom
        nothing came by reading is followed and refused."""
        self._made = True
        self._leads = self._leading()
        born = (
            (key, bits & traced & self.clearance.passes(key) & self._leads.get(key[0], 0))
            for key, bits in self.reach.born.items()
        )
        self._run(
            [
                (self.reach.channels.of_output(key), {self._root(None, key): bits})
                for key, bits in born
                if bits
            ]
        )

    def _leading(self) -> dict[str, int]:
        """For each writer, the bits that may lead to somebody who must not know them and has not read any of their
        family yet."""
        before: dict[str, list[str]] = {}
        goals: dict[int, list[str]] = {family: [] for family in self.parts.families}
        for key in self.reach.carried:
            for channel in self.reach.channels.of_output(key):
                before.setdefault(channel.reader, []).append(key[0])
                refused = self.clearance.wall(channel.reader)[0]
                for family in self.parts.families if refused else ():
                    if refused & family and self._hears(channel, family):
                        goals[family].append(key[0])
        found: dict[str, int] = {}
        for family, waiting in goals.items():
            while waiting:
                id = waiting.pop()
                if not found.get(id, 0) & family:
                    found[id] = found.get(id, 0) | family
                    waiting += before.get(id, ()) if family & ~self.clearance.wall(id)[1] else ()
        return found

    def _run(self, leaving: list[Leaving]) -> None:
        self._steps = 0
        while leaving or self._fresh:
            fresh, self._fresh = self._fresh, {}
            for channels, rooted in leaving:
                for root, bits in rooted.items():
                    self._send(channels, bits, root)
            leaving = self._left(fresh)

    def _root(self, channel: Channel | None, key: OutputKey) -> Root:
        return self._begun.setdefault((channel, key), Root(channel, key))

    def _send(self, channels: Iterable[Channel], bits: int, root: Root) -> None:
        for channel in channels:
            carried = self.reach.carry(channel, bits)
            if carried:
                self._arrive(channel, carried, root)

    def _arrive(self, channel: Channel, bits: int, root: Root) -> None:
        reader = channel.reader
        at = self._at.get(reader) or self._first(reader)
        if bits & at.refused:
            self._refuse(channel, bits & at.refused, root)
        new = bits & at.room
        if new:
            at.room ^= new
            new &= self._leads.get(reader, 0)
        if new:
            at.came.append(Came(new, channel, root))
            rooted = self._fresh.setdefault(reader, {})
            rooted[root] = rooted.get(root, 0) | new

    def _first(self, reader: str) -> _At:
        refused, stopped = self.clearance.wall(reader)
        room = self.parts.everything & ~stopped & ~self.clearance.absorbed(reader)
        return self._at.setdefault(reader, _At(refused, room, self.came.setdefault(reader, [])))

    def _refuse(self, channel: Channel, bits: int, root: Root) -> None:
        at = channel.place
        seen = self._seen.get(at, 0)
        bad = bits & ~seen
        self._seen[at] = seen | bad
        told = sum(family for family in self.parts.families if bad & family and self._hears(channel, family))
        if told:
            self.refused.append(Came(bad & told, channel, root))
            cause = (root.cause, channel.reader == USER)
            self._told[cause] = self._told.get(cause, 0) | told

    def _hears(self, channel: Channel, family: int) -> bool:
        """Whether what comes there is to be told: what lies beside only where nothing comes by reading."""
        return not self._made or (channel.place, family) not in self.reach.read

    def _left(self, fresh: dict[str, Rooted]) -> list[Leaving]:
        """What is new in the outputs of those to whom something new came, in manifest order."""
        found: list[Leaving] = []
        for id in sorted(fresh, key=lambda id: self._order.get(id, -1)):
            followed = self._followed(fresh[id])
            for key, channels, passes in self._outlets_of(id) if followed else ():
                rooted: Rooted = {}
                carried = self._carried.get(key, 0)
                for root, bits in followed:
                    new = self.clearance.leave(key, bits) & ~carried
                    carried |= new
                    if new & passes:
                        begun = root if root.key else self._root(root.channel, key)
                        rooted[begun] = rooted.get(begun, 0) | new & passes
                self._carried[key] = carried
                if rooted:
                    found.append((channels, rooted))
        return found

    def _outlets_of(self, id: str) -> list[Outlet]:
        """Most outputs are read by nobody: these lead nowhere."""
        if id not in self._outlets:
            outputs = ((key, self.reach.channels.of_output(key)) for key in self.clearance.outputs(id))
            self._outlets[id] = [
                (key, channels, self.clearance.passes(key)) for key, channels in outputs if channels
            ]
        return self._outlets[id]

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
