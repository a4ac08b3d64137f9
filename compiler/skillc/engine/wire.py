"""Findings and what else is known of a package as plain data, to keep and to hand over (SPEC 15.3).

A sentence keeps its template and values, so that it can be told in any language later. A span keeps path and
offsets; the text of a file is not kept where it can be read again, since whoever reads it has compared the bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from skillc.diagnostic import CODES, Code, Diagnostic, Edit, Fix, Label, Severity
from skillc.graph.brief import Brief
from skillc.model.package import Declassify, TagRef
from skillc.source.directives import Directive
from skillc.tags import Pattern
from skillc.text import Source, Span, Text
from skillc.value import fields
from skillc.wording import Said, said_of

KEPT = (Brief, Declassify, Diagnostic, Directive, Edit, Fix, Label, TagRef, Text)
"""Records that are kept field by field, under their names."""
_RECORDS: dict[str, Any] = {record.__name__: record for record in KEPT}
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
        if isinstance(value, Said):
            return ["~", value.template, {name: self.data(part) for name, part in value.values.items()}]
        if isinstance(value, Severity):
            return ["!", int(value)]
        if value is None or isinstance(value, str | int | float):
            return value
        if isinstance(value, Span):
            return ["@", self._number(value.source), value.start, value.end]
        if isinstance(value, tuple | list):
            return ["", *map(self.data, value)]
        if isinstance(value, Code):
            return ["#", value.slug]
        if isinstance(value, Pattern):
            return ["*", *value.parts]
        name = type(value).__name__
        if name not in _RECORDS:
            raise TypeError(f"{name} cannot be kept")
        return [name, *(self.data(getattr(value, field)) for field in fields(_RECORDS[name]))]

    def _is_file(self, source: Source) -> bool:
        return isinstance(source, Later) or self._known.get(source.path) is source

    def _number(self, source: Source) -> int:
        number = self._numbers.get(id(source))
        if number is None:
            number = self._numbers[id(source)] = len(self._kept)
            self._kept.append(source)
        return number


class Reader:
    """Turns what a Writer made into values again. `sources` reads the texts of files; asked once for each path that
    a span points into, and only when such a span comes up."""

    def __init__(self, written: Iterable[list[str]], sources: Sources) -> None:
        self._written = list(written)
        self._sources = sources
        self._made: dict[int, Source] = {}

    def value(self, data: Any) -> Any:
        """The value that `data` was. Raises Unknown for what no Writer wrote."""
        if not isinstance(data, list):
            return data
        if not data or not isinstance(data[0], str):
            raise Unknown("a list without a tag")
        tag, *rest = data
        if tag == "":
            return tuple(map(self.value, rest))
        if tag in _RECORDS:
            return _RECORDS[tag](*map(self.value, rest))
        try:
            return self._plain(tag, rest)
        except (IndexError, KeyError, TypeError, ValueError) as error:
            raise Unknown(f"`{tag}` cannot be read") from error

    def _plain(self, tag: str, rest: list[Any]) -> Any:
        match tag, rest:
            case "@", [int(number), int(start), int(end)]:
                return Span(self._source(number), start, end)
            case "~", [str(template), dict(values)]:
                return said_of(template, {name: self.value(part) for name, part in values.items()})
            case "#", [str(slug)]:
                return CODES[slug]
            case "!", [int(severity)]:
                return Severity(severity)
            case "*", [*parts]:
                return Pattern(tuple(parts))
        raise Unknown(f"`{tag}` is no kind of value")

    def _source(self, number: int) -> Source:
        if number not in self._made:
            path, *text = self._written[number]
            self._made[number] = Source(path, text[0]) if text else self._sources(path)
        return self._made[number]


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
