"""Who must not know what, and what a worker makes of what it knows (SPEC 8.4)."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.graph.compartments import BESIDE, OWN, PLANES, TO_BLIND, TO_OTHERS, Compartments
from skillc.graph.flow_types import ASKED, HISTORY, USER, Secret
from skillc.graph.receiving import Receiving, asks_user
from skillc.graph.table import changes_table
from skillc.graph.types import OutputKey, TagGraph
from skillc.model.package import Worker
from skillc.tags import ROLE

EVERY_WAY = (TO_BLIND, TO_OTHERS, BESIDE + TO_BLIND, BESIDE + TO_OTHERS)


class Clearance:
    """What of each secret a worker must not know, and what becomes of the rest when it writes."""

    def __init__(self, graph: TagGraph, receiving: Receiving, parts: Compartments) -> None:
        self._graph = graph
        self.order = graph.order
        self._receiving = receiving
        self._parts = parts
        self._label = {
            label: parts.members(lambda secret, label=label: secret.label == label)  # type: ignore[misc]
            for label in ("hidden", "user_only", "role_private")
        }
        self._walls: dict[str, tuple[int, int]] = {}
        self._absorbed = self._of_creators()
        self._roles: dict[str, int] = {}
        self._passes: dict[OutputKey, int] = {}
        self._outputs: dict[str, list[OutputKey]] = {}
        self._manner: dict[OutputKey, tuple[bool, int]] = {}

    def wall(self, reader: str) -> tuple[int, int]:
        """The bits that a reader must not know, and those that go no further from it."""
        if reader not in self._walls:
            self._walls[reader] = self._wall(reader)
        return self._walls[reader]

    def _wall(self, reader: str) -> tuple[int, int]:
        if reader == USER:
            refused = self._parts.bits(self._label["hidden"], TO_OTHERS, BESIDE + TO_OTHERS)
            return refused, self._parts.everything
        isolation = "none" if reader == HISTORY else self._graph.workers[reader].isolation
        if isolation == "none":
            return 0, 0
        hidden = self._label["hidden"] | self._parts.members(lambda secret: secret.only == reader)
        if isolation == "blind_review":
            refused = self._parts.bits(hidden, TO_BLIND, BESIDE + TO_BLIND)
            return refused, self._parts.bits(hidden, *PLANES)
        closed = hidden | self._label["user_only"] | self._label["role_private"]
        refused = self._parts.bits(closed, TO_OTHERS, BESIDE + TO_OTHERS)
        return refused, refused

    def absorbed(self, reader: str) -> int:
        """The bits that tell a worker nothing, since it makes those secrets itself."""
        return self._absorbed.get(reader, 0)

    def _of_creators(self) -> dict[str, int]:
        """A creator knows its secrets. One of a role knows its own only. And notes that are forbidden to a
        worker, on the text that it is to judge as well, do not make a secret of that text."""
        found: dict[str, int] = {}
        for number, secret in enumerate(self._parts.secrets):
            if secret.writer is None:
                continue
            shared = self._graph.role_bound(secret.writer) and secret.label in ("user_only", "role_private")
            planes = (OWN, BESIDE + OWN) if shared else PLANES
            found[secret.writer] = found.get(secret.writer, 0) | self._parts.bits(1 << number, *planes)
            for author in self._authors_read_by(secret.writer) if secret.only else ():
                found[author] = found.get(author, 0) | self._parts.bits(1 << number, *PLANES)
        return found

    def _authors_read_by(self, reader: str) -> Iterator[str]:
        for number in range(len(self._graph.workers[reader].inputs)):
            for producer in self._graph.producers[reader, number]:
                known = producer.worker in self._graph.workers and producer.kind != "update"
                if producer.worker and known:
                    yield producer.worker

    def beside(self) -> dict[OutputKey, int]:
        """What the creators of secrets put into their other outputs (co-output)."""
        made: dict[str, dict[tuple[str, str | None], int]] = {}
        of_output: dict[OutputKey, set[tuple[str, str | None]]] = {}
        for number, secret in enumerate(self._parts.secrets):
            if secret.writer:
                kind = (secret.label, secret.only)
                bits = self._created(1 << number, secret)
                totals = made.setdefault(secret.writer, {})
                totals[kind] = totals.get(kind, 0) | bits
                of_output.setdefault((secret.writer, secret.number), set()).add(kind)
        found: dict[OutputKey, int] = {}
        for id in sorted(made, key=self._graph.order.__getitem__):
            for number in range(len(self._graph.workers[id].outputs)):
                key = (id, number)
                same = of_output.get(key, set())
                bits = 0
                for kind, total in made[id].items():
                    bits |= 0 if kind in same else total
                found[key] = self.leave(key, bits)
        return {key: bits for key, bits in found.items() if bits}

    def _created(self, member: int, secret: Secret) -> int:
        if secret.label == "user_only":
            return self._parts.bits(member, BESIDE + TO_OTHERS)
        if secret.label == "role_private":
            worker = self._graph.workers[secret.writer or ""]
            own = self._is_own_output(worker, secret.number)
            return self._parts.bits(member, BESIDE + (OWN if own else TO_OTHERS))
        return self._parts.bits(member, BESIDE + TO_BLIND, BESIDE + TO_OTHERS)

    def leave(self, key: OutputKey, bits: int) -> int:
        """What of the bits that a worker knows is in one of its outputs, and how."""
        if key not in self._manner:
            self._manner[key] = self._manner_of(key)
        own, narrow = self._manner[key]
        if own:
            return bits
        bits = self._parts.widened(bits)
        return self._parts.narrowed(bits, narrow) if narrow else bits

    def _manner_of(self, key: OutputKey) -> tuple[bool, int]:
        """Whether an output is of the role that the worker runs as, and the secrets of the role it names."""
        if key[1] == ASKED or key[0] == HISTORY:
            return False, 0
        worker = self._graph.workers[key[0]]
        role = self._receiving.owner(worker.outputs[key[1]].pattern)
        return self._is_own_output(worker, key[1]), self._of_role(role) if role else 0

    def _is_own_output(self, worker: Worker, number: int) -> bool:
        bound = self._graph.role_bound(worker.id)
        return bound and self._receiving.is_own(worker, worker.outputs[number].pattern)

    def _of_role(self, role: str) -> int:
        """The secrets of one role that is named; `*` and `{id}` name none."""
        if role not in self._roles:
            known = role not in ("*", ROLE)
            self._roles[role] = self._parts.members(lambda s: s.role == role) if known else 0
        return self._roles[role]

    def passes(self, key: OutputKey) -> int:
        """What acceptance leaves of an output: by the user it opens all ways but the one to the blind. A change of
        variables counts before the user sees it."""
        if key not in self._passes:
            self._passes[key] = self._passes_of(key)
        return self._passes[key]

    def _passes_of(self, key: OutputKey) -> int:
        if key[0] == HISTORY or key[1] == ASKED:
            return self._parts.everything
        confirmed = self._graph.acceptance_of(key[0]).mode == "user_confirmed"
        if not confirmed or changes_table(self._graph.output(key).pattern):
            return self._parts.everything
        whole = (1 << self._parts.count) - 1
        return self._parts.bits(whole, TO_BLIND, BESIDE + TO_BLIND)

    def outputs(self, id: str) -> list[OutputKey]:
        """Where what a worker knows may go, questions to the user included."""
        if id not in self._outputs:
            self._outputs[id] = self._outputs_of(id)
        return self._outputs[id]

    def _outputs_of(self, id: str) -> list[OutputKey]:
        if id == HISTORY:
            return [(HISTORY, 0)]
        worker = self._graph.workers[id]
        asks = [(id, ASKED)] if asks_user(worker) else []
        return [(id, number) for number in range(len(worker.outputs))] + asks
