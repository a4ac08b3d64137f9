"""Regular expressions that are compiled when they are first asked for: most texts need few of them."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def later(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """`re.compile(pattern, flags)`, put off until something is looked for.

    >>> later("[一二三]").findall("一生二")
    ['一', '二']
    """
    return cast("re.Pattern[AnyStr]", _Later(pattern, flags))


class _Later:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._made_of = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        """Asked once for each method: from then on it is found in the object itself."""
        found = getattr(re.compile(*self._made_of), name)
        setattr(self, name, found)
        return found
