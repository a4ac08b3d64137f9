"""Which texts can be the id of a role: one plain segment of a tag, nothing else (SPEC 3.1, 8.3)."""

from __future__ import annotations

LONGEST = 64
_MARKS = "_-·〇"
"""What may stand in a segment that is neither letter, mark nor digit; `〇` is a numeral in Chinese text."""
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"
"""Letters and marks to Unicode, nothing to the eye."""


def is_role(text: object) -> bool:
    """Whether `text` is one plain segment: letters, marks, digits, `_`, `-`, `·`, in NFC, all visible.

    >>> is_role("阿离"), is_role("A.行动"), is_role("*"), is_role("")
    (True, False, False, False)
    """
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST:
        return False
    import unicodedata

    if not unicodedata.is_normalized("NFC", text):
        return False
    return all(char in _MARKS or _is_name(char, unicodedata.category(char)) for char in text)


def _is_name(char: str, category: str) -> bool:
    selector = "\ufe00" <= char <= "\ufe0f" or "\U000e0000" <= char <= "\U000e0fff"
    return (category[0] in "LM" or category == "Nd") and not selector and char not in _FILLERS
