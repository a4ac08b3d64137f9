"""The machine forms of a manifest: its frontmatter (SPEC 6.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from skillc.diagnostic import Diagnostic, Edit, Fix, finding
from skillc.grammar import parse_condition
from skillc.model.acceptance import AcceptanceFields, acceptance_in_front
from skillc.model.fields import LEGACY, SkillFields, read_fields
from skillc.model.package import Acceptance, Readiness, TagRef
from skillc.model.refs import read_patterns
from skillc.model.scalars import Roles, Truth, Version, Word, Words, one_of
from skillc.model.schema import Fields
from skillc.model.worker import described, fence_of
from skillc.source.document import Document
from skillc.source.names import id_problems
from skillc.source.node import Mapping
from skillc.source.paths import safe_relative
from skillc.text import Text
from skillc.value import value
from skillc.wording import say

_CONTRACT = frozenset({"workers", "suggestedWorkers", "demandTag", "prerequisiteTags"})


class ProfileFields(Fields):
    """One worker's entry of contextProfile."""

    noun: ClassVar[str] = say("a contextProfile entry")
    short: ClassVar[str] = "variant"
    variant: Word | None = None
    history_policy: Word | None = None


class ManifestFields(SkillFields):
    """The frontmatter of an orchestrator.md."""

    noun: ClassVar[str] = say("a manifest")
    required: ClassVar[tuple[str, ...]] = ("name",)
    legacy: ClassVar[tuple[str, ...]] = tuple(name for name in LEGACY if name != "tags")
    name: Word | None = None
    description: Word | None = None
    category: Word | None = None
    book_kind: Annotated[Text, one_of("novel", "dialogue")] | None = None
    version: Version | None = None
    tags: Words | None = None
    workers: Words | None = None
    suggested_workers: Words | None = None
    shared_context: Word | None = None
    demand_tag: Words | None = None
    startup_mode: Word | None = None
    ui_prompt: Word | None = None
    prerequisite_tags: Words | None = None
    instance_ready_when: Words | None = None
    acceptance: dict[str, AcceptanceFields] | None = None
    context_profile: dict[str, ProfileFields] | None = None
    play_slots: dict[str, Truth] | None = None
    roles: Roles | None = None
    roles_from: Word | None = None
    language: Word | None = None


@value
class Front:
    """What the frontmatter says, typed; `keys` names workers where acceptance and contextProfile do."""

    fields: ManifestFields
    broken: bool
    targets: tuple[TagRef, ...]
    prerequisites: tuple[TagRef, ...]
    ready: tuple[Readiness, ...]
    acceptance: tuple[Acceptance, ...]
    roles_from: TagRef | None
    keys: tuple[Text, ...]
    has_list: bool = False
    """There is a field for the list of workers, though it may be empty."""


def read_front(document: Document, folder: str) -> tuple[Front, list[Diagnostic]]:
    """The frontmatter of the manifest in `folder`; broken when its lists of workers or tags cannot be read.

    Codes: those of fields and tags, id-mismatch, unsafe-path, too-long-description, bad-condition,
    unknown-acceptance.
    """
    front = document.front
    if front is None:
        return Front(ManifestFields(), True, (), (), (), (), None, ()), []
    front, outdented = _indented(front)
    reading = read_fields(ManifestFields, front, fence_of(document), document.faults)
    fields = reading.value
    targets, wrong_targets = read_patterns(fields.demand_tag or ())
    prerequisites, wrong_tags = read_patterns(fields.prerequisite_tags or ())
    roles_from, wrong_role = read_patterns([fields.roles_from] if fields.roles_from else ())
    ready, wrong_conditions = _conditions(fields.instance_ready_when or ())
    keys = _keys(front, "acceptance")
    acceptance, wrong_modes = acceptance_in_front(fields.acceptance or {}, {key.value: key for key in keys})
    broken = document.broken or bool(reading.faults & _CONTRACT or wrong_targets or wrong_tags)
    found = [
        *outdented,
        *reading.diagnostics,
        *_misnamed(fields, folder),
        *described(fields.description),
        *_unsafe(fields.shared_context),
    ]
    found += [*wrong_targets, *wrong_tags, *wrong_role, *wrong_conditions, *wrong_modes]
    named = (*keys, *_keys(front, "contextProfile"))
    return (
        Front(
            fields,
            broken,
            targets,
            prerequisites,
            ready,
            acceptance,
            next(iter(roles_from), None),
            named,
            any(name in front.values for name in ("workers", "suggestedWorkers")),
        ),
        found,
    )


def _indented(front: Mapping) -> tuple[Mapping, list[Diagnostic]]:
    """The frontmatter with the fields of acceptance entries below the worker that they stand beside."""
    entries = front.get("acceptance")
    if not isinstance(entries, Mapping) or entries.values.keys().isdisjoint(AcceptanceFields.known()):
        return front, []
    from skillc.model.outdented import indented

    mended, found = indented(entries, AcceptanceFields.known())
    rest = ((key, mended if node is entries else node) for key, node in front)
    return Mapping(tuple(rest), front.span), found


def _keys(front: Mapping, field: str) -> tuple[Text, ...]:
    node = front.get(field)
    return tuple(key for key, _ in node) if isinstance(node, Mapping) else ()


def _conditions(words: Iterable[Text]) -> tuple[tuple[Readiness, ...], list[Diagnostic]]:
    ready: list[Readiness] = []
    found: list[Diagnostic] = []
    for word in words:
        condition, said = parse_condition(word)
        found += said
        ready.append(Readiness(word, condition, in_front=True))
    return tuple(ready), found


def _misnamed(fields: ManifestFields, folder: str) -> Iterable[Diagnostic]:
    """A folder whose name is none is at fault itself, and its finding is another."""
    name = fields.name
    if (
        name is not None
        and name.value.strip()
        and name.value != folder
        and not any(id_problems(folder, "package", name.span))
    ):
        yield finding(
            "id-mismatch",
            name.span,
            say(
                "`{name}` is not the name of the package in folder `{folder}`", name=name.value, folder=folder
            ),
            say("write `{folder}`, or rename the folder", folder=folder),
            fix=Fix(say("write `{folder}`", folder=folder), (Edit(name.span, folder),), safe=False),
        )


def missing_shared(path: Text | None) -> Iterable[Diagnostic]:
    """misnamed-file for a sharedContext that names no file of the package; `path` is safe or reported."""
    if path and not safe_relative(path.value):
        yield finding(
            "misnamed-file",
            path.span,
            say("`sharedContext` names `{path}`, which is no file in the package", path=path.value),
            say("write the file, correct the path, or leave `sharedContext` out"),
        )


def _unsafe(path: Text | None) -> Iterable[Diagnostic]:
    reason = safe_relative(path.value) if path else None
    if path and reason:
        yield finding(
            "unsafe-path",
            path.span,
            say("`{path}` is no path inside the package: {reason}", path=path.value, reason=reason),
            say("write a relative path with `/`, inside the package"),
        )
