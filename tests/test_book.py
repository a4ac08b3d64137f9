"""Books: what is confirmed is theirs at once, saves are positions, nothing is lost and nothing hidden gets out."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from booking import NEED, chapter_plan, facts, finished, played, replies, story_plan, texts
from postgres import NoServer, server
from running import ListedModel, TickingClock, running_plan, startup, writes
from serving.dying_book import work
from skillc.execute.book import Book, books, fork_session, rows_of
from skillc.execute.bookledger import BookRefused
from skillc.execute.session import Session
from skillc.execute.store import Store, StoreCorrupt, open_store

TESTS = Path(__file__).parent
CONFIRMED = {
    NEED: "一个密室故事",
    "设定.确认稿": "海岛",
    "设定.隐藏.确认稿": "岛主是凶手",
    "正文.确认稿": "第一章",
}


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store may be: a file, or a fresh database of a real server."""
    if request.param == "sqlite":
        return str(tmp_path / "s.db")
    try:
        return server().fresh()
    except NoServer as problem:
        pytest.skip(str(problem))


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    with closing(open_store(place, TickingClock())) as store:
        yield store


def test_what_is_accepted_is_in_the_book_with_the_step_that_accepts_it(store: Store) -> None:
    book = Book.create(store, "密室", "novel")
    session = Session.open(store, story_plan(), replies(), book=book.id)
    session.advance()
    assert facts(book) == {}
    session.answer("一个密室故事")
    assert facts(book) == {NEED: "一个密室故事"}
    session.advance()
    session.accept()
    assert facts(book) == {key: CONFIRMED[key] for key in list(CONFIRMED)[:3]}
    session.advance()
    assert "正文.草稿" in {item.tag for item in session.board.items} and "正文.确认稿" not in facts(book)
    finished(session)
    assert facts(book) == CONFIRMED, "a 候选 that was accepted is no fact"


def test_a_rejected_text_is_traced_and_never_a_fact(store: Store) -> None:
    book = Book.create(store, "密室", "novel")
    model = ListedModel(
        writes({"设定.草稿": "海岛"}),
        writes({"设定.草稿": "雪山"}),
        writes({"正文.草稿": "第一章"}),
    )
    session = Session.open(store, story_plan(), model, book=book.id)
    session.advance()
    session.answer("一个密室故事")
    session.advance()
    session.reject()
    finished(session)
    assert facts(book)["设定.确认稿"] == "雪山"
    told = [(trace.kind, trace.who, trace.tags) for trace in book.traces()]
    assert told[:8] == [
        ("created", "", ()),
        ("begun", "novel/sample", ()),
        ("said", "answer", ()),
        ("run", "design", ("设定.草稿",)),
        ("said", "reject", ()),
        ("rejected", "", ("设定.草稿",)),
        ("run", "design", ("设定.草稿",)),
        ("said", "accept", ()),
    ]
    assert ("confirmed", "", ("设定.确认稿",)) in told
    assert all("海岛" not in trace.text for trace in book.traces())


def test_a_session_that_loads_skips_design_and_one_that_does_not_begins_anew(store: Store) -> None:
    book = Book.create(store, "密室", "novel")
    first = played(store, book)
    loaded = book.load(story_plan())
    model = ListedModel(writes({"正文.草稿": "第二章"}))
    second = played(store, book, model, board=loaded.board)
    assert model.workers == ["write"]
    assert [item.tag for item in model.requests and second.board.items if item.source == "book"] == [
        NEED,
        "设定.草稿",
        "设定.确认稿",
        "设定.隐藏.草稿",
        "设定.隐藏.确认稿",
    ]
    asked = model.requests[0].messages[-1]["content"]
    assert "海岛" in asked, "who reads a draft follows it to the confirmed text"
    item = second.board.newest("设定.确认稿")
    assert item is not None and item.status == "accepted"
    origin = item.metadata["book"]
    before = first.board.newest("设定.确认稿")
    assert before is not None
    assert origin["session"] == first.id and origin["item"] == before.id and origin["source"] == "design"
    assert origin["dependencies"] == list(before.dependencies)
    fresh = replies("雪山", "另一章")
    played(store, book, fresh)
    assert fresh.workers == ["design", "write"]
    assert facts(book) == {**CONFIRMED, "设定.确认稿": "雪山", "正文.确认稿": "另一章"}


