"""Text of packages made safe to print: nothing in it moves the cursor, hides or reorders characters."""

from __future__ import annotations

import unicodedata

# Emoji sequences need the joiner and the variation selectors; alone they do no harm on a terminal.
_HARMLESS = frozenset("\u200d\ufe0e\ufe0f")


def visible(text: str) -> str:
    """`text` with each control and format character written as `<U+XXXX>`, a tab as one blank: plain text, which nobody
    translates any more.

    >>> visible("规则\\u200b.草稿")
    '规则<U+200B>.草稿'
    """
    if text.isprintable():
        return str(text)
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\t":
        return " "
    if character in _HARMLESS or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return character
    return f"<U+{ord(character):04X}>"
