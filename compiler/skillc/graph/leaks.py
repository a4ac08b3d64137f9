"""From what came where it must not to its causes: one leak for each (SPEC 8.4, root causes only)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skillc.graph.channels import Channel
from skillc.graph.compartments import BESIDE
from skillc.graph.flow_types import ASKED, DENIED, HISTORY, KEPT, USER, Arrival, Leak, Secret, Step, Way
from skillc.graph.spread import Came, Spread
from skillc.graph.types import OutputKey, TagGraph

Cause = tuple[object, ...]
RANK = {label: rank for rank, label in enumerate((*KEPT, DENIED))}


@dataclass(frozen=True, slots=True)
class _Route:
    """The channels that some secrets took, first to last; `created`: from their creator's other output."""

    bits: int
    created: bool
    channels: tuple[Channel, ...]


def leaks_of(spread: Spread) -> tuple[Leak, ...]:
    """The leaks, merged by cause: the worker that first read the secret and how it read it, or the one that made
    it. What only the user and what only a role may know is one matter. What comes by reading is not reported
    again as what lies beside."""
    read = {key for came in spread.refused for key in _read_here(spread, came)}
    found: dict[Cause, dict[object, Way]] = {}
    created: dict[Cause, bool] = {}
    for came in spread.refused:
        for route in _routes(spread, came):
            for secret in _labels_of(spread, route):
                if route.created and (_place(came.channel), _family(secret)) in read:
                    continue
                cause = _cause(route, secret)
                way = _way(spread.graph, route, secret)
                created[cause] = route.created
                found.setdefault(cause, {}).setdefault(_end_of(way), way)
    leaks = [
        Leak(created[cause], tuple(sorted(ways.values(), key=_telling))) for cause, ways in found.items()
    ]
    return tuple(sorted(leaks, key=lambda leak: _position(spread.graph, leak)))


def _read_here(spread: Spread, came: Came) -> Iterator[tuple[object, str]]:
    for _, plane, secret in spread.parts.parts(came.bits):
        if plane < BESIDE:
            yield _place(came.channel), _family(secret)


def _place(channel: Channel) -> tuple[object, ...]:
    return (channel.reader, channel.node if channel.reader == USER else channel.number)


def _family(secret: Secret) -> str:
    return "hidden" if secret.label in ("hidden", DENIED) else "private"


def _routes(spread: Spread, came: Came) -> Iterator[_Route]:
    """The routes by which the bits came, found backwards, sets of bits that share one together."""
    stack: list[tuple[int, tuple[Channel, ...]]] = [(came.bits, (came.channel,))]
    while stack:
        bits, route = stack.pop()
        channel = route[0]
        if bits & channel.direct:
            yield _Route(bits & channel.direct, False, route)
        rest = bits & ~channel.direct
        if not rest or channel.node is None:
            continue
        born = spread.born.get(channel.node, 0)
        made = spread.carry(channel, born & spread.clearance.passes(channel.node)) & rest
        if made:
            yield _Route(made, True, route)
        stack += [(part, (before, *route)) for part, before in _before(spread, channel, rest & ~made)]


def _before(spread: Spread, channel: Channel, rest: int) -> Iterator[tuple[int, Channel]]:
    """What the writer had got before, through which channels, that explains `rest` on `channel`."""
    node = channel.node
    if node is None:
        return
    open_ways = spread.clearance.passes(node)
    for came in spread.came.get(node[0], ()):
        if not rest:
            return
        origins = came.bits & spread.parts.origins(spread.parts.origins(rest))
        sent = spread.carry(channel, spread.clearance.leave(node, origins) & open_ways) & rest
        if sent:
            rest &= ~sent
            yield came.bits & spread.parts.origins(spread.parts.origins(sent)), came.channel


def _labels_of(spread: Spread, route: _Route) -> Iterator[Secret]:
    """The first secret of each label that took the route."""
    seen: set[str] = set()
    for _, _, secret in spread.parts.parts(route.bits):
        if secret.label not in seen:
            seen.add(secret.label)
            yield secret


def _cause(route: _Route, secret: Secret) -> Cause:
    first = route.channels[0]
    if route.created:
        return ("made", first.node and first.node[0], _family(secret))
    if len(route.channels) == 1:
        return ("shown", first.node, _family(secret))
    return ("read", first.reader, first.number, _family(secret))


def _way(graph: TagGraph, route: _Route, secret: Secret) -> Way:
    steps = []
    first, last = route.channels[0], route.channels[-1]
    if route.created and first.node:
        steps.append(_step(graph, None, first.node))
    for channel, after in zip(route.channels, route.channels[1:], strict=False):
        if after.node:
            steps.append(_step(graph, channel, after.node))
    return Way(secret, tuple(steps), Arrival(last.reader, last.read, last.pattern))


def _step(graph: TagGraph, channel: Channel | None, node: OutputKey) -> Step:
    written = node[1] != ASKED and node[0] != HISTORY
    return Step(node[0], channel.read if channel else None, graph.output(node) if written else None)


def _end_of(way: Way) -> tuple[object, ...]:
    """Ways that differ only in the secret, or in the middle, are told once."""
    start = way.steps[0] if way.steps else None
    return (way.secret.label, start and start.wrote, way.end.reader, way.end.read or way.end.pattern)


def _telling(way: Way) -> tuple[int, bool, int]:
    return (RANK[way.secret.label], way.end.reader == USER, len(way.steps))


def _position(graph: TagGraph, leak: Leak) -> tuple[object, ...]:
    start = leak.way.steps[0].worker if leak.way.steps else leak.way.secret.writer
    end = leak.way.end
    return (
        graph.order.get(start or "", -1),
        graph.order.get(end.reader, -1),
        end.read.span.start if end.read else -1,
        end.pattern.text,
        leak.slug,
        leak.way.secret.pattern.text,
    )
