"""The types of a compiled package, field for field as docs/plan-format.md has them.

Plain `__slots__` records, since dataclasses and typing cost more to import than a plan takes to load.
Treat a record as frozen; every field is given by keyword.
"""

# ruff: noqa: RUF023 - the order of the slots is the key order of the JSON

from __future__ import annotations

from skillc.tags import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, dataclass_transform
else:

    def dataclass_transform(**_):
        """Only type checkers need the real one: it lets them check the keywords of a record."""
        return lambda cls: cls


SCHEMA = "skillc.plan/1"


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record:
    """A value with the fields of its `__slots__`; equal when all fields are."""

    __slots__: tuple[str, ...] = ()
    _put: tuple[tuple[str, Callable[[object, object], None]], ...] = ()
    """For each field, what sets it past the refusal below."""

    def __init_subclass__(cls) -> None:
        cls._put = tuple((name, getattr(cls, name).__set__) for name in cls.fields())

    @classmethod
    def fields(cls) -> tuple[str, ...]:
        """The names of the fields, in the order of the JSON; a subclass without own slots adds none."""
        return next((kind.__slots__ for kind in cls.__mro__[:-1] if kind.__slots__), ())  # type: ignore[attr-defined]

    def __init__(self, **fields: Any) -> None:
        if len(fields) != len(self._put):
            raise TypeError(f"{type(self).__name__} takes exactly {', '.join(self.fields())}")
        for name, put in self._put:
            put(self, fields[name])

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.fields())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.fields())
        return f"{type(self).__name__}({fields})"


class PackageInfo(Record):
    """Who the package is: shown to people, used in messages."""

    __slots__ = ("path", "name", "kind", "language", "description", "version")
    path: str
    name: str
    kind: str
    language: str
    description: str
    version: str


class Startup(Record):
    """The startup inquiry and the tags that its answer is written to."""

    __slots__ = ("prompt", "mode", "targets", "required", "optional")
    prompt: str
    mode: str
    targets: tuple[str, ...]
    required: tuple[str, ...]
    optional: tuple[str, ...]


Condition = tuple[object, ...]
"""("has", Pattern), ("count", Pattern, n), ("and", c, …): as the plan has it, with patterns as Pattern."""


class Ready(Record):
    """When the package may go from design to play."""

    __slots__ = ("prerequisites", "condition")
    prerequisites: tuple[Pattern, ...]
    condition: Condition | None


class Roles(Record):
    """The roles of the package: listed, or read from the item under `source` (JSON key `from`)."""

    __slots__ = ("ids", "source")
    ids: tuple[str, ...]
    source: str | None


class LabelRule(Record):
    """Tags that carry `label`: those of `pattern`, or with a segment that begins with `segment`."""

    __slots__ = ("label", "pattern", "segment", "exceptions")
    label: str
    pattern: Pattern | None
    segment: str | None
    exceptions: tuple[Pattern, ...]


class Acceptance(Record):
    """How the products of a worker are accepted (SPEC 7.1)."""

    __slots__ = ("mode", "requires_approval", "reviews")
    mode: str
    requires_approval: bool
    reviews: tuple[str, ...]


class Input(Record):
    """One pattern that a worker reads; `needed` as SPEC 5 decides it."""

    __slots__ = ("pattern", "needed")
    pattern: Pattern
    needed: bool


class SegmentPolicy(Record):
    """How a segment reduces what it selects; `n` is None for latest and concat."""

    __slots__ = ("kind", "n")
    kind: str
    n: int | None


class SegmentPlan(Record):
    """One part of the user message (SPEC 9.4)."""

    __slots__ = ("id", "tier", "label", "tags", "policy", "projection", "inline")
    id: str
    tier: str
    label: str | None
    tags: tuple[Pattern, ...]
    policy: SegmentPolicy | None
    projection: str | None
    inline: str | None


class Profiles(Record):
    """Model profile ids of a worker; `default` None means the session's own."""

    __slots__ = ("default", "by_role")
    default: str | None
    by_role: dict[str, str]


class WorkerPlan(Record):
    """Everything that one invocation of a worker needs."""

    __slots__ = (
        "id", "name", "description", "version", "stage", "actor", "isolation", "role_bound", "inputs",
        "outputs", "denied", "merge", "aliases", "profiles", "persona", "system", "segments",
        "instruction", "variants", "variant", "reply", "digest",
    )  # fmt: skip
    id: str
    name: str
    description: str
    version: str
    stage: str
    actor: str
    isolation: str
    role_bound: bool
    inputs: tuple[Input, ...]
    outputs: tuple[Pattern, ...]
    denied: tuple[Pattern, ...]
    merge: str
    aliases: dict[str, str]
    profiles: Profiles
    persona: str | None
    system: str
    segments: tuple[SegmentPlan, ...] | None
    instruction: str
    variants: dict[str, tuple[SegmentPlan, ...]]
    variant: str | None
    reply: dict[str, Any]
    digest: str


class Flows(Record):
    """Disclosures and declassifications in force, so that a new one shows in a diff (SPEC 8.4)."""

    __slots__ = ("disclosures", "declassified")
    disclosures: list[Any]
    declassified: list[Any]


class PlaySlot(Record):
    """A slot of the play turn: who fills it, and whether it plays (SPEC 11.1)."""

    __slots__ = ("key", "worker", "on")
    key: str
    worker: str
    on: bool


class Play(Record):
    """The play turn: its slots in turn order, the package's projection order in normal form (None where it has
    none), where the segments are from (`package` or `declared`), and the segments by worker (SPEC 11)."""

    __slots__ = ("slots", "order", "origin", "segments")
    slots: tuple[PlaySlot, ...]
    order: dict[str, Any] | None
    origin: str
    segments: dict[str, tuple[SegmentPlan, ...]]


class Orchestrator(Record):
    """What a model that decides who runs is told (SPEC 12.6): its system message; the heading of what a worker made of a
    template is told; the templates as workers of their own, with their acceptance."""

    __slots__ = ("system", "task", "templates", "acceptance")
    system: str
    task: str
    templates: dict[str, WorkerPlan]
    acceptance: dict[str, Acceptance]


class Plan(Record):
    """A compiled package; `play` is None where it plays without slots, `orchestrator` in plans of earlier compilers."""

    __slots__ = (
        "schema", "compiler", "package", "fingerprint", "startup", "asks", "ready", "roles", "labels",
        "sources", "deliverables", "moved", "order", "acceptance", "workers", "flows", "play", "orchestrator",
    )  # fmt: skip
    schema: str
    compiler: str
    package: PackageInfo
    fingerprint: str
    startup: Startup | None
    asks: tuple[Pattern, ...]
    ready: Ready
    roles: Roles
    labels: tuple[LabelRule, ...]
    sources: dict[str, tuple[Pattern, ...]]
    deliverables: tuple[Pattern, ...]
    moved: dict[str, str]
    order: tuple[str, ...]
    acceptance: dict[str, Acceptance]
    workers: dict[str, WorkerPlan]
    flows: Flows
    play: Play | None
    orchestrator: Orchestrator | None
