"""How products are accepted: the machine form of the frontmatter, and the rows of body tables (SPEC 6.2, 7.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar, cast

from skillc.diagnostic import Diagnostic, finding
from skillc.later import later
from skillc.model.fields import nearest
from skillc.model.package import Acceptance, Mode, TagRef, Worker
from skillc.model.prose import leading_id, normal, tags_in, without_annotations, worker_ids
from skillc.model.scalars import Truth, Word, Words
from skillc.model.schema import Fields
from skillc.model.topics import ACCEPTANCE, column_like, lines, sections_about
from skillc.model.workers_named import worker_column
from skillc.source.document import Document, Section, Table
from skillc.tags import Pattern, family, overlaps
from skillc.text import Span, Text
from skillc.value import value
from skillc.wording import say

MODES = ("user_confirmed", "programmatic_review", "no_confirmation")
_MODE_HEADERS = ("acceptancemode", "验收模式", "验收方式")
_WORD = later(r"[A-Za-z]+(?:[_-][A-Za-z]+)*")
_NO_MODE = ("n/a", "default", "finish")
"""What a cell says in one word that leaves the mode as it is."""
_MEANT = {
    **dict.fromkeys(("auto", "automatic", "none", "no", "skip", "自动", "无需确认", "不确认"), MODES[2]),
    **dict.fromkeys(("manual", "human", "user", "confirm", "用户确认", "人工确认", "手动", "人工"), MODES[0]),
    **dict.fromkeys(("review", "reviewer", "program", "评审", "程序验收", "自动评审", "程序评审"), MODES[1]),
}
"""Words for a mode that people use, and the mode."""
_YES = ("true", "yes", "是", "需要", "必须", "✓", "✔", "y")


class AcceptanceFields(Fields):
    """One worker's entry of `acceptance` in a manifest's frontmatter."""

    noun: ClassVar[str] = say("an acceptance entry")
    short: ClassVar[str] = "mode"
    mode: Word | None = None
    requires_approval: Truth = False
    reviews: Words | None = None


def acceptance_in_front(
    entries: Mapping[str, AcceptanceFields], keys: Mapping[str, Text]
) -> tuple[tuple[Acceptance, ...], list[Diagnostic]]:
    """The machine form, in written order; a mode that does not exist is unknown-acceptance."""
    rows: list[Acceptance] = []
    found: list[Diagnostic] = []
    for name, entry in entries.items():
        worker, mode = keys[name], entry.mode
        if mode and mode.value not in MODES:
            found.append(_unknown_mode(mode))
            continue
        rows.append(
            Acceptance(
                worker=worker,
                mode=cast(Mode, mode.value if mode else "user_confirmed"),
                span=mode.span if mode else worker.span,
                requires_approval=entry.requires_approval,
                reviews=tuple(entry.reviews or ()),
                in_front=True,
                explicit=mode is not None,
            )
        )
    return tuple(rows), found


def acceptance_in_body(
    document: Document, workers: Sequence[Worker]
) -> tuple[tuple[Acceptance, ...], list[Diagnostic]]:
    """The rows of every table with an acceptanceMode column, in written order.

    A row speaks for the workers in its worker column, else for the worker whose id begins one of its
    cells, else for the only writer of a tag that does. Rows that speak for nobody say nothing.
    """
    staff = _staff(workers)
    rows: list[Acceptance] = []
    found: list[Diagnostic] = []
    for section in document.sections:
        for table in section.tables:
            at = column_like(table, *_MODE_HEADERS)
            if at is not None:
                rows += _rows(table, at, staff, found)
    for section in sections_about(document, ACCEPTANCE):
        rows += _listed(section, staff.known)
    return tuple(sorted(rows, key=lambda row: row.span.start)), found


@value
class _Staff:
    """The workers of the package: their ids; who writes a concrete tag, by its text; and who writes families."""

    known: frozenset[str]
    tags: Mapping[str, Sequence[tuple[str, Pattern]]]
    families: Sequence[tuple[str, Pattern]]


def _staff(workers: Sequence[Worker]) -> _Staff:
    tags: dict[str, list[tuple[str, Pattern]]] = {}
    families: list[tuple[str, Pattern]] = []
    for worker in workers:
        for output in worker.outputs:
            rows = tags.setdefault(family(output.text), []) if output.pattern.is_tag else families
            rows.append((worker.id, output.pattern))
    return _Staff(frozenset(worker.id for worker in workers), tags, families)


def _listed(section: Section, known: Collection[str]) -> Iterator[Acceptance]:
    """Items `- outline：user_confirmed`: an id that exists, then a mode that exists."""
    for line in lines(section):
        worker = leading_id(line.text, known) if line.is_item else None
        if worker:
            start = worker.span.end - line.text.start
            mode = next((m for m in _WORD.finditer(line.text.text, start) if m.group() in MODES), None)
            if mode:
                yield Acceptance(worker, cast(Mode, mode.group()), line.text.part(*mode.span()))


def _rows(table: Table, at: int, staff: _Staff, found: list[Diagnostic]) -> Iterator[Acceptance]:
    approval, reviews = column_like(table, "requiresapproval"), column_like(table, "reviews")
    for row in table.rows:
        mode = _mode(row[at].span)
        workers = _speaks_for(table, row, at, staff)
        if mode is None:
            continue
        if mode.value not in MODES:
            if _was_meant(mode.value) or any(id.value in staff.known for id in workers):
                found.append(_unknown_mode(mode))
            continue
        for worker in workers:
            yield Acceptance(
                worker=worker,
                mode=cast(Mode, mode.value),
                span=mode.span,
                requires_approval=approval is not None and _affirms(row[approval].value),
                reviews=tuple(worker_ids(row[reviews].span, staff.known)) if reviews is not None else (),
            )


def _affirms(cell: str) -> bool:
    return normal(cell).startswith(_YES)


def _mode(cell: Span) -> Text | None:
    """The word of a cell that is its mode, whether there is such a mode or not; None for dashes and sentences."""
    plain = without_annotations(cell.text)
    match = _WORD.search(plain)
    if match and not plain[: match.start()].strip(" *`"):
        whole = plain.strip(" *`。").casefold()
        return None if whole in _NO_MODE else Text(match.group(), cell.part(*match.span()))
    written = plain.strip(" *`。")
    if written not in _MEANT:
        return None
    start = plain.index(written)
    return Text(written, cell.part(start, start + len(written)))


def _was_meant(word: str) -> bool:
    """Whether a word was meant for a mode, whoever it stands with."""
    return word.isascii() and ("_" in word or nearest(word, MODES) is not None)


def _unknown_mode(mode: Text) -> Diagnostic:
    near = _MEANT.get(mode.value.casefold()) or nearest(mode.value, MODES)
    guess = say("; did you mean `{near}`?", near=near) if near else ""
    return finding(
        "unknown-acceptance",
        mode.span,
        say("`{mode}` is not a mode of acceptance{guess}", mode=mode.value, guess=guess),
        say("the modes are user_confirmed, programmatic_review and no_confirmation"),
    )


def _speaks_for(table: Table, row: tuple[Text, ...], mode: int, staff: _Staff) -> list[Text]:
    known = staff.known
    at = worker_column(table)
    if at is not None and at != mode and (ids := worker_ids(row[at].span, known)):
        return ids
    cells = [cell.span for number, cell in enumerate(row) if number != mode]
    for cell in cells:
        if leading_id(cell, known):
            return [id for id in worker_ids(cell, known) if id.value in known] or _first(cell, known)
    for cell in cells:
        if ref := _leading_tag(cell):
            writers = _writers(ref.pattern, staff)
            return [Text(writers[0], ref.span)] if len(writers) == 1 else []
    return []


def _first(cell: Span, known: Collection[str]) -> list[Text]:
    id = leading_id(cell, known)
    return [id] if id else []


def _leading_tag(cell: Span) -> TagRef | None:
    refs, _ = tags_in(cell)
    if refs and not cell.text[: refs[0].span.start - cell.start].strip(" *`"):
        return refs[0]
    return None


def _writers(pattern: Pattern, staff: _Staff) -> list[str]:
    """The workers that write `pattern`, or its draft when it is a 确认稿."""
    direct = _writers_of(pattern, staff)
    if direct or pattern.parts[-1] != "确认稿":
        return direct
    return _writers_of(Pattern((*pattern.parts[:-1], "草稿")), staff)


def _writers_of(pattern: Pattern, staff: _Staff) -> list[str]:
    if pattern.is_tag:
        named = staff.tags.get(family(pattern.text), ())
    else:
        named = [row for rows in staff.tags.values() for row in rows]
    return list(dict.fromkeys(id for id, output in (*named, *staff.families) if overlaps(output, pattern)))
