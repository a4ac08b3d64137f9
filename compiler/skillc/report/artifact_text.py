"""An artifact in the terminal. Nothing in it is markup: what would steer a terminal is shown by its number."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from skillc.model.artifact_note import ArtifactNote, place_of
from skillc.model.artifact_reading import ArtifactReading
from skillc.report import artifact_view as view
from skillc.report.artifact_groups import groups_of
from skillc.report.language import ENGLISH, Words
from skillc.report.visible import visible
from skillc.wording import said_in, say

WIDE = 110
"""Cells from which product and assessment stand side by side."""
FOLDED = 12
"""Lines of a text that could not be read which are shown before it is folded."""


def render_text(
    reading: ArtifactReading, width: int, color: bool = False, words: Words = ENGLISH, full: bool = False
) -> str:
    """`reading` for a terminal of `width` cells; with `full` nothing is folded."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
        safe_box=False,
    )
    for part in _Page(reading, width, words, full).parts():
        console.print(part)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


class _Page:
    def __init__(self, reading: ArtifactReading, width: int, words: Words, full: bool) -> None:
        self.reading, self.width, self.words, self.full = reading, width, words, full

    def said(self, text: str) -> str:
        return said_in(self.words, text)

    def parts(self) -> Iterator[RenderableType]:
        yield from self._head()
        yield from self._body()
        yield from self._questions()
        yield from self._notes()
        yield from self._raw()

    def _head(self) -> Iterator[RenderableType]:
        reading = self.reading
        fragment = reading.fragment
        name = reading.artifact.name if reading.artifact else fragment.skill if fragment else ""
        title = _text(name or self.said(say("artifact")), "bold")
        if reading.tag:
            title.append(f"  {visible(reading.tag)}", "dim")
        yield Rule(title, align="left", style="cyan")
        if fragment is None:
            return
        if fragment.brief:
            yield _text(fragment.brief)
        facts = [
            (say("skill"), fragment.skill if fragment.skill != name else ""),
            (say("mounted on"), "、".join(mount for mount, _ in fragment.mounts)),
            (say("stability"), fragment.stability or ""),
            (say("self-score"), "  ".join(map(score_of, fragment.scores))),
            (say("weak"), fragment.weak),
        ]
        grid = _grid()
        for label, value in facts:
            if value:
                grid.add_row(_text(self.said(label), "dim"), _text(value))
        if grid.row_count:
            yield grid
        remarks = [f"{score.name}：{score.note}" for score in fragment.scores if score.note]
        if remarks:
            yield _bullets(remarks)

    def _body(self) -> Iterator[RenderableType]:
        groups = groups_of(self.reading)
        sides = [[group for group in groups if group.side == side] for side in ("product", "assessment")]
        if all(sides) and self.width >= WIDE:
            half = (self.width - 2) // 2
            grid = Grid.grid(padding=(0, 2, 0, 0))
            grid.add_column(width=half)
            grid.add_column(width=half)
            grid.add_row(*(Group(*self._side(side)) for side in sides))
            yield grid
        else:
            for side in sides:
                yield from self._side(side)

    def _side(self, groups: Sequence[view.Group]) -> Iterator[RenderableType]:
        if groups:
            label = say("product") if groups[0].side == "product" else say("assessment")
            yield Rule(_text(self.said(label), "bold"), align="left", style="dim")
        for group in groups:
            yield _text(group.title, "bold cyan")
            yield from (Padding(block, (0, 0, 0, 2)) for block in map(_block, group.blocks))

    def _questions(self) -> Iterator[RenderableType]:
        fragment = self.reading.fragment
        if fragment is None:
            return
        if fragment.questions or fragment.lead:
            yield Rule(_text(self.said(say("questions")), "bold"), align="left", style="yellow")
            if fragment.lead:
                yield _text(fragment.lead)
            for number, question in enumerate(fragment.questions, 1):
                yield _text(f"{number}. {question.text}")
                if question.choices:
                    yield Padding(_text(f"[{' / '.join(question.choices)}]", "dim"), (0, 0, 0, 3))
                if question.example:
                    example = self.said(say("example: {text}", text=question.example))
                    yield Padding(_text(example, "dim"), (0, 0, 0, 3))
        if fragment.open:
            yield Rule(_text(self.said(say("open questions")), "bold"), align="left", style="dim")
            yield _bullets(fragment.open)

    def _notes(self) -> Iterator[RenderableType]:
        notes = [note for note in self.reading.notes if self.full or note.level == "warning"]
        hidden = len(self.reading.notes) - len(notes)
        if not self.reading.notes:
            return
        yield Rule(_text(self.said(say("notes")), "bold"), align="left", style="dim")
        yield from (_text(f"! {line}", "yellow") for line in note_lines(notes, self.words))
        if hidden:
            yield _text(self.said(say("{n} smaller notes more, with --full", n=hidden)), "dim")

    def _raw(self) -> Iterator[RenderableType]:
        reading = self.reading
        if reading.reason:
            yield _text(self.said(say("shown as it is: {reason}", reason=reading.reason)), "yellow")
            yield from self._folded(reading.text)
            return
        around = "\n".join(part for part in (reading.before, reading.behind) if part)
        if around:
            yield Rule(_text(self.said(say("text around the JSON")), "bold"), align="left", style="dim")
            yield from self._folded(around)
        if self.full:
            yield Rule(_text(self.said(say("text as stored")), "bold"), align="left", style="dim")
            yield _text(reading.text)

    def _folded(self, text: str) -> Iterator[RenderableType]:
        lines = text.splitlines()
        if self.full or (len(lines) <= FOLDED and len(text) <= FOLDED * self.width):
            yield Padding(_text(text), (0, 0, 0, 2))
            return
        shown = "\n".join(lines[:FOLDED])[: FOLDED * self.width]
        yield Padding(_text(shown), (0, 0, 0, 2))
        left = len(text) - len(shown)
        yield _text(self.said(say("… {n} characters more, with --full", n=left)), "dim")


