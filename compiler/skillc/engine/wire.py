"""Findings and what else is known of a package as plain data, to keep and to hand over (SPEC 15.3).

A sentence keeps its template and values, so that it can be told in any language later. A span keeps path and
offsets; the text of a file is not kept where it can be read again, since whoever reads it has compared the bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any

from skillc.diagnostic import CODES, Code, Diagnostic, Edit, Fix, Label, Severity
from skillc.graph.brief import Brief
from skillc.model.package import Declassify, TagRef
from skillc.source.directives import Directive
from skillc.tags import Pattern
from skillc.text import Source, Span, Text
from skillc.value import fields
from skillc.wording import Said, said_of

KEPT = (Brief, Declassify, Diagnostic, Directive, Edit, Fix, Label, TagRef)
"""Records that are kept field by field, under their names."""
Sources = Callable[[str], Source]
"""Gives the text of a file; raises OSError where it cannot."""


class Unknown(ValueError):
    """Data that no version of this module wrote."""


class Writer:
    """Turns values into plain data. `known` are texts of files by path; of any other source the text is kept too."""

    def __init__(self, known: Iterable[Source] = ()) -> None:
        self._known = {source.path: source for source in known}
        self._numbers: dict[int, int] = {}
        self._kept: list[Source] = []

    def sources(self) -> list[list[str]]:
        """What the spans written so far point into: the path, and the text where it is no file's."""
        return [
            [source.path] if self._is_file(source) else [source.path, source.text] for source in self._kept
        ]

    def data(self, value: object) -> Any:
        """`value` as JSON can hold it. Lists are tagged: the first entry says what they were."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind not in _WRITING:
            raise TypeError(f"{kind.__name__} cannot be kept")
        return _WRITING[kind](self, value)

    def place(self, span: Span) -> tuple[int, int, int]:
        """The number of a source, and the offsets in it."""
        return self._number(span.source), span.start, span.end

    def _is_file(self, source: Source) -> bool:
        return isinstance(source, Later) or self._known.get(source.path) is source

    def _number(self, source: Source) -> int:
        number = self._numbers.get(id(source))
        if number is None:
            number = self._numbers[id(source)] = len(self._kept)
            self._kept.append(source)
        return number


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
    Text: lambda writer, text: ["Text", text.value, *writer.place(text.span)],
    list: _series,
    tuple: _series,
}


class Reader:
    """Turns what a Writer made into values again. `sources` reads the texts of files; asked once for each path that
    a span points into, and only when such a span comes up."""

    def __init__(self, written: Iterable[list[str]], sources: Sources) -> None:
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
            path, *text = self._written[number]
            self._made[number] = Source(path, text[0]) if text else self._sources(path)
        return self._made[number]


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
    """A text that is read when somebody asks for it; there is none where it is gone by then."""

    __slots__ = ("_read",)

    def __init__(self, path: str, read: Sources) -> None:
        super().__init__(path, "")
        del self.text
        self._read = read

    def __getattr__(self, name: str) -> Any:
        """Asked for what is not there yet: the text."""
        if name != "text":
            raise AttributeError(name)
        try:
            self.text = self._read(self.path).text
        except (OSError, Unknown):
            self.text = ""
        return self.text
