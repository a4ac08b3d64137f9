"""A mapping of YAML read by a schema: what can be read, and a finding for everything that cannot.

A schema is a `Fields` class. Reading never stops at the first error: what is wrong is reported at its
own place and left out, and the rest is validated without it, so one file gives all its errors in one
run (SPEC 1.4). Codes: unknown-field, field-type, missing-field, legacy-fields (SPEC 2.4).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Annotated, Any, Generic, cast, get_args

from skillc.diagnostic import Diagnostic, Edit, Fix, finding
from skillc.model.field_help import field_help
from skillc.model.scalars import REFUSED, Refused, plain
from skillc.model.schema import F, Fields, Key, declared, shape
from skillc.resemblance import closest
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.text import Span, Text
from skillc.value import value
from skillc.wording import say, series

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

LEGACY = ("key", "summary", "tags", "readableBy", "writableBy", "owner", "visibleTo", "type")
"""The fields of the old key model (SPEC 16.5)."""
_OF_KEYS = ("extra_forbidden", "missing")
"""Errors that speak of keys, not of values."""
Location = tuple[int | str, ...]
_WANTED = {"list_type": say("a list"), "dict_type": say("a mapping"), "model_type": say("a mapping")}


class SkillFields(Fields):
    """What the Agent Skills standard adds to a file, carried as it is (SPEC 2.4)."""

    license: Any = None
    compatibility: Any = None
    metadata: Any = None
    allowed_tools: Annotated[Any, Key("allowed-tools")] = None


@value
class Reading(Generic[F]):
    """What was read. `faults` are the fields in which something was wrong: their value is partial,
    and nothing should be concluded from what it lacks."""

    value: F
    faults: frozenset[str]
    diagnostics: tuple[Diagnostic, ...]


def read_fields(schema: type[F], node: Node, start: Span | None, told: Collection[Span] = ()) -> Reading[F]:
    """All that `schema` can read of `node`; a missing required field is reported at `start`.

    Without `start` nothing counts as missing: for a mapping of which only parts could be read. `told` are the
    places of errors of form: of the type of a value in which there is one, nothing is said.
    """
    if not isinstance(node, Mapping):
        wrong = finding(
            "field-type",
            node.span,
            say("{noun} must be a mapping, not {shown}", noun=schema.noun, shown=shown(node)),
        )
        return Reading(schema(), frozenset(schema.known()), (wrong,))
    read = _at_once(schema, node.values)
    if read is not None:
        is_whole = start is None or shape(schema).holds_all(read)
        missing = () if is_whole or start is None else tuple(_missing(schema, node, frozenset(), start))
        return Reading(read, frozenset(), missing)
    from skillc.model.validating import prune_until_valid

    data = plain(node)
    errors = prune_until_valid(schema, data)
    hit = _entries_at(node, told)
    causes = [
        error for error in _causes(schema, errors) if error["type"] in _OF_KEYS or error["loc"][0] not in hit
    ]
    found = [d for error in causes for d in _diagnose(schema, node, error)]
    faults = frozenset(_faults(schema, node, errors))
    if start is not None:
        found += _missing(schema, node, faults, start)
    return Reading(shape(schema).read(data), faults, tuple(found))


def _at_once(schema: type[F], values: dict[str, Node]) -> F | None:
    """The values of a mapping in which nothing is wrong; None for any other."""
    try:
        return shape(schema).read(values)
    except Refused:
        own = {key: node for key, node in values.items() if not key.startswith("x-")}
        return _at_once(schema, own) if len(own) < len(values) else None


def _entries_at(node: Mapping, places: Collection[Span]) -> frozenset[str]:
    """The keys of the entries that these places lie in."""
    starts = [place.start for place in places]
    return frozenset(
        key.value
        for key, value in (node if places else ())
        if any(key.span.start <= start <= max(key.span.end, value.span.end) for start in starts)
    )


def shown(node: Node) -> str:
    """How a message speaks of a value: quoted when it is a scalar, by its shape when not."""
    if isinstance(node, Scalar):
        return say("empty") if node.is_null else f"`{_short(node.value)}`"
    return say("a list") if isinstance(node, Sequence) else say("a mapping")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` most likely stands for; None when none is close.

    >>> nearest("inputTag", ["inputTags", "outputTags"])
    'inputTags'
    """
    lower = {name.casefold(): name for name in sorted(known, reverse=True)}
    folded = word.casefold().replace("_", "").replace("-", "")
    close = closest(folded, sorted(lower), 0.7)
    return lower[close] if close else None


def _short(text: str, limit: int = 60) -> str:
    line = text.replace("\n", " ")
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _causes(schema: type[Fields], errors: list[ErrorDetails]) -> list[ErrorDetails]:
    """The errors without those that another one explains: a field is missing where it is misspelt."""
    misspelt = {
        (*loc[:-1], nearest(str(loc[-1]), _schema_at(schema, loc[:-1]).known()))
        for loc in (error["loc"] for error in errors if error["type"] == "extra_forbidden")
    }
    return [error for error in errors if error["type"] != "missing" or error["loc"] not in misspelt]


