"""Which texts are tags, and what exactly is wrong with one that is none.

The grammar of the compiler says the same of package text; a runtime has no grammar, so the rule stands here
once more, and a test keeps the two in agreement over all characters.
"""

from __future__ import annotations

LONGEST = 64
DEEPEST = 32
_MARKS = "_-·〇"
"""What may stand in a segment that is neither letter, mark nor digit; `〇` is a numeral in Chinese text."""
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"
"""Letters and marks to Unicode, nothing to the eye."""
_MEANT = {
    ".": "．。｡﹒․",
    "·": "・•‧∙⋅･",
    "-": "－‐‑–",
    "_": "＿",
    "#": "＃",
    "*": "＊",
    "{": "｛",
    "}": "｝",
}
"""The format's own characters, and what an input method or a word processor puts in their place."""


def is_segment(text: object) -> bool:
    """Whether `text` is one plain segment: letters, marks, digits, `_`, `-`, `·`, in NFC, all visible.

    >>> is_segment("阿离"), is_segment("A.行动"), is_segment("*"), is_segment("")
    (True, False, False, False)
    """
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST:
        return False
    return all(map(may_stand, text)) and _is_normal(text)


def tag_fault(tag: object) -> str | None:
    """What is wrong with `tag` as one concrete tag, in words that follow its name; None for a tag.

    >>> tag_fault("规则.草稿"), tag_fault("规则．草稿")
    (None, '`．` (U+FF0E) stands where `.` belongs')
    """
    if not isinstance(tag, str):
        return "a tag is text"
    bad = next((char for char in tag if char not in ".#" and not may_stand(char)), None)
    if bad is not None:
        return _character_fault(bad)
    name, mark, slot = tag.partition("#")
    segments = [*name.split("."), *([slot] if mark else [])]
    if not all(segments) or "#" in slot or "." in slot:
        return "a tag is segments joined by `.`, and one `#slot` may end it"
    if not _is_normal(tag):
        return "it is not in NFC, the composed form of its letters"
    if len(segments) - bool(mark) > DEEPEST or max(map(len, segments)) > LONGEST:
        return f"a tag has at most {DEEPEST} segments of {LONGEST} characters"
    return None


def may_stand(char: str) -> bool:
    """Whether `char` may stand in a segment: a letter, a mark, a digit, `_`, `-`, `·`, and visible."""
    if char in _MARKS:
        return True
    import unicodedata

    category = unicodedata.category(char)
    selector = "\ufe00" <= char <= "\ufe0f" or "\U000e0000" <= char <= "\U000e0fff"
    return (category[0] in "LM" or category == "Nd") and not selector and char not in _FILLERS


def _is_normal(text: str) -> bool:
    if text.isascii():
        return True
    import unicodedata

    return unicodedata.is_normalized("NFC", text)


def _character_fault(char: str) -> str:
    if char in "*{}":
        return f"it holds `{char}`, and one concrete tag belongs here"
    shown = f"`{char}` (U+{ord(char):04X})" if char.isprintable() and char != " " else f"U+{ord(char):04X}"
    instead = next((own for own, others in _MEANT.items() if char in others), None)
    return f"{shown} stands where `{instead}` belongs" if instead else f"{shown} may not stand in a tag"
