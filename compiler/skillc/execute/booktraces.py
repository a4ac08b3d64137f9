"""What happened in a Book: asked, said, run, confirmed, rejected, in the order of time (SPEC 14). Tags, never texts of items."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.execute.bookfacts import SessionRows, is_loaded, steps_of
from skillc.execute.bookrecords import BookRecord, Trace
from skillc.execute.ledger import Entry
from skillc.execute.records import AnswerRow, ItemRow, NoteRow, RunRow, StatusRow

_STATUSES = {"accepted": "confirmed", "rejected": "rejected", "revision_requested": "sent_back"}


def traces_of(rows: SessionRows) -> Iterator[Trace]:
    """The traces of one session, without those that it was forked with. Of an answer that was written under a tag
    with a label only that it was given."""
    for step in steps_of(rows.own):
        values = [entry.value for entry in step]
        secret = any(
            isinstance(v, ItemRow) and v.source == "user" and rows.labelling.labels(v.tag) for v in values
        )
        order = [
            kind
            for kind in (AnswerRow, RunRow, StatusRow, NoteRow)
            if any(isinstance(v, kind) for v in values)
        ]
        for kind in order:
            entries = [entry for entry in step if isinstance(entry.value, kind)]
            found = _settled(rows, entries) if kind is StatusRow else _told(rows, entries)
            silent = secret and kind is AnswerRow
            yield from (trace.model_copy(update={"text": ""}) if silent else trace for trace in found)


def _settled(rows: SessionRows, entries: list[Entry]) -> Iterator[Trace]:
    """What became of items in one step, the tags of one kind together. What was loaded was confirmed elsewhere."""
    tags: dict[str, list[str]] = {}
    for event in (entry.value for entry in entries):
        kind = _STATUSES.get(event.status) if isinstance(event, StatusRow) else None
        item = rows.items[event.item] if isinstance(event, StatusRow) else None
        if kind and item and not is_loaded(item):
            tags.setdefault(kind, []).append(item.tag)
    for kind, names in tags.items():
        yield _at(rows, entries[0], kind, tags=tuple(dict.fromkeys(names)))


def _told(rows: SessionRows, entries: list[Entry]) -> Iterator[Trace]:
    for entry in entries:
        trace = _trace(rows, entry)
        if trace is not None:
            yield trace


def _trace(rows: SessionRows, entry: Entry) -> Trace | None:
    match entry.value:
        case RunRow() as run:
            return _ran(rows, entry, run)
        case AnswerRow() as answer:
            return _at(rows, entry, "said", answer.action, text=answer.text)
        case NoteRow() as note:
            return _at(rows, entry, "noted", note.kind, text=note.text)
    return None


def _ran(rows: SessionRows, entry: Entry, run: RunRow) -> Trace:
    """A run by what it wrote; one that asked by its questions. A summary may tell of what was read: where that, or
    what was written, carries a label, it is left out."""
    who = f"{run.worker}@{run.role}" if run.role else run.worker
    if run.questions and not run.items:
        return _at(rows, entry, "asked", who, text=" / ".join(run.questions))
    tags = tuple(dict.fromkeys(rows.items[id].tag for id in run.items))
    open_ = not any(rows.labelling.labels(tag) for tag in (*run.reads, *tags))
    return _at(rows, entry, "run", who, tags=tags, text=run.summary if open_ else "")


def _at(
    rows: SessionRows, entry: Entry, kind: str, who: str = "", tags: tuple[str, ...] = (), text: str = ""
) -> Trace:
    return Trace(at=entry.created_at, kind=kind, session=rows.session, who=who, tags=tags, text=text)


def book_traces(book: BookRecord) -> Iterator[Trace]:
    """What happened to the Book itself."""
    yield Trace(at=book.created_at, kind="created", text=book.kind)
    for state in book.states:
        yield Trace(at=state.at, kind="archived" if state.row.archived else "unarchived")
    for asset in book.assets:
        yield Trace(
            at=asset.at, kind="imported", who=str(asset.row.origin.get("name", "")), tags=(asset.row.tag,)
        )
    for save in book.saves:
        yield Trace(at=save.at, kind="saved", session=save.row.session, text=save.row.name)