def test_loaded_texts_are_archived_once_and_keep_their_first_origin(store: Store) -> None:
    book = Book.create(store, "密室", "novel")
    first = played(store, book)
    second = played(
        store, book, ListedModel(writes({"正文.草稿": "二"})), board=book.load(story_plan()).board
    )
    assert [fact.tag for fact in book.facts()].count("设定.确认稿") == 1
    again = {fact.tag: fact for fact in book.load(story_plan(), second.id).facts}
    assert again["设定.确认稿"].origin["session"] == first.id


def test_chapters_add_up_along_one_way_and_two_ways_never_mix(store: Store) -> None:
    book = Book.create(store, "密室", "novel")
    plan = chapter_plan()
    first = played(store, book, replies("海岛", "第一章"), plan)
    second = played(store, book, ListedModel(writes({"正文.草稿": "第二章"})), plan, book.load(plan).board)
    assert texts(book.confirmed(), "正文.确认稿") == ["第一章", "第二章"]
    assert [item.content for item in second.deliverables()] == ["第二章"], "the first was delivered before"
    fork = fork_session(store, first.id)
    played(store, book, replies("雪山", "另一章"), plan)
    assert texts(book.confirmed(), "正文.确认稿") == ["另一章"], "who began anew stands for himself"
    assert texts(book.confirmed(second.id), "正文.确认稿") == ["第一章", "第二章"]
    assert texts(book.confirmed(fork.id), "正文.确认稿") == ["第一章"]
    assert texts(book.load(plan, second.id).facts, "正文.确认稿") == ["第一章", "第二章"]
    other = Book.create(store, "第二部", "novel")
    other.take(json.loads(book.export(book.confirmed(second.id))))
    assert texts(other.confirmed(), "正文.确认稿") == ["第一章", "第二章"]


def test_what_play_left_behind_unasked_is_an_asset_and_not_loaded(store: Store) -> None:
    book = Book.create(store, "戏", "novel")
    free = {"mode": "no_confirmation"}
    plan = running_plan(
        {
            "cast": {"inputs": [NEED], "outputs": ["名册"], "stage": "design"},
            "act": {
                "inputs": [NEED, "名册", "行动?", "信念.当前?"],
                "outputs": ["行动", "信念.当前", "行动.候选"],
            },
        },
        {"cast": free, "act": free},
        startup=startup(NEED),
        ready={"prerequisites": [["名册"]], "condition": None},
    )
    model = ListedModel(
        writes({"名册": "甲"}), writes({"行动": "坚守", "信念.当前": "粮少", "行动.候选": "强攻"})
    )
    played(store, book, model, plan)
    assert facts(book) == {NEED: "一个密室故事", "名册": "甲", "行动": "坚守", "信念.当前": "粮少"}
    loaded = book.load(plan)
    assert [fact.tag for fact in loaded.facts] == [NEED, "名册", "信念.当前"]
    assert [(left.tag, left.why) for left in loaded.left] == [("行动", "passing")]


def test_a_text_that_nobody_reads_or_that_would_lose_its_label_is_left_out(store: Store) -> None:
    book = Book.create(store, "密室", "novel")
    played(store, book)
    other = running_plan(
        {"w": {"inputs": ["设定.*"], "outputs": ["正文.草稿"]}}, startup=startup(NEED), labels=[]
    )
    loaded = book.load(other)
    assert [(fact.tag) for fact in loaded.facts] == [NEED, "设定.确认稿"]
    assert {(left.tag, left.why) for left in loaded.left} == {
        ("正文.确认稿", "unread"),
        ("设定.隐藏.确认稿", "unlabelled"),
    }


