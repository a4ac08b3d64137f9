"""What an expression needs to be answered, so that no more is read and compiled."""

from __future__ import annotations

from skillc.grammar.query import Expression, Word, parts_of


def compares(expression: Expression) -> bool:
    """Whether an expression asks how something stands against an earlier state.

    >>> compares(Word("state:modified", 0, 14)), compares(Word("...", 0, 3))
    (True, False)
    """
    waiting = [expression]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Word) and each.text.startswith("state:"):
            return True
        waiting += parts_of(each)
    return False
