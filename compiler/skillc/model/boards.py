"""`contexts/<case>.yaml`: a board that the author wants to see the context of (SPEC 15.4, 17.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from skillc.diagnostic import Diagnostic, Edit, Fix, Label, finding
from skillc.grammar import parse_tag
from skillc.model.effects import (
    NO_EFFECTS,
    BoardEffects,
    is_changes,
    is_design,
    read_board_effects,
    read_changes_in,
)
from skillc.model.embedded import array_in, json_in, node_at, plain
from skillc.model.fields import LEGACY, read_fields
from skillc.model.scalars import Table, Word, Words, one_of
from skillc.model.schema import Fields, Key
from skillc.runtime.board import STATUSES
from skillc.runtime.flat import FLAT
from skillc.runtime.fragment import KEYS, Fragment, Path, read_fragment
from skillc.runtime.history import ROLES
from skillc.runtime.variables import key_fault
from skillc.source.document import YamlFile
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.text import Source, Span, Text
from skillc.value import replace, value
from skillc.wording import say


@value
class BoardFragment:
    """A content that is a context fragment: its `tree`, and what it says. `exact`: the places in the tree are
    those in the file, so that a part can be replaced."""

    tree: Node
    exact: bool
    said: Fragment

    def place(self, path: Path) -> Span:
        """Where what stands at `path` is written."""
        return node_at(self.tree, path).span

    def key_at(self, path: Path) -> Span:
        """Where the key that ends `path` is written."""
        holder = node_at(self.tree, path[:-1])
        key = holder.key(str(path[-1])) if isinstance(holder, Mapping) else None
        return key.span if key else holder.span

    def key(self, name: str) -> Span:
        """A key of the shell, else the first one."""
        assert isinstance(self.tree, Mapping)
        names = [key for key, _ in self.tree]
        return next((key.span for key in names if KEYS.get(key.value, key.value) == name), names[0].span)


@value
class BoardItem:
    """One item. `tag` is None where it cannot be read; `content` is text, or the tree that becomes text."""

    tag: Text | None
    content: Node | None
    span: Span
    source: Text | None = None
    status: str = "live"
    fragment: BoardFragment | None = None
    effects: BoardEffects = NO_EFFECTS
    """What the side effects in it do, where it is a design of variables."""

    @property
    def live(self) -> bool:
        return self.status not in ("superseded", "rejected")


@value
class BoardCase:
    """A board and whose context is asked for. `history` are the contents of the dialogue with their roles."""

    source: Source
    items: tuple[BoardItem, ...] = ()
    history: tuple[tuple[str, Text], ...] = ()
    variables: Mapping | None = None
    worker: Text | None = None
    slot: Text | None = None
    role: Text | None = None
    variant: Text | None = None
    broken: bool = False


class ItemFields(Fields):
    """One item of a board."""

    noun: ClassVar[str] = say("an item of a board")
    legacy: ClassVar[tuple[str, ...]] = LEGACY
    tag: Word | None = None
    content: Any
    source: Word | None = None
    status: Annotated[Text, one_of(*STATUSES)] | None = None
    id: Word | None = None
    superseded_by: Annotated[Word | None, Key("superseded_by")] = None
    dependencies: Words | None = None
    metadata: dict[str, Any] | None = None
    scope: Word | None = None


class BlockFields(Fields):
    """One entry of the dialogue."""

    noun: ClassVar[str] = say("an entry of the history")
    role: Annotated[Text, one_of(*ROLES)]
    content: Word


class BoardFields(Fields):
    """A board file."""

    noun: ClassVar[str] = say("a board")
    items: list[ItemFields] | None = None
    history: list[BlockFields] | None = None
    variables: Table | None = None
    role: Word | None = None
    variant: Word | None = None
    worker: Word | None = None
    slot: Word | None = None


def read_board(file: YamlFile) -> tuple[BoardCase, list[Diagnostic]]:
    """The board of a file, as far as it can be read. Codes: those of fields and of one concrete tag."""
    root = file.root
    if root is None:
        return BoardCase(file.source, broken=file.broken), []
    reading = read_fields(BoardFields, root, file.source.span())
    found = list(reading.diagnostics)
    if not isinstance(root, Mapping):
        return BoardCase(file.source, broken=True), found
    old: list[Text] = []
    items = tuple(_item(node, found, old) for node in _mappings(root.get("items")))
    found += [_old_keys(old)] if old else []
    blocks = ((_text(node, "role"), _text(node, "content")) for node in _mappings(root.get("history")))
    variables = root.get("variables")
    found += _unnamed(variables)
    case = BoardCase(
        source=file.source,
        items=items,
        history=tuple((role.value, content) for role, content in blocks if role and content),
        variables=variables if isinstance(variables, Mapping) else None,
        worker=_text(root, "worker"),
        slot=_text(root, "slot"),
        role=_text(root, "role"),
        variant=_text(root, "variant"),
        broken=file.broken or bool(reading.faults),
    )
    return case, found


def _unnamed(variables: Node | None) -> Iterator[Diagnostic]:
    """What is no name of a variable, as key or in a cell."""
    if isinstance(variables, Mapping):
        keys = [key for key, _ in variables]
    else:
        keys = [key for cell in _mappings(variables) if (key := _text(cell, "key")) is not None]
    for key in keys:
        if key_fault(key.value) is not None:
            yield finding("field-type", key.span, say("`{key}` is no name of a variable", key=key.value))


def _item(node: Mapping, found: list[Diagnostic], old: list[Text]) -> BoardItem:
    tag = _tag(node, found, old)
    name = None
    if tag is not None:
        name, said = parse_tag(tag)
        found += said
    said_status, content = _text(node, "status"), node.get("content")
    status = said_status.value if said_status and said_status.value in STATUSES else "live"
    item = BoardItem(
        tag if name else None, content, node.span, _text(node, "source"), status, _fragment(content)
    )
    return _with_effects(item, found)


def _with_effects(item: BoardItem, found: list[Diagnostic]) -> BoardItem:
    """`item` with its side effects, if it is a design of variables; what is wrong there or with changes goes to
    `found`. What is not live does nothing."""
    tag, content = item.tag, item.content
    if tag is None or content is None or not item.live:
        return item
    if is_changes(tag.value):
        found += read_changes_in(tag, content)
    elif is_design(tag.value):
        body = _body(item)
        effects, wrong = read_board_effects(body) if body else (NO_EFFECTS, [])
        found += wrong
        return replace(item, effects=effects)
    return item


def _body(item: BoardItem) -> Mapping | None:
    """The body of a design: of its fragment, else the JSON object that it is."""
    fragment = item.fragment
    if fragment is None:
        tree = json_in(item.content) if isinstance(item.content, Scalar) else None
        found = tree[0] if tree else item.content
    elif fragment.said.schema == FLAT:
        found = _sections(fragment.tree)
    else:
        found = node_at(fragment.tree, fragment.said.form.written(("正文",)))
    return found if isinstance(found, Mapping) else None


def _sections(tree: Node) -> Mapping:
    """The sections of a flat artifact under their ids, texts of JSON lists as the lists that they are."""
    sections = tree.get("sections") if isinstance(tree, Mapping) else None
    rows = [(_text(row, "id"), row.get("text")) for row in _mappings(sections)]
    entries = [(id, (array_in(text) if isinstance(text, Scalar) else None) or text) for id, text in rows]
    return Mapping(tuple((id, text) for id, text in entries if id and text), tree.span)


def _fragment(content: Node | None) -> BoardFragment | None:
    tree: tuple[Node, bool] | None = (content, True) if isinstance(content, Mapping) else None
    if isinstance(content, Scalar):
        tree = json_in(content)
    said = read_fragment(plain(tree[0])) if tree else None
    return BoardFragment(*tree, said) if tree and said else None


def _tag(node: Mapping, found: list[Diagnostic], old: list[Text]) -> Text | None:
    """The tag of an item; `key` stands for it where there is none, and goes to `old` (missing-field where there is
    neither)."""
    tag, key = node.get("tag"), node.key("key")
    if isinstance(tag, Scalar) and not tag.is_null:
        return Text(tag.value, tag.span)
    if tag is None and key is not None:
        found[:] = [d for d in found if d.span != key.span]
        old.append(key)
        return _text(node, "key")
    if tag is None or isinstance(tag, Scalar):
        at = node.entries[0][0].span if node.entries else node.span
        found.append(
            finding("missing-field", at, say("required field `tag` of an item of a board is missing"))
        )
    return None


def _old_keys(keys: list[Text]) -> Diagnostic:
    """One finding for all items of a board that say `key`: they were written as one."""
    return finding(
        "legacy-fields",
        keys[0].span,
        say("`key` is the old name of `tag`"),
        say("write `tag`"),
        [Label(key.span, say("`key` stands here, too")) for key in keys[1:]],
        Fix(say("rename `key` to `tag`"), tuple(Edit(key.span, "tag") for key in keys)),
    )


def _mappings(node: Node | None) -> Iterator[Mapping]:
    items: Iterable[Node] = node.items if isinstance(node, Sequence) else ()
    yield from (item for item in items if isinstance(item, Mapping))


def _text(node: Mapping, key: str) -> Text | None:
    value = node.get(key)
    return Text(value.value, value.span) if isinstance(value, Scalar) and not value.is_null else None
