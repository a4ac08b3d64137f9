"""A line of a source as a terminal shows it: printable, and cut to what fits around a finding."""

from __future__ import annotations

from rich.cells import cell_len

from skillc.report.visible import visible

WIDTH = 100
"""Cells of a source line that are shown; longer lines are cut around the finding."""


def excerpt(line: str, start: int, length: int) -> tuple[str, str, str]:
    """The printable parts of `line` before, in and behind the finding, cut to what fits."""
    before = visible(line[:start])
    marked = visible(line[start : start + length])
    after = visible(line[start + length :])
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
