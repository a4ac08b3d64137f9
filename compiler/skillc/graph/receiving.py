"""What a worker receives of what others write: bound to its role, without what the runtime keeps away
(SPEC 4.3, 8.2, 8.3). All that is said of flows starts here."""

from __future__ import annotations

from skillc.graph.labels import denials, denied_to, labels_of
from skillc.graph.meeting import any_role, meet
from skillc.graph.promotion import promoted, under_new_name
from skillc.graph.table import in_table
from skillc.graph.types import OutputKey, TagGraph
from skillc.model.package import Catalogue, TagRef, Worker
from skillc.once import once
from skillc.tags import ONE, REST, ROLE, WHOLE, Pattern, bind, covers

ANSWER = "用户.worker答复"
"""Who reads it may ask the user."""


class Receiving:
    """Answers about the workers of one package."""

    __slots__ = ("_denied", "_graph", "_prefixes", "_public", "labels")

    def __init__(self, graph: TagGraph) -> None:
        self._graph = graph
        self.labels = labels_of(graph)
        self._denied = _denied(graph)
        self._public = _public(graph.package.catalogue)
        self._prefixes = _role_prefixes(graph.package.catalogue)

    def bound(self, worker: Worker, pattern: Pattern) -> Pattern:
        """`pattern` as one run of the worker means it."""
        return bind(pattern, ROLE, True) if worker.isolation == "role_pov" else pattern

    def common(self, worker: Worker, read: TagRef, written: Pattern) -> Pattern | None:
        """The tags of `written` that `worker` receives through the input `read`; None when there are none."""
        part = meet(written, self.bound(worker, read.pattern))
        return None if part is None or self._kept_away(worker, part) else part

    def _kept_away(self, worker: Worker, part: Pattern) -> bool:
        """Whether the runtime drops all of `part`: forbidden by the manifest, or by isolation."""
        if any(covers(denied, any_role(part)) for denied in self._denied.get(worker.id, ())):
            return True
        kept = {"none": (), "blind_review": ("hidden",), "role_pov": ("hidden", "user_only")}[
            worker.isolation
        ]
        return any(self._is_all(label, part) for label in kept)

    def _is_all(self, label: str, part: Pattern) -> bool:
        found = self.labels.part(label, part)
        return found is not None and covers(any_role(found), any_role(part))

    def filtered(self, worker: Worker, label: str) -> bool:
        """Whether isolation keeps tags of `label` away from the worker; its own private ones stay."""
        return label in ("hidden", "user_only") and (
            worker.isolation == "role_pov" or (worker.isolation == "blind_review" and label == "hidden")
        )

    def owner(self, pattern: Pattern) -> str | None:
        """Whose the tags of `pattern` are: a role's id, `{id}` (the role of the run), `*`; None for nobody's."""
        parts = pattern.parts
        for prefix in self._prefixes:
            if parts[0] == WHOLE or (parts[-1] == REST and parts[:-1] == prefix):
                return ONE
            if parts[: len(prefix)] == prefix and len(parts) > len(prefix):
                return parts[len(prefix)]
        return None

    def is_own(self, worker: Worker, pattern: Pattern) -> bool:
        """Whether the pattern, as the worker declares it, is bound to the role of its run."""
        owner = self.owner(self.bound(worker, pattern))
        return owner == ROLE or (worker.isolation == "role_pov" and owner is not None)

    def is_public(self, part: Pattern) -> bool:
        """Whether writing such tags makes them public: an exception of role_private says so (SPEC 4.3)."""
        return self.owner(part) is not None and any(
            covers(exception, any_role(part)) for exception in self._public
        )

    def written(self, key: OutputKey) -> list[Pattern]:
        """The tags that an output puts on the board: as written, as acceptance promotes them, and as the table of
        variables shows them."""
        pattern = self._graph.output(key).pattern
        entry = self._graph.acceptance.get(key[0])
        promotes = entry is None or entry.mode in ("user_confirmed", "programmatic_review")
        confirmed = promoted(under_new_name(pattern, self._graph.names)) if promotes else None
        return [found for found in (pattern, confirmed, in_table(pattern)) if found is not None]

    def denied(self, worker_id: str) -> list[Pattern]:
        return self._denied.get(worker_id, [])


def asks_user(worker: Worker) -> TagRef | None:
    """The input through which a worker reads the answers to what it asks, when it declares that."""
    return next((ref for ref in worker.inputs if ref.text == ANSWER), None)


@once
def receiving_of(graph: TagGraph) -> Receiving:
    """What the workers of a package receive."""
    return Receiving(graph)


def _denied(graph: TagGraph) -> dict[str, list[Pattern]]:
    return {worker: list(denied_to(graph, worker)) for worker in denials(graph.package.manifest)}


@once
def _public(catalogue: Catalogue) -> tuple[Pattern, ...]:
    """Private tags that are public once they are written."""
    rules = (rule for rule in catalogue.labels if rule.label == "role_private")
    return tuple(any_role(exception) for rule in rules for exception in rule.exceptions)


@once
def _role_prefixes(catalogue: Catalogue) -> tuple[tuple[str, ...], ...]:
    """What stands before the role in tags that have one: 角色, and what the package's own labels say."""
    found: dict[tuple[str, ...], bool] = {("角色",): True}
    for rule in catalogue.labels:
        if rule.label == "role_private" and rule.pattern and ROLE in rule.pattern.parts:
            found[rule.pattern.parts[: rule.pattern.parts.index(ROLE)]] = True
    return tuple(found)
