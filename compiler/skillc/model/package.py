"""The types that a workspace means: packages, workers, manifests, catalogues. Data only.

Everything an author wrote keeps its place (`Text`, `TagRef`, `span`), so that a finding can point at it.
A worker that failed to parse stays as `broken`: it provides unknown tags, and nobody gets a cascade.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from skillc.source.document import Document, WorkerFiles, digests
from skillc.tags import Pattern
from skillc.text import Placed, Source, Span, Text
from skillc.value import field, value

if TYPE_CHECKING:
    from skillc.model.boards import BoardCase
    from skillc.model.order import Order
    from skillc.model.profiles import Profiles
    from skillc.model.projections import Projection

Stage = Literal["design", "play"]
Merge = Literal["latest", "concat"]
Isolation = Literal["none", "role_pov", "blind_review"]
Actor = Literal["llm", "user", "program"]
Mode = Literal["user_confirmed", "programmatic_review", "no_confirmation"]


class TagRef(Placed):
    """A pattern as written: `optional` is the trailing `?` of an input; `span` covers the tag only. Never changed."""

    __slots__ = ("optional", "pattern")

    def __init__(self, pattern: Pattern, place: Span | Placed, optional: bool = False) -> None:
        self.pattern = pattern
        self.source = place.source
        self.start = place.start
        self.end = place.end
        self.optional = optional

    @property
    def text(self) -> str:
        return self.pattern.text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TagRef):
            return NotImplemented
        same_place = self.source is other.source and self.start == other.start and self.end == other.end
        return same_place and self.pattern == other.pattern and self.optional == other.optional

    def __hash__(self) -> int:
        return hash((self.pattern, self.start))

    def __repr__(self) -> str:
        return f"TagRef(pattern={self.pattern!r}, span={self.span!r}, optional={self.optional!r})"


@value
class Policy:
    """How a segment reduces what it selects: `kind` without the number, `n` (None for latest, concat)."""

    kind: str
    n: int | None
    span: Span


@value
class Segment:
    """One part of the user message (SPEC 9.4). `inline` is constant text of the author's own."""

    id: Text
    tier: Literal["static", "dynamic"]
    tags: tuple[TagRef, ...]
    label: str | None = None
    policy: Policy | None = None
    projection: Projection | None = None
    inline: str | None = None


@value
class Worker:
    """One `workers/<id>/SKILL.md` (SPEC 5)."""

    id: str
    files: WorkerFiles
    span: Span
    """The id where it is written, else the start of the file: what a finding about the worker points at."""
    broken: bool = False
    skill: str = ""
    name: str = ""
    description: str = ""
    version: str = "1"
    stage: Stage | None = None
    stage_written: Text | None = None
    """The stage as written, an alias or an id of the package's stage table included; `stage` is None
    when it means none of both."""
    inputs: tuple[TagRef, ...] = ()
    inputs_missing: bool = False
    """Neither inputTags nor inputKeys: it reads unknown tags (SPEC 5)."""
    outputs: tuple[TagRef, ...] = ()
    outputs_missing: bool = False
    injected: bool = False
    """Its contract is injected at run time (`design-step`): it provides unknown tags."""
    merge: Merge = "latest"
    segments: tuple[Segment, ...] | None = None
    segments_broken: bool = False
    """Something in contextSegments could not be read: what the segments lack proves nothing."""
    variants: Mapping[str, tuple[Segment, ...]] = field(default_factory=dict)
    isolation: Isolation = "none"
    actor: Actor = "llm"
    persona: str | None = None
    aliases: tuple[tuple[str, str], ...] = ()
    profile: Text | None = None
    inputs_sound: bool = False
    """Broken elsewhere: its inputs could be read in whole."""
    outputs_sound: bool = False
    """Broken elsewhere: its outputs could be read in whole."""

    @property
    def document(self) -> Document | None:
        return self.files.skill

    @property
    def provides_unknown(self) -> bool:
        """Whether it may write tags that nobody can know: unreadable, injected, or no outputTags at all."""
        return self.outputs_unread or self.injected or self.outputs_missing

    @property
    def inputs_unread(self) -> bool:
        """Whether some of its inputs cannot be read: it may read any tag."""
        return self.broken and not self.inputs_sound

    @property
    def outputs_unread(self) -> bool:
        """Whether some of its outputs cannot be read: it may write any tag."""
        return self.broken and not self.outputs_sound


