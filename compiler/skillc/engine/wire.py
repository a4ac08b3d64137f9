"""Findings and what else is known of a package as plain data, to keep and to hand over (SPEC 15.3).

A sentence keeps its template and values, so that it can be told in any language later. A span keeps path and
offsets; the text of a file is not kept where it can be read again, since whoever reads it has compared the bytes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter, itemgetter
from typing import Any

from skillc.diagnostic import CODES, Code, Diagnostic, Edit, Fix, Label, Severity
from skillc.graph.brief import Brief
from skillc.model.package import Declassify, TagRef
from skillc.source.directives import Directive
from skillc.source.node import Scalar
from skillc.tags import Pattern
from skillc.text import Source, Span, Text
from skillc.value import fields
from skillc.wording import Said, said_of

KEPT = (Brief, Declassify, Diagnostic, Directive, Edit, Fix, Label)
"""Records that are kept field by field, under their names."""
LINE = 500
"""Characters of the longest line that is kept."""
Line = tuple[int, int, str]
Sources = Callable[[str], Source]
"""Gives the text of a file; raises OSError where it cannot."""


class Unknown(ValueError):
    """Data that no version of this module wrote."""


class Writer:
    """Turns values into plain data. `known` are texts of files by path; of any other source the text is kept too. With
    `showing`, so are the lines that spans begin and end in: they are shown without a look at the file."""

    def __init__(self, known: Iterable[Source] = (), showing: bool = False) -> None:
        self._known = {source.path: source for source in known}
        self._numbers: dict[int, int] = {}
        self._kept: list[tuple[Source, set[int]]] = []
        self._showing = showing

    def sources(self) -> list[list[Any]]:
        """What the spans written so far point into: the path, and the text where it is no file's, else the lines."""
        return [
            [source.path, *([_lines(source, offsets)] if self._showing else [])]
            if self._is_file(source)
            else [source.path, source.text]
            for source, offsets in self._kept
        ]

    def data(self, value: object) -> Any:
        """`value` as JSON can hold it. Lists are tagged: the first entry says what they were."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind not in _WRITING:
            raise TypeError(f"{kind.__name__} cannot be kept")
        return _WRITING[kind](self, value)

    def place(self, span: Span | Text) -> tuple[int, int, int]:
        """The number of a source, and the offsets in it."""
        source, start, end = span.source, span.start, span.end
        number = self._numbers.get(id(source))
        if number is None:
            number = self._numbers[id(source)] = len(self._kept)
            self._kept.append((source, set()))
        self._kept[number][1].update((start, end))
        return number, start, end

    def _is_file(self, source: Source) -> bool:
        return isinstance(source, Later) or self._known.get(source.path) is source


def _lines(source: Source, offsets: Iterable[int]) -> list[list[Any]]:
    """The lines that the offsets are in, each as its number, its offset, and its text; none that are too long to keep."""
    text, lines = source.text, []
    for start in sorted({text.rfind("\n", 0, offset) + 1 for offset in offsets}):
        end = text.find("\n", start)
        line = text[start:] if end < 0 else text[start:end]
        if len(line) <= LINE:
            lines.append([text.count("\n", 0, start) + 1, start, line])
    return lines


_PLAIN = frozenset((str, int, float, bool, type(None)))


def _series(writer: Writer, values: Iterable[object]) -> list[Any]:
    return ["", *map(writer.data, values)]


def _said(writer: Writer, said: Said) -> list[Any]:
    return ["~", said.template, {name: writer.data(part) for name, part in said.values.items()}]


def _kept(record: type) -> Callable[[Writer, object], list[Any]]:
    """How records of one kind are kept: their name, and each field in order."""
    name, parts = record.__name__, attrgetter(*fields(record))
    return lambda writer, value: [name, *map(writer.data, parts(value))]


_WRITING: Mapping[type, Callable[[Writer, Any], list[Any]]] = {
    **{record: _kept(record) for record in KEPT},
    Code: lambda _, code: ["#", code.slug],
    Pattern: lambda _, pattern: ["*", *pattern.parts],
    Said: _said,
    Severity: lambda _, severity: ["!", int(severity)],
    Span: lambda writer, span: ["@", *writer.place(span)],
    TagRef: lambda writer, ref: ["TagRef", *map(writer.data, (ref.pattern, ref.span, ref.optional))],
    **dict.fromkeys((Text, Scalar), lambda writer, text: ["Text", text.value, *writer.place(text)]),
    list: _series,
    tuple: _series,
}


class Reader:
    """Turns what a Writer made into values again. `sources` reads the texts of files; asked once for each path that
    a span points into, and only when such a span comes up."""

    def __init__(self, written: Iterable[list[Any]], sources: Sources) -> None:
        self._written = list(written)
        self._sources = sources
        self._made: dict[int, Source] = {}

    def value(self, data: Any) -> Any:
        """The value that `data` was. Raises Unknown for what no Writer wrote."""
        if type(data) is not list:
            return data
        try:
            return _READING[data[0]](self, data)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise error if isinstance(error, Unknown) else Unknown(f"{data!r:.40} cannot be read") from error

    def place(self, number: int, start: int, end: int) -> Span:
        if type(start) is type(end) is int:
            return Span(self._source(number), start, end)
        raise Unknown("no offsets")

    def _source(self, number: int) -> Source:
        if number not in self._made:
            path, *rest = self._written[number]
            self._made[number] = self._made_of(path, *rest) if rest else self._sources(path)
        return self._made[number]

    def _made_of(self, path: str, kept: str | list[Any]) -> Source:
        """A source of which the text is kept, or lines."""
        if isinstance(kept, str):
            return Source(path, kept)
        lines = tuple((number, start, text) for number, start, text in kept)
        if all(type(number) is type(start) is int and type(text) is str for number, start, text in lines):
            return Later(path, self._sources, lines)
        raise Unknown("no lines")


def _record(record: type) -> Callable[[Reader, list[Any]], object]:
    """How records of one kind are made of what was kept."""
    return lambda reader, data: record(*map(reader.value, data[1:]))


def _sentence(reader: Reader, data: list[Any]) -> Said:
    _, template, values = data
    return said_of(template, {name: reader.value(part) for name, part in values.items()})


_READING: Mapping[str, Callable[[Reader, list[Any]], Any]] = {
    **{record.__name__: _record(record) for record in KEPT},
    "": lambda reader, data: tuple(map(reader.value, data[1:])),
    "#": lambda _, data: CODES[data[1]],
    "!": lambda _, data: Severity(data[1]),
    "*": lambda _, data: Pattern(tuple(data[1:])),
    "@": lambda reader, data: reader.place(*data[1:]),
    "TagRef": _record(TagRef),
    "Text": lambda reader, data: Text(data[1], reader.place(*data[2:])),
    "~": _sentence,
}


def remembered(read: Sources) -> Sources:
    """`read`, asked once for each path: spans of one file then share their source."""
    known: dict[str, Source] = {}

    def source(path: str) -> Source:
        if path not in known:
            known[path] = read(path)
        return known[path]

    return source


class Later(Source):
    """A text that is read when somebody asks for it; there is none where it is gone by then. Nobody has to for the `lines`
    of it that are known: number, offset and text of each, in order."""

    __slots__ = ("_known", "_read")

    def __init__(self, path: str, read: Sources, lines: tuple[Line, ...] = ()) -> None:
        super().__init__(path, "")
        del self.text
        self._read = read
        self._known = lines

    def __getattr__(self, name: str) -> Any:
        """Asked for what is not there yet: the text."""
        if name != "text":
            raise AttributeError(name)
        try:
            self.text = self._read(self.path).text
        except (OSError, Unknown):
            self.text = ""
        return self.text

    def position(self, offset: int) -> tuple[int, int]:
        at = bisect_right(self._known, offset, key=_OFFSET)
        if at:
            number, start, text = self._known[at - 1]
            if offset <= start + len(text):
                return number, offset - start + 1
        return super().position(offset)

    def line(self, number: int) -> str:
        for known, _, text in self._known:
            if known == number:
                return text
        return super().line(number)


_OFFSET = itemgetter(1)
