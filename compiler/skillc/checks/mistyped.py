"""Optional inputs that are meant to be a tag that somebody gives, but for a slip: an optional input without a producer
is no gap, so nothing else would tell. And outputs whose stage is a slip of the pen: the others spell it rightly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from skillc.checks.gaps import Gap
from skillc.checks.vocabulary import Near, is_one_slip, vocabulary_of
from skillc.graph import InputKey, TagGraph, drafts_of, outputs_index, promoted, under_new_name
from skillc.model.package import TagRef, Worker
from skillc.once import once
from skillc.tags import STAGES, literal
from skillc.value import value

_OWN_WORDS = """
初稿 手稿 定稿 底稿 原稿 终稿 成稿 文稿 正稿 草案 草图 草样 草拟 候补 人选 备选 更改 更正 当日 当下 当时 目前 以前 确定稿
"""
_WORDS = frozenset(_OWN_WORDS.split())
"""What is only like a stage: words of their own, which an author may have meant."""


@value
class SlippedOutput:
    """An output whose last segment is one edit away from a built-in stage and none itself; `meant` has the stage."""

    worker: Worker
    ref: TagRef
    meant: str


@once
def slipped_outputs(graph: TagGraph) -> dict[str, SlippedOutput]:
    """By the tag that is meant, which no worker writes. Whether anybody uses that tag, so that it is a slip at all,
    is for the rules to see."""
    found: dict[str, SlippedOutput] = {}
    for worker in graph.package.workers:
        for ref in worker.outputs:
            object, _, last = ref.pattern.text.rpartition(".")
            stage = _slipped(last) if object and ref.pattern.is_tag else None
            if stage is None:
                continue
            meant = f"{object}.{stage}"
            if not outputs_index(graph).overlapping(literal(meant)):
                found.setdefault(meant, SlippedOutput(worker, ref, meant))
    return found


@lru_cache(maxsize=4096)
def _slipped(last: str) -> str | None:
    """The one stage that a segment is one edit away from, where it is none itself and no word of its own."""
    if last in STAGES or last in _WORDS:
        return None
    stages = [stage for stage in STAGES if is_one_slip(last, stage)]
    return stages[0] if len(stages) == 1 else None


def meant_by(gap: Gap, slipped: Mapping[str, SlippedOutput]) -> str | None:
    """The tag of `slipped` that is missing, itself or as what it becomes, so that there is the gap."""
    draft = drafts_of(gap.pattern)
    texts = (gap.pattern.text, draft.text if draft else "")
    return next((text for text in texts if text in slipped and not gap.injected), None)


@once
def mistyped(graph: TagGraph) -> dict[InputKey, Near]:
    """The optional inputs that nobody gives, of which one edit or a stage makes a tag that is given. Empty where a
    worker may write unknown tags or the catalogue cannot be read."""
    if graph.unknowns.writers or graph.unknowns.sources:
        return {}
    missing = [key for key, producers in graph.producers.items() if not producers and _is_plain(graph, key)]
    made = frozenset(_made(graph)) if missing else frozenset[str]()
    found: dict[InputKey, Near] = {}
    for key in missing:
        near = vocabulary_of(graph).near(graph.input(key).text, glued=False)
        tags = tuple(tag for tag in near.tags if tag in made) if near else ()
        if near and tags:
            found[key] = Near(tags, near.stage)
    return found


def _is_plain(graph: TagGraph, key: InputKey) -> bool:
    ref = graph.input(key)
    return ref.optional and ref.pattern.is_tag and ref.text not in graph.names


def _made(graph: TagGraph) -> Iterator[str]:
    for worker in graph.package.workers:
        for ref in worker.outputs:
            yield ref.text
            confirmed = promoted(under_new_name(ref.pattern, graph.names))
            if confirmed:
                yield confirmed.text
    manifest = graph.package.manifest
    if manifest:
        targets = manifest.startup.targets if manifest.startup else ()
        yield from (ref.text for ref in (*targets, *manifest.asks))
