"""Snapshots of contexts as files: what stands in them, when two differ, and what is said of it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli import SKILLS
from skillc.config import Config
from skillc.runtime import Context
from skillc.runtime.context import Piece
from skillc.snapshot.account import account, plain
from skillc.snapshot.assembling import Assembler
from skillc.snapshot.cases import kept_of
from skillc.snapshot.comparing import Outcome, outcome_of, refusal, same, stored
from skillc.snapshot.difference import difference
from skillc.snapshot.parts import parts_of
from skillc.snapshot.rendering import rendered
from skillc.snapshot.shown import shown
from skillc.source.reader import DictReader, DiskReader, OverlayReader
from snapshotting import DEMO, FIRST, KEPT, workspace

PACKAGE = "novel/demo"


def context(*segments: tuple[str, str], system: str = "系统") -> Context:
    pieces = [Piece(id, "dynamic", [f"标签.{id}"], text, [], "before") for id, text in segments]
    return Context(system, pieces, [f"标签.{id}" for id, _ in segments], "写吧", 0)


def kept(*segments: tuple[str, str], system: str = "系统") -> str:
    return rendered("first", {"worker": "w", "role": None}, context(*segments, system=system))


def outcomes(folder: Path) -> dict[str, Outcome]:
    """What becomes of the cases of the demo package, by name."""
    reader = DiskReader(str(folder))
    assembler = Assembler(reader, Config())
    cases = kept_of(reader, "skills", PACKAGE).cases
    return {os.path.basename(case.path): outcome_of(case, assembler, str(folder)) for case in cases}


def told(outcome: Outcome) -> str:
    return "\n".join(plain(mark, text) for mark, text in account(outcome))


def test_a_snapshot_is_readable_and_names_all_that_went_into_it(tmp_path: Path) -> None:
    text = outcomes(workspace(tmp_path))["rework.yaml"].text
    assert text is not None
    lines = text.split("\n")
    assert lines[0] == "# rework"
    assert "- package: `novel/demo`" in lines and "- worker: `write`" in lines
    assert "- reads: `需求.核心要点`, `用户.修改说明`" in lines
    assert not any(line.startswith(("- role", "- slot", "- variant")) for line in lines)
    assert "## Message 0: system" in lines and "## Message 1: user" in lines
    start = lines.index("### Segment `notes` · dynamic · `用户.修改说明`")
    assert lines[start + 4 : start + 8] == ["```text", "结尾改掉", "第三条删去", "```"]
    assert lines[start - 2] == "---", "what separates segments in the message separates them here"


def test_the_digest_is_of_the_conversations_bytes() -> None:
    made = context(("a", "甲"), ("b", "乙"))
    data = "".join(message["content"] for message in made.messages).encode()
    assert f"- sha256: {sha256(data).hexdigest()}\n" in rendered("first", {}, made)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("一\n二", "一\r\n二"),
        ("一\r\n二", "一\r二"),
        ("一\n二", "一 \n二"),
        ("一\n二", "一\u3000\n二"),
        ("一", "一\n"),
        ("一\n", "一\n\n"),
        ("caf\u00e9", "cafe\u0301"),
        ("规则", "规\u200b则"),
        ("规则", "\ufeff规则"),
        ("a b", "a\u00a0b"),
        ("a b", "a\tb"),
        ("👩‍👧", "👩👧"),
        ("a\r", "a<U+000D>"),
        ("a ", "a<U+0020>"),
    ],
    ids=ascii,
)
def test_what_the_eye_does_not_see_fails_too_and_is_named(before: str, after: str) -> None:
    old, new = kept(("facts", before), ("rest", "同")), kept(("facts", after), ("rest", "同"))
    assert not same(old.encode(), new)
    changes = difference(old, new)
    assert [change.where.split(" looks ")[0] for change in changes] == ["segment `facts` of message 1 (user)"]
    lines = [line for mark, line in changes[0].lines if mark in "-+"]
    assert lines and len(set(lines)) == len(lines)


def test_look_alikes_are_told_by_number() -> None:
    (change,) = difference(kept(("a", "这是 café")), kept(("a", "这是 cafe\u0301")))
    assert ("?", "here <U+00E9> became <U+0065><U+0301>") in change.lines


def test_separators_between_segments_count() -> None:
    """The same segments in the same order, joined otherwise: only the digest can tell."""
    made = context(("a", "甲"), ("b", "乙"))
    other = context(("a", "甲"), ("b", "乙"))
    other.messages[1]["content"] = other.messages[1]["content"].replace("\n\n---\n\n", "\n\n***\n\n")
    old, new = rendered("first", {}, made), rendered("first", {}, other)
    assert difference(old, new)
    assert not same(old.encode(), new)


@given(st.lists(st.text(max_size=60), min_size=1, max_size=4), st.text(max_size=40))
def test_whatever_contents_hold_the_parts_are_found_again(texts: list[str], system: str) -> None:
    """No content ends a fence, makes a heading, or lets the file end otherwise than a text file does."""
    made = context(*((f"s{number}", text) for number, text in enumerate(texts)), system=system)
    text = rendered("first", {"worker": "w"}, made)
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert not any(line != line.rstrip() for line in text.split("\n"))
    assert text.splitlines() == text.split("\n")[:-1]
    parts = {part.key: part for part in parts_of(text)}
    expected = {
        f"segment s{number}": [shown(line) for line in content.split("\n")]
        for number, content in enumerate(texts)
        if content
    }
    expected["message 0"] = [shown(line) for line in system.split("\n")]
    assert {key: parts[key].lines for key in expected} == expected


@given(st.text(max_size=80), st.text(max_size=80))
def test_other_bytes_are_always_another_snapshot_with_a_change_to_show(one: str, other: str) -> None:
    old, new = kept(("a", one), ("b", "乙")), kept(("a", other), ("b", "乙"))
    assert (old == new) == (one == other)
    assert bool(difference(old, new)) == (one != other)


def test_a_snapshot_inside_a_content_is_content() -> None:
    inner = kept(("a", "```text\n# no\n```"))
    text = kept(("outer", inner))
    assert [part.key for part in parts_of(text)] == ["head", "message 0", "message 1", "segment outer"]
    (change,) = difference(text, kept(("outer", inner.replace("# no", "# yes"))))
    assert change.where == "segment `outer` of message 1 (user)"


def test_segments_that_come_go_and_move_are_named() -> None:
    old = kept(("a", "甲"), ("b", "乙"), ("c", "丙"))
    new = kept(("c", "丙"), ("a", "甲"), ("d", "丁"))
    said = [change.where for change in difference(old, new)]
    assert "segment `d` of message 1 (user) is new" in said
    assert "segment `b` of message 1 (user) is gone" in said
    assert "the parts stand in another order" in said


def test_a_long_line_is_shown_where_it_changed() -> None:
    before, after = "字" * 500 + "甲" + "字" * 500, "字" * 500 + "乙" + "字" * 500
    (change,) = difference(kept(("a", before)), kept(("a", after)))
    assert [mark for mark, _ in change.lines] == ["-", "+"]
    assert all(len(line) < 200 and line.startswith("…") for _, line in change.lines)
    assert "甲" in change.lines[0][1] and "乙" in change.lines[1][1]


def test_a_great_difference_is_cut() -> None:
    (change,) = difference(kept(("a", "甲")), kept(("a", "\n".join(f"第{n}行" for n in range(1000)))))
    assert len(change.lines) < 100 and change.lines[-1][0] == "?"


@pytest.mark.parametrize("damaged", ["", "x", "# first\n\n```text\n", "<<<<<<< HEAD\n# first\n"])
def test_a_damaged_snapshot_differs_and_is_read_without_harm(damaged: str) -> None:
    assert not same(damaged.encode(), kept(("a", "甲")))
    assert difference(damaged, kept(("a", "甲")))


def test_line_ends_and_marks_of_a_checkout_do_not_count() -> None:
    text = kept(("a", "一\r\n二"), ("b", "乙"))
    assert same(text.replace("\n", "\r\n").encode(), text)
    assert same(b"\xef\xbb\xbf" + text.encode(), text)
    assert not same(text.encode() + b"\n", text)
    assert not same(text.encode("utf-16"), text)


def test_a_history_is_seen_message_by_message(tmp_path: Path) -> None:
    """A segment that spans messages is shown in each of them, and the parts make the whole."""
    turns = [("user", "问一"), ("assistant", "答一"), ("user", "问二"), ("assistant", "答二")]
    before = Piece("before", "static", ["a"], "前", [], "before")
    history = Piece("history", "dynamic", ["对话.历史"], "x", [], "history", turns)
    now = Piece("now", "dynamic", ["b"], "后", [], "after")
    made = Context("系统", [before, history, now], ["a"], "写", 1)
    parts = {part.key: part for part in parts_of(rendered("talk", {}, made))}
    roles = [message["role"] for message in made.messages]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert parts["segment before"].lines == ["前"] and parts["segment now"].lines == ["后"]
    texts = [part.lines for key, part in parts.items() if key.startswith("segment history")]
    assert texts == [["问一"], ["答一"], ["问二"], ["答二"]]
    assert parts["segment history (2)"].message == "2 (assistant)"


def test_a_history_and_a_role_of_a_real_package() -> None:
    reader = DiskReader(str(SKILLS.parent))
    assembler = Assembler(reader, Config())
    kept_now = kept_of(reader, "skills", "dialogue/roleplay-game-theory")
    (case,) = [case for case in kept_now.cases if case.name == "decide-third-a"]
    text = assembler.text(case)
    assert isinstance(text, str) and "- worker: `role-decide`\n- role: `A`\n" in text


def test_a_case_of_a_role_that_is_not_listed_has_no_context() -> None:
    package = "skills/dialogue/roleplay-game-theory"
    disk = DiskReader(str(SKILLS.parent))
    board = disk.read(f"{package}/contexts/decide-third-a.yaml").replace(b"role: A\n", b"role: Q\n")
    reader = OverlayReader(disk, {f"{package}/contexts/decide-third-a.yaml": board})
    (case,) = [case for case in kept_of(reader, "skills", package[7:]).cases if case.name == "decide-third-a"]
    (fault,) = Assembler(reader, Config()).text(case)
    assert "`Q` is not a role of" in fault.message and fault.span.text == "Q"


BROKEN = {
    "no worker": ("items: []\n", "x.yaml:1:1: the board names no worker and no slot", "one of `write`"),
    "empty": ("", "x.yaml:1:1: the board names no worker", "add `worker:`"),
    "unknown worker": ("worker: wrte\n", "x.yaml:1:9: the board names worker `wrte`", "`write`"),
    "no yaml": ("worker: [\n", "x.yaml:", ""),
    "tab": ("worker:\twrite\n\tx: y\n", "x.yaml:", ""),
    "unknown key": ("worker: write\nitem: []\n", "x.yaml:2:1: `item` is not a field of a board", "`items`"),
    "bad tag": ("worker: write\nitems: [{tag: 需求..要点, content: x}]\n", "x.yaml:2:", ""),
    "no content": ("worker: write\nitems: [{tag: 需求.核心要点}]\n", "x.yaml:2:", ""),
    "unknown variant": (
        "worker: write\nvariant: v\n",
        "x.yaml:2:10: `v` is not a variant of `write`",
        "none",
    ),
    "bad role": ("worker: write\nrole: a.b\n", "x.yaml:2:7: `a.b` is no role", "one"),
    "a list": ("- a\n", "x.yaml:1:1:", ""),
    "two names": ("worker: write\nworker: write\n", "x.yaml:2:1:", ""),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_case_that_cannot_be_assembled_fails_with_its_place_and_harms_no_other(
    tmp_path: Path, name: str
) -> None:
    board, where, help = BROKEN[name]
    found = outcomes(workspace(tmp_path, {"first.yaml": FIRST, "x.yaml": board}))
    assert found["first.yaml"].kind == "missing"
    assert found["x.yaml"].kind == "failed" and found["x.yaml"].text is None
    said = told(found["x.yaml"])
    assert said.startswith(f"{DEMO}/contexts/{where}"), said
    assert help in said


@pytest.mark.parametrize(
    ("name", "data", "where"),
    [
        ("x.yaml", "worker: write\nitems: []\n".encode("utf-16"), "x.yaml:1:1:"),
        ("x.json", b'{"worker": "write",', "x.json:"),
        ("x.json", b'{"worker": "write", "worker": "write"}', "x.json:1:22:"),
        ("x.json", b'{"worker": "write", "variables": ' + b"[" * 300 + b"]" * 300 + b"}", "x.json:1:"),
        ("x.json", b"[]", "x.json:1:1:"),
        ("x.json", b"null", "x.json:1:1:"),
    ],
)
def test_bytes_that_are_no_board_fail_with_their_place(
    tmp_path: Path, name: str, data: bytes, where: str
) -> None:
    workspace(tmp_path, {"first.yaml": FIRST})
    (tmp_path / DEMO / "contexts" / name).write_bytes(data)
    found = outcomes(tmp_path)
    assert found["first.yaml"].kind == "missing"
    assert found[name].kind == "failed"
    assert told(found[name]).startswith(f"{DEMO}/contexts/{where}"), told(found[name])


def test_a_json_board_is_read_as_one(tmp_path: Path) -> None:
    data = {
        "worker": "write",
        "items": [{"tag": "需求.核心要点", "content": "一\r\n二"}],
        "variables": {"hp": 3},
    }
    text = outcomes(workspace(tmp_path, {"x.json": json.dumps(data)}))["x.json"].text
    assert text is not None and "一<U+000D>\n二\n" in text


def test_two_cases_of_one_name_are_told_of_each_other(tmp_path: Path) -> None:
    found = outcomes(workspace(tmp_path, {"a.yaml": FIRST, "a.yml": FIRST, "b.yaml": FIRST}))
    assert [found[name].kind for name in ("a.yaml", "a.yml", "b.yaml")] == ["failed", "failed", "missing"]
    assert "`skills/novel/demo/contexts/a.yml` would have the same snapshot" in told(found["a.yaml"])


def test_names_that_a_mac_takes_for_one_are_one_snapshot() -> None:
    files = {f"{DEMO}/contexts/{name}": FIRST for name in ("First.yaml", "first.yaml")}
    cases = kept_of(DictReader(files), "skills", PACKAGE).cases
    assert [case.twin for case in cases] == [f"{DEMO}/contexts/first.yaml", f"{DEMO}/contexts/First.yaml"]


def test_a_package_with_errors_fails_every_case_with_the_first_of_them(tmp_path: Path) -> None:
    workspace(tmp_path)
    skill = tmp_path / DEMO / "workers/write/SKILL.md"
    skill.write_text(skill.read_text(encoding="utf-8").replace("version: 1", "versio: 1"), encoding="utf-8")
    for outcome in outcomes(tmp_path).values():
        assert told(outcome).startswith(f"{DEMO}/workers/write/SKILL.md:")
        assert "there is no plan; the first: " in told(outcome)
        assert "`skillc check novel/demo`" in told(outcome)


def test_packages_that_are_read_together_are_judged_apart(tmp_path: Path) -> None:
    """The error of one is told of its own cases, and the cases of the other are assembled."""
    workspace(tmp_path)
    other = tmp_path / "skills/novel/other"
    shutil.copytree(tmp_path / DEMO, other)
    reader = DiskReader(str(tmp_path))
    assembler = Assembler(reader, Config())
    cases = [case for name in (PACKAGE, "novel/other") for case in kept_of(reader, "skills", name).cases]
    for case in cases:
        assembler.want(case.package)
    found = [outcome_of(case, assembler, str(tmp_path)) for case in cases]
    assert [outcome.kind for outcome in found] == ["missing", "missing", "failed", "failed"]
    assert told(found[2]).startswith("skills/novel/other/")


def test_only_what_has_no_case_is_unused(tmp_path: Path) -> None:
    workspace(tmp_path)
    folder = tmp_path / KEPT
    folder.mkdir()
    for name in ("first.md", "gone.md", "README.md", ".hidden.md", "notes.txt"):
        (folder / name).write_text("x", encoding="utf-8")
    assert kept_of(DiskReader(str(tmp_path)), "skills", PACKAGE).unused == (f"{KEPT}/gone.md",)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_snapshot_folder_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    """What an update would remove or write must lie in the package."""
    workspace(tmp_path)
    elsewhere = tmp_path / "mine"
    elsewhere.mkdir()
    (elsewhere / "diary.md").write_text("x", encoding="utf-8")
    os.symlink(elsewhere, tmp_path / KEPT)
    found = kept_of(DiskReader(str(tmp_path)), "skills", PACKAGE)
    assert found.unused == () and found.blocked == KEPT


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes need rights there")
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_a_snapshot_that_is_no_file_is_not_read(tmp_path: Path, kind: str) -> None:
    workspace(tmp_path)
    path = tmp_path / KEPT / "first.md"
    path.parent.mkdir()
    {
        "link": lambda: os.symlink("/etc/hostname", path),
        "pipe": lambda: os.mkfifo(path),
        "folder": path.mkdir,
    }[kind]()
    outcome = outcomes(tmp_path)["first.yaml"]
    assert outcome.kind == "failed" and "cannot be read" in told(outcome)


def test_a_snapshot_of_any_size_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large.md"
    path.write_bytes(b"x" * 3_000_000)
    assert stored(str(path)) == b"x" * 3_000_000
    assert stored(str(tmp_path / "none.md")) is None


@pytest.mark.parametrize(
    ("value", "refused"),
    [("true", True), ("1", True), ("yes", True), ("", False), ("false", False), ("0", False)],
)
def test_ci_is_a_variable_that_says_yes(value: str, refused: bool) -> None:
    assert bool(refusal({"CI": value})) == refused
    assert refusal({}) is None
