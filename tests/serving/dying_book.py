"""Work on a Book in a process of its own that kills itself at a chosen writing statement, as a power cut would.

`dying_book.py STORE N`: what is there already is not done again; N of 0 never kills.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import closing

from sqlalchemy import Engine, event

from booking import finished, replies, story_plan
from running import TickingClock
from skillc.execute.book import Book, books
from skillc.execute.session import Session
from skillc.execute.store import Store, open_store


def work(store: Store) -> None:
    """Two Books; a session of the first, saved half-way, played to its end, restored, played again; a text of it in
    the second; the first archived."""
    there = {one.name: Book(store, one.id) for one in books(store)}
    book = there.get("甲") or Book.create(store, "甲", "novel")
    other = there.get("乙") or Book.create(store, "乙", "novel")
    if not book.sessions():
        Session.open(store, story_plan(), replies(), book=book.id, session_id="s1")
    if book.record.save_named("半途") is None:
        Session.resume(store, "s1", story_plan(), replies()).advance()
        book.save("半途", "s1")
    play(store, "s1")
    if len(book.sessions()) == 1:
        book.restore("半途")
    play(store, book.sessions()[1].id)
    other.take(json.loads(book.export([fact for fact in book.confirmed() if fact.tag == "正文.确认稿"])))
    if not book.record.archived:
        book.archive()


def play(store: Store, session: str) -> None:
    model = replies()
    written = {row.tag for row in store.load(session).items}
    if "设定.草稿" in written:
        model.replies.pop(0)
    finished(Session.resume(store, session, story_plan(), model))


def main(path: str, point: str) -> None:
    left = int(point)

    @event.listens_for(Engine, "before_cursor_execute")
    def count(_c: object, _cursor: object, statement: str, *_: object) -> None:
        nonlocal left
        if statement.startswith(("INSERT", "UPDATE")):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    with closing(open_store(path, TickingClock())) as store:
        work(store)


if __name__ == "__main__":
    main(*sys.argv[1:])
