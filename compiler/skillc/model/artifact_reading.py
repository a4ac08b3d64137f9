"""A text as an artifact of a design: read as far as it goes, with notes; what cannot be read keeps its reason.

Nothing is refused and nothing is thrown away: the text itself is always part of the result (SPEC 10.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skillc.model.artifact_body import read_body
from skillc.model.artifact_note import ArtifactNote, Path
from skillc.model.artifact_shell import shell_notes
from skillc.runtime.artifacts import Artifact, artifact_named, artifact_of
from skillc.runtime.findjson import FoundJson, NoJson, find_json
from skillc.runtime.flat import BODY, FLAT, restored
from skillc.runtime.fragment import Fragment, is_fragment
from skillc.runtime.fragmentform import KEYS
from skillc.runtime.order import SCHEMA as ORDER
from skillc.runtime.order import TOP, normal_order, renamed
from skillc.value import value
from skillc.wording import say, series

ORDER_KEYS = ("slots", "agents")


@value
class ArtifactReading:
    """`text` as it was given. `tree`: the JSON in it, None where there is none that can be read, and `reason` says
    why. `fragment` where it is one; `body` under the artifact's own keys; `order` in its normal form, where there is
    one. `before` and `behind` are the text around the JSON, `rest` keys of a document or shell beside the body."""

    text: str
    tag: str | None
    artifact: Artifact | None
    tree: object = None
    fragment: Fragment | None = None
    body: object = None
    order: Mapping[str, Any] | None = None
    rest: Mapping[str, Any] | None = None
    before: str = ""
    behind: str = ""
    reason: str = ""
    notes: tuple[ArtifactNote, ...] = ()


def read_artifact(text: str, tag: str | None = None) -> ArtifactReading:
    """`text` as the artifact that stands under `tag`, or that it says it is.

    >>> read_artifact('{"技能": "实现机制", "brief": "短", "正文": {}}').artifact
    Artifact('mechanism')
    >>> read_artifact("一段散文").reason
    'there is no JSON in it'
    """
    artifact = artifact_of(tag) if tag else None
    found = find_json(text, lambda tree: is_fragment(tree) or tree.get("schema") == ORDER)
    if isinstance(found, NoJson):
        return ArtifactReading(text, tag, artifact, reason=_reason(found))
    artifact = artifact or _said(found.tree)
    notes = tuple(_around(text, found))
    reading = _read(text, tag, artifact, found.tree, notes)
    if found.how == "packed":
        return reading
    return _with_around(reading, text[: found.start], text[found.end :], found.how == "fence")


def _with_around(reading: ArtifactReading, before: str, behind: str, fenced: bool) -> ArtifactReading:
    from skillc.value import replace

    if fenced:
        before = before.rstrip().rpartition("\n")[0]
        behind = behind.lstrip().removeprefix("```")
    return replace(reading, before=before.strip(), behind=behind.strip())


def _reason(found: NoJson) -> str:
    if found.kind == "blank":
        return say("the text is blank")
    if found.kind == "deep":
        return say("its JSON is nested too deeply")
    if found.kind == "broken":
        return say(
            "its JSON cannot be read at line {line}, column {column}: {detail}",
            line=found.line,
            column=found.column,
            detail=found.detail,
        )
    return say("there is no JSON in it")


def _said(tree: object) -> Artifact | None:
    """The artifact that a tree says it is: by its skill, its artifact, its schema, or what only one of them has."""
    if not isinstance(tree, dict):
        return None
    for key in ("技能", "skill", "artifact"):
        value = tree.get(key)
        meant = (artifact_of(value) or artifact_named(value)) if isinstance(value, str) else None
        if meant:
            return meant
    top = renamed(tree, TOP)
    if tree.get("schema") == ORDER or any(isinstance(top.get(key), list) for key in ORDER_KEYS):
        return artifact_named("context-order")
    if "play_slots" in top:
        return artifact_named("worker-set" if _order_key(top) else "worker-spec")
    return None


def _order_key(tree: Mapping[str, Any]) -> str | None:
    return next((key for key in ("context_order", "contextOrder") if isinstance(tree.get(key), dict)), None)


def _around(text: str, found: FoundJson) -> Iterator[ArtifactNote]:
    """Notes on how the JSON stands in the text."""
    if found.how == "fence":
        yield ArtifactNote("note", "fence", (), say("the JSON stands in a fence"))
    elif found.how == "packed":
        yield ArtifactNote("note", "packed", (), say("the JSON was packed into a JSON text once more"))
    before, behind = text[: found.start].strip("` \n"), text[found.end :].strip("` \n")
    if found.how != "packed" and (found.how == "prose" or before.removesuffix("json").strip() or behind):
        yield ArtifactNote(
            "note", "prose", (), say("the JSON stands in other text, which is shown beside it")
        )
    if found.others:
        message = say("the text holds {n} pieces of JSON; one is read", n=found.others + 1)
        yield ArtifactNote(
            "warning", "more-json", (), message, say("write one object, and nothing beside it")
        )
    if found.repeated:
        keys = series(f"`{key}`" for key in found.repeated)
        message = say("{keys}: stands twice in one object, and the last one counts", keys=keys)
        yield ArtifactNote("warning", "duplicate-key", (), message)


def _read(
    text: str, tag: str | None, artifact: Artifact | None, tree: object, notes: tuple[ArtifactNote, ...]
) -> ArtifactReading:
    if not isinstance(tree, dict):
        body, more = read_body(artifact, tree, ())
        return ArtifactReading(text, tag, artifact, tree, body=body, notes=(*notes, *more))
    if is_fragment(tree) or _meant_as_fragment(tree, artifact):
        return _fragment(text, tag, artifact, tree, notes)
    order = _order(tree)
    shown = renamed(tree, TOP) if order else tree
    known = artifact.body if artifact else {}
    names = {word for spec in known.values() for word in spec.get("names", ())}
    rest = {key: value for key, value in shown.items() if known and key not in known and key not in names}
    body, more = read_body(artifact, {key: value for key, value in shown.items() if key not in rest}, ())
    return ArtifactReading(
        text, tag, artifact, tree, body=body, order=order, rest=rest, notes=(*notes, *more)
    )


def _meant_as_fragment(tree: Mapping[str, Any], artifact: Artifact | None) -> bool:
    """Whether a mapping that is no fragment by its schema is one by what it holds."""
    keys = {KEYS.get(key, key) for key in tree}
    if tree.get("schema") == ORDER:
        return False
    return BODY in keys and bool(keys & {"brief", "mount", "技能", "自评", "追问"} or artifact)


def _fragment(
    text: str,
    tag: str | None,
    artifact: Artifact | None,
    tree: dict[str, Any],
    notes: tuple[ArtifactNote, ...],
) -> ArtifactReading:
    fragment = Fragment(tree)
    body, unpacked = _unpacked(fragment.body, fragment.form.written((BODY,)))
    at: Path = ("sections",) if fragment.schema == FLAT else fragment.form.written((BODY,))
    body, more = read_body(artifact, body, at) if body is not None else (None, [])
    shell = tuple(shell_notes(fragment, artifact))
    order = _order(body) if isinstance(body, dict) and artifact and artifact.form != "fragment" else None
    return ArtifactReading(
        text,
        tag,
        artifact,
        tree,
        fragment=fragment,
        body=body,
        order=order,
        rest={key: value for key, value in fragment.form.tree.items() if key not in _SHELL},
        notes=(*notes, *shell, *unpacked, *more),
    )


def _unpacked(body: object, at: Path) -> tuple[object, list[ArtifactNote]]:
    """A body, or a value directly under it, that is the text of a JSON object or list is that tree."""
    whole = restored(body)
    if whole is not body:
        return whole, [
            ArtifactNote(
                "note", "restored", at, say("the body is a text of JSON and read as the tree that it is")
            )
        ]
    if not isinstance(body, dict):
        return body, []
    found = {key: restored(value) for key, value in body.items()}
    keys = [key for key, value in body.items() if found[key] is not value]
    if not keys:
        return body, []
    message = say(
        "the text of {ids} is JSON and read as the tree that it is", ids=series(f"`{key}`" for key in keys)
    )
    return found, [ArtifactNote("note", "restored", (*at, keys[0]), message)]


def _order(tree: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The order that a document is, or holds."""
    top = renamed(tree, TOP)
    if tree.get("schema") == ORDER or any(isinstance(top.get(key), list) for key in ORDER_KEYS):
        return normal_order(tree)
    key = _order_key(tree)
    return normal_order({"play_slots": top.get("play_slots"), **tree[key]}) if key else None


_SHELL = (
    "schema",
    "技能",
    "artifact",
    "brief",
    "mount",
    "稳变",
    BODY,
    "sections",
    "自评",
    "追问",
    "开放问题",
)