@value
class Acceptance:
    """How the products of a worker are accepted. `explicit`: somebody wrote the mode down."""

    worker: Text
    mode: Mode
    span: Span
    requires_approval: bool = False
    reviews: tuple[Text, ...] = ()
    in_front: bool = False
    """True for the machine form in the frontmatter, which wins over tables."""
    explicit: bool = True
    """False for an entry that says something else and leaves the mode at its default."""


Condition = tuple[object, ...]
"""A condition (grammar/condition.lark) as nested tuples: `("has", Pattern)`, `("accepted", Pattern)`,
`("count", Pattern, n)`, `("startupCompleted",)`, `("and", c, c, …)`, `("or", c, c, …)`, `("not", c)`."""


@value
class Readiness:
    """A readiness condition with its place; `condition` is None when it is prose of the body."""

    text: Text
    condition: Condition | None
    in_front: bool = False


@value
class BodySays:
    """What the body of a manifest says by itself, whatever its frontmatter says of the same."""

    targets: tuple[TagRef, ...] = ()
    prerequisites: tuple[TagRef, ...] = ()
    ready: tuple[Readiness, ...] = ()
    registered: tuple[Registered, ...] = ()


@value
class Startup:
    """The startup inquiry: the prompt shown to the user and the tags that the answer is written to."""

    prompt: str
    targets: tuple[TagRef, ...]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


@value
class Registered:
    """A worker in the manifest's list or registry tables; `stage` when the table says it."""

    worker: Text
    stage: Stage | None = None


@value
class Manifest:
    """One `orchestrator.md` (SPEC 6)."""

    document: Document
    span: Span
    """The name where it is written, else the start of the file."""
    broken: bool = False
    name: str = ""
    description: str = ""
    category: str = ""
    kind: str = ""
    version: str = "1"
    genres: tuple[str, ...] = ()
    registered: tuple[Registered, ...] = ()
    """Workers of `workers`/`suggestedWorkers` and of registry tables, first mention each, written order."""
    has_list: bool = False
    """There is a place for such a list, `workers: []` or a registry table, though it may be empty."""
    named: tuple[Text, ...] = ()
    """Every other place that names a worker: worker columns, acceptance rows, `run_worker(x)`."""
    startup: Startup | None = None
    startup_mode: str = ""
    ui_prompt: str = ""
    prerequisites: tuple[TagRef, ...] = ()
    ready: tuple[Readiness, ...] = ()
    acceptance: tuple[Acceptance, ...] = ()
    """Machine form first, then rows of body tables. The first entry of a worker is the one in force."""
    asks: tuple[TagRef, ...] = ()
    """What the orchestrator may ask the user for (targets of 询问策略)."""
    forbidden: tuple[tuple[Text, TagRef], ...] = ()
    """(worker, tag) pairs that 禁用行为 or a 禁止注入 column denies."""
    stages: tuple[tuple[Text, Stage | None], ...] = ()
    """The package's own stage table: id as written, and which business stage it means."""
    user_turn: tuple[Text, ...] = ()
    roles: tuple[Text, ...] = ()
    roles_from: TagRef | None = None
    language: str = "zh"
    shared_context: Text | None = None
    context_profile: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    play_slots: Mapping[str, bool] = field(default_factory=dict)
    body: BodySays = field(default_factory=BodySays)


@value
class CatalogueSource:
    """`origin` is user, runtime, book, rag or pseudo; built-in ones have no place."""

    origin: str
    pattern: Pattern
    span: Span | None = None


