"""Names of Books and saves: one line, as short as a list can show, and no two that people would take for one."""

from __future__ import annotations

import unicodedata

LONGEST = 100
"""Characters of a name."""


def composed(name: str) -> str:
    """`name` as it is kept: composed (NFC), however the keyboard put it together.

    >>> composed("e\\u0301") == "\\u00e9"
    True
    """
    return unicodedata.normalize("NFC", name)


def name_fault(name: str) -> str | None:
    """Why `name` is none; None when it is one."""
    if not name.strip() or name != name.strip() or not name.isprintable():
        return "a name is one line without blanks around it"
    return f"a name has at most {LONGEST} characters" if len(name) > LONGEST else None


def alike(one: str, other: str) -> bool:
    """Whether two names read the same: but for case, for full and half width, and for how accents are put together.

    >>> alike("Ｎｏｖｅｌ　一", "novel 一"), alike("留真", "留眞")
    (True, False)
    """
    return _key(one) == _key(other)


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
