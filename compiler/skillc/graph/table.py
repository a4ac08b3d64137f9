"""The table of variables: what is written under 变量.更新 or 变量.用户 comes to be in 变量.当前 (SPEC 12.9).

Which cell a worker writes, and who may see that one, is data of a session. So all that a worker writes there counts as
what every reader of the table may see; the runtime keeps cells from readers, never what a worker puts into others.
"""

from __future__ import annotations

from skillc.runtime.tagnames import EDITS, UPDATES, VARIABLES
from skillc.tags import Pattern, literal, overlaps

TABLE = literal(VARIABLES)
CHANGES = (literal(UPDATES), literal(EDITS))


def changes_table(pattern: Pattern) -> bool:
    """Whether what is written under `pattern` may be a change of variables.

    >>> changes_table(literal("变量.更新")), changes_table(literal("变量.当前"))
    (True, False)
    """
    if pattern.is_tag and pattern.parts[0] != TABLE.parts[0]:
        return False
    return any(overlaps(pattern, change) for change in CHANGES)


def in_table(pattern: Pattern) -> Pattern | None:
    """The tag in which changes under `pattern` can be read; None where there are none, or `pattern` is itself of it.

    >>> in_table(literal("变量.更新")).text
    '变量.当前'
    """
    return TABLE if changes_table(pattern) and not overlaps(pattern, TABLE) else None
