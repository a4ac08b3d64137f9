"""Text so that nothing in it is hidden: what a snapshot shows of a line."""

from __future__ import annotations

import unicodedata

_PLAIN_BLANKS = " \t\u3000"
_IN_EMOJI = "\u200d\ufe0e\ufe0f"


def shown(line: str) -> str:
    """`line` with every character by its number that an eye, an editor or git would not keep: controls, format
    characters, unusual blanks, and blanks at the end.

    >>> shown("规则 \\u200b一\\r"), shown("表\\t格 ")
    ('规则 <U+200B>一<U+000D>', '表\\t格<U+0020>')
    """
    body = line.rstrip()
    if len(body) == len(line) and body.isprintable():
        return body
    return "".join(map(_shown, body)) + "".join(map(numbered, line[len(body) :]))


def numbered(character: str) -> str:
    """`<U+000D>` for a carriage return."""
    return f"<U+{ord(character):04X}>"


def _shown(character: str) -> str:
    if character in _PLAIN_BLANKS or character in _IN_EMOJI:
        return character
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp", "Zs")
    return numbered(character) if hidden else character
