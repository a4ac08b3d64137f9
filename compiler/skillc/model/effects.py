"""Side effects and changes of variables as boards hold them, with the place of everything that is wrong (SPEC 12.9).

A session reads both from texts that models write; its own reading (`execute`) accepts the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from skillc.diagnostic import Diagnostic, Label, finding
from skillc.grammar import parse_tag
from skillc.model.embedded import array_in
from skillc.model.fields import read_fields, shown
from skillc.model.scalars import Count, Word, one_of
from skillc.model.schema import Fields, Key
from skillc.runtime.order import number
from skillc.runtime.strictjson import finite, integer
from skillc.runtime.tagnames import EDITS, UPDATES
from skillc.runtime.variables import key_fault, visibility_named
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.tags import family
from skillc.text import Text
from skillc.value import value
from skillc.wording import say

DESIGN = "设计.变量设计与更新规则"
EFFECT_KEYS = ("side_effects", "sideEffects", "副作用")
_ORDERED = ("<", "<=", ">", ">=", "＜", "＞", "≤", "≥")
_OPS = (*_ORDERED, "==", "!=", "=", "＝", "≠")
_MODES = ("once", "every_edge")
_DEEDS = ("write_tag", "replace_tag", "queue_worker")


@value
class EffectWrite:
    """A text that a side effect `id` puts under `tag`: its own, or what stands under the tag `source`."""

    id: str
    tag: Text
    source: Text | None


@value
class BoardEffects:
    """What the side effects of one item do, as far as they can be read: texts they write, and workers they queue."""

    writes: tuple[EffectWrite, ...] = ()
    queued: tuple[tuple[str, Text], ...] = ()


NO_EFFECTS = BoardEffects()


class WhenFields(Fields):
    """The line that a variable crosses."""

    noun: ClassVar[str] = say("the condition of a side effect")
    key: Word
    op: Annotated[Text, one_of(*_OPS)]
    value: Word


class WriteFields(Fields):
    """A tag, and what is written under it."""

    noun: ClassVar[str] = say("a text of a side effect")
    tag: Word
    text: Word | None = None
    source: Annotated[Word | None, Key("from")] = None


class ActionFields(Fields):
    """One thing that a side effect does."""

    noun: ClassVar[str] = say("what a side effect does")
    write_tag: Annotated[WriteFields | None, Key("write_tag")] = None
    replace_tag: Annotated[WriteFields | None, Key("replace_tag")] = None
    queue_worker: Annotated[Word | None, Key("queue_worker")] = None


class EffectFields(Fields):
    """A side effect."""

    noun: ClassVar[str] = say("a side effect")
    id: Word
    when: WhenFields
    do: list[ActionFields]
    mode: Annotated[Text, one_of(*_MODES)] | None = None


class EffectsFields(Fields):
    """All of them."""

    noun: ClassVar[str] = say("the design of the variables")
    side_effects: Annotated[list[EffectFields] | None, Key("side_effects")] = None


class ChangeFields(Fields):
    """A change of a variable. That there is a value is looked up beside: it may be null."""

    noun: ClassVar[str] = say("a change of a variable")
    key: Word
    value: Any = None
    rev: Count | None = None
    visibility: Word | None = None


class ChangesFields(Fields):
    """All that stand under one tag."""

    noun: ClassVar[str] = say("changes of variables")
    changes: list[ChangeFields] | None = None


def is_design(tag: str) -> bool:
    """Whether side effects are read from what stands under `tag`, now or once it is accepted."""
    return family(tag) == DESIGN or family(tag).startswith(DESIGN + ".")


def is_changes(tag: str) -> bool:
    """Whether what stands under `tag` changes variables."""
    return family(tag) in (UPDATES, EDITS)


def read_board_effects(body: Mapping) -> tuple[BoardEffects, list[Diagnostic]]:
    """What stands under `side_effects` in the body of a design. Codes: those of fields and tags, duplicate-key for
    two of one id."""
    rows = next((value for key in EFFECT_KEYS if (value := body.get(key)) and not _is_null(value)), None)
    if rows is None:
        return NO_EFFECTS, []
    root = Mapping(((Text("side_effects", rows.span), rows),), rows.span)
    reading = read_fields(EffectsFields, root, None)
    found = list(reading.diagnostics)
    effects = [row for row in _items(rows) if isinstance(row, Mapping)]
    found += [*_repeated(effects, "id"), *(fault for row in effects for fault in _faults(row))]
    return BoardEffects(tuple(_writes(effects)), tuple(_queued(effects))), found


def read_changes_in(tag: Text, content: Node) -> list[Diagnostic]:
    """What is wrong with the changes of variables that `content` holds. Codes: those of fields, duplicate-key."""
    rows = array_in(content) if isinstance(content, Scalar) else content
    if not isinstance(rows, Sequence):
        wanted = say(
            "`{tag}` must be a JSON list of changes, not {shown}", tag=tag.value, shown=shown(content)
        )
        return [
            finding(
                "field-type",
                content.span,
                wanted,
                say("write a list of mappings, each with `key` and `value`"),
            )
        ]
    root = Mapping(((Text("changes", rows.span), rows),), rows.span)
    found = list(read_fields(ChangesFields, root, None).diagnostics)
    changes = [row for row in rows.items if isinstance(row, Mapping)]
    found += [*_repeated(changes, "key"), *(fault for row in changes for fault in _change_faults(row))]
    return [*found, *(_too_large(rows) if isinstance(content, Scalar) else ())]


def _too_large(node: Node) -> Iterator[Diagnostic]:
    """Numbers of a JSON text that no table can hold."""
    if isinstance(node, Scalar) and node.plain and not _holds(node.value):
        shown_part = node.value if len(node.value) <= 20 else node.value[:20] + "…"
        yield finding("field-type", node.span, say("the number `{number}` is too large", number=shown_part))
    elif isinstance(node, Mapping | Sequence):
        inner = (value for _, value in node) if isinstance(node, Mapping) else node.items
        yield from (fault for part in inner for fault in _too_large(part))


def _holds(value: str) -> bool:
    try:
        (integer if value.removeprefix("-").isdigit() else finite)(value)
    except ValueError:
        return value in ("true", "false", "null")
    return True


def _change_faults(row: Mapping) -> Iterator[Diagnostic]:
    key, visibility = _text(row, "key"), _text(row, "visibility")
    if row.get("value") is None:
        yield finding(
            "missing-field",
            row.entries[0][0].span if row.entries else row.span,
            say("required field `{name}` of {noun} is missing", name="value", noun=ChangeFields.noun),
        )
    if key is not None and key_fault(key.value) is not None:
        yield finding("field-type", key.span, say("`{key}` is no name of a variable", key=key.value))
    if visibility is not None and visibility_named(visibility.value) is None:
        yield finding(
            "field-type",
            visibility.span,
            say("`{word}` does not say who may see a variable", word=visibility.value),
            say("write `public`, `hidden`, `user_only`, or `role:` and the id of a role"),
        )


def _faults(effect: Mapping) -> Iterator[Diagnostic]:
    """What no schema of fields says: a line of numbers, one deed each, one text each, tags."""
    when, deeds = effect.get("when"), effect.get("do")
    yield from _blank(effect, "id")
    if isinstance(when, Mapping):
        yield from (*_blank(when, "key"), *_line_faults(when))
    if isinstance(deeds, Sequence) and not deeds.items:
        yield finding("field-type", deeds.span, say("`do` of a side effect is empty: it does nothing"))
    for deed in _items(deeds):
        if isinstance(deed, Mapping):
            yield from _one_of(deed, _DEEDS, ActionFields.noun)
            for write in _write_nodes(deed):
                yield from (*_one_of(write, ("text", "from"), WriteFields.noun), *_blank(write, "text"))
                for tag in (_text(write, "tag"), _text(write, "from")):
                    yield from parse_tag(tag)[1] if tag else ()


def _blank(node: Mapping, key: str) -> Iterator[Diagnostic]:
    text = _text(node, key)
    if text is not None and not text.value:
        yield finding("field-type", text.span, say("`{key}` is empty", key=key))


def _line_faults(when: Mapping) -> Iterator[Diagnostic]:
    op, value = _text(when, "op"), _text(when, "value")
    if op and value and op.value in _ORDERED and number(value.value) is None:
        yield finding(
            "field-type",
            value.span,
            say("`{op}` compares numbers, and `{value}` is none", op=op.value, value=value.value),
        )


def _one_of(node: Mapping, keys: tuple[str, ...], noun: str) -> Iterator[Diagnostic]:
    there = [key for key, value in node if key.value in keys and not _is_null(value)]
    names = " ".join(f"`{key}`" for key in keys)
    unknown = [key for key, _ in node if key.value not in (*keys, "tag")]
    if not there and not unknown:
        at = node.entries[0][0].span if node.entries else node.span
        yield finding("missing-field", at, say("{noun} needs one of {names}", noun=noun, names=names))
    if len(there) > 1:
        yield finding(
            "field-type",
            there[1].span,
            say("{noun} takes only one of {names}", noun=noun, names=names),
            related=[Label(there[0].span, say("the other"))],
        )


def _repeated(rows: list[Mapping], name: str) -> Iterator[Diagnostic]:
    first: dict[str, Text] = {}
    for row in rows:
        text = _text(row, name)
        known = first.setdefault(text.value, text) if text else None
        if text and known is not None and known is not text:
            yield finding(
                "duplicate-key",
                text.span,
                say("`{name}` `{value}` stands twice in one list", name=name, value=text.value),
                related=[Label(known.span, say("first here"))],
            )


def _writes(effects: list[Mapping]) -> Iterator[EffectWrite]:
    for effect in effects:
        for deed in _items(effect.get("do")):
            for write in _write_nodes(deed) if isinstance(deed, Mapping) else ():
                tag, source = _text(write, "tag"), _text(write, "from")
                name = _text(effect, "id")
                if tag and not parse_tag(tag)[1] and not (source and parse_tag(source)[1]):
                    yield EffectWrite(name.value if name else "", tag, source)


def _queued(effects: list[Mapping]) -> Iterator[tuple[str, Text]]:
    for effect in effects:
        name = _text(effect, "id")
        for deed in _items(effect.get("do")):
            worker = _text(deed, "queue_worker") if isinstance(deed, Mapping) else None
            if worker:
                yield name.value if name else "", worker


def _write_nodes(deed: Mapping) -> Iterator[Mapping]:
    nodes = (deed.get(key) for key in ("write_tag", "replace_tag"))
    yield from (node for node in nodes if isinstance(node, Mapping))


def _items(node: Node | None) -> tuple[Node, ...]:
    return node.items if isinstance(node, Sequence) else ()


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.is_null


def _text(node: Mapping, key: str) -> Text | None:
    value = node.get(key)
    return Text(value.value, value.span) if isinstance(value, Scalar) and not value.is_null else None
