"""From what came where it must not to its causes: one leak for each (SPEC 8.4, root causes only)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from skillc.graph.channels import Channel
from skillc.graph.flow_types import ASKED, DENIED, HISTORY, KEPT, USER, Arrival, End, Leak, Secret, Step
from skillc.graph.spread import Came, Spread
from skillc.graph.types import OutputKey, TagGraph

Cause = tuple[object, ...]
Found = tuple[Came, int, Secret]
"""Where a secret came, its bit, and itself."""
RANK = {label: rank for rank, label in enumerate((*KEPT, DENIED))}


def leaks_of(graph: TagGraph, spread: Spread) -> tuple[Leak, ...]:
    """The leaks, merged by cause: the worker that first read the secret and how it read it, or the one that made
    it. What only the user and what only a role may know is one matter; what comes to workers and what comes to the
    user are two, of a code each: who hides the one still hears of the other. What comes by reading is not reported
    again as what lies beside."""
    causes: dict[Cause, list[Found]] = {}
    for came in spread.refused:
        for bit, _, secret in _one_a_label(spread, came):
            causes.setdefault(_cause(came, secret), []).append((came, bit, secret))
    leaks = [_leak(graph, spread, found) for found in causes.values()]
    return tuple(sorted(leaks, key=lambda leak: _position(graph, leak)))


def _one_a_label(spread: Spread, came: Came) -> Iterator[tuple[int, int, Secret]]:
    """The first secret of each label among those that came together."""
    seen: set[str] = set()
    for bit, plane, secret in spread.parts.parts(came.bits):
        if secret.label not in seen:
            seen.add(secret.label)
            yield bit, plane, secret


def _cause(came: Came, secret: Secret) -> Cause:
    channel, key = came.root.channel, came.root.key
    if channel is None:
        return ("made", key and key[0], secret.private)
    if channel is came.channel:
        return ("shown", channel.node, secret.private)
    return ("read", channel.reader, channel.number, secret.private, came.channel.reader == USER)


def _leak(graph: TagGraph, spread: Spread, found: list[Found]) -> Leak:
    """The most telling way of a cause in full, and the ends of all."""
    came, bit, secret = min(found, key=_telling)
    ends = {(s.label, c.root.key, c.channel.place): _end(graph, c, s) for c, _, s in found}
    return Leak(
        secret=secret,
        created=came.root.channel is None,
        steps=_steps(graph, came, spread.way(came, bit)),
        end=_end(graph, came, secret),
        ends=tuple(ends.values()),
    )


def _telling(found: Found) -> tuple[int, bool]:
    came, _, secret = found
    return (RANK[secret.label], came.channel.reader == USER)


def _end(graph: TagGraph, came: Came, secret: Secret) -> End:
    channel, key = came.channel, came.root.key
    wrote = graph.output(key) if key and key[1] != ASKED else None
    return End(secret, wrote, Arrival(channel.reader, channel.read, channel.pattern))


def _steps(graph: TagGraph, came: Came, channels: list[Channel]) -> tuple[Step, ...]:
    steps = []
    first = channels[0].node
    if came.root.channel is None and first:
        steps.append(_step(graph, None, first))
    for channel, after in pairwise(channels):
        if after.node:
            steps.append(_step(graph, channel, after.node))
    return tuple(steps)


def _step(graph: TagGraph, channel: Channel | None, node: OutputKey) -> Step:
    written = node[1] != ASKED and node[0] != HISTORY
    return Step(node[0], channel.read if channel else None, graph.output(node) if written else None)


def _position(graph: TagGraph, leak: Leak) -> tuple[object, ...]:
    start = leak.steps[0].worker if leak.steps else leak.secret.writer
    arrival = leak.end.arrival
    return (
        graph.order.get(start or "", -1),
        graph.order.get(arrival.reader, -1),
        arrival.read.span.start if arrival.read else -1,
        arrival.pattern.text,
        leak.slug,
        leak.secret.pattern.text,
    )
