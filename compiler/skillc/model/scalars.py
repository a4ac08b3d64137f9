"""How a schema types the scalars, which all arrive as text with their place.

Each type below turns a node into a value, or refuses it with the words for what it should have been.
They are the leaves of the schemas of this room; nothing here knows a field's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any

from skillc.model.field_help import LONGEST, joined_entries
from skillc.runtime.naming import is_segment
from skillc.source.node import NULLS, Mapping, Scalar, Sequence
from skillc.text import Text
from skillc.value import value
from skillc.wording import say, series

_NAME = re.compile(r"[^\s/\\]+")
REFUSED = "refused"
"""The error type of a value that a scalar type refuses; its context says what was wanted."""


class Refused(Exception):
    """A value is not what its type says; `wanted` tells what it should have been."""

    def __init__(self, wanted: str) -> None:
        super().__init__(wanted)
        self.wanted = wanted


@value
class Leaf:
    """Reads a node as one value, or raises Refused."""

    read: Callable[[Any], Any]


@value
class Before:
    """Changes what was written into what the type behind it reads, or raises Refused."""

    change: Callable[[Any], Any]


_TEXT = say("text")


def plain(node: Any) -> Any:
    """A node as dicts and lists, its scalars as they are; what is plain already as it is."""
    if node.__class__ is Mapping:
        return {key: plain(value) for key, value in node.values.items()}
    return [plain(item) for item in node.items] if node.__class__ is Sequence else node


def as_text(value: object) -> Text:
    """A scalar that is no null, as it is."""
    if value.__class__ is not Scalar or (value.plain and value.value in NULLS):
        raise Refused(_TEXT)
    return value


def null_is_none(value: object) -> object:
    """A null as None; everything else as it is."""
    return None if isinstance(value, Scalar) and value.is_null else value


def _as_text_or_null(value: object) -> Text | None:
    return None if null_is_none(value) is None else as_text(value)


def _as_truth(value: object) -> bool:
    if not isinstance(value, Scalar) or value.value not in ("true", "false"):
        raise Refused(say("`true` or `false`"))
    return value.value == "true"


def _as_version(value: object) -> Text:
    text = as_text(value) if isinstance(value, Scalar) and not value.is_null else None
    if text is None or ":" in text.value or not text.value.strip():
        raise Refused(say("a number or the name of a version, such as `2` or `1.10`"))
    return text


def _as_count(value: object) -> Text:
    text = as_text(value) if isinstance(value, Scalar) and not value.is_null else None
    if text is None or not (text.value.isascii() and text.value.isdigit()) or not 0 < len(text.value) < 19:
        raise Refused(say("a whole number"))
    return text


def _as_name(value: object) -> Text:
    text = as_text(value)
    if not _NAME.fullmatch(text.value) or not text.value.strip("."):
        raise Refused(say("a name"))
    return text


def _as_role(value: object) -> Text:
    text = as_text(value)
    if not is_segment(text.value):
        raise Refused(say("a role"))
    return text


def _as_table(value: object) -> object:
    value = plain(value)
    cells = isinstance(value, list) and all(
        isinstance(row, dict) and {"key", "value"} <= {*row} for row in value
    )
    if not (cells or isinstance(value, dict)):
        raise Refused(say("a mapping of values, or a list of cells with `key` and `value`"))
    return value


def _listed(value: object) -> object:
    if isinstance(value, Scalar) and len(value.value) <= LONGEST and "(" not in value.value:
        entries = joined_entries(value.value)
        if len(entries) > 1 and not any(" " in entry for entry in entries):
            raise Refused(say("a list"))
    return [value] if isinstance(value, Scalar) and not value.is_null else value


Word = Annotated[Text, Leaf(as_text)]
"""Text with its place."""
WordOrNull = Annotated[Text | None, Leaf(_as_text_or_null)]
"""Text, or None where the author wrote a null."""
Truth = Annotated[bool, Leaf(_as_truth)]
"""Exactly `true` or `false`; `yes` and `on` are text (SPEC 2.3)."""
Name = Annotated[Text, Leaf(_as_name)]
"""A word that names something in the file: not empty, no blanks, no path."""
Role = Annotated[Text, Leaf(_as_role)]
"""The id of a role: one plain segment of a tag (SPEC 8.3)."""
Roles = Annotated[list[Role], Before(_listed)]
"""As `Words`, of roles."""
Version = Annotated[Text, Leaf(_as_version)]
"""`1`, `1.10`, `2024-01-01`; not `10:30`, which YAML readers take for a number of seconds."""
Table = Annotated[Any, Leaf(_as_table)]
"""The variables of a board: values by key, or the cells of a table."""
Count = Annotated[Text, Leaf(_as_count)]
"""A whole number in decimal digits, as text with its place."""
Words = Annotated[list[Word], Before(_listed)]
"""A list of texts; one text alone is a list of one."""


def one_of(*words: str) -> Leaf:
    """Text that is one of `words`; used as `Annotated[Text, one_of("latest", "concat")]`."""

    def check(value: object) -> Text:
        if not isinstance(value, Scalar) or value.value not in words:
            raise Refused(_choice(words))
        return value

    choose: Callable[[object], Text] = check
    return Leaf(choose)


def _choice(words: tuple[str, ...]) -> str:
    quoted = [f"`{word}`" for word in words]
    if len(quoted) < 2:
        return quoted[0]
    return say("{names} or {last}", names=series(quoted[:-1]), last=quoted[-1])
