"""A line of a source as a terminal shows it: printable, and cut to what fits around a finding."""

from __future__ import annotations

from rich.cells import cell_len

from skillc.report.visible import visible

WIDTH = 100
"""Cells of a source line that are shown; longer lines are cut around the finding."""


def excerpt(line: str, start: int, length: int) -> tuple[str, int, int]:
    """`line`, printable, and cut to what fits around the `length` characters from `start` on; how many cells stand before
    these, and how many they take."""
    before = visible(line[:start])
    marked = visible(line[start : start + length])
    after = visible(line[start + length :])
    cells, width = _cells(before), _cells(marked)
    if cells + width + _cells(after) > WIDTH:
        before, marked, after = _cut(before, marked, after)
        cells, width = _cells(before), _cells(marked)
    return before + marked + after, cells, width


def _cells(text: str) -> int:
    return len(text) if text.isascii() else cell_len(text)


def _cut(before: str, marked: str, after: str) -> tuple[str, str, str]:
    """What is before, in and behind a finding, cut to what fits: of the finding itself its end."""
    if cell_len(marked) > WIDTH:
        marked = _cut_end(marked, WIDTH)
        after = ""
    room = max(0, WIDTH - cell_len(marked))
    before = _cut_start(before, max(room // 2, room - cell_len(after)))
    return before, marked, _cut_end(after, room - cell_len(before))


def _cut_end(text: str, cells: int) -> str:
    if cell_len(text) <= cells:
        return text
    while text and cell_len(text) > max(cells - 1, 0):
        text = text[: -max(1, (cell_len(text) - cells) // 2)]
    return text + "…"


def _cut_start(text: str, cells: int) -> str:
    if cell_len(text) <= cells:
        return text
    while text and cell_len(text) > max(cells - 1, 0):
        text = text[max(1, (cell_len(text) - cells) // 2) :]
    return "…" + text
