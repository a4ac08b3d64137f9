"""The artifacts of a design (SPEC 10.3): what each is called, what its body holds, where it belongs.

One file of data for each, `model/artifacts/<id>.json`; nothing else in the program lists them.
"""

from __future__ import annotations

import os

from skillc.tags import family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "model", "artifacts")
DESIGN = "设计"
"""First segment of the tags of artifacts."""


class Artifact:
    """`name` is the second segment of its tags, `names` other words for it, `mounts` the keys of the slots that
    must get it, `scores` the dimensions of its self-assessment. `form`: fragment, order (a context-order.v1), or
    document (its keys stand at the top). `body`: key → specification. `prose`: one long text is as it should be."""

    __slots__ = ("about", "body", "form", "id", "mounts", "name", "names", "prose", "scores", "view")

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.id: str = data["id"]
        self.name: str = data["artifact"]
        self.names: tuple[str, ...] = tuple(data["names"])
        self.about: str = data["about"]
        self.form: str = data["form"]
        self.mounts: tuple[str, ...] = tuple(data["mount"])
        self.scores: tuple[str, ...] = tuple(data["scores"])
        self.view: str = data["view"]
        self.prose = bool(data.get("prose"))
        self.body: Mapping[str, Mapping[str, Any]] = data["body"]

    def __repr__(self) -> str:
        return f"Artifact({self.id!r})"


_known: dict[str, Artifact] = {}


def artifacts() -> tuple[Artifact, ...]:
    """All artifacts, by id."""
    return tuple(dict.fromkeys(_all().values()))


def artifact_named(word: str) -> Artifact | None:
    """The artifact that a word means: its name, its id, or another name of it.

    >>> artifact_named("实现机制"), artifact_named("mechanism"), artifact_named("状态栏"), artifact_named("大纲")
    (Artifact('mechanism'), Artifact('mechanism'), Artifact('monitor'), None)
    """
    return _all().get(word.strip())


def artifact_of(tag: str) -> Artifact | None:
    """The artifact that stands under `tag`, in any stage and slot.

    >>> artifact_of("设计.生成规则.草稿#天气"), artifact_of("生成规则.草稿")
    (Artifact('generation-rules'), None)
    """
    segments = family(tag).split(".")
    return artifact_named(segments[1]) if len(segments) > 1 and segments[0] == DESIGN else None


def expected_mounts(tag: str) -> tuple[str, ...]:
    """The slots that the artifact under `tag` belongs on; every other artifact goes where its author wants it.

    >>> expected_mounts("设计.生成规则.草稿#天气"), expected_mounts("大纲.草稿")
    (('gm', 'auditor'), ())
    """
    artifact = artifact_of(tag)
    return artifact.mounts if artifact else ()


def _all() -> dict[str, Artifact]:
    """The artifacts by every word for them: a name counts before another's second name."""
    if not _known:
        found = [_read(name) for name in sorted(os.listdir(FOLDER)) if name.endswith(".json")]
        for artifact in found:
            _known[artifact.name] = _known[artifact.id] = artifact
        for artifact in found:
            for word in artifact.names:
                _known.setdefault(word, artifact)
    return _known


def _read(name: str) -> Artifact:
    import json

    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return Artifact(json.load(file))
