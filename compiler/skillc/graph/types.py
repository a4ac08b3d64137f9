"""What building the graph gives. Data only, but for the few questions that every reader asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from skillc.graph.index import PatternIndex
from skillc.model.package import Acceptance, Package, Stage, TagRef, Worker
from skillc.tags import Pattern
from skillc.text import Text
from skillc.value import field, value

InputKey = tuple[str, int]
"""A worker's id and the index in its `inputs`."""
OutputKey = tuple[str, int]
"""A worker's id and the index in its `outputs`."""


@value
class Producer:
    """One way in which the tags of an input may come to be.

    `worker`: a worker writes `pattern` (its output `ref`). `promotion`: accepting the draft that
    `worker` writes makes it. `update`: what `worker` writes changes the table of variables, which is `pattern`; as the
    table is there without it, nobody waits for one. `source`: it comes from outside; `origin` is user, runtime, book, rag,
    pseudo, startup or ask. `unknown`: nobody can know whether it comes; `worker` is why, or None with the
    origin `manifest` when the manifest is what cannot be read. With the origin `template`, `worker` is a template,
    of which somebody may make a worker that writes `pattern`.
    """

    kind: Literal["worker", "promotion", "update", "source", "unknown"]
    pattern: Pattern
    worker: str | None = None
    origin: str | None = None
    ref: TagRef | None = None


Writers = PatternIndex[tuple[Producer, OutputKey | None]]
NOBODY: Writers = PatternIndex(())


@value
class Unknowns:
    """What keeps the graph from being whole, so that no finding follows from it (SPEC 1.4)."""

    writers: tuple[str, ...] = ()
    """Workers that may write any tag: broken, without outputs, registered without a folder, or made of a template."""
    readers: tuple[str, ...] = ()
    """Workers that may read any tag."""
    injected: tuple[str, ...] = ()
    """Workers whose contract is injected; they write under `heads`, or anywhere when there are none."""
    heads: frozenset[str] = frozenset()
    sources: bool = False
    """The manifest or the catalogue cannot be read: what the user is asked for is unknown."""

    @property
    def feed(self) -> bool:
        """Whether something that nobody knows may give an input that has a known producer, too."""
        return bool(self.writers or self.injected or self.sources)


@value
class TagGraph:
    """Who writes what whom reads, in one package.

    `producers` has every input, also those without any. `consumers` has every output; a reader of
    `X.确认稿` consumes the `X.草稿` that becomes it. `needed` and `reachable`: SPEC 5 and 12.7.
    `loops`: one shortest loop for each set of workers that feed each other, turned to its smallest
    id, sorted; `deadlocked` are those of them that nothing can start.
    """

    package: Package
    workers: Mapping[str, Worker]
    order: Mapping[str, int]
    producers: Mapping[InputKey, tuple[Producer, ...]]
    consumers: Mapping[OutputKey, tuple[InputKey, ...]]
    needed: frozenset[InputKey]
    loops: tuple[tuple[str, ...], ...]
    deadlocked: tuple[tuple[str, ...], ...]
    dead: frozenset[str]
    """All workers that wait in a circle, not only those on the shortest loops."""
    reachable: frozenset[str]
    unknowns: Unknowns
    stages: Mapping[str, Stage]
    acceptance: Mapping[str, Acceptance]
    """The entry in force of each worker that the manifest writes one for."""
    names: Mapping[str, str]
    """The new name of each tag that moved, legacy ones included."""
    bound: frozenset[str]
    """The workers of which each run is of one role."""
    sizes: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    """How many workers feed each other in the set of each of `loops`."""
    read_on_demand: frozenset[OutputKey] = frozenset()
    """The outputs that workers made of templates read."""
    writers: Writers = field(default=NOBODY, compare=False, repr=False)
    """Everything that puts tags on the board, sources first, by what it overlaps; with the output, where it is one."""
    answers: dict[object, Any] = field(init=False, default_factory=dict, compare=False, repr=False)
    """What was asked of the graph before (`once`)."""

    def input(self, key: InputKey) -> TagRef:
        return self.workers[key[0]].inputs[key[1]]

    def output(self, key: OutputKey) -> TagRef:
        return self.workers[key[0]].outputs[key[1]]

    def stage_of(self, worker_id: str) -> Stage:
        """When a worker may be scheduled: its own word, else the manifest's, else play."""
        return self.stages[worker_id]

    def acceptance_of(self, worker_id: str) -> Acceptance:
        """The acceptance in force: the first entry that names the worker, else user_confirmed."""
        span = self.workers[worker_id].span
        return self.acceptance.get(worker_id) or Acceptance(Text(worker_id, span), "user_confirmed", span)

    def role_bound(self, worker_id: str) -> bool:
        """Whether each run of the worker is of one role (SPEC 8.3); role_pov always is."""
        return worker_id in self.bound
