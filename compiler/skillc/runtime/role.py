"""Which texts can be the id of a role: one plain segment of a tag, nothing else (SPEC 3.1, 8.3)."""

from __future__ import annotations

_JOINERS = "_-·"
_FILLERS = "\u115f\u1160\u3164\uffa0"
"""Letters to Unicode, nothing to the eye."""
LONGEST = 64


def is_role(text: object) -> bool:
    """Whether `text` is one plain segment: letters, marks, digits, `_`, `-`, `·`, in NFC.

    >>> is_role("阿离"), is_role("A.行动"), is_role("*"), is_role("")
    (True, False, False, False)
    """
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST:
        return False
    import unicodedata

    if not unicodedata.is_normalized("NFC", text):
        return False
    return all(
        char in _JOINERS
        or (unicodedata.category(char)[0] in "LM" and char not in _FILLERS)
        or unicodedata.category(char) == "Nd"
        for char in text
    )
