"""The types of a compiled package, field for field as docs/plan-format.md has them.

Records are tuples with names, made of all their values at once: a plan of some hundred records takes no longer to
make than to check, and dataclasses or typing would cost more to import than a plan takes to load.
Records are frozen; every field is given by keyword.
"""

from __future__ import annotations

from operator import itemgetter

from skillc.tags import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_):
        """Only type checkers need the real one: it lets them check the keywords of a record."""
        return lambda cls: cls


SCHEMA = "skillc.plan/1"


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record(tuple[object, ...]):
    """A value with the annotated fields of its class, in the order of the JSON; equal to another of the same class when
    all fields are."""

    __slots__ = ()
    _names: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        if cls.__base__ is Record:
            cls._names = tuple(cls.__annotations__)
            for at, name in enumerate(cls._names):
                setattr(cls, name, property(itemgetter(at)))

    def __new__(cls, **fields: Any) -> Self:
        if fields.keys() != set(cls._names):
            raise TypeError(f"{cls.__name__} takes exactly {', '.join(cls._names)}")
        return cls.of(map(fields.__getitem__, cls._names))

    @classmethod
    def of(cls, values: Iterable[Any]) -> Self:
        """The record of these values, one for each field."""
        return tuple.__new__(cls, values)

    @classmethod
    def fields(cls) -> tuple[str, ...]:
        """The names of the fields, in the order of the JSON; a subclass of a record adds none."""
        return cls._names

    def but(self, **changes: Any) -> Self:
        """This record with other values in some fields."""
        return type(self)(**dict(zip(self._names, self, strict=True)) | changes)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._names, self, strict=True))
        return f"{type(self).__name__}({fields})"


class PackageInfo(Record):
    """Who the package is: shown to people, used in messages."""

    __slots__ = ()
    path: str
    name: str
    kind: str
    language: str
    description: str
    version: str


class Startup(Record):
    """The startup inquiry and the tags that its answer is written to."""

    __slots__ = ()
    prompt: str
    mode: str
    targets: tuple[str, ...]
    required: tuple[str, ...]
    optional: tuple[str, ...]


Condition = tuple[object, ...]
"""("has", Pattern), ("count", Pattern, n), ("and", c, …): as the plan has it, with patterns as Pattern."""


class Ready(Record):
    """When the package may go from design to play."""

    __slots__ = ()
    prerequisites: tuple[Pattern, ...]
    condition: Condition | None


class Roles(Record):
    """The roles of the package: listed, or read from the item under `source` (JSON key `from`)."""

    __slots__ = ()
    ids: tuple[str, ...]
    source: str | None


class LabelRule(Record):
    """Tags that carry `label`: those of `pattern`, or with a segment that begins with `segment`."""

    __slots__ = ()
    label: str
    pattern: Pattern | None
    segment: str | None
    exceptions: tuple[Pattern, ...]


class Acceptance(Record):
    """How the products of a worker are accepted (SPEC 7.1)."""

    __slots__ = ()
    mode: str
    requires_approval: bool
    reviews: tuple[str, ...]


class Input(Record):
    """One pattern that a worker reads; `needed` as SPEC 5 decides it."""

    __slots__ = ()
    pattern: Pattern
    needed: bool


class SegmentPolicy(Record):
    """How a segment reduces what it selects; `n` is None for latest and concat."""

    __slots__ = ()
    kind: str
    n: int | None


class SegmentPlan(Record):
    """One part of the user message (SPEC 9.4)."""

    __slots__ = ()
    id: str
    tier: str
    label: str | None
    tags: tuple[Pattern, ...]
    policy: SegmentPolicy | None
    projection: str | None
    inline: str | None


class Profiles(Record):
    """Model profile ids of a worker; `default` None means the session's own."""

    __slots__ = ()
    default: str | None
    by_role: dict[str, str]


class WorkerPlan(Record):
    """Everything that one invocation of a worker needs."""

    __slots__ = ()
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

    __slots__ = ()
    disclosures: list[Any]
    declassified: list[Any]


class PlaySlot(Record):
    """A slot of the play turn: who fills it, and whether it plays (SPEC 11.1)."""

    __slots__ = ()
    key: str
    worker: str
    on: bool


class Play(Record):
    """The play turn: its slots in turn order, the package's projection order in normal form (None where it has
    none), where the segments are from (`package` or `declared`), and the segments by worker (SPEC 11)."""

    __slots__ = ()
    slots: tuple[PlaySlot, ...]
    order: dict[str, Any] | None
    origin: str
    segments: dict[str, tuple[SegmentPlan, ...]]


class Orchestrator(Record):
    """What a model that decides who runs is told (SPEC 12.6): its system message; the heading of what a worker made of a
    template is told; the templates as workers of their own, with their acceptance."""

    __slots__ = ()
    system: str
    task: str
    templates: dict[str, WorkerPlan]
    acceptance: dict[str, Acceptance]


class Plan(Record):
    """A compiled package; `play` is None where it plays without slots, `orchestrator` in plans of earlier compilers."""

    __slots__ = ()
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
