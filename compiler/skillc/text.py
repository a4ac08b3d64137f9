"""Sources and the positions in them: all arithmetic of offsets, lines and columns is here.

Offsets count code points of the canonical text (SPEC-wide: LF line ends, no byte order mark).
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from skillc.value import value


class Source:
    """One text file in canonical form, named by its workspace-relative POSIX path. Never changed; no two are equal."""

    __slots__ = ("_starts", "is_plain", "path", "text")

    path: str
    text: str
    is_plain: bool
    """Whether it is known to hold no character that hides, or turns the order of what is shown."""

    def __init__(self, path: str, text: str, is_plain: bool = False) -> None:
        self.path = path
        self.text = text
        self.is_plain = is_plain
        self._starts: list[int] | None = None

    def __repr__(self) -> str:
        return f"Source(path={self.path!r})"

    def line_starts(self) -> list[int]:
        """Offset of the first character of each line; computed once."""
        if self._starts is None:
            *lines, _ = self.text.split("\n")
            self._starts = list(accumulate([len(line) + 1 for line in lines], initial=0))
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of `offset`, both from 1, the column in code points.

        >>> Source("a.md", "中文\\nb").position(4)
        (2, 2)
        """
        starts = self.line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), without its line end."""
        starts = self.line_starts()
        start = starts[number - 1]
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[start:end]

    def utf16_column(self, offset: int) -> int:
        """Character of `offset` in its line in UTF-16 units, from 0: what editors count."""
        line, column = self.position(offset)
        return len(self.line(line)[: column - 1].encode("utf-16-le")) // 2

    def span(self, start: int = 0, end: int | None = None) -> Span:
        """The span from `start` to `end`; without an end, an empty one."""
        return Span(self, start, start if end is None else end)


@value
class Span:
    """The characters `start` up to, not including, `end` of `source`."""

    source: Source
    start: int
    end: int

    @property
    def place(self) -> tuple[Source, int, int]:
        """Source, start and end."""
        return self.source, self.start, self.end

    @property
    def path(self) -> str:
        return self.source.path

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def position(self) -> tuple[int, int]:
        """Line and column of the first character, from 1."""
        return self.source.position(self.start)

    @property
    def end_position(self) -> tuple[int, int]:
        """Line and column just behind the last character, from 1."""
        return self.source.position(self.end)

    def part(self, start: int, end: int) -> Span:
        """A slice of this span, offsets relative to its start."""
        return Span(self.source, self.start + start, self.start + end)


class Placed:
    """What stands in a text from `start` up to, not including, `end` of `source`. Its span is made when somebody asks:
    few things are ever pointed at."""

    __slots__ = ("end", "source", "start")

    source: Source
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.source, self.start, self.end)


class Text(Placed):
    """A value as the author wrote it, with its place. Never changed."""

    __slots__ = ("value",)

    def __init__(self, value: str, span: Span) -> None:
        self.value = value
        self.source, self.start, self.end = span.place

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Text):
            return NotImplemented
        same_place = self.source is other.source and self.start == other.start and self.end == other.end
        return same_place and self.value == other.value

    def __hash__(self) -> int:
        return hash((self.value, self.start))

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}(value={self.value!r}, span={self.span!r})"
