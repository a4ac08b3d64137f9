"""The channels of a package: from an output, or a source, to an input, the user or the history; each with
what it carries of the secrets that come along (SPEC 8.4)."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.graph.compartments import BESIDE, OWN, TO_BLIND, TO_OTHERS, Compartments
from skillc.graph.flow_types import ASKED, DENIED, HISTORY, USER, Secret
from skillc.graph.index import PatternIndex
from skillc.graph.meeting import any_role, meet
from skillc.graph.promotion import promoted
from skillc.graph.receiving import ANSWER, Receiving
from skillc.graph.secrets import given
from skillc.graph.table import in_table
from skillc.graph.types import OutputKey, TagGraph
from skillc.model.package import Declassify, TagRef, Worker
from skillc.tags import REST, WHOLE, Pattern, covers, literal, matches, overlaps
from skillc.value import value

SHOWN = Pattern(("输出", REST))
"""What the user is shown in a play turn, and the history therefore holds."""
HISTORY_TAG = "对话.历史"
_HISTORY = literal(HISTORY_TAG)


Place = tuple[str, object]


@value(eq=False)
class Channel:
    """`reader` receives the tags `pattern` of output `node` (None: of a source) through its input `number`.

    `keep`: the bits that pass. `direct`: the secrets that it receives from the labelled tags themselves.
    `widens`: what was a role's own is now somebody's.
    """

    node: OutputKey | None
    reader: str
    number: int
    read: TagRef | None
    pattern: Pattern
    keep: int
    direct: int = 0
    widens: bool = True

    @property
    def place(self) -> Place:
        """Where it ends: an input of a worker; for the user, what is shown."""
        return (self.reader, self.node if self.reader == USER else self.number)


class Channels:
    """The channels of a package, made when they are first asked for: most outputs carry no secret."""

    def __init__(self, graph: TagGraph, receiving: Receiving, parts: Compartments) -> None:
        self._graph = graph
        self._receiving = receiving
        self._parts = parts
        self._known: dict[OutputKey, tuple[Channel, ...]] = {}
        self._delivered = PatternIndex((p, p) for p in graph.package.catalogue.deliverables)
        self._heads = {p.parts[0] for p in graph.package.catalogue.deliverables} | {SHOWN.parts[0]}
        self._hidden = parts.members(lambda secret: secret.label in ("hidden", DENIED))
        self._private = parts.members(lambda secret: secret.label == "role_private")
        self._given_by_user = parts.members(lambda secret: secret.origin in ("user", "startup", "ask"))
        self._entries: dict[str, list[Declassify]] = {}
        for entry in graph.package.catalogue.declassify:
            self._entries.setdefault(entry.worker.value, []).append(entry)
        self._of_output: dict[OutputKey, list[tuple[int, Secret]]] = {}
        for number, secret in enumerate(parts.secrets):
            if secret.writer and not secret.only:
                self._of_output.setdefault((secret.writer, secret.number), []).append((1 << number, secret))
        self._forbidden: dict[OutputKey, int] = {}
        for number, secret in enumerate(parts.secrets):
            if secret.writer and secret.only:
                key = (secret.writer, secret.number)
                self._forbidden[key] = self._forbidden.get(key, 0) | 1 << number
        self._history = any(
            matches(ref.pattern, HISTORY_TAG) for worker in graph.package.workers for ref in worker.inputs
        )

    def of_output(self, key: OutputKey) -> tuple[Channel, ...]:
        """The channels that begin at an output, readers in manifest order; what a worker asks, and the
        history, count as outputs."""
        if key not in self._known:
            self._known[key] = tuple(self._made(key))
        return self._known[key]

    def _made(self, key: OutputKey) -> Iterator[Channel]:
        if key[0] == HISTORY:
            yield from self._from_history(key)
            return
        writer = self._graph.workers[key[0]]
        if key[1] == ASKED:
            keep = self._to_user(writer, literal(ANSWER), asked=True)
            yield Channel(key, USER, 0, None, literal(ANSWER), keep)
            return
        written = self._receiving.written(key)
        for reader, number in self._graph.consumers[key]:
            for pattern in written:
                channel = self._read(key, pattern, self._graph.workers[reader], number)
                if channel:
                    yield channel
        yield from self._shown(key, writer, written)

    def _read(self, key: OutputKey, written: Pattern, reader: Worker, number: int) -> Channel | None:
        ref = reader.inputs[number]
        common = self._receiving.common(reader, ref, written)
        if common is None:
            return None
        keep = self._keep(self._graph.workers[key[0]], common)
        own = self._receiving.is_own(reader, ref.pattern)
        direct = self._direct(key, common, reader, own)
        return Channel(key, reader.id, number, ref, common, keep, direct & keep, not own)

    def _direct(self, key: OutputKey, common: Pattern, reader: Worker, own: bool) -> int:
        bits = 0
        for member, secret in self._of_output.get(key, ()):
            if self._receiving.labels.part(secret.label, common) is not None:
                bits |= self._arriving(member, secret, reader, own)
        forbidden = self._forbidden.get(key, 0)
        return bits | self._parts.bits(forbidden, TO_BLIND, TO_OTHERS) if forbidden else bits

    def _arriving(self, member: int, secret: Secret, reader: Worker, own: bool) -> int:
        """A secret in the labelled tag itself, as the reader gets it: not at all where isolation filters."""
        if self._receiving.filtered(reader, secret.label):
            return 0
        if secret.label == "hidden":
            return self._parts.bits(member, TO_BLIND, TO_OTHERS)
        private = secret.label == "role_private" and own
        return self._parts.bits(member, OWN if private else TO_OTHERS)

    def of_sources(self) -> Iterator[Channel]:
        """The channels of labelled tags that come from outside."""
        numbers = {secret: 1 << n for n, secret in enumerate(self._parts.secrets) if secret.origin}
        for (reader_id, number), common, secret in given(self._graph, self._receiving):
            reader = self._graph.workers[reader_id]
            ref = reader.inputs[number]
            own = self._receiving.is_own(reader, ref.pattern)
            if self._receiving.common(reader, ref, common) is not None:
                bits = self._arriving(numbers[secret], secret, reader, own)
                yield Channel(None, reader_id, number, ref, common, self._parts.everything, bits, not own)

    def _from_history(self, key: OutputKey) -> Iterator[Channel]:
        for worker in self._graph.package.workers:
            for number, ref in enumerate(worker.inputs):
                if matches(ref.pattern, HISTORY_TAG):
                    yield Channel(key, worker.id, number, ref, _HISTORY, self._parts.everything)

    def _shown(self, key: OutputKey, writer: Worker, written: list[Pattern]) -> Iterator[Channel]:
        """To the user, and through what the user was shown to whoever reads the history."""
        for pattern in written:
            if self._heads.isdisjoint((pattern.parts[0], WHOLE)) and pattern.parts[0] != WHOLE:
                continue
            for delivered in self._delivered.overlapping(pattern)[:1]:
                common = meet(pattern, delivered) or pattern
                keep = self._to_user(writer, common)
                yield Channel(key, USER, 0, None, common, keep, self._own_labels(key, common) & keep)
            if self._history and overlaps(pattern, SHOWN):
                hidden = self._parts.bits(self._hidden, TO_BLIND, TO_OTHERS, BESIDE, BESIDE + TO_OTHERS)
                keep = self._keep(writer, pattern) & ~hidden
                yield Channel(key, HISTORY, 0, None, pattern, keep, self._own_labels(key, pattern) & keep)

    def _own_labels(self, key: OutputKey, common: Pattern) -> int:
        """What a shown tag carries by its own name."""
        return sum(
            self._parts.bits(member, TO_OTHERS)
            for member, secret in self._of_output.get(key, ())
            if self._receiving.labels.part(secret.label, common) is not None
        )

    def _to_user(self, writer: Worker, common: Pattern, asked: bool = False) -> int:
        """The user may know all but hidden tags, and those too that the user gave."""
        hidden = self._hidden & ~self._given_by_user
        if asked and any(self._speaks_to_user(entry) for entry in self._entries.get(writer.id, ())):
            return 0
        kept = self._parts.bits(hidden, TO_OTHERS, BESIDE + TO_OTHERS)
        return kept if asked else kept & self._keep(writer, common)

    def _speaks_to_user(self, entry: Declassify) -> bool:
        """Whether an entry lets its worker tell the user: it names the answer, or what is delivered."""
        return entry.label == "hidden" and any(
            ref.text == ANSWER or bool(self._delivered.overlapping(ref.pattern)) for ref in entry.tags
        )

    def _keep(self, writer: Worker, common: Pattern) -> int:
        """What a declassify entry, or making an act public, leaves of the bits on a channel."""
        cut = 0
        for entry in self._entries.get(writer.id, ()):
            if any(speaks_of(ref.pattern, common) for ref in entry.tags):
                cut |= self._labelled(entry.label)
        if self._receiving.is_public(common):
            cut |= self._private
        if not cut:
            return self._parts.everything
        return self._parts.everything & ~self._parts.bits(cut, *range(6))

    def _labelled(self, label: str) -> int:
        if label == "hidden":
            return self._hidden
        return self._parts.members(lambda secret: secret.label == label)


def speaks_of(tag: Pattern, common: Pattern) -> bool:
    """Whether an entry's tag speaks of all of `common`, or of the draft or the change of variables that became it."""
    became = (tag, promoted(tag), in_table(tag))
    return any(covers(any_role(p), any_role(common)) for p in became if p is not None)
