"""Names that a reader takes for one another, and the scripts that a name is written in.

Two names look alike when they have one skeleton: the algorithm of UTS #39 (decompose, put the prototype of each
character, decompose), over the data of `confusable_homoglyphs`. That standard does not count the traditional and
the simplified form of a word (`確認稿`, `确认稿`); OpenCC does, and is loaded only where a character is outside
of GB 2312, as every traditional form that is no common simplified character is.
"""

from __future__ import annotations

import os
import re
import unicodedata
from functools import cache, lru_cache

from skillc.later import later

_DIRECTION = "\u200e"
"""The data wraps characters that are written from right to left in this mark."""
_PLAIN = later(r"[\x00-\x7f\u3400-\u4dbf\u4e00-\u9fff·]*")
"""ASCII and ideographs: no two scripts that should not meet."""
_COMMON = re.compile(rb"(?:[0-9a-z]|[\xb0-\xf7][\xa1-\xfe])*")
"""Digits, small letters and ideographs in GB 2312: a class of bytes is compiled at once, one of 20,000 characters is not."""
_TWINS = frozenset("囗士鹂lm")
"""The only ones among common simplified ideographs, digits and small letters that look like others of them: like
口, 土, 鹃, 1 and rn."""
_EAST = frozenset({"HAN", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"})
_NEUTRAL = frozenset({"COMMON", "INHERITED", "Unknown"})


@lru_cache(maxsize=16384)
def skeleton(text: str) -> str:
    """The skeleton of UTS #39: equal for texts that look alike.

    >>> skeleton("\\u0410") == skeleton("A")
    True
    """
    mapped = "".join(map(_prototype, unicodedata.normalize("NFD", text)))
    return unicodedata.normalize("NFD", mapped)


@lru_cache(maxsize=16384)
def simplified(text: str) -> str:
    """`text` in simplified characters; itself when all its ideographs are common simplified ones."""
    return str(_converter().convert(text)) if any(map(_is_uncommon_ideograph, text)) else text


def look_alike(a: str, b: str) -> bool:
    """Whether two different texts may be taken for one: the same skeleton, or two forms of one word."""
    if a == b:
        return False
    return skeleton(a) == skeleton(b) or skeleton(simplified(a)) == skeleton(simplified(b))


@lru_cache(maxsize=16384)
def is_clear(text: str) -> bool:
    """Whether `text` is of characters alone of which no two look alike, so that no other such text looks like it.
    Nearly all names are, and need no table."""
    try:
        written = text.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return _COMMON.fullmatch(written) is not None and _TWINS.isdisjoint(text)


def strangeness(text: str) -> int:
    """How many characters are neither ASCII nor common simplified ideographs: of two names that look alike,
    the one with fewer is the one that was meant."""
    return sum(not char.isascii() and (char < "\u3400" or _is_uncommon_ideograph(char)) for char in text)


def differing(a: str, b: str) -> tuple[str, str]:
    """The parts of two texts between their common beginning and their common end.

    >>> differing("確認稿", "确认稿")
    ('確認', '确认')
    """
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return a[start : len(a) - end], b[start : len(b) - end]


@lru_cache(maxsize=16384)
def foreign_to_each_other(text: str) -> tuple[str, str] | None:
    """Two scripts of `text` that do not belong into one name, the rarer one first; None when all do.

    Han, kana, bopomofo and hangul go with Latin and with each other. Greek letters go with Han (`α值`), since
    Chinese authors write symbols so, but not with Latin. Nothing else is mixed.
    """
    if is_clear(text) or _PLAIN.fullmatch(text):
        return None
    scripts = [script for script in map(script_of, text) if script not in _NEUTRAL]
    present = set(scripts)
    west = present - _EAST
    if len(present) < 2 or west <= {"LATIN"} or west == {"GREEK"}:
        return None
    ranked = sorted(present, key=lambda script: (script in _EAST, script == "LATIN", scripts.count(script)))
    return ranked[0], "LATIN" if "LATIN" in present else ranked[-1]


def script_of(char: str) -> str:
    """The Unicode script of a character in capitals, `COMMON` for digits and marks."""
    from confusable_homoglyphs.categories import alias

    return str(alias(char))


def in_latin(text: str) -> str | None:
    """`text` with every letter of another alphabet that looks Latin written so; None when one does not."""
    letters = [_prototype(char) if script_of(char) not in _EAST else char for char in text]
    written = "".join(letters)
    return written if foreign_to_each_other(written) is None else None


def code_points(text: str) -> str:
    """`U+0410 (cyrillic capital letter a)`; of more than one character the numbers only."""
    numbers = " ".join(f"U+{ord(char):04X}" for char in text)
    name = unicodedata.name(text, "").lower() if len(text) == 1 else ""
    return f"{numbers} ({name})" if name and not name.startswith("cjk unified") else numbers


@lru_cache(maxsize=16384)
def _prototype(char: str) -> str:
    """The prototype of a character; itself when it has none.

    The data tells which characters belong together, both ways: one that only stands for another has that one
    alone; the other has all of its kind. Of two that have each other alone, either may stand for both.
    """
    alike = _alike(char)
    if len(alike) != 1:
        return char
    (other,) = alike
    mutual = len(other) == 1 and _alike(other) == {char}
    return min(char, other) if mutual else other


def _alike(char: str) -> set[str]:
    """What the data tells of a character, with or without the mark in its key."""
    data, marked = _data()
    return {_bare(entry["c"]) for key in (char, *marked.get(char, ())) for entry in data.get(key, ())}


@cache
def _data() -> tuple[dict[str, list[dict[str, str]]], dict[str, list[str]]]:
    """The data, and those of its keys that are wrapped, by what they are without the mark.

    Read from the library's own file: importing it loads an HTTP client, which takes longer than checking a package.
    """
    import json

    import confusable_homoglyphs

    folder = os.path.dirname(confusable_homoglyphs.__file__)
    with open(os.path.join(folder, "confusables.json"), encoding="utf-8") as file:
        data: dict[str, list[dict[str, str]]] = json.load(file)
    marked: dict[str, list[str]] = {}
    for key in data:
        if _DIRECTION in key and _bare(key) != key:
            marked.setdefault(_bare(key), []).append(key)
    return data, marked


def _bare(text: str) -> str:
    return text.replace(_DIRECTION, "") if text.strip(_DIRECTION) else text


def _is_uncommon_ideograph(char: str) -> bool:
    if char < "\u3400":
        return False
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return True
    return False


@cache
def _converter():  # type: ignore[no-untyped-def]
    from opencc import OpenCC

    return OpenCC("t2s")
