"""Which write changes which part of a context (SPEC 9.2): pure set work on declared patterns.

A provider caches a context by its beginning. So what a write costs a reader is decided by the first
segment that the writer can change: all before it stays cached, all from there on is read anew. Readers,
writers, order and tiers are declared and never change at run time; hence this is known before anything runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from skillc.graph.build import writers_of
from skillc.graph.index import PatternIndex
from skillc.graph.loops import components
from skillc.graph.meeting import meet
from skillc.graph.types import Producer, TagGraph
from skillc.model.package import Segment, Stage, TagRef, Worker
from skillc.once import once
from skillc.runtime.history import FALLBACK, takes_history
from skillc.tags import WHOLE, Pattern, literal, matches
from skillc.value import value

PER_TURN = ("用户.最新输入", "对话.历史", "变量.当前", "运行.事件流")
"""What the user and the runtime give anew in every turn of play."""
ORIGIN_STAGES: Mapping[str, Stage] = {"startup": "design", "ask": "design", "book": "design"}
"""When a source writes: these before play, every other in it."""
_DIRECT = ("worker", "update")
"""How a worker writes what counts at once, not on acceptance."""


@value
class Cut:
    """A write of `writer` changes the context of `reader` from segment `position` on, and nothing before it.

    `writer` is a worker's id, or the origin of a source (user, runtime, startup …); `tag` what of the
    segment it can change. `position` is 0 for a worker without segments: its message is one object.
    """

    reader: str
    variant: str | None
    writer: str
    kind: str
    stage: Stage
    position: int
    tag: str


@value
class Rewrite:
    """The static `segment` of `reader` shows `shown`, which `producer` writes again in play."""

    reader: Worker
    segment: Segment
    shown: TagRef
    producer: Producer


def layouts_of(worker: Worker) -> Iterator[tuple[str | None, tuple[Segment, ...] | None]]:
    """The worker's own layout, then those of its variants by name. None instead of segments: one object."""
    yield None, worker.segments
    for name in sorted(worker.variants):
        yield name, worker.variants[name]


def is_replaced(graph: TagGraph, worker: Worker) -> bool:
    """Whether the package's order says what the worker shows, so that its segments do not count (SPEC 11.2)."""
    order = graph.package.order
    return order is not None and order.replaces(worker.id)


def cuts(graph: TagGraph, sent: Mapping[str, tuple[Segment, ...]] | None = None) -> Iterator[Cut]:
    """The first segment of each reader that each writer can change, for every layout of the reader; for one in
    `sent`, of these segments alone, which stand in place of what it declares.

    Only workers that a model reads have a context. Readers in package order; for each, cuts by
    position, then in the order in which writers stand in the package.
    """
    sent = sent or {}
    index = writer_index(graph)
    seen: dict[Pattern, list[Write]] = {}
    for worker in graph.package.workers:
        if worker.actor == "llm" and not worker.broken:
            own = layouts_of(worker) if worker.id not in sent else [(None, sent[worker.id])]
            for variant, segments in own:
                yield from _cuts(worker, variant, _writes(graph, worker, segments, index, seen))


Write = tuple[str, str, Stage, str]
"""Who writes (a worker, or the origin of a source), how, when, and the tags that a reader then sees changed."""


def _writes(
    graph: TagGraph,
    worker: Worker,
    segments: tuple[Segment, ...] | None,
    index: PatternIndex[Producer],
    seen: dict[Pattern, list[Write]],
) -> Iterator[tuple[int, list[Write]]]:
    """For each tag that a layout shows, in order, the position and who writes it."""
    shown = [worker.inputs] if segments is None else _shown(worker, segments)
    for position, refs in enumerate(shown):
        for ref in refs:
            if ref.pattern not in seen:
                seen[ref.pattern] = [_write(graph, p, ref) for p in index.overlapping(ref.pattern)]
            yield position, seen[ref.pattern]


def _shown(worker: Worker, segments: tuple[Segment, ...]) -> list[tuple[TagRef, ...]]:
    """What each segment shows; the one of the dialogue also what stands for it before it begins (SPEC 11.4)."""
    shown = [segment.tags for segment in segments]
    at = next((at for at, refs in enumerate(shown) if takes_history(ref.pattern for ref in refs)), None)
    if at is not None:
        shown[at] = (*shown[at], *before_history(worker, segments))
    return shown


def before_history(worker: Worker, segments: tuple[Segment, ...]) -> tuple[TagRef, ...]:
    """What of its inputs stands for a dialogue that has not begun: what no segment shows."""
    patterns = [ref.pattern for segment in segments for ref in segment.tags]
    if not takes_history(patterns):
        return ()
    hidden = [tag for tag in FALLBACK if not any(matches(pattern, tag) for pattern in patterns)]
    inputs = [ref for ref in worker.inputs if ref.pattern.parts[0] != WHOLE]
    return tuple(
        TagRef(literal(tag), ref, ref.optional)
        for tag in hidden
        for ref in inputs
        if matches(ref.pattern, tag)
    )


def _write(graph: TagGraph, producer: Producer, ref: TagRef) -> Write:
    met = meet(producer.pattern, ref.pattern)
    return (
        producer.worker or str(producer.origin),
        producer.kind,
        stage_of_write(graph, producer),
        met.text if met else ref.text,
    )


