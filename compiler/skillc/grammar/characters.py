"""Which characters a tag may hold, and the exact place and name of each that it may not (SPEC 3.1)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from skillc.diagnostic import Diagnostic, Edit, Fix, finding
from skillc.text import Span, Text
from skillc.wording import say

STRUCTURE = frozenset(".#*{}")
"""What joins and marks segments; the grammar decides where these may stand."""

_NAME_MARKS = frozenset("_-·〇")
"""Characters of a segment that are neither letter, mark nor digit; `〇` is a numeral in Chinese text."""

_MEANT = {
    **dict.fromkeys("．。｡﹒․", "."),
    **dict.fromkeys("・•‧∙⋅･", "·"),
    **dict.fromkeys("－‐‑–", "-"),
    "＿": "_",
    "＃": "#",
    "＊": "*",
    "｛": "{",
    "｝": "}",
}
"""Look-alikes that an input method or a word processor puts in place of the format's own characters."""

_FILLERS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0" + "".join(map(chr, range(0x180B, 0x1810)))
)


def is_invisible(char: str) -> bool:
    """Whether a reader cannot see `char`: format characters, fillers, variation selectors."""
    code = ord(char)
    if code < 0xAD:
        return False
    if char in _FILLERS or 0xFE00 <= code <= 0xFE0F or 0xE0000 <= code <= 0xE0FFF:
        return True
    return unicodedata.category(char) == "Cf"


def character_name(char: str) -> str:
    """The code point and, where Unicode has one, the name: `U+200B` (zero width space)."""
    name = unicodedata.name(char, "").lower()
    return f"`U+{ord(char):04X}`" + (f" ({name})" if name else "")


def invisible(span: Span, char: str) -> Diagnostic:
    """The one wording for an invisible character, so that two stages that meet it say one thing."""
    fix = Fix(say("remove the invisible character"), (Edit(span, ""),)) if span.text == char else None
    return finding(
        "invisible-character",
        span,
        say("invisible character {name}", name=character_name(char)),
        say("remove it: what looks like one name or text is another to the compiler and to the model"),
        fix=fix,
    )


def invisible_in_name(text: Text) -> Iterator[Diagnostic]:
    """invisible-character for each format or filler character in a key, an id or a tag."""
    exact = text.span.text == text.value
    for at, char in enumerate(text.value):
        if is_invisible(char):
            yield invisible(text.span.part(at, at + 1) if exact else text.span, char)


def may_stand_in_name(char: str) -> bool:
    """Whether `char` is a letter, a mark, a digit, or one of `_`, `-`, `·`, and can be seen."""
    if char in _NAME_MARKS:
        return True
    category = unicodedata.category(char)
    return (category[0] in "LM" or category == "Nd") and not is_invisible(char)


def meant(char: str) -> str | None:
    """The character of the format that `char` looks like, if there is one."""
    return _MEANT.get(char)


def is_blank(char: str) -> bool:
    return char in "\t\n\r\x0b\x0c\x85" or unicodedata.category(char)[0] == "Z"


def unnormal_part(text: str) -> tuple[int, int, str] | None:
    """The first part of `text` that is not in NFC: where it is, and its normal form.

    >>> unnormal_part("caf" + "e\\u0301" + ".x")
    (3, 5, 'é')
    """
    if unicodedata.is_normalized("NFC", text):
        return None
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and _goes_on(text[start:end], text[end]):
            end += 1
        part = unicodedata.normalize("NFC", text[start:end])
        if part != text[start:end]:
            return start, end, part
        start = end
    return 0, len(text), unicodedata.normalize("NFC", text)


def _goes_on(part: str, char: str) -> bool:
    """Whether `char` may change how `part` before it is normalised: marks and conjoining jamo."""
    if unicodedata.combining(char):
        return True
    return unicodedata.normalize("NFC", part + char) != unicodedata.normalize("NFC", part) + char