def _faults(schema: type[Fields], node: Mapping, errors: Iterable[ErrorDetails]) -> Iterable[str]:
    """The fields that an error touches; a misspelt one stands for the absent field that it resembles."""
    for error in errors:
        name = str(error["loc"][0])
        if error["type"] != "extra_forbidden" or len(error["loc"]) > 1:
            yield name
        elif not name.startswith("x-") and name not in schema.legacy:
            near = nearest(name, schema.known())
            if near and node.key(near) is None:
                yield near


def _missing(schema: type[Fields], node: Mapping, faults: frozenset[str], start: Span) -> list[Diagnostic]:
    found = []
    for name in schema.required:
        value = node.get(name)
        if name in faults or not (value is None or _is_blank(value)):
            continue
        key = node.key(name)
        found.append(
            finding(
                "missing-field",
                key.span,
                say("required field `{name}` of {noun} is empty", name=name, noun=schema.noun),
            )
            if key
            else finding(
                "missing-field",
                start,
                say("required field `{name}` of {noun} is missing", name=name, noun=schema.noun),
            )
        )
    return found


def _is_blank(value: Node) -> bool:
    return isinstance(value, Scalar) and (value.is_null or not value.value.strip())


def _diagnose(schema: type[Fields], root: Mapping, error: ErrorDetails) -> Iterable[Diagnostic]:
    location = error["loc"]
    if error["type"] == "extra_forbidden":
        yield from _unknown(_schema_at(schema, location[:-1]), root, location)
    elif error["type"] == "missing":
        noun = _schema_at(schema, location[:-1]).noun
        place = _first_place(_node_at(root, location[:-1]))
        yield finding(
            "missing-field",
            place,
            say("required field `{name}` of {noun} is missing", name=location[-1], noun=noun),
        )
    else:
        node = _node_at(root, location)
        wanted = cast(str, error["ctx"]["wanted"]) if error["type"] == REFUSED else _WANTED[error["type"]]
        yield finding(
            "field-type",
            node.span,
            say(
                "{subject} must be {wanted}, not {shown}",
                subject=_subject(location),
                wanted=wanted,
                shown=shown(node),
            ),
            field_help(wanted, node, _schema_at(schema, location).short),
        )


def _unknown(schema: type[Fields], root: Mapping, location: Location) -> Iterable[Diagnostic]:
    owner = _node_at(root, location[:-1])
    key = owner.key(str(location[-1])) if isinstance(owner, Mapping) else None
    if key is None or key.value.startswith("x-"):
        return
    if key.value in schema.legacy:
        yield legacy_field(key)
        return
    near = nearest(key.value, schema.known())
    guess = say("; did you mean `{near}`?", near=near) if near else ""
    fix = (
        Fix(say("rename `{key}` to `{near}`", key=key.value, near=near), (Edit(key.span, near),), safe=False)
        if near
        else None
    )
    yield finding(
        "unknown-field",
        key.span,
        say("`{key}` is not a field of {noun}{guess}", key=key.value, noun=schema.noun, guess=guess),
        say("known fields: {known}; a key that starts with `x-` is free", known=series(schema.known())),
        fix=fix,
    )


def legacy_field(key: Text) -> Diagnostic:
    """The finding for a field of the old key model, which is ignored."""
    return finding(
        "legacy-fields",
        key.span,
        say("`{key}` is a field of the old key model and is ignored", key=key.value),
        say("remove it: tags, inputTags and outputTags alone say who reads and writes what"),
    )


def _subject(location: Location) -> str:
    name = next(f"`{step}`" for step in reversed(location) if isinstance(step, str))
    return name if isinstance(location[-1], str) else say("each entry of {name}", name=name)


def _node_at(node: Node, location: Location) -> Node:
    """The node at `location`; where a lone scalar was read as a list of one, that scalar."""
    for step in location:
        if isinstance(node, Mapping) and isinstance(step, str):
            node = node.get(step) or node
        elif isinstance(node, Sequence) and isinstance(step, int):
            node = node.items[step]
    return node


def _first_place(node: Node) -> Span:
    return node.entries[0][0].span if isinstance(node, Mapping) and node.entries else node.span


def _schema_at(schema: type[Fields], location: Location) -> type[Fields]:
    """The schema that rules at `location`."""
    for step in location:
        field = declared(schema).get(str(step))
        schema = (_nested(field.type) if field else None) or schema
    return schema


def _nested(annotation: Any) -> type[Fields] | None:
    if isinstance(annotation, type) and issubclass(annotation, Fields):
        return annotation
    return next((found for part in get_args(annotation) if (found := _nested(part))), None)