@value
class LabelRule:
    """Tags that carry `label`: those of `pattern`, or with a segment that begins with `segment`;
    not those of `exceptions`."""

    label: str
    pattern: Pattern | None = None
    segment: str | None = None
    exceptions: tuple[Pattern, ...] = ()
    span: Span | None = None


@value
class Declassify:
    worker: Text
    tags: tuple[TagRef, ...]
    label: str
    reason: str
    span: Span


@value
class Catalogue:
    """`tags.yaml` of the workspace and of the package on top of the built-in data (SPEC 4)."""

    sources: tuple[CatalogueSource, ...] = ()
    labels: tuple[LabelRule, ...] = ()
    deliverables: tuple[Pattern, ...] = ()
    declassify: tuple[Declassify, ...] = ()
    moved: tuple[tuple[Text, Text], ...] = ()
    docs: tuple[tuple[Pattern, str], ...] = ()
    legacy: tuple[tuple[str, str], ...] = ()
    """Built-in (old name, new name) pairs of the format's own legacy tags (SPEC 3.6)."""
    broken: bool = False
    """True when a tags.yaml cannot be read: which sources there are is then unknown."""
    labels_broken: bool = False
    """True when labels, deliverables or declassify entries cannot be read in whole: what flows where is then
    unknown."""
    above: frozenset[str] = frozenset()
    """The tags that the workspace's own tags.yaml says something of, old names among them, but for `moved`."""
    answers: dict[object, Any] = field(init=False, default_factory=dict, compare=False, repr=False)
    """What was asked of it before (`skillc.once`): most packages share one."""


@value
class WorkerBinding:
    worker: Text
    profile: str | None
    by_role: tuple[tuple[Text, str], ...] = ()


@value
class Bindings:
    """`llm-bindings.yaml` (SPEC 13)."""

    default_profile: str | None = None
    workers: tuple[WorkerBinding, ...] = ()
    profiles: tuple[Text, ...] = ()
    """Every profile id that the file names, where it is written."""


@value
class Package:
    """A package as its author means it. `workers` are in manifest order, then by id."""

    path: str
    folder: str
    name: str
    manifest: Manifest | None
    workers: tuple[Worker, ...]
    catalogue: Catalogue
    bindings: Bindings = field(default_factory=Bindings)
    shared_context: Document | None = None
    order: Order | None = None
    """The package's own projection order (SPEC 11)."""
    boards: tuple[BoardCase, ...] = ()
    """The boards in `contexts`, by path (SPEC 15.4)."""
    used: tuple[Source, ...] = ()
    """The text of every file that the package is made of, by path: no boards, no scripts."""
    templates: tuple[Worker, ...] = ()
    """What workers are made of on demand, by id; read as workers are, and none of them (SPEC 12.6)."""
    sources: tuple[Source, ...] = ()
    """The text of every file of the package that could be read, boards and scripts included, by path."""

    @property
    def digests(self) -> tuple[tuple[str, str], ...]:
        """The path inside the package and the digest of each text that it is made of, by path."""
        return digests(self.folder, self.used)

    def worker(self, id: str) -> Worker | None:
        return next((worker for worker in self.workers if worker.id == id), None)


@value
class RegistryRow:
    name: Text
    path: Text
    package: str | None
    """The package path that the row points at, or None when there is no such package."""
    description: Text | None = None
    category: Text | None = None
    kind: Text | None = None
    refused: bool = False
    """The path has a finding of its own: it is none."""


@value
class Workspace:
    """All packages. `registry` is None when there is no registry.yaml."""

    skills: str
    packages: tuple[Package, ...]
    registry: tuple[RegistryRow, ...] | None = None
    registry_source: Source | None = None
    registry_broken: bool = False
    """Some of registry.yaml cannot be read: what it does not list proves nothing."""
    profiles: Profiles | None = None
    """The model profiles; None when the workspace has no file of them, so that nothing is known of any."""
