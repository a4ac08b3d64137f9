"""Segment policies: `tail_lines_80` to its kind and number (SPEC 9.4)."""

from __future__ import annotations

import re

from skillc.diagnostic import Diagnostic, finding
from skillc.grammar.load import plain
from skillc.later import later
from skillc.resemblance import closest
from skillc.text import Text
from skillc.wording import say, series

_COMMON = later(r"(latest|concat)|((?:tail|window)_(?:lines|tokens)|window_turns)_([1-9][0-9]{0,8})")
KINDS = (
    "latest",
    "concat",
    "tail_lines_N",
    "tail_tokens_N",
    "last_N_turns",
    "window_lines_N",
    "window_tokens_N",
    "window_turns_N",
)


def parse_policy(text: Text) -> tuple[tuple[str, int | None] | None, list[Diagnostic]]:
    """The policy's kind and its number, None for `latest` and `concat`; `last_3_turns` has the kind
    `last_turns`. Refuses with unknown-policy.

    >>> from skillc.text import Source
    >>> parse_policy(Text("tail_lines_80", Source("a", "tail_lines_80").span(0, 13)))
    (('tail_lines', 80), [])
    """
    common = _COMMON.fullmatch(text.value)
    if common:
        return (common[1] or common[2], int(common[3]) if common[3] else None), []
    return read_by_grammar(text)


def read_by_grammar(text: Text) -> tuple[tuple[str, int | None] | None, list[Diagnostic]]:
    """As `parse_policy`, of any text: what is common is read there without the parser, which takes long to load."""
    from lark.exceptions import UnexpectedInput

    try:
        tree = plain("policy").parse(text.value)
    except UnexpectedInput:
        return None, [_unknown(text)]
    words = [str(token) for token in tree.children]
    if tree.data == "plain":
        return (words[0], None), []
    kind = "last_turns" if tree.data == "turns" else words[0].rstrip("_")
    return (kind, int(words[-1])), []


def _unknown(text: Text) -> Diagnostic:
    number = re.search("[0-9]+", text.value)
    shape = re.sub("[0-9]+", "N", text.value.strip().lower().replace("-", "_"))
    near = closest(shape, KINDS)
    help = say("the policies are {kinds}", kinds=series(f"`{kind}`" for kind in KINDS))
    count = number.group().lstrip("0") if number else ""
    if near and "N" in near and not 0 < len(count) < 10:
        help = say("write `{near}` with a number from 1 to 999,999,999", near=near)
    elif near:
        help = say("did you mean `{near}`?", near=near.replace("N", count))
    message = say("`{text}` is no policy", text=text.value) if text.value else say("the policy is empty")
    return finding("unknown-policy", text.span, message, help)
