"""One `workers/<id>/SKILL.md` as its author means it (SPEC 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar, cast

from skillc.diagnostic import Diagnostic, Edit, Fix, Severity, finding
from skillc.model.contract import INPUTS, OUTPUTS, ContractFields, is_absent, read_aliases, read_contract
from skillc.model.fields import LEGACY, Reading, read_fields
from skillc.model.package import Actor, Isolation, Manifest, Merge, Segment, Stage, Worker
from skillc.model.scalars import Version, Word, one_of
from skillc.model.segments import SegmentFields, VariantFields, read_segments, read_variants
from skillc.source.document import Document, WorkerFiles
from skillc.source.names import id_problems
from skillc.source.node import Mapping
from skillc.text import Source, Span, Text
from skillc.value import replace
from skillc.wording import say

DESCRIPTION_LIMIT = 1024
"""Code points of a description, as in the Agent Skills standard."""
STAGE_ALIASES: dict[str, Stage] = {
    "design": "design",
    "instantiate": "design",
    "brief": "design",
    "实例化": "design",
    "play": "play",
    "run": "play",
    "运行": "play",
}
_INJECTED = "design-step"
_USER_TURN = "user-turn"


class WorkerFields(ContractFields):
    """The frontmatter of a SKILL.md."""

    noun: ClassVar[str] = say("a worker")
    required: ClassVar[tuple[str, ...]] = ("id", "skill", "name", "description")
    legacy: ClassVar[tuple[str, ...]] = LEGACY
    id: Word | None = None
    skill: Word | None = None
    name: Word | None = None
    description: Word | None = None
    version: Version | None = None
    stage: Word | None = None
    input_merge: Annotated[Text, one_of("latest", "concat")] | None = None
    context_segments: list[SegmentFields] | None = None
    context_variants: dict[str, VariantFields] | None = None
    context_isolation: Annotated[Text, one_of("none", "role_pov", "blind_review")] | None = None
    actor: Annotated[Text, one_of("llm", "user", "program")] | None = None
    persona: Word | None = None
    llm_profile_id: Word | None = None


def build_worker(files: WorkerFiles, packages: Sequence[str]) -> tuple[Worker, list[Diagnostic]]:
    """The worker of a folder; `broken` when its contract cannot be read, which never hides its other errors.

    `packages` are the names that its `skill` may have: the package's folder, and the name in its manifest.
    Codes: those of fields, contract and segments, id-mismatch, skill-mismatch, too-long-description.
    """
    document = files.skill
    if document is None:
        return Worker(files.id, files, Source(files.folder + "/SKILL.md", "").span(), broken=True), []
    if document.front is None:
        return Worker(files.id, files, document.source.span(), broken=True), []
    return _read(files, document, document.front, packages)


def settle_worker(worker: Worker, manifest: Manifest | None) -> tuple[Worker, list[Diagnostic]]:
    """The worker with what the manifest says of it: ids of its stage table, and who plays a user's turn."""
    if worker.stage is None and worker.stage_written and manifest:
        stages = {id.value: stage for id, stage in manifest.stages}
        worker = replace(worker, stage=stages.get(worker.stage_written.value))
    listed = {id.value for id in manifest.user_turn} if manifest else set()
    front = worker.document.front if worker.document else None
    implied = worker.id == _USER_TURN or worker.id in listed
    if front is None or not implied or not is_absent(front, "actor"):
        return worker, []
    return replace(worker, actor="user"), [_implied_actor(worker)]


def described(text: Text | None) -> Iterable[Diagnostic]:
    """too-long-description when a description has more than 1,024 code points."""
    if text and len(text.value) > DESCRIPTION_LIMIT:
        message = say(
            "the description has {size:,} characters, and at most {limit:,} belong there",
            size=len(text.value),
            limit=DESCRIPTION_LIMIT,
        )
        yield finding(
            "too-long-description", text.span, message, say("shorten it; details belong in the body")
        )


def fence_of(document: Document) -> Span:
    """Where a frontmatter starts: its opening fence."""
    return document.source.span(0, min(3, len(document.source.text)))


