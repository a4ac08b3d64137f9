"""Books as people and programs see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skillc.cli.account import gist, preview
from skillc.cli.session_view import session_cells
from skillc.cli.session_words import word
from skillc.cli.shelf import day
from skillc.execute.bookrecords import BookRecord, Fact, Trace
from skillc.execute.records import SessionSummary
from skillc.report.counts import plural
from skillc.wording import say, series


def book_line(book: BookRecord, sessions: int) -> list[str]:
    """A Book as a row."""
    away = say("archived") if book.archived else ""
    return [book.name, book.kind, book.id, plural(sessions, "session"), day(book.created_at), away]


def show_lines(book: BookRecord, sessions: Sequence[SessionSummary], facts: Sequence[Fact]) -> list[object]:
    """A Book: who it is, its sessions, what is confirmed, its saves. Of a hidden text only the tag is shown."""
    head = say("{name} ({kind}), id {id}", name=book.name, kind=book.kind, id=book.id)
    lines: list[object] = [say("{head}, archived", head=head) if book.archived else head]
    if sessions:
        lines += [say("sessions"), [session_cells(one) for one in sessions]]
    if facts:
        lines += [say("confirmed texts"), [[fact.tag, _gist(fact)] for fact in facts]]
    if book.saves:
        lines += [say("saves"), *saves_lines(book)]
    if len(lines) == 1:
        lines.append(say("nothing in it yet: skillc run PACKAGE --book {name}", name=book.name))
    return lines


def _gist(fact: Fact) -> str:
    return say("(hidden)") if "hidden" in fact.labels else gist(fact.content)


def show_data(book: BookRecord, sessions: Sequence[SessionSummary], facts: Sequence[Fact]) -> dict[str, Any]:
    return {
        "id": book.id,
        "name": book.name,
        "kind": book.kind,
        "created_at": book.created_at,
        "archived": book.archived,
        "sessions": [one.model_dump(exclude={"book"}) for one in sessions],
        "confirmed": [fact_data(fact, not fact.labels) for fact in facts],
        "saves": [{"name": one.row.name, "session": one.row.session, "at": one.at} for one in book.saves],
    }


def saves_lines(book: BookRecord) -> list[object]:
    if not book.saves:
        return [say("no saves")]
    return [[[one.row.name, one.row.session, day(one.at)] for one in book.saves]]


def fact_data(fact: Fact, shown: bool) -> dict[str, Any]:
    """A confirmed text for programs, without its content where that is not to be shown."""
    data = fact.model_dump(exclude={"content", "drafts", "scope"})
    return {**data, "content": fact.content if shown else None}


def assets_lines(facts: Sequence[Fact], shown: Sequence[Fact], full: bool) -> list[object]:
    """The confirmed texts as rows, or in full."""
    if not facts:
        return [say("nothing is confirmed yet")]
    if not full:
        return [
            [
                [
                    fact.tag,
                    _from(fact),
                    day(fact.at),
                    _gist(fact) if fact not in shown else gist(fact.content),
                ]
                for fact in facts
            ]
        ]
    lines: list[object] = []
    for fact in facts:
        lines.append([[fact.tag, _from(fact), day(fact.at)]])
        text = fact.content if fact in shown else say("(hidden)")
        lines += ["", text.strip("\n") if fact in shown else text, ""]
    return lines[:-1]


def _from(fact: Fact) -> str:
    if fact.session:
        return fact.session
    return say("from {book}", book=fact.origin.get("name", "?"))


_KINDS: Mapping[str, str] = {
    "created": say("created"),
    "begun": say("begun"),
    "forked": say("forked"),
    "asked": say("asked"),
    "said": say("said"),
    "run": say("run"),
    "confirmed": say("confirmed"),
    "rejected": say("rejected"),
    "sent_back": say("sent back"),
    "noted": say("noted"),
    "imported": say("imported"),
    "saved": say("saved"),
    "archived": say("archived"),
    "unarchived": say("taken up"),
}


def trace_rows(traces: Sequence[Trace]) -> list[list[str]]:
    """Each trace as a row: time, session, what, who and which tags."""
    return [[day(one.at), one.session or "-", _KINDS[one.kind], _what(one)] for one in traces]


def _what(trace: Trace) -> str:
    tags = series(trace.tags)
    match trace.kind:
        case "run":
            wrote = say("{worker} wrote {tags}", worker=trace.who, tags=tags or "-")
            return say("{wrote}: {text}", wrote=wrote, text=preview(trace.text)) if trace.text else wrote
        case "forked":
            return say("{package}, from {session}", package=trace.who, session=trace.text)
        case "imported":
            return say("{tags}, from {book}", tags=tags, book=trace.who)
        case "asked" | "said" | "noted":
            who = word(trace.who) if trace.kind == "said" else trace.who
            return say("{wrote}: {text}", wrote=who, text=preview(trace.text)) if trace.text else who
    return tags or trace.who or trace.text