def test_a_book_takes_sessions_of_its_kind_until_it_is_archived(store: Store) -> None:
    book = Book.create(store, "密室", "dialogue")
    with pytest.raises(BookRefused, match="is for dialogue; package `novel/sample` is for novel"):
        Session.open(store, story_plan(), replies(), book=book.id)
    assert store.sessions() == ()
    novel = Book.create(store, "另一本", "novel")
    session = played(store, novel)
    novel.archive()
    for act in (
        lambda: Session.open(store, story_plan(), replies(), book=novel.id),
        lambda: fork_session(store, session.id),
        novel.archive,
    ):
        with pytest.raises(BookRefused, match="is archived"):
            act()
    assert facts(novel) == CONFIRMED and len(store.sessions()) == 1
    novel.unarchive()
    assert not novel.record.archived
    played(store, novel)
    with pytest.raises(BookRefused, match="there is a Book `密室` already"):
        Book.create(store, "密室", "novel")
    Book.create(store, "room", "novel")
    assert Book.create(store, "Cafe\u0301", "novel").record.name == "Caf\u00e9"
    for same in ("Ｒｏｏｍ", "ROOM", "Cafe\u0301", "CAF\u00c9"):
        with pytest.raises(BookRefused, match=r"there is a Book `(room|Caf\u00e9)` already"):
            Book.create(store, same, "novel")
    for none in ("", " 密室", "密室\u200b", "密\n室", "密" * 101):
        with pytest.raises(BookRefused, match=r"a name (is one line|has at most 100)"):
            Book.create(store, none, "novel")
        with pytest.raises(BookRefused, match=r"a name (is one line|has at most 100)"):
            novel.save(none, session.id)
    with pytest.raises(BookRefused, match="there is no Book `none`"):
        Session.open(store, story_plan(), replies(), book="none")


def test_a_save_is_restored_as_it_was_and_both_sessions_go_on_by_themselves(store: Store) -> None:
    book = Book.create(store, "密室", "novel")
    session = Session.open(store, story_plan(), replies(), book=book.id)
    session.advance()
    session.answer("一个密室故事")
    session.advance()
    book.save("设定未定", session.id)
    saved = store.load(session.id)
    finished(session)
    ended = store.load(session.id)
    restored = book.restore("设定未定")
    assert (
        restored.model_copy(update={"id": saved.id, "created_at": saved.created_at, "forked_from": None})
        == saved
    )
    assert restored.forked_from == session.id and restored.book == book.id
    other = Session.resume(
        store,
        restored.id,
        story_plan(),
        ListedModel(writes({"设定.草稿": "雪山"}), *replies("", "雪崩").replies[1:]),
    )
    other.reject("换成雪山")
    finished(other)
    assert store.load(session.id) == ended
    assert [row.content for row in store.load(other.id).items if row.tag == "正文.确认稿"] == ["雪崩"]
    assert facts(book)["设定.确认稿"] == "雪山"
    assert [fact.content for fact in book.facts() if fact.tag == NEED] == ["一个密室故事"], (
        "no copy counts twice"
    )
    assert [trace.kind for trace in book.traces()].count("forked") == 1
    with pytest.raises(BookRefused, match="has a save `设定未定` already"):
        book.save("设定未定", session.id)
    with pytest.raises(BookRefused, match="has no save `x`; there are: `设定未定`"):
        book.restore("x")
    with pytest.raises(BookRefused, match="is not of the Book"):
        book.save("别人的", played(store).id)


def test_a_fork_of_a_fork_goes_on(store: Store) -> None:
    book = Book.create(store, "密室", "novel")
    session = Session.open(store, story_plan(), replies(), book=book.id)
    session.advance()
    twice = fork_session(store, fork_session(store, session.id).id)
    assert twice.items == store.load(session.id).items
    finished(Session.resume(store, twice.id, story_plan(), replies("雪山", "雪崩")))
    assert facts(book)["正文.确认稿"] == "雪崩"


def test_confirmed_texts_go_from_book_to_book(store: Store) -> None:
    book, other = Book.create(store, "密室", "novel"), Book.create(store, "第二部", "dialogue")
    session = played(store, book)
    file = book.export([fact for fact in book.facts() if fact.tag == "设定.确认稿"])
    value = json.loads(file)
    assert value["items"][0]["origin"]["session"] == session.id and "labels" not in value["items"][0]
    assert other.take(value) == ("设定.确认稿",)
    assert other.take(value) == (), "the same text is not taken twice"
    assert facts(other) == {"设定.确认稿": "海岛"}
    assert other.facts()[0].origin["name"] == "密室"
    value["items"][0]["content"] = "雪山"
    with pytest.raises(BookRefused, match="were changed since they were exported"):
        other.take(value)
    with pytest.raises(BookRefused, match="is no file of exported texts"):
        other.take({"items": []})
    unread = running_plan({"w": {"inputs": ["别的"], "outputs": ["正文.草稿"]}})
    with pytest.raises(BookRefused, match=r"no worker of `novel/sample` reads `设定\.确认稿`"):
        book.take(json.loads(file), unread)


