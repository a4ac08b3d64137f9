"""All that a worker may come to know, directly and through whom (SPEC 8.4): what the flow check follows forwards
from each secret, walked backwards from one worker. A cut hides no way here; it is told with it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from skillc.graph.channels import speaks_of
from skillc.graph.flow_types import KEPT
from skillc.graph.meeting import any_role
from skillc.graph.receiving import receiving_of
from skillc.graph.types import Producer, TagGraph
from skillc.model.package import TagRef, Worker
from skillc.tags import ONE, ROLE, Pattern, bind, overlaps
from skillc.value import replace, value

Key = tuple[str, str, bool]
"""Who gives tags, and which; and whether they are the own ones of the run that is asked about."""
Run = tuple[str, bool]
"""A worker; whether it runs as the role that is asked about. Else it is any other role, or bound to none."""


@value
class Cut:
    """What ends a flow at a worker's output. `kind`: declassify (with its reason), acceptance (by the user), or
    public (an act that others see)."""

    label: str
    kind: str
    worker: str
    tag: str
    reason: str = ""


@value
class Hop:
    """`reader` reads, through its input `read`, the tags `pattern` that `producer` gives."""

    reader: str
    read: TagRef
    pattern: Pattern
    producer: Producer


@value
class Known:
    """Tags that a worker may know of. `hops` lead from the worker back to them by a shortest way, an uncut one if
    there is any; `beside`: nobody on the way reads them, the last worker makes them and writes what is read.
    `labels` is what they carry, `cuts` what ends the way of each of these that nothing carries on uncut. `own`: they
    belong to the role that is asked about, so their being private keeps nothing from it."""

    pattern: Pattern
    producer: Producer
    hops: tuple[Hop, ...]
    beside: bool = False
    labels: tuple[str, ...] = ()
    cuts: tuple[Cut, ...] = ()
    own: bool = False

    @property
    def kept(self) -> tuple[str, ...]:
        """The labels that could keep the tags from the worker."""
        return tuple(label for label in self.labels if not (self.own and label == "role_private"))

    @property
    def through(self) -> tuple[str, ...]:
        """The workers between, the one nearest to the tags first."""
        names = [hop.reader for hop in reversed(self.hops[1:])]
        if self.beside and self.producer.worker:
            names = [self.producer.worker, *names]
        return tuple(dict.fromkeys(names))

    @property
    def open(self) -> bool:
        """Whether a way is left that nothing cuts; one of what no label keeps from anybody always is."""
        return not self.kept or len({cut.label for cut in self.cuts}) < len(self.kept)


def knowledge_of(graph: TagGraph, worker_id: str, role: str | None = None) -> tuple[Known, ...]:
    """What a worker, or its run as `role`, may know: what is nearest first, then by tag."""
    search = _Search(graph, worker_id, role)
    ways = search.ways(None)
    uncut = {label: search.ways(label) for label in KEPT}
    found = [search.judged(key, known, uncut) for key, known in ways.items()]
    return tuple(sorted(found, key=_nearness))


def _nearness(known: Known) -> tuple[object, ...]:
    through = known.through
    return (
        len(through),
        through,
        known.beside,
        known.pattern.text,
        not known.own,
        known.producer.worker or "",
    )


def reaching(graph: TagGraph, worker_id: str, tag: Pattern, role: str | None = None) -> Known | None:
    """How a tag comes to a worker: by a way that nothing cuts if there is one, the shortest of its kind."""
    found = [k for k in knowledge_of(graph, worker_id, role) if overlaps(any_role(k.pattern), any_role(tag))]
    return min(found, key=lambda known: (not known.open, len(known.hops), known.beside), default=None)


class _Search:
    def __init__(self, graph: TagGraph, worker_id: str, role: str | None) -> None:
        self._graph = graph
        self._receiving = receiving_of(graph)
        self._target = graph.workers[worker_id]
        self._role = role

    def ways(self, label: str | None) -> dict[Key, Known]:
        """A shortest way to all tags; with a label only by outputs that nothing makes fit to be known."""
        found: dict[Key, Known] = {}
        start = (self._target.id, self._graph.role_bound(self._target.id))
        paths: dict[Run, tuple[Hop, ...]] = {start: ()}
        round_trip: tuple[Hop, ...] = ()
        queue = deque([start])
        while queue:
            run = queue.popleft()
            for hop in self._hops(run):
                own = run[1] and self._is_own(hop)
                way = Known(hop.pattern, hop.producer, (*paths[run], hop), own=own)
                if label is None or self._cut(hop, label, True) is None:
                    found.setdefault(_key(way), way)
                writer = self._writer(hop, own)
                if writer is None or (label is not None and self._cut(hop, label, False) is not None):
                    continue
                if writer == start:
                    round_trip = round_trip or way.hops
                elif writer not in paths:
                    paths[writer] = way.hops
                    queue.append(writer)
        made = [*paths.items(), *([(start, round_trip)] if start[1] else [])]
        for run, hops in made:
            for known in self._made(run, hops):
                found.setdefault(_key(known), known)
        return found

    def _writer(self, hop: Hop, own: bool) -> Run | None:
        """Who wrote it: what is the run's own, a worker bound to roles wrote as the same role."""
        id = hop.producer.worker
        return (id, own and self._graph.role_bound(id)) if id else None

    def _is_own(self, hop: Hop) -> bool:
        return self._receiving.is_own(self._graph.workers[hop.reader], hop.read.pattern)

    def _hops(self, run: Run) -> Iterator[Hop]:
        worker = self._graph.workers[run[0]]
        for number, ref in enumerate(worker.inputs):
            for producer in self._graph.producers[worker.id, number]:
                known = producer.kind != "unknown"
                pattern = (
                    self._common(worker, ref, producer, self._role if run[1] else None) if known else None
                )
                if pattern is not None:
                    yield Hop(worker.id, ref, pattern, producer)

    def _common(self, worker: Worker, ref: TagRef, producer: Producer, role: str | None) -> Pattern | None:
        """What the worker receives; of the run as a role what is that role's, or nobody's."""
        if role is None:
            return self._receiving.common(worker, ref, producer.pattern)
        bound = TagRef(bind(ref.pattern, role, worker.isolation == "role_pov"), ref.span)
        pattern = self._receiving.common(worker, bound, producer.pattern)
        if pattern is None or worker.isolation != "role_pov":
            return pattern
        owner = self._receiving.owner(pattern)
        return pattern if owner in (None, role, ONE, ROLE) else None

    def _made(self, run: Run, hops: tuple[Hop, ...]) -> Iterator[Known]:
        """The secrets that a worker on the way makes itself."""
        worker = self._graph.workers[run[0]]
        for ref in worker.outputs if hops else ():
            if self._labels(ref.pattern) and ref is not hops[-1].producer.ref:
                own = run[1] and self._receiving.is_own(worker, ref.pattern)
                pattern = bind(ref.pattern, self._role, True) if own and self._role else ref.pattern
                made = Producer("worker", ref.pattern, run[0], None, ref)
                yield Known(pattern, made, hops, True, own=own)

    def judged(self, key: Key, known: Known, uncut: dict[str, dict[Key, Known]]) -> Known:
        """The same with its labels, by an uncut way where there is one, and with what cuts the others."""
        known = replace(known, labels=self._labels(known.pattern))
        open_ways = [uncut[label][key] for label in known.kept if key in uncut[label]]
        way = replace(open_ways[0], labels=known.labels) if open_ways else known
        cuts = [self._first_cut(way, label) for label in known.kept if key not in uncut[label]]
        return replace(way, cuts=tuple(cut for cut in cuts if cut is not None))

    def _labels(self, pattern: Pattern) -> tuple[str, ...]:
        return tuple(label for label in KEPT if self._receiving.labels.part(label, pattern) is not None)

    def _first_cut(self, known: Known, label: str) -> Cut | None:
        cuts = (
            self._cut(hop, label, not known.beside and hop is known.hops[-1]) for hop in reversed(known.hops)
        )
        return next((cut for cut in cuts if cut is not None), None)

    def _cut(self, hop: Hop, label: str, itself: bool) -> Cut | None:
        """What makes the hop fit to be known: the labelled tag itself only an entry or its being public does."""
        writer = hop.producer.worker
        if writer is None:
            return None
        for entry in self._graph.package.catalogue.declassify:
            if entry.worker.value == writer and entry.label == label:
                for ref in entry.tags:
                    if speaks_of(ref.pattern, hop.pattern):
                        return Cut(label, "declassify", writer, hop.pattern.text, entry.reason)
        if label == "role_private" and self._receiving.is_public(hop.pattern):
            return Cut(label, "public", writer, hop.pattern.text)
        accepted = self._graph.acceptance_of(writer).mode == "user_confirmed"
        accepted = accepted and hop.producer.kind != "update"
        if accepted and not itself and self._target.isolation != "blind_review":
            return Cut(label, "acceptance", writer, hop.pattern.text)
        return None


def _key(known: Known) -> Key:
    producer = known.producer
    return (producer.worker or f"({producer.origin})", known.pattern.text, known.own)