def _cuts(worker: Worker, variant: str | None, writes: Iterator[tuple[int, list[Write]]]) -> Iterator[Cut]:
    """The first of each worker's writes, and of each tag that a source gives."""
    known: set[tuple[str, str]] = set()
    for position, found in writes:
        for writer, kind, stage, tag in found:
            key = (writer, tag if kind == "source" else "")
            if key not in known:
                known.add(key)
                yield Cut(worker.id, variant, writer, kind, stage, position, tag)


@once
def writer_index(graph: TagGraph) -> PatternIndex[Producer]:
    """All that puts tags on the board, by pattern; what never changes, such as the persona, is not among it."""
    writers = writers_of(graph.package, graph.acceptance, graph.names)
    return PatternIndex((p.pattern, p) for p, _ in writers if p.origin != "pseudo")


def stage_of_write(graph: TagGraph, producer: Producer) -> Stage:
    """When a producer writes: a worker in its stage, a source before play or in it."""
    if producer.worker is not None:
        return graph.stage_of(producer.worker)
    return ORIGIN_STAGES.get(str(producer.origin), "play")


def rewrites(graph: TagGraph) -> Iterator[Rewrite]:
    """The static segments that a run of play cannot leave alone, each with its first writer.

    Being written in play proves little: most packages are one line of play workers, each of which writes
    once. What counts is that the tag is written *again*: by the reader itself; by a worker that the
    reader's own products set off; by one that runs anew in every turn; or by the runtime. What the user
    or a review has confirmed, and what the user writes on a rejection, counts as settled.
    """
    shown = (worker for worker in players(graph) if not is_replaced(graph, worker))
    static = [(worker, segment) for worker in shown for segment in _static(worker)]
    if not static:
        return
    again = Again(graph)
    for worker, segment in static:
        found = next(again.rewriters(worker, segment), None)
        if found:
            yield Rewrite(worker, segment, *found)


@once
def players(graph: TagGraph) -> tuple[Worker, ...]:
    """The workers of play whose context a model reads, as far as they can be known."""
    return tuple(
        [
            worker
            for worker in graph.package.workers
            if worker.actor == "llm" and not (worker.broken or worker.inputs_missing)
            if graph.stage_of(worker.id) == "play"
        ]
    )


def _static(worker: Worker) -> list[Segment]:
    """Each static segment once, in however many variants it stands."""
    found = [s for _, segments in layouts_of(worker) for s in segments or () if s.tier == "static"]
    return list({segment.id.start: segment for segment in found}.values())


class Again:
    """Which workers of the play stage run more than once, and what sets them off."""

    def __init__(self, graph: TagGraph) -> None:
        self._graph = graph
        self._index = writer_index(graph)
        self._found: dict[Pattern, list[Producer]] = {}
        all_edges, direct = _edges(graph)
        rings = enumerate(components({id: tuple(sorted(readers)) for id, readers in all_edges.items()}))
        self._ring = {id: number for number, members in rings for id in members}
        self._every_turn = _downstream(_driven(graph), direct)

    def producers(self, ref: TagRef) -> list[Producer]:
        """Who writes or gives something of `ref`, in package order."""
        if ref.pattern not in self._found:
            self._found[ref.pattern] = self._index.overlapping(ref.pattern)
        return self._found[ref.pattern]

    def rewriters(self, reader: Worker, segment: Segment) -> Iterator[tuple[TagRef, Producer]]:
        """Each tag of a segment with each producer that writes it again between two runs of `reader`."""
        for ref in segment.tags:
            for producer in self.producers(ref):
                if self._writes(reader, ref, producer):
                    yield ref, producer

    def _writes(self, reader: Worker, ref: TagRef, producer: Producer) -> bool:
        writer = producer.worker
        if producer.kind == "source":
            return ref.text in PER_TURN
        if writer is None or producer.kind not in _DIRECT or self._graph.stage_of(writer) != "play":
            return False
        mutual = writer in self._ring and self._ring.get(reader.id) == self._ring[writer]
        return writer == reader.id or mutual or writer in self._every_turn


def _edges(graph: TagGraph) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Who in play reads what whom in play writes: with what acceptance makes of drafts, and without."""
    playing = [worker.id for worker in graph.package.workers if graph.stage_of(worker.id) == "play"]
    everything: dict[str, set[str]] = {id: set() for id in playing}
    direct: dict[str, set[str]] = {id: set() for id in playing}
    for (reader, _), producers in graph.producers.items():
        for producer in producers if reader in everything else ():
            if producer.worker in everything and producer.worker != reader and producer.kind != "unknown":
                everything[producer.worker].add(reader)
                if producer.kind in _DIRECT:
                    direct[producer.worker].add(reader)
    return everything, direct


def _driven(graph: TagGraph) -> list[str]:
    """The workers of play that read, by its name, what every turn brings."""
    return [w.id for w in players(graph) if any(ref.text in PER_TURN for ref in w.inputs)]


def _downstream(start: list[str], edges: Mapping[str, set[str]]) -> frozenset[str]:
    found, waiting = set(start), list(start)
    while waiting:
        more = edges[waiting.pop()] - found
        found |= more
        waiting += sorted(more)
    return frozenset(found)