def test_labels_travel_with_a_text(store: Store) -> None:
    book, other = Book.create(store, "密室", "novel"), Book.create(store, "第二部", "novel")
    played(store, book)
    hidden = [fact for fact in book.facts() if fact.labels]
    assert [(fact.tag, fact.labels) for fact in hidden] == [("设定.隐藏.确认稿", ("hidden",))]
    other.take(json.loads(book.export(hidden)))
    blind = running_plan({"w": {"inputs": ["设定.隐藏.*"], "outputs": ["正文.草稿"]}}, labels=[])
    assert [left.why for left in other.load(blind).left] == ["unlabelled"]
    assert [fact.tag for fact in other.load(story_plan()).facts] == ["设定.隐藏.确认稿"]


def test_a_package_that_forgets_a_label_does_not_set_its_texts_free(store: Store) -> None:
    book = Book.create(store, "密室", "novel")
    session = Session.open(store, story_plan(), replies(), book=book.id)
    session.advance()
    session.answer("一个密室故事")
    finished(Session.resume(store, session.id, story_plan(labels=[]), replies()))
    assert rows_of(store, session.id).labelling.labels("设定.隐藏.确认稿") == {"hidden"}


def test_many_write_one_book_at_once_and_nothing_is_lost(place: str) -> None:
    with closing(open_store(place, TickingClock())) as store:
        book = Book.create(store, "密室", "novel")
        session = Session.open(store, story_plan(), replies(), book=book.id)

        def work(number: int) -> bool:
            with closing(open_store(place)) as mine:
                Session.open(mine, story_plan(), replies(), book=book.id)
                Book(mine, book.id).save(f"存档{number}", session.id)
                try:
                    Book(mine, book.id).save("同名", session.id)
                except BookRefused:
                    return False
                return True

        with ThreadPoolExecutor(6) as pool:
            won = list(pool.map(work, range(6)))
        assert won.count(True) == 1
        names = sorted(one.row.name for one in book.record.saves)
        assert names == sorted(["同名", *(f"存档{n}" for n in range(6))])
        assert len(book.sessions()) == 7


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE books SET name = '别的' WHERE number = 1",
        "UPDATE books SET kind = 'dialogue'",
        "DELETE FROM books WHERE number = 2",
        "UPDATE book_events SET archived = 0",
        "DELETE FROM book_events",
        "UPDATE book_assets SET content = '别的'",
        "UPDATE book_assets SET labels = '[]'",
        "DELETE FROM saves",
        "UPDATE saves SET at_entry = 1",
        "UPDATE saves SET progress = '{}'",
        "UPDATE sessions SET book_id = NULL",
        "UPDATE sessions SET forked_entries = 0",
        "UPDATE label_rules SET labels = '[]'",
    ],
)
def test_a_row_of_a_book_that_was_changed_from_outside_is_damage(tmp_path: Path, statement: str) -> None:
    path = str(tmp_path / "s.db")
    store = open_store(path, TickingClock())
    book = Book.create(store, "密室", "novel")
    session = played(store, book)
    book.save("完", session.id)
    book.restore("完")
    hidden = json.loads(book.export([fact for fact in book.facts() if fact.labels]))
    Book.create(store, "二", "novel").take(hidden)
    book.archive()
    database = sqlite3.connect(path)
    database.execute(statement)
    database.commit()
    database.close()
    with pytest.raises(StoreCorrupt):
        fresh = open_store(path)
        for one in books(fresh):
            Book(fresh, one.id).traces()


@pytest.mark.parametrize("point", [3, 11, 24, 48, 60, 71])
def test_a_killed_process_leaves_whole_books_and_the_next_one_goes_on(place: str, point: int) -> None:
    with closing(open_store(place)):
        pass
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent / "compiler")])}
    program = [sys.executable, str(TESTS / "serving" / "dying_book.py"), place]
    killed = subprocess.run([*program, str(point)], env=environment, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    with closing(open_store(place, TickingClock())) as store:
        for one in books(store):
            Book(store, one.id).traces()
        work(store)
        first, second = (Book(store, one.id) for one in books(store))
        assert facts(first) == CONFIRMED and first.record.archived
        assert facts(second) == {"正文.确认稿": "第一章"}
        begun, forked = first.sessions()
        assert forked.forked_from == begun.id and {begun.phase, forked.phase} == {"done"}
        assert [one.row.name for one in first.record.saves] == ["半途"]