def _read(
    files: WorkerFiles, document: Document, front: Mapping, packages: Sequence[str]
) -> tuple[Worker, list[Diagnostic]]:
    start = fence_of(document)
    reading = read_fields(WorkerFields, front, start, document.faults)
    fields = reading.value
    contract = read_contract(fields, reading.faults, front, start)
    aliases, wrong_aliases = read_aliases(fields.aliases or {}, contract)
    segments, variants, partial, wrong_segments = _segments(reading, front)
    worker = Worker(
        id=files.id,
        files=files,
        span=fields.id.span if fields.id else start,
        broken=document.broken or contract.inputs_broken or contract.outputs_broken,
        skill=_value(fields.skill),
        name=_value(fields.name),
        description=_value(fields.description),
        version=_value(fields.version) or "1",
        stage=STAGE_ALIASES.get(_value(fields.stage)),
        stage_written=fields.stage,
        inputs=contract.inputs,
        inputs_missing=contract.inputs_missing,
        outputs=contract.outputs,
        outputs_missing=contract.outputs_missing,
        injected=files.id == _INJECTED and not contract.outputs and not contract.outputs_missing,
        merge=cast(Merge, _value(fields.input_merge) or "latest"),
        segments=segments,
        segments_broken=partial,
        variants=variants,
        isolation=cast(Isolation, _value(fields.context_isolation) or "none"),
        actor=cast(Actor, _value(fields.actor) or "llm"),
        persona=_value(fields.persona) or None,
        aliases=aliases,
        profile=fields.llm_profile_id,
        inputs_sound=not (contract.inputs_broken or _is_hit(document, front, INPUTS)),
        outputs_sound=not (contract.outputs_broken or _is_hit(document, front, OUTPUTS)),
    )
    found = [*reading.diagnostics, *_mismatches(files.id, fields, packages), *described(fields.description)]
    return worker, [*found, *contract.diagnostics, *wrong_aliases, *wrong_segments]


def _is_hit(document: Document, front: Mapping, names: Sequence[str]) -> bool:
    """Whether an error of the head lies in one of these fields, or nobody knows where it lies."""
    if not document.faults:
        return document.broken
    return any(name in names for fault in document.faults for name in _fields_at(front, fault))


def _fields_at(front: Mapping, fault: Span) -> Iterable[str]:
    """The field that a place lies in; a duplicate key lies in none and says itself which field it is."""
    written = fault.text.strip("'\"")
    if front.key(written):
        return (written,)
    above = [key.value for key, _ in front if key.span.start <= fault.start]
    return above[-1:]


def _value(text: Text | None) -> str:
    return text.value if text else ""


def _mismatches(folder: str, fields: WorkerFields, packages: Sequence[str]) -> Iterable[Diagnostic]:
    """A folder whose name is none is at fault itself, and its finding is another."""
    if (
        fields.id
        and fields.id.value.strip()
        and fields.id.value != folder
        and not any(id_problems(folder, "worker", fields.id.span))
    ):
        message = say(
            "`{id}` is not the id of the worker in folder `{folder}`", id=fields.id.value, folder=folder
        )
        yield _mismatch("id-mismatch", fields.id, folder, message)
    package = packages[0]
    if (
        fields.skill
        and fields.skill.value.strip()
        and fields.skill.value not in packages
        and not any(id_problems(package, "package", fields.skill.span))
    ):
        message = say(
            "`{skill}` is not the name of the package `{package}`", skill=fields.skill.value, package=package
        )
        yield _mismatch("skill-mismatch", fields.skill, package, message)


def _mismatch(slug: str, text: Text, right: str, message: str) -> Diagnostic:
    fix = Fix(say("write `{right}`", right=right), (Edit(text.span, right),))
    return finding(slug, text.span, message, say("write `{right}`", right=right), fix=fix)


def _segments(
    reading: Reading[WorkerFields], front: Mapping
) -> tuple[tuple[Segment, ...] | None, dict[str, tuple[Segment, ...]], bool, list[Diagnostic]]:
    """Segments, variants, whether something of either could not be read, and what."""
    fields = reading.value
    partial = not reading.faults.isdisjoint(("contextSegments", "contextVariants"))
    segments, found = None, list[Diagnostic]()
    if fields.context_segments is not None:
        read = read_segments(fields.context_segments, partial)
        segments, partial, found = read.segments, read.broken, list(read.diagnostics)
    variants: dict[str, tuple[Segment, ...]] = {}
    written = front.get("contextVariants")
    if fields.context_variants and isinstance(written, Mapping):
        variants, wrong = read_variants(fields.context_variants, written, segments or (), partial)
        found += wrong
    return segments, variants, partial or bool(found), found


def _implied_actor(worker: Worker) -> Diagnostic:
    return finding(
        "legacy-fields",
        worker.span,
        say("`{worker}` is taken as `actor: user`; say so in the frontmatter", worker=worker.id),
        say("add `actor: user`"),
        severity=Severity.INFO,
    )
