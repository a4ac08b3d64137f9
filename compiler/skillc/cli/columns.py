"""Rows in columns that line up where Chinese is twice as wide as Latin."""

from __future__ import annotations

from collections.abc import Sequence

from skillc.cli.epilog import cells
from skillc.report.visible import visible


def columns(rows: Sequence[Sequence[str]], indent: int = 2) -> list[str]:
    """`rows` as lines, two blanks between columns; what would steer a terminal is shown by its number.

    >>> columns([("大纲", "a"), ("x", "b")], 0)
    ['大纲  a', 'x     b']
    """
    shown = [[visible(cell) for cell in row] for row in rows]
    most = max((len(row) for row in shown), default=0)
    widths = [max((cells(row[at]) for row in shown if at < len(row)), default=0) for at in range(most)]
    return [" " * indent + _line(row, widths).rstrip() for row in shown]


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell + " " * (widths[at] - cells(cell)) for at, cell in enumerate(row))
