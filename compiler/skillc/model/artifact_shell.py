"""What stands around the body of a fragment, against the models of the two forms and the artifact's own table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from skillc.model.artifact_note import ArtifactNote, Path, kind_of
from skillc.model.fragment import MODELS, Shell
from skillc.runtime.artifacts import Artifact, artifact_named
from skillc.runtime.flat import BODY, FLAT, FRAGMENT, SECTIONS, restored, tree_losses
from skillc.runtime.fragment import STABILITY, Fragment
from skillc.runtime.slots import slot_named
from skillc.wording import say, series

_WANTED = {
    "string_type": say("a text"),
    "list_type": say("a list"),
    "dict_type": say("a mapping"),
    "model_type": say("a mapping"),
    "float_type": say("a number"),
}


def shell_notes(fragment: Fragment, artifact: Artifact | None) -> Iterator[ArtifactNote]:
    """Notes on the shell, in reading order. Kinds: order, percent, score, key-alias, shape, schema, missing-key,
    wrong-kind, unknown-key, stability, skill, missing-mount, missing-dimension, unknown-dimension; of the flat form
    duplicate-id, restored, and those of what a tree cannot carry."""
    yield from _written(fragment)
    yield from _by_model(fragment)
    yield from _skill(fragment, artifact)
    if artifact is not None:
        yield from _mounts(fragment, artifact)
        yield from _dimensions(fragment, artifact)
    if fragment.schema == FLAT:
        yield from _sections(fragment)


def _written(fragment: Fragment) -> Iterator[ArtifactNote]:
    """Older scores, places in an order, other names and shorter shapes."""
    for fault in fragment.faults:
        if fault.kind == "order":
            message = say("a fragment says where in an order it stands")
            yield ArtifactNote(
                "warning",
                "order",
                fault.path,
                message,
                say("leave `order` to the projection order, which is made last"),
            )
        elif fault.kind == "percent":
            message = say("the score {score} is a percentage", score=fault.value)
            yield ArtifactNote(
                "note", "percent", fault.path, message, say("it is read as a tenth; write 0 to 10")
            )
        else:
            message = say("`{score}` is no score from 0 to 10", score=fault.value)
            yield ArtifactNote("warning", "score", fault.path, message)
    for path, own in fragment.form.renamed:
        message = say("`{written}` is read as `{key}`", written=path[-1], key=own)
        yield ArtifactNote("note", "key-alias", path, message)
    for path in dict.fromkeys(path[:1] for path in fragment.form.reshaped):
        message = say("this is written in another form than its own, and read as meant")
        yield ArtifactNote("note", "shape", path, message)


def _by_model(fragment: Fragment) -> Iterator[ArtifactNote]:
    """What the model of the form refuses, but for the body and what is told elsewhere."""
    form = FLAT if fragment.schema == FLAT else FRAGMENT
    shell = {key: value for key, value in fragment.form.tree.items() if key not in ("order", BODY, SECTIONS)}
    if "schema" not in shell:
        yield ArtifactNote(
            "note", "schema", (), say("no `schema` is stated; it is read as `{form}`", form=form)
        )
    elif shell["schema"] != form:
        message = say("the schema `{schema}` is read as `{form}`", schema=shell["schema"], form=form)
        yield ArtifactNote("warning", "schema", ("schema",), message)
    if isinstance(fragment.form.tree.get(SECTIONS if form == FLAT else BODY), type(None)):
        name = SECTIONS if form == FLAT else BODY
        yield ArtifactNote(
            "warning", "missing-key", (name,), say("`{key}` is missing: nothing is said", key=name)
        )
    for error in _errors(
        MODELS[form], {**shell, "schema": form, **({SECTIONS: []} if form == FLAT else {BODY: {}})}
    ):
        yield from _told(error, fragment)


def _errors(model: type[Shell], shell: Mapping[str, Any]) -> list[ErrorDetails]:
    try:
        model.model_validate(shell)
    except ValidationError as error:
        return error.errors(include_url=False)
    return []


def _told(error: ErrorDetails, fragment: Fragment) -> Iterator[ArtifactNote]:
    own = tuple(step for step in error["loc"] if step not in ("str", "list[str]"))
    path = fragment.form.written(own)
    key = own[-1] if own else ""
    if "分数" in own:
        if error["type"] == "missing":
            yield ArtifactNote("warning", "missing-key", path, say("a dimension has no score"))
        return
    if own[:1] == ("稳变",):
        if fragment.stability is None:
            words = series(f"`{word}`" for word in STABILITY if not word.isascii())
            yield ArtifactNote(
                "warning", "stability", path, say("the stability is none of {words}", words=words)
            )
        return
    if own[:1] == ("mount",) and fragment.mounts:
        message = say("this is written in another form than its own, and read as meant")
        yield ArtifactNote("note", "shape", path, message)
    elif error["type"] == "missing":
        yield ArtifactNote("warning", "missing-key", path, say("`{key}` is missing", key=key))
    elif error["type"] == "extra_forbidden":
        message = say("`{key}` is no key of a fragment; it is shown as it is", key=key)
        yield ArtifactNote("note", "unknown-key", path, message)
    elif error["type"] == "string_pattern_mismatch":
        yield ArtifactNote("warning", "empty-key", path, say("`{key}` is empty", key=key))
    else:
        wanted = _WANTED.get(error["type"], say("something else"))
        message = say(
            "`{key}` is {shown}; it should be {wanted}", key=key, shown=kind_of(error["input"]), wanted=wanted
        )
        yield ArtifactNote("warning", "wrong-kind", path, message)


def _skill(fragment: Fragment, artifact: Artifact | None) -> Iterator[ArtifactNote]:
    meant = artifact_named(fragment.skill)
    if artifact and meant and meant is not artifact:
        message = say(
            "it calls itself {said}, but stands where {artifact} belongs",
            said=meant.name,
            artifact=artifact.name,
        )
        yield ArtifactNote("warning", "skill", fragment.form.written(("技能",)), message)


def _mounts(fragment: Fragment, artifact: Artifact) -> Iterator[ArtifactNote]:
    meant = {slot.key for name, _ in fragment.mounts if (slot := slot_named(name))}
    missing = [key for key in artifact.mounts if key not in meant]
    if missing:
        slots = series(f"`{key}`" for key in missing)
        message = say("{artifact} is not mounted on {slots}", artifact=artifact.name, slots=slots)
        help = say("whoever plays there needs it in every turn")
        yield ArtifactNote("warning", "missing-mount", fragment.form.written(("mount",)), message, help)


def _dimensions(fragment: Fragment, artifact: Artifact) -> Iterator[ArtifactNote]:
    names = [score.name for score in fragment.scores]
    path = fragment.form.written(("自评", "维度"))
    dimensions = series(f"`{name}`" for name in artifact.scores)
    missing = [name for name in artifact.scores if name not in names]
    if not names:
        message = say("{artifact} does not assess itself", artifact=artifact.name)
        yield ArtifactNote(
            "note",
            "missing-dimension",
            ("自评",),
            message,
            say("its dimensions are {names}", names=dimensions),
        )
    elif missing:
        told = series(f"`{name}`" for name in missing)
        message = say("the self-assessment has no score for {names}", names=told)
        yield ArtifactNote("note", "missing-dimension", path, message)
    unknown = [name for name in names if name and name not in artifact.scores]
    if unknown:
        told = series(f"`{name}`" for name in unknown)
        message = say("{names}: no dimension of {artifact}", names=told, artifact=artifact.name)
        yield ArtifactNote(
            "note", "unknown-dimension", path, message, say("its dimensions are {names}", names=dimensions)
        )


def _sections(fragment: Fragment) -> Iterator[ArtifactNote]:
    """What the flat form loses on its way to the tree, and what was restored."""
    flat = fragment.form.tree
    losses = tree_losses(flat)
    for loss in losses:
        if loss.kind == "duplicate-id":
            told = flat[SECTIONS][loss.path[1]]["id"]
            message = say("a second section is called `{id}`; both are shown", id=told)
            yield ArtifactNote(
                "warning", loss.kind, loss.path, message, say("give each section an id of its own")
            )
        elif loss.kind in _LOST:
            yield ArtifactNote("warning", loss.kind, loss.path, _LOST[loss.kind])
    yield from _merged("title", say("titles that are not the ids are lost in a tree"), losses)
    yield from _merged("formatting", say("texts of JSON come back in their plain form"), losses)
    rows = [(at, row) for at, row in enumerate(_rows(flat.get(SECTIONS))) if isinstance(row, dict)]
    trees = [at for at, row in rows if isinstance(restored(row.get("text")), dict | list)]
    if trees:
        ids = series(f"`{flat[SECTIONS][at].get('id')}`" for at in trees)
        message = say("the text of {ids} is JSON and read as the tree that it is", ids=ids)
        yield ArtifactNote("note", "restored", (SECTIONS, trees[0], "text"), message)


def _merged(kind: str, message: str, losses: Iterable[Any]) -> Iterator[ArtifactNote]:
    paths: list[Path] = [loss.path for loss in losses if loss.kind == kind]
    if paths:
        yield ArtifactNote("note", kind, paths[0], message)


def _rows(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


_LOST = {
    "section-form": say("this is no section: it is shown under a number"),
    "id": say("a section has no id: it is shown under its title or a number"),
    "text": say("a section has no text"),
    "section-key": say("this key of a section is lost in a tree"),
    "shell-key": say("this key is lost where the sections become the body"),
}
