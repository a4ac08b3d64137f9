"""Which tags a manifest forbids to which workers: 禁用行为 and columns 禁止注入 (SPEC 4.3, 6.2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from skillc.later import later
from skillc.model.package import TagRef
from skillc.model.prose import backticked_tags, tags_in, worker_ids
from skillc.model.topics import FORBIDDEN, Line, column_like, lines, sections_about
from skillc.model.workers_named import worker_column
from skillc.source.document import Document, Table
from skillc.text import Text

Denial = tuple[Text, TagRef]

_NEGATIVE = later(
    r"禁|不得|不可|不要|不应|不能|不准|勿|不读|不看|不给|不注入|never|not|forbid", re.IGNORECASE
)
_READS = later(r"注入|读|看|传|提供|给|inject|\bread|\bsee|\bpass", re.IGNORECASE)
_ID = later(r"(?<![A-Za-z0-9_.\-])[a-z0-9]+(?:-[a-z0-9]+)*(?![A-Za-z0-9_.\-])")
_REACH = 16
"""How many characters before an id are looked at for a word that leads to it."""
_TOWARDS = later(r"(?:注入|传|提供|给|到|入|进|向|对|往|to|into)\s*`?$", re.IGNORECASE)


def denials_in_body(document: Document, known: Collection[str]) -> tuple[Denial, ...]:
    """(worker, tag) for each tag that a table's column 禁止注入 or a line of 禁用行为 denies to a worker.

    A line counts when it forbids reading or injecting, names a worker that exists, and has the tag in
    backticks; where it names several workers, it is about those that something would be injected *into*.
    In a line each worker and each tag counts once, where it is first written.
    """
    found: list[Denial] = []
    for section in document.sections:
        for table in section.tables:
            found += _rows(table, known)
    for section in sections_about(document, FORBIDDEN):
        for line in lines(section):
            if _NEGATIVE.search(line.text.text) and _READS.search(line.text.text):
                found += _denied(line, known)
    return tuple(sorted(found, key=lambda pair: (pair[0].span.start, pair[1].span.start)))


def _rows(table: Table, known: Collection[str]) -> Iterator[Denial]:
    denied, at = column_like(table, "禁止注入", "禁止读取", "不可见", "forbidden"), worker_column(table)
    if denied is None or at is None or denied == at:
        return
    for row in table.rows:
        for id in worker_ids(row[at].span, known):
            yield from ((id, ref) for ref in tags_in(row[denied].span)[0])


def _denied(line: Line, known: Collection[str]) -> Iterator[Denial]:
    """Each tag of the line with each worker of it."""
    tags: dict[str, TagRef] = {}
    for ref in backticked_tags(line.text):
        tags.setdefault(ref.text, ref)
    for id in _receivers(line, known) if tags else ():
        yield from ((id, ref) for ref in tags.values())


def _receivers(line: Line, known: Collection[str]) -> list[Text]:
    raw = line.text.text
    ids = [
        Text(match.group(), line.text.part(*match.span()))
        for match in _ID.finditer(raw)
        if match.group() in known
    ]
    towards = [id for id in ids if _leads_to(raw, id.span.start - line.text.start)]
    first: dict[str, Text] = {}
    for id in towards or ids:
        first.setdefault(id.value, id)
    return list(first.values())


def _leads_to(raw: str, at: int) -> bool:
    return _TOWARDS.search(raw, max(0, at - _REACH), at) is not None
