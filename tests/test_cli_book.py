"""`skillc book` and `skillc session` as their users meet them; docs/guide/books.md has the usual way, run by a test."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from cli import SKILLS, Done, examples, skillc
from postgres import NoServer, server
from skillc.cli.readable import below

SCRIPTS = Path(__file__).parent.parent / "docs/guide/books"
HIDDEN = "核心.危险.隐藏"
BASIC = "novel/basic/scripts/demo.yaml"


@pytest.fixture(params=["file", "url"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """The option that names the store: a file, or a fresh database of a real server."""
    if request.param == "file":
        return ["--store", str(tmp_path / "s.db")]
    try:
        return ["--store", server().fresh()]
    except NoServer as problem:
        pytest.skip(str(problem))


def data(done: Done) -> Any:
    assert done.code == 0, done.err
    return json.loads(done.out)


def one(folder: Path, *store: str) -> str:
    """The id of the newest session."""
    return str(data(skillc("session", "list", "--json", *store, cwd=folder))[-1]["id"])


def workspace(folder: Path, *packages: str) -> Path:
    """Packages, and a Book `甲` for novels, with a session of the first package that played its own script."""
    examples(folder, *packages)
    script = str(SKILLS / packages[0] / "scripts/demo.yaml")
    assert skillc("book", "create", "甲", "--kind", "novel", cwd=folder).code == 0
    done = skillc("run", packages[0], "--book", "甲", "--script", script, cwd=folder)
    assert done.code == 0, done.out + done.err
    return folder


def test_each_verb_on_a_file_and_on_a_server(tmp_path: Path, store: list[str]) -> None:
    examples(tmp_path, "novel/basic")

    def run(*words: str) -> Done:
        done = skillc(*words, *store, cwd=tmp_path)
        assert done.code == 0, done.out + done.err
        assert "geheim" not in done.out
        return done

    created = data(run("book", "create", "甲", "--kind", "novel", "--json"))
    waits = skillc(
        "run",
        "basic",
        "--book",
        created["id"][:6],
        "--script",
        str(SCRIPTS / "draft.yaml"),
        *store,
        cwd=tmp_path,
    )
    assert "the session waits (review_artifact)" in waits.out
    session = one(tmp_path, *store)
    assert "saved" in run("book", "save", "甲", "初稿").out
    run("session", "resume", session[:8], "--script", str(SCRIPTS / "accept.yaml"))
    shown = data(run("session", "show", session, "--json"))
    assert (shown["phase"], shown["book"]) == ("done", "甲")
    assert [text["tag"] for text in shown["texts"]][-1] == "大纲.确认稿"
    restored = data(run("session", "fork", session, "--save", "初稿", "--json"))["session"]
    run("session", "resume", restored, "--script", str(SCRIPTS / "other.yaml"))
    assert data(run("session", "fork", restored, "--json"))["forked_from"] == restored
    assert "跟着" not in run("session", "show", restored).out
    book = data(run("book", "show", "甲", "--json"))
    assert [entry["tag"] for entry in book["confirmed"]] == ["需求.核心要点", "大纲.确认稿"]
    assert book["confirmed"][1]["content"].startswith("《小满》")
    assert [entry["name"] for entry in data(run("book", "saves", "甲", "--json"))] == ["初稿"]
    kinds = [trace["kind"] for trace in data(run("book", "traces", "甲", "--session", restored, "--json"))]
    assert kinds == ["forked", "said", "sent_back", "run", "said", "confirmed"]
    file = str(tmp_path / "texts.json")
    run("book", "export", "甲", "--output", file)
    run("book", "create", "乙", "--kind", "dialogue")
    assert data(run("book", "import", "乙", file, "--package", "basic", "--json"))["tags"] == [
        "需求.核心要点",
        "大纲.确认稿",
    ]
    run("book", "archive", "乙")
    assert [entry["name"] for entry in data(run("book", "list", "--json"))] == ["甲"]
    run("book", "unarchive", "乙")
    assert len(data(run("book", "list", "--json"))) == 2
    assert "《小满》" in run("book", "assets", "甲", "大纲.确认稿").out
    assert [entry["id"] for entry in data(run("session", "list", "--book", "甲", "--json"))][:2] == [
        session,
        restored,
    ]
    assert "### You\n\n县城的照相馆" in run("session", "export", session).out


def test_what_is_hidden_leaves_by_no_export(tmp_path: Path) -> None:
    folder = workspace(tmp_path, "novel/weird-rules-short")
    session = one(folder)
    facts = data(skillc("book", "assets", "甲", "--include-hidden", "--json", cwd=folder))
    secret = next(fact["content"] for fact in facts if fact["tag"] == HIDDEN)
    assert "hidden" in next(fact["labels"] for fact in facts if fact["tag"] == HIDDEN)
    for words in (
        ("book", "export", "甲"),
        ("book", "assets", "甲"),
        ("book", "assets", "甲", "--json"),
        ("book", "show", "甲"),
        ("book", "show", "甲", "--json"),
        ("book", "traces", "甲", "--json"),
        ("session", "export", session),
        ("session", "show", session),
        ("session", "show", session, "--json"),
    ):
        done = skillc(*words, cwd=folder)
        assert done.code == 0 and secret not in done.out + done.err, words
        assert secret.splitlines()[0] not in done.out, words
    left = skillc("session", "export", session, cwd=folder)
    assert f"left out: {HIDDEN} (hidden); --include-hidden" in left.err
    refused = skillc("book", "export", "甲", HIDDEN, cwd=folder)
    assert refused.code == 1 and "carries hidden" in refused.err and refused.out == ""
    wanted = skillc("book", "export", "甲", HIDDEN, "--include-hidden", cwd=folder)
    assert "warning: this holds what is kept from others" in wanted.err
    assert [item["labels"] for item in data(wanted)["items"]] == [["hidden"]]
    assert (
        below(secret.strip(), 2) in skillc("session", "export", session, "--include-hidden", cwd=folder).out
    )


def test_labels_stay_when_the_package_is_gone(tmp_path: Path) -> None:
    folder = workspace(tmp_path, "novel/weird-rules-short")
    shutil.rmtree(folder / "skills/novel/weird-rules-short")
    done = skillc("book", "export", "甲", cwd=folder)
    assert done.code == 0 and HIDDEN not in {item["tag"] for item in data(done)["items"]}


def test_a_session_goes_on_without_its_sources_as_long_as_its_plan_is_there(tmp_path: Path) -> None:
    examples(tmp_path, "novel/basic")
    skillc("run", "basic", "--script", str(SCRIPTS / "draft.yaml"), cwd=tmp_path)
    session = one(tmp_path)
    shutil.rmtree(tmp_path / "skills/novel/basic")
    done = skillc("session", "resume", session, "--script", str(SCRIPTS / "accept.yaml"), cwd=tmp_path)
    assert done.code == 0 and "promoted 大纲.草稿 -> 大纲.确认稿" in done.out
    shutil.rmtree(tmp_path / "build")
    lost = skillc("session", "resume", session, cwd=tmp_path)
    assert lost.code == 2 and "is neither below `skills` nor compiled below `build`" in lost.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("book", "show", "无"), "there is no Book `无`; there are: `甲`"),
        (("book", "create", "甲", "--kind", "novel"), "there is a Book `甲` already"),
        (("book", "create", " ", "--kind", "novel"), "is one line without blanks around it"),
        (("book", "restore", "甲", "无"), "has no save `无`; there are: none"),
        (("book", "unarchive", "甲"), "is not archived"),
        (("book", "assets", "甲", "大纲.草稿"), "has nothing confirmed under `大纲.草稿`"),
        (("book", "import", "甲", "skills/registry.yaml"), "is not valid JSON"),
        (("book", "import", "甲", "none.json"), "cannot read `none.json`"),
        (("session", "show", "zz"), "there is no session `zz`; the newest are: `"),
        (("session", "list", "--store", "none.db"), "there are no sessions yet: `none.db` is not there"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_one_sentence(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    folder = examples(tmp_path, "novel/basic")
    shutil.copy(SKILLS / "registry.yaml", folder / "skills")
    skillc("book", "create", "甲", "--kind", "novel", cwd=folder)
    skillc("run", "basic", "--script", str(SCRIPTS / "draft.yaml"), cwd=folder)
    done = skillc(*words, cwd=folder)
    assert done.code == 2 and said in done.err, done.err
    assert not (folder / "none.db").exists()


def test_a_beginning_that_fits_two_is_ambiguous(tmp_path: Path) -> None:
    folder = examples(tmp_path, "novel/basic")
    for number in range(17):
        skillc("book", "create", f"第{number}本", "--kind", "novel", cwd=folder)
    ids = [entry["id"] for entry in data(skillc("book", "list", "--json", cwd=folder))]
    twice = next(id[0] for id in ids if sum(other.startswith(id[0]) for other in ids) > 1)
    done = skillc("book", "show", twice, cwd=folder)
    assert done.code == 2 and f"`{twice}` is ambiguous" in done.err


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE books SET name = '乙'",
        "UPDATE saves SET at_entry = 1",
        "DELETE FROM books",
        "UPDATE items SET content = '别的'",
    ],
)
def test_damage_is_an_error_and_never_an_empty_book(tmp_path: Path, statement: str) -> None:
    folder = workspace(tmp_path, "novel/basic")
    skillc("book", "save", "甲", "完", cwd=folder)
    database = sqlite3.connect(folder / ".skillc/sessions.sqlite3")
    database.execute("PRAGMA foreign_keys = OFF")
    database.execute(statement)
    database.commit()
    database.close()
    for words in (
        ("book", "show", "甲"),
        ("run", "basic", "--book", "甲", "--script", str(SCRIPTS / "again.yaml")),
    ):
        done = skillc(*words, cwd=folder)
        assert done.code == 3 and "is corrupt" in done.err + done.out, done


def test_a_flipped_byte_in_the_row_of_a_book_is_noticed(tmp_path: Path) -> None:
    folder = workspace(tmp_path, "novel/basic")
    skillc("book", "save", "甲", "开头一段", cwd=folder)
    path = folder / ".skillc/sessions.sqlite3"
    good = path.read_bytes()
    at = good.index("开头一段".encode())
    path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
    done = skillc("book", "saves", "甲", cwd=folder)
    assert done.code == 3 and "is corrupt" in done.err


def test_options_of_a_book_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    folder = workspace(tmp_path, "novel/basic")
    session = one(folder)
    again = str(SCRIPTS / "again.yaml")
    for words, said in (
        (("--book", "甲", "--resume", session), "leave out --book"),
        (("--load", session), "give --book"),
        (("--fresh",), "give --book"),
    ):
        done = skillc("run", "basic", "--script", again, *words, cwd=folder)
        assert done.code == 2 and said in done.out + done.err, done
    fresh = skillc("run", "basic", "--book", "甲", "--fresh", "--script", again, cwd=folder)
    assert "loads from" not in fresh.out and "waiting (intake)" in fresh.out
    loaded = skillc("run", "basic", "--book", "甲", "--load", session[:6], "--script", again, cwd=folder)
    assert loaded.code == 0 and "loads from 甲: 需求.核心要点, 大纲.确认稿" in loaded.out
    assert "waiting (intake)" not in loaded.out


def test_a_save_of_a_play_that_was_over_says_how_it_goes_on(tmp_path: Path) -> None:
    """More rounds take it up again; where there are none, a new session of the Book is the way."""
    folder = workspace(tmp_path, "novel/interactive-novel", "novel/basic")
    assert skillc("book", "save", "甲", "末", cwd=folder).code == 0
    restored = skillc("book", "restore", "甲", "末", "--lang", "zh", cwd=folder).out
    command = f"skillc session resume {one(folder)} --rounds 4"
    assert f"那时已经玩到头了；接着玩：{command}" in restored
    script = "user:\n  - input: 再写一段\nreplies: []\n"
    (folder / "more.yaml").write_text(script, encoding="utf-8")
    again = skillc(*command.split()[1:], "--script", "more.yaml", cwd=folder)
    assert "play, round 4" in again.out and "> input: 再写一段" in again.out
    done = skillc("run", "basic", "--book", "甲", "--script", str(SKILLS / BASIC), cwd=folder)
    assert done.code == 0, done.out
    forked = skillc("session", "fork", one(folder), cwd=folder).out
    assert "nothing is left to run" in forked and "skillc run novel/basic --book '甲'" in forked


def test_what_a_new_session_loads_is_what_the_book_shows(tmp_path: Path) -> None:
    """The answer to a startup inquiry is of the Book, though its tag is the user's: it is not asked for again."""
    folder = workspace(tmp_path, "novel/interactive-novel")
    shown = {fact["tag"] for fact in data(skillc("book", "show", "甲", "--json", cwd=folder))["confirmed"]}
    (folder / "empty.yaml").write_text("user: []\nreplies: []\n", encoding="utf-8")
    loaded = skillc("run", "interactive-novel", "--book", "甲", "--script", "empty.yaml", cwd=folder)
    tags = loaded.out.split("loads from 甲: ")[1].splitlines()[0].split(", ")
    assert "用户.原始输入" in tags and set(tags) <= shown
