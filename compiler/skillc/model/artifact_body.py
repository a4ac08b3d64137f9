"""The body of an artifact against its file of data: read as far as it goes, with a note for what is not as agreed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skillc.model.artifact_note import ArtifactNote, Path, kind_of, place_of
from skillc.model.artifact_schema import DIAGNOSIS, Spec, kinds
from skillc.runtime.artifacts import Artifact
from skillc.runtime.order import number
from skillc.wording import say, series

LONG = 300
"""Characters from which a text that is the whole body is a wall."""
DEEP = 5
"""Levels of mappings in a body; about two and their leaves are meant, lists of cards have some more."""
_WANTED = {
    "text": say("a short text"),
    "prose": say("a text"),
    "texts": say("a list of texts"),
    "number": say("a number"),
    "flag": say("a yes or no"),
    "diagnosis": say("a diagnosis {keys}", keys="{结论, 依据, 完备度}"),
    "group": say("a mapping"),
    "row": say("a mapping of one layer"),
    "list": say("a list"),
    "map": say("a mapping"),
}
_SAID_AS_FLAG = frozenset(["true", "false", "yes", "no", "on", "off", "是", "否", "开", "关"])


def read_body(artifact: Artifact | None, body: object, at: Path) -> tuple[object, list[ArtifactNote]]:
    """The body under the artifact's own keys, and notes. Of an artifact that nobody knows only the shape is judged.

    Kinds: body-form, single-text, deep, missing-key, empty-key, wrong-kind, nested-row, unknown-key, key-alias.
    """
    notes = list(_shape(artifact, body, at))
    if artifact is None or not isinstance(body, dict):
        return body, notes
    reader = _BodyReader(artifact)
    found = reader.mapping(artifact.body, body, at)
    notes += reader.notes
    for key in body:
        if key not in artifact.body and key not in reader.renamed and not key.startswith("x-"):
            notes.append(_unknown(artifact, key, (*at, key)))
    return found, notes


def _shape(artifact: Artifact | None, body: object, at: Path) -> Iterator[ArtifactNote]:
    prose = artifact is not None and artifact.prose
    if isinstance(body, str) and prose:
        return
    texts = list(_leaves(body))
    if len(texts) == 1 and len(texts[0]) > LONG and not prose and _plain(body):
        help = say("break it into keys with short fields, lists of texts or diagnoses")
        message = say("the whole body is one text of {n} characters", n=len(texts[0]))
        yield ArtifactNote("warning", "single-text", at, message, help)
    elif not isinstance(body, dict):
        message = say("the body is {shown}, not a mapping", shown=kind_of(body))
        yield ArtifactNote("warning", "body-form", at, message, say("give each part a key of its own"))
    if _depth(body) > DEEP:
        message = say("the body is nested {n} levels deep", n=_depth(body))
        yield ArtifactNote(
            "note",
            "deep",
            at,
            message,
            say("about two levels and their leaves are easy to read and to project"),
        )


def _plain(body: object) -> bool:
    """Whether the body is a text, or mappings down to one."""
    return isinstance(body, str) or (isinstance(body, dict) and all(map(_plain, body.values())))


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item)
    elif value is not None:
        yield str(value)


def _depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return max(map(_depth, value), default=0) if isinstance(value, list) else 0


def _unknown(artifact: Artifact, key: str, path: Path) -> ArtifactNote:
    message = say("`{key}` is no key of {artifact}; it is shown as it is", key=key, artifact=artifact.name)
    return ArtifactNote(
        "note", "unknown-key", path, message, say("its keys are {keys}", keys=_keys(artifact.body))
    )


def _keys(keys: Mapping[str, Spec]) -> str:
    return series(f"`{key}`" for key in keys)


class _BodyReader:
    """Walks a body beside its specification; what it reads has the specification's own keys."""

    def __init__(self, artifact: Artifact) -> None:
        self.artifact = artifact
        self.notes: list[ArtifactNote] = []
        self.renamed: set[str] = set()

    def warn(self, kind: str, path: Path, message: str, help: str = "") -> None:
        self.notes.append(ArtifactNote("warning", kind, path, message, help))

    def mapping(self, keys: Mapping[str, Spec], value: Mapping[str, Any], at: Path) -> dict[str, Any]:
        """The entries in written order, under the keys of the specification where they have another name."""
        names = {
            word: key for key, spec in keys.items() for word in spec.get("names", ()) if key not in value
        }
        found: dict[str, Any] = {}
        for written, item in value.items():
            own = names.get(written, written)
            own = written if own in found else own
            if own != written:
                self.renamed.add(written)
                message = say("`{written}` is read as `{key}`", written=written, key=own)
                self.notes.append(ArtifactNote("note", "key-alias", (*at, written), message))
            found[own] = self.value(keys[own], item, (*at, written)) if own in keys else item
        for key, spec in keys.items():
            if spec.get("needed") and key not in found:
                message = say("`{key}` of {artifact} is missing", key=key, artifact=self.artifact.name)
                self.warn("missing-key", (*at, key), message, spec.get("about", ""))
        return found

    def value(self, spec: Spec, value: object, at: Path) -> Any:
        """One value as its specification reads it."""
        wanted = sorted(kinds(spec), key=lambda kind: kind != "texts")
        if value is None or value in ("", [], {}):
            if spec.get("needed"):
                self.warn("empty-key", at, say("`{key}` is empty", key=_name(at)), spec.get("about", ""))
            return value
        kind = next((kind for kind in wanted if fits(kind, value)), None)
        if kind is None:
            message = say(
                "`{key}` is {shown}; it should be {wanted}",
                key=_name(at),
                shown=kind_of(value),
                wanted=_either([_WANTED[kind] for kind in wanted]),
            )
            self.warn("wrong-kind", at, message, spec.get("about", ""))
            return value
        return self._inside(kind, spec, value, at)

    def _inside(self, kind: str, spec: Spec, value: Any, at: Path) -> Any:
        if kind == "list":
            return [self.value(spec["of"], item, (*at, number)) for number, item in enumerate(value)]
        if kind == "map":
            return {key: self.value(spec["of"], item, (*at, key)) for key, item in value.items()}
        if kind == "row":
            self._one_layer(value, at)
        if kind in ("row", "group"):
            return self.mapping(spec.get("keys", {}), value, at)
        if "one_of" in spec and value not in spec["one_of"]:
            words = series(f"`{word}`" for word in spec["one_of"])
            self.warn("wrong-kind", at, say("`{value}` is none of {words}", value=value, words=words))
        return value

    def _one_layer(self, row: Mapping[str, Any], at: Path) -> None:
        for key, item in row.items():
            if isinstance(item, dict) or (isinstance(item, list) and any(map(_is_tree, item))):
                message = say("`{key}` holds {shown}, but a row has one layer", key=key, shown=kind_of(item))
                self.warn(
                    "nested-row",
                    (*at, key),
                    message,
                    say("write texts, numbers or a list of texts; split the rest off"),
                )