def score_of(score: object) -> str:
    """A dimension with its score on the scale to ten: `必要性 8/10`."""
    name, value = getattr(score, "name", ""), getattr(score, "value", None)
    return f"{name} {'?' if value is None else f'{value:g}'}/10".strip()


def note_lines(notes: Iterable[ArtifactNote], words: Words) -> Iterator[str]:
    """Each note with its place and what to do."""
    for note in notes:
        place = f"{place_of(note.path)}: " if note.path else ""
        help = f" ({said_in(words, note.help)})" if note.help else ""
        yield f"{place}{said_in(words, note.message)}{help}"


def _text(text: str, style: str = "") -> Text:
    return Text("\n".join(map(visible, text.replace("\r\n", "\n").split("\n"))), style=style, overflow="fold")


def _grid() -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def _bullets(items: Iterable[str]) -> RenderableType:
    grid = Grid.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=1)
    grid.add_column(overflow="fold")
    for item in items:
        grid.add_row("·", _text(item))
    return grid


def _block(block: view.Block) -> RenderableType:
    match block:
        case view.Prose():
            return _text(block.text)
        case view.Texts():
            return _bullets(block.items)
        case view.Pairs():
            return _pairs(block)
        case view.Table():
            return _table(block)
        case view.Cards():
            return Group(*map(_card, block.items))


def _pairs(pairs: view.Pairs) -> RenderableType:
    """Short values beside their keys, what needs room below them."""
    parts: list[RenderableType] = []
    grid = _grid()
    for key, block in pairs.rows:
        if isinstance(block, view.Prose | view.Texts):
            grid.add_row(_text(key, "bold"), _block(block))
            continue
        if grid.row_count:
            parts.append(grid)
            grid = _grid()
        parts += [_text(key, "bold"), Padding(_block(block), (0, 0, 0, 2))]
    return Group(*parts, grid) if grid.row_count else Group(*parts)


def _table(table: view.Table) -> RenderableType:
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for head in table.head:
        grid.add_column(_text(head, "bold"), overflow="fold")
    for at, row in enumerate(table.rows):
        marked = at in table.marked
        cells = [_text(cell) for cell in row]
        if marked and cells:
            cells[0] = _text(f"▶ {row[0]}")
        grid.add_row(*cells, style="bold yellow" if marked else None)
    return grid


def _card(card: view.Card) -> RenderableType:
    title = _text(card.title, "bold")
    for pill in card.pills:
        title.append(f"{'  ' if title else ''}[{visible(pill)}]", "green")
    return Panel(Group(*map(_block, card.blocks)), title=title, title_align="left", box=box.ROUNDED, style="")
