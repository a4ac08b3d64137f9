"""One `orchestrator.md` as its author means it: frontmatter and body put together (SPEC 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skillc.diagnostic import Diagnostic
from skillc.grammar import parse_condition
from skillc.later import later
from skillc.model.acceptance import acceptance_in_body
from skillc.model.context_profile import profile_findings
from skillc.model.denials import denials_in_body
from skillc.model.manifest_front import Front, ManifestFields, read_front
from skillc.model.package import BodySays, Manifest, Readiness, Registered, Stage, Startup, TagRef, Worker
from skillc.model.prose import plain_text, tags_in
from skillc.model.stages import profile_in_body, stages_in_body
from skillc.model.topics import ASKS, INSTANCE, STARTUP, labelled, sections_about
from skillc.model.worker import fence_of
from skillc.model.workers_named import has_registry, named_in_body, registered_in_body, user_turn_in_body
from skillc.source.document import Document, Section
from skillc.text import Span, Text

_STARTUP_LABELS = {
    "必须收集": "required",
    "必收集": "required",
    "可选收集": "optional",
    "写入目标": "target",
    "写入目标tag": "target",
    "写入目标tags": "target",
    "写入tag": "target",
    "目标tag": "target",
    "demandtag": "target",
    "写入": "target",
    "答案写入": "target",
    "回答写入": "target",
    "用户回答写入": "target",
    "用户的回答写入": "target",
}
_INSTANCE_LABELS = {
    "prerequisitetags": "prerequisites",
    "prerequisitetag": "prerequisites",
    "前置": "prerequisites",
    "前置tag": "prerequisites",
    "前置标签": "prerequisites",
    "instancereadywhen": "ready",
    "就绪条件": "ready",
}
_ASK_LABELS = {"目标": "target", "目标tag": "target", "写入目标": "target", "写入": "target"}
_NOT_JSON = ("json", "jsonc", "json5")
_REMARK = later(r"（[^（）]*）|【[^【】]*】|(?:—|≈).*")
_NOTHING = ("", "无", "见下表", "none", "同上")


def build_manifest(
    document: Document, folder: str, workers: Sequence[Worker]
) -> tuple[Manifest, list[Diagnostic]]:
    """The manifest of the package in `folder` that has these workers.

    Broken when the frontmatter is, or when its lists of workers and tags cannot be read; the body is read
    in any case. Codes: those of `read_front`, unknown-acceptance, bad-tag and its kin in backticks.
    """
    front, found = read_front(document, folder)
    fields = front.fields
    known = frozenset(worker.id for worker in workers)
    rows, wrong_modes = acceptance_in_body(document, workers)
    registered = registered_in_body(document, known)
    startup, targets, wrong_targets = _startup(document, front)
    tags, conditions, wrong_tags = _instance(document)
    asks, wrong_asks = _asks(document)
    if fields.prerequisite_tags is not None:
        wrong_tags = []
    acceptance = (*front.acceptance, *rows)
    manifest = Manifest(
        document=document,
        span=fields.name.span if fields.name else fence_of(document),
        broken=front.broken,
        name=_value(fields.name) or folder,
        description=_value(fields.description),
        category=_value(fields.category),
        kind=_value(fields.book_kind),
        version=_value(fields.version) or "1",
        genres=tuple(word.value for word in fields.tags or ()),
        registered=_registered(fields, registered),
        has_list=front.has_list or has_registry(document),
        named=_named(document, front, known),
        startup=startup,
        startup_mode=_value(fields.startup_mode),
        ui_prompt=_value(fields.ui_prompt),
        prerequisites=_once(tags if fields.prerequisite_tags is None else front.prerequisites),
        ready=front.ready or conditions,
        acceptance=acceptance,
        asks=asks,
        forbidden=denials_in_body(document, known),
        stages=stages_in_body(document),
        user_turn=user_turn_in_body(document, known),
        roles=tuple(fields.roles or ()),
        roles_from=front.roles_from,
        language=_value(fields.language) or "zh",
        shared_context=fields.shared_context,
        context_profile=_profile(fields) or profile_in_body(document, known),
        play_slots=dict(fields.play_slots or {}),
        body=BodySays(targets, tags, conditions, registered),
    )
    wrong_profile = profile_findings(fields.context_profile, workers)
    return manifest, [*found, *wrong_modes, *wrong_targets, *wrong_tags, *wrong_asks, *wrong_profile]


def _value(text: Text | None) -> str:
    return text.value if text else ""


def _registered(fields: ManifestFields, body: Iterable[Registered]) -> tuple[Registered, ...]:
    """Each worker once, where it is first named, with the first stage that anybody gives it."""
    listed = [Registered(word) for word in (*(fields.workers or ()), *(fields.suggested_workers or ()))]
    places: dict[str, Text] = {}
    stages: dict[str, Stage] = {}
    for row in (*listed, *body):
        places.setdefault(row.worker.value, row.worker)
        if row.stage:
            stages.setdefault(row.worker.value, row.stage)
    return tuple(Registered(place, stages.get(id)) for id, place in places.items())


def _named(document: Document, front: Front, known: frozenset[str]) -> tuple[Text, ...]:
    reviewed = (text for entry in front.acceptance for text in entry.reviews)
    return (*front.keys, *reviewed, *named_in_body(document, known))


def _startup(document: Document, front: Front) -> tuple[Startup | None, tuple[TagRef, ...], list[Diagnostic]]:
    """The startup inquiry, whose targets are those of demandTag and of 写入目标 together; and the latter alone."""
    sections = sections_about(document, STARTUP, _STARTUP_LABELS)
    values = labelled(sections, _STARTUP_LABELS, (*_NOT_JSON, "text", ""))
    written, found = _all_tags(value.text for value in values if value.label == "target")
    targets = _once((*front.targets, *written))
    prompt = _prompt(sections) or _value(front.fields.ui_prompt)
    if not sections and not targets and not prompt:
        return None, written, found
    texts = {label: _texts(v.text for v in values if v.label == label) for label in ("required", "optional")}
    return Startup(prompt, targets, texts["required"], texts["optional"]), written, found


def _prompt(sections: Iterable[Section]) -> str:
    """The first block marked `text`, else the first block without a mark."""
    fences = [fence for section in sections for fence in section.fences]
    for mark in ("text", ""):
        for fence in fences:
            if fence.info.casefold() == mark:
                return fence.content.value.rstrip("\n")
    return ""


def _instance(document: Document) -> tuple[tuple[TagRef, ...], tuple[Readiness, ...], list[Diagnostic]]:
    """What the body says must be there before the package runs."""
    values = labelled(sections_about(document, INSTANCE, _INSTANCE_LABELS), _INSTANCE_LABELS)
    tags, found = _all_tags(value.text for value in values if value.label == "prerequisites")
    return tags, tuple(filter(None, (_readiness(v.text) for v in values if v.label == "ready"))), found


def _readiness(span: Span) -> Readiness | None:
    """A condition of the body; what does not parse is prose, no finding."""
    raw = _REMARK.sub(lambda m: " " * len(m.group()), span.text)
    word = raw.strip().strip("*`。；;").strip()
    if word.casefold() in _NOTHING:
        return None
    start = raw.index(word)
    text = Text(word, span.part(start, start + len(word)))
    return Readiness(text, parse_condition(text)[0])


def _asks(document: Document) -> tuple[tuple[TagRef, ...], list[Diagnostic]]:
    values = labelled(sections_about(document, ASKS), _ASK_LABELS)
    tags, found = _all_tags(value.text for value in values)
    return _once(tags), found


def _all_tags(spans: Iterable[Span]) -> tuple[tuple[TagRef, ...], list[Diagnostic]]:
    refs: list[TagRef] = []
    found: list[Diagnostic] = []
    for span in spans:
        tags, said = tags_in(span)
        refs += tags
        found += said
    return tuple(refs), found


def _once(refs: Iterable[TagRef]) -> tuple[TagRef, ...]:
    """Each pattern where it is first written."""
    first: dict[str, TagRef] = {}
    for ref in refs:
        first.setdefault(ref.text, ref)
    return tuple(first.values())


def _texts(spans: Iterable[Span]) -> tuple[str, ...]:
    texts = (plain_text(span) for span in spans)
    return tuple(text for text in texts if text and text != "无")


def _profile(fields: ManifestFields) -> dict[str, dict[str, str]]:
    return {
        worker: {
            name: text.value
            for name, text in (("variant", entry.variant), ("historyPolicy", entry.history_policy))
            if text
        }
        for worker, entry in (fields.context_profile or {}).items()
    }
