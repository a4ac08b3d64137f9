"""Sessions as people and programs see them: a line of a list, and one session whole."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from skillc.cli.account import ASKS, gist
from skillc.cli.columns import columns
from skillc.cli.language import words
from skillc.cli.session_words import PHASES, word
from skillc.cli.shelf import day
from skillc.execute.bookfacts import SessionRows
from skillc.execute.delivery import open_actions
from skillc.execute.leases import Held
from skillc.execute.records import ItemRow, SessionRecord, SessionSummary, StatusRow
from skillc.report.language import Words
from skillc.wording import said_in, say, series


def print_lines(args: argparse.Namespace, data: object, lines: Sequence[object]) -> None:
    """`data` as JSON where that was asked for, else `lines`: sentences, and rows of columns."""
    if args.format == "json":
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
        return
    told = words(args)
    for line in lines:
        if isinstance(line, str):
            sys.stdout.write(said_in(told, line) + "\n")
        elif isinstance(line, list):
            rows = [[said_in(told, cell) for cell in row] for row in line]
            sys.stdout.writelines(text + "\n" for text in columns(rows))


def told(words: Words, text: str) -> str:
    return said_in(words, text)


def standing(summary: SessionSummary) -> str:
    """Where a session stands, in a word or two."""
    if summary.phase == "waiting_user":
        return say("waits ({reason})", reason=word(summary.reason))
    return PHASES.get(summary.phase, summary.phase)


def list_lines(sessions: Sequence[SessionSummary], names: Mapping[str, str]) -> list[object]:
    if not sessions:
        return [say("no sessions")]
    return [[session_cells(one, names.get(one.book or "", "-")) for one in sessions]]


def session_cells(one: SessionSummary, book: str | None = None) -> list[str]:
    """One session as a row: id, package, standing, time, Book, and what it was forked from."""
    cells = [one.id, one.package, standing(one), day(one.created_at)]
    cells += [book] if book is not None else []
    return [*cells, say("forked from {old}", old=one.forked_from) if one.forked_from else ""]


def list_data(sessions: Sequence[SessionSummary], names: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{**one.model_dump(), "book": names.get(one.book or "")} for one in sessions]


def show_lines(
    summary: SessionSummary,
    record: SessionRecord,
    rows: SessionRows,
    book: str | None,
    store: Sequence[str],
    held: Held | None = None,
    whole: bool = False,
) -> list[object]:
    """One session: where it stands and which process has it, who ran, its texts; with `whole` what the user is asked, and
    the texts that he is to accept, in full. Of a hidden text only the tag is shown."""
    head = say("session {id} of {package}", id=summary.id, package=summary.package)
    lines: list[object] = [
        head,
        [
            [say("stands"), _stands(summary)],
            *([[say("held by"), holder(held)]] if held else []),
            [say("begun"), day(summary.created_at)],
            *([[say("Book"), book]] if book else []),
            *([[say("forked from"), summary.forked_from]] if summary.forked_from else []),
            *([[say("error"), record.progress.status.error or ""]] if summary.phase == "error" else []),
        ],
    ]
    if record.runs:
        lines += [
            say("runs"),
            [[str(run.number), _who(run.worker, run.role), _tags(rows, run.items)] for run in record.runs],
        ]
    texts = [
        [row.tag, _STATUSES.get(status, status), _first_line(rows, row)] for row, status in texts_of(record)
    ]
    if texts:
        lines += [say("texts"), texts]
    if held and held.holder.pid:
        return lines
    lines += _asked(record, rows, store, whole)
    if summary.phase != "done":
        command = shlex.join(["skillc", "session", "wake" if held else "resume", summary.id, *store])
        lines.append(say("go on with: {command}", command=command))
    return lines


def holder(held: Held) -> str:
    """Who has a session, so that nobody else can go on with it now."""
    if not held.holder.pid:
        return say("whoever suspended it")
    return say("process {pid} on {host}", pid=held.holder.pid, host=held.holder.host)


def _asked(record: SessionRecord, rows: SessionRows, store: Sequence[str], whole: bool) -> list[object]:
    """What the user is asked, and how to answer without running the session here."""
    pending = record.progress.pending
    if pending is None:
        return []
    said = [text for text in (pending.prompt, *pending.questions) if text.strip()]
    asked = said or [ASKS[pending.reason]]
    reviewed = [row for id in pending.items if (row := rows.items.get(id)) and _is_open(rows, row)]
    lines: list[object] = [say("asks"), [["", gist(text) if said else text] for text in asked]]
    if whole:
        lines = [text for row in reviewed for text in (f"\n{row.tag}", row.content)]
        lines += [say("\nasks"), *asked, ""]
    elif reviewed or any(gist(text) != text for text in said):
        command = shlex.join(["skillc", "session", "show", record.id, *store, "--text"])
        lines.append(say("read it whole with: {command}", command=command))
    answers = [
        shlex.join(["skillc", "session", "answer", record.id, *store, *words])
        for action, words in _ANSWERS.items()
        if action in open_actions(record.progress)
    ]
    return [*lines, *(say("answer with: {command}", command=command) for command in answers)]


def _is_open(rows: SessionRows, row: ItemRow) -> bool:
    """The user clears all but what is hidden (SPEC 8.4)."""
    return "hidden" not in rows.labelling.labels(row.tag)


_ANSWERS: Mapping[str, Sequence[str]] = {
    "accept": ("--accept",),
    "reject": ("--reject", "NOTES"),
    "answer": ("TEXT",),
}


def _stands(summary: SessionSummary) -> str:
    if summary.phase == "done":
        return standing(summary)
    return say("{standing}, {stage}", standing=standing(summary), stage=word(summary.stage))


def _who(worker: str, role: str | None) -> str:
    return f"{worker}@{role}" if role else worker


def _tags(rows: SessionRows, ids: Sequence[str]) -> str:
    return series(dict.fromkeys(rows.items[id].tag for id in ids)) or "-"


_STATUSES: Mapping[str, str] = {
    "live": say("open"),
    "accepted": say("accepted"),
    "revision_requested": say("sent back"),
}


def texts_of(record: SessionRecord) -> list[tuple[ItemRow, str]]:
    """The texts that are neither superseded nor rejected, each with its status, in the order they were written."""
    last: dict[str, StatusRow] = {row.item: row for row in record.statuses}
    found = [(row, last[row.id].status if row.id in last else "live") for row in record.items]
    return [(row, status) for row, status in found if status not in ("superseded", "rejected")]


def _first_line(rows: SessionRows, row: ItemRow) -> str:
    return gist(row.content) if _is_open(rows, row) else say("(hidden)")


def show_data(
    summary: SessionSummary,
    record: SessionRecord,
    rows: SessionRows,
    book: str | None,
    held: Held | None = None,
) -> dict[str, Any]:
    """The same for programs; labelled texts without their content."""
    return {
        **summary.model_dump(),
        "book": book,
        "holder": str(held.holder) if held else None,
        "error": record.progress.status.error,
        "pending": record.progress.pending.model_dump(mode="json") if record.progress.pending else None,
        "runs": [
            {"number": run.number, "worker": run.worker, "role": run.role, "items": list(run.items)}
            for run in record.runs
        ],
        "texts": [
            {
                "id": row.id,
                "tag": row.tag,
                "source": row.source,
                "status": status,
                "labels": sorted(rows.labelling.labels(row.tag)),
                "content": None if rows.labelling.labels(row.tag) else row.content,
            }
            for row, status in texts_of(record)
        ],
    }
