"""Readiness conditions: text to nested tuples (SPEC 6.4)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from skillc.diagnostic import Diagnostic, finding
from skillc.grammar.load import build
from skillc.grammar.tag import parse_pattern
from skillc.later import later
from skillc.resemblance import closest
from skillc.text import Text
from skillc.wording import say

if TYPE_CHECKING:
    from lark import Lark

Condition = tuple[object, ...]
"""`("has", Pattern)`, `("accepted", Pattern)`, `("count", Pattern, n)`, `("startupCompleted",)`,
`("and", c, …)`, `("or", c, …)`, `("not", c)`."""

DEPTH_LIMIT = 16
CHARACTER_LIMIT = 4096
_HELP = say(
    "a condition is made of `has(tag)`, `accepted(tag)`, `count(tag) >= n`, `startupCompleted`, "
    "`and`, `or`, `not`"
)
_COMMON = later(r"startupCompleted|(?:(has|accepted)|(count))\(([^()\s\"'`]+)\)(?(2) >= ([0-9]{1,9}))")
"""The terms that most conditions are made of, joined by `and` if there are several."""
_WORDS = ("has", "accepted", "count", "startupCompleted", "and", "or", "not")
_SLIPS = {
    **dict.fromkeys("（", say("write `(`")),
    **dict.fromkeys("）", say("write `)`")),
    **dict.fromkeys("≥＞=>", say("write `>=`")),
    **dict.fromkeys("&且并", say("write `and`")),
    **dict.fromkeys("|或", say("write `or`")),
    **dict.fromkeys("!！非不", say("write `not`")),
    **dict.fromkeys(",，、;；", say("join conditions with `and` or `or`")),
}


def parse_condition(text: Text) -> tuple[Condition | None, list[Diagnostic]]:
    """The condition as data. Refuses with bad-condition, too-large, and for a pattern in it with what
    `parse_pattern` says. `and` and `or` of one kind are one list; a double `not` is gone.

    >>> from skillc.text import Source
    >>> parse_condition(Text("has(规则.草稿)", Source("a", "has(规则.草稿)").span(0, 10)))
    (('has', Pattern('规则.草稿')), [])
    """
    if len(text.value) > CHARACTER_LIMIT:
        message = say(
            "the condition has {size:,} characters, more than {limit:,}",
            size=len(text.value),
            limit=CHARACTER_LIMIT,
        )
        return None, [finding("too-large", text.span, message, say("write a shorter condition"))]
    common = _common(text.value)
    if common is not None:
        return _checked(common, text)
    return read_by_grammar(text)


def _common(value: str) -> Condition | None:
    """The terms of a condition as the parser gives them; None for any that is not made of common terms."""
    terms: list[Condition] = []
    at = 0
    for term in value.split(" and "):
        match = _COMMON.fullmatch(term)
        if match is None:
            return None
        terms.append(_term(match, at))
        at += len(term) + len(" and ")
    return _chain("and", terms)


def _term(match: re.Match[str], at: int) -> Condition:
    if not match[3]:
        return ("startupCompleted",)
    pattern = _Token(match[3], at + match.start(3))
    return ("count", pattern, int(match[4])) if match[2] else (match[1], pattern)


class _Token(str):
    """A pattern and where it begins, as the parser gives it."""

    __slots__ = ("start_pos",)

    start_pos: int

    def __new__(cls, text: str, start: int) -> _Token:
        made = super().__new__(cls, text)
        made.start_pos = start
        return made


def read_by_grammar(text: Text) -> tuple[Condition | None, list[Diagnostic]]:
    """As `parse_condition`, of any text that is not too long: what is common is read there without the parser, which
    takes long to load."""
    from lark.exceptions import UnexpectedInput

    try:
        raw = cast("Condition", _parser().parse(text.value))
    except UnexpectedInput as error:
        ended = getattr(getattr(error, "token", None), "type", "") == "$END"
        return None, [_refused(text, None if ended else error.pos_in_stream)]
    if _depth_exceeds(raw, DEPTH_LIMIT):
        message = say("the condition is nested more than {limit} deep", limit=DEPTH_LIMIT)
        return None, [finding("too-large", text.span, message, say("write a flatter condition"))]
    return _checked(raw, text)


def _checked(raw: Condition, text: Text) -> tuple[Condition | None, list[Diagnostic]]:
    found: list[Diagnostic] = []
    condition = _resolved(raw, text, found)
    return (None if found else condition), found


def _refused(text: Text, position: int | None) -> Diagnostic:
    exact = text.span.text == text.value
    if position is None or not text.value[position:].strip():
        span = text.span.part(len(text.value), len(text.value)) if exact else text.span
        message = (
            say("the condition `{text}` ends too early", text=text.value)
            if text.value.strip()
            else say("the condition is empty")
        )
        return finding("bad-condition", span, message, _HELP)
    word = text.value[position:].split()[0]
    word = word if len(word) <= 20 else word[:1]
    span = text.span.part(position, position + len(word)) if exact else text.span
    return finding(
        "bad-condition",
        span,
        say("`{word}` is not expected here in the condition", word=word),
        _SLIPS.get(word[0]) or _meant(word) or _HELP,
    )


def _meant(word: str) -> str | None:
    """What a word of a condition was most likely meant for: another case, a slip."""
    name = word.partition("(")[0]
    folded = {known.casefold(): known for known in _WORDS}
    near = closest(name.casefold().replace("_", ""), folded, 0.7)
    if not near or folded[near] == name:
        return None
    return say("did you mean `{word}`?", word=folded[near])


def _depth_exceeds(condition: Condition, limit: int) -> bool:
    level = [condition]
    for _ in range(limit):
        level = [part for node in level if node[0] in ("and", "or", "not") for part in node[1:]]  # type: ignore[misc]
        if not level:
            return False
    return True


def _resolved(node: Condition, text: Text, found: list[Diagnostic]) -> Condition:
    """`node` with the tokens of its patterns read as patterns."""
    head = node[0]
    if head in ("and", "or", "not"):
        return (head, *(_resolved(cast("Condition", part), text, found) for part in node[1:]))
    if head == "startupCompleted":
        return node
    pattern, problems = parse_pattern(_token_text(text, node[1]))
    found.extend(problems)
    return (head, pattern, *node[2:])


def _token_text(text: Text, token: Any) -> Text:
    exact = text.span.text == text.value
    value = str(token)
    start = token.start_pos
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'`":
        value, start = value[1:-1], start + 1
    return Text(value, text.span.part(start, start + len(value)) if exact else text.span)


def _chain(kind: str, parts: list[Condition]) -> Condition:
    if len(parts) == 1:
        return parts[0]
    flat: list[object] = []
    for part in parts:
        flat.extend(part[1:] if part[0] == kind else [part])
    return (kind, *flat)


@lru_cache(maxsize=1)
def _parser() -> Lark:
    from lark import Transformer

    class Build(Transformer[Any, Condition]):
        """Bottom up while parsing, so that depth of nesting costs no stack."""

        def either(self, parts: list[Condition]) -> Condition:
            return _chain("or", parts)

        def both(self, parts: list[Condition]) -> Condition:
            return _chain("and", parts)

        def negation(self, parts: list[Condition]) -> Condition:
            return cast("Condition", parts[0][1]) if parts[0][0] == "not" else ("not", parts[0])

        def has(self, parts: list[Any]) -> Condition:
            return ("has", parts[0])

        def accepted(self, parts: list[Any]) -> Condition:
            return ("accepted", parts[0])

        def count(self, parts: list[Any]) -> Condition:
            return ("count", parts[0], int(parts[1]))

        def startup(self, parts: list[Any]) -> Condition:
            return ("startupCompleted",)

    return build("condition", Build())