def fits(kind: str, value: object) -> bool:
    """Whether a value can be read as one of this kind; boards of YAML have all scalars as text.

    >>> fits("text", 3), fits("texts", "一"), fits("flag", "true"), fits("list", [])
    (True, False, True, True)
    """
    match kind:
        case "text" | "prose":
            return isinstance(value, str | int | float)
        case "texts":
            return isinstance(value, list) and not any(map(_is_tree, value))
        case "number":
            return number(value) is not None
        case "flag":
            return isinstance(value, bool) or (
                isinstance(value, str) and value.strip().lower() in _SAID_AS_FLAG
            )
        case "list":
            return isinstance(value, list)
        case "diagnosis":
            return isinstance(value, dict) and DIAGNOSIS[0] in value
    return isinstance(value, dict)


def _name(path: Path) -> str:
    """What a sentence calls the part at `path`: its key, and its place where it is one of a list."""
    last = max(at for at, step in enumerate(path) if isinstance(step, str)) if path else 0
    return place_of(path[last:])


def _is_tree(value: object) -> bool:
    return isinstance(value, dict | list)


def _either(words: list[str]) -> str:
    told = list(dict.fromkeys(words))
    text: str = told[0]
    for word in told[1:]:
        text = say("{one} or {other}", one=text, other=word)
    return text
