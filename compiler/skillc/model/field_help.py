"""The way out of a value of the wrong type: what the author meant, as it is written right."""

from __future__ import annotations

from skillc.later import later
from skillc.resemblance import closest
from skillc.source.node import Mapping, Node, Scalar, Sequence
from skillc.wording import say

_JOINT = later(r"[,，、;；\n]|\s[—–•·*-]\s|^\s*[—–•·*-]\s*")
_QUOTES = " \t'\"“”‘’「」《》`"
_QUOTED = later("`([^`]+)`")
_RULES = {
    "a role": say("a role is one plain segment of a tag: letters, digits, `_`, `-`, `·`"),
    "a name": say("a name is not empty and has no blanks and no slashes"),
}
LONGEST = 120
"""A value longer than this is a text, no slip of the pen."""


def joined_entries(value: str) -> list[str]:
    """The entries that somebody wrote as one text: `a, b`, `a、b`, `• a • b`.

    >>> joined_entries("正文.草稿、“大纲.草稿”")
    ['正文.草稿', '大纲.草稿']
    """
    return [piece for part in _JOINT.split(value) if (piece := part.strip(_QUOTES))]


def field_help(wanted: str, node: Node, short: str) -> str:
    """How to write what is `wanted` in place of `node`; `short` is the one field of a mapping that a text may be
    meant for. Empty when there is no more to say than what was wanted."""
    if wanted == "a list":
        return _as_list(node)
    if wanted == "a mapping":
        return _as_mapping(node, short)
    if wanted == "text":
        return _as_text(node)
    if wanted in _RULES:
        return _RULES[wanted]
    choice = _QUOTED.findall(wanted)
    near = closest(node.value, choice) if isinstance(node, Scalar) else None
    return say("did you mean `{near}`?", near=near) if near else ""


def _as_list(node: Node) -> str:
    entries = joined_entries(node.value) if isinstance(node, Scalar) and len(node.value) <= LONGEST else []
    if not entries:
        return say("write one entry a line, each behind `- `")
    return say("write one entry a line, each behind `- `, or `[{entries}]`", entries=", ".join(entries))


def _as_mapping(node: Node, short: str) -> str:
    if short and isinstance(node, Scalar):
        return say("write `{field}: {value}`", field=short, value=node.value)
    return say("write `key: value` lines below it, indented more")


def _as_text(node: Node) -> str:
    if isinstance(node, Mapping):
        values = [value.value for _, value in node if isinstance(value, Scalar)]
        if len(node.entries) == 1 and values and values[0]:
            return say("write the text alone: `{text}`", text=values[0])
        return say("write the text alone, in quotes if it holds `: `")
    if isinstance(node, Sequence):
        return say("write one text, not a list of them")
    return say("write a text, or take the entry out")
