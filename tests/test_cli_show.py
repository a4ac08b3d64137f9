"""`skillc show` and `skillc graph`: what a worker receives, and who feeds whom."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli import ROOT, SKILLS, examples, replace, skillc, write
from skillc.cli.epilog import cells
from skillc.runtime import Board, load_plan

BOARDS = SKILLS / "novel/weird-rules-short/contexts"


def shown(folder: Path, *arguments: str) -> dict[str, object]:
    done = skillc("show", *arguments, "--format", "json", cwd=folder)
    assert done.code == 0, done.err
    data: dict[str, object] = json.loads(done.out)
    return data


def test_json_is_what_the_runtime_assembles(tmp_path: Path) -> None:
    """`show` compiles and assembles exactly as `build` and a host do."""
    examples(tmp_path)
    skillc("build", cwd=tmp_path)
    write(tmp_path, {"board.yaml": "items:\n  - {tag: 需求.核心要点, content: 夜班便利店, source: user}\n"})
    plan = load_plan(str(tmp_path / "build/novel/weird-rules-short/plan.json"))
    board = Board()
    board.write("需求.核心要点", "夜班便利店", source="user")
    expected = plan.assemble("write-rules", board).to_json()
    assert shown(tmp_path, "weird-rules-short:write-rules", "--board", "board.yaml") == expected


def test_json_has_the_published_shape(tmp_path: Path) -> None:
    data = shown(examples(tmp_path), "weird-rules-short", "--board", str(BOARDS / "infer-first.yaml"))
    assert list(data) == ["messages", "segments", "prefix", "reads", "bags"]
    conversation = "".join(m["content"] for m in data["messages"]).encode()  # type: ignore[attr-defined]
    for segment in data["segments"]:  # type: ignore[attr-defined]
        assert list(segment) == ["id", "tier", "tags", "message", "start", "end", "tokens"]
        assert conversation[segment["start"] : segment["end"]].decode()


def test_what_is_empty_is_said_to_be(tmp_path: Path) -> None:
    done = skillc("show", "basic:outline", "--lang", "zh", cwd=examples(tmp_path, "novel/basic"))
    lines = done.out.splitlines()
    for bar in ("──── user，第 1 条消息 ────", "──── 各段 ────"):
        assert lines[lines.index(bar) + 1] == "（空）"


def test_the_readable_form_marks_where_the_prefix_ends(tmp_path: Path) -> None:
    done = skillc(
        "show", "weird-rules-short", "--board", str(BOARDS / "write-rework.yaml"), cwd=examples(tmp_path)
    )
    assert done.code == 0
    lines = done.out.splitlines()
    marks = [line for line in lines if line.startswith("────")]
    assert [mark.split(" ")[1] for mark in marks] == ["system,", "fixed", "user,", "static", "segments"]
    fixed = int(next(mark for mark in marks if "fixed prefix" in mark).split(": ")[1].split()[0])
    text = "\n".join(lines[lines.index(marks[0]) + 1 : lines.index(marks[1])])
    assert len(text.encode()) == fixed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("basic:nobody",), "has no worker `nobody`; it has `outline`"),
        (("basic",), "say which worker of `basic` to show"),
        (("nothing:w",), "no path and no package is named `nothing`"),
        (("roleplay-game-theory:role-decide",), "runs for one role, and no role was given"),
        (("roleplay-game-theory:role-decide", "--role", "A.B"), "`A.B` is no role"),
        (("basic:outline", "--board", "none.yaml"), "cannot read the board `none.yaml`"),
        (("basic:outline", "--board", "bad.yaml"), "duplicate-key"),
        (("basic:outline", "--board", "list.yaml"), "must be a mapping"),
        (("basic:outline", "--board", "odd.json"), "not valid JSON"),
        (("basic:outline", "--variant", "short"), "has no variant `short`"),
    ],
)
def test_what_cannot_be_shown_is_a_sentence(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    examples(tmp_path)
    write(tmp_path, {"bad.yaml": "items: []\nitems: []\n", "list.yaml": "- a\n", "odd.json": "{"})
    done = skillc("show", *arguments, cwd=tmp_path)
    assert done.code == 2 and said in done.err


def test_a_package_with_errors_is_not_shown(tmp_path: Path) -> None:
    examples(tmp_path)
    write(tmp_path, {"skills/novel/basic/workers/outline/SKILL.md": "---\nid: outline\n"})
    done = skillc("show", "basic:outline", cwd=tmp_path)
    assert done.code == 1 and "frontmatter-unclosed" in done.err


def test_graph_json_lists_every_edge(tmp_path: Path) -> None:
    done = skillc("graph", "weird-rules-short", "--format", "json", cwd=examples(tmp_path))
    (package,) = json.loads(done.out)["packages"]
    edges = {(edge["from"], edge["to"], edge["tag"], edge["needed"]) for edge in package["edges"]}
    assert ("write-rules", "review-infer", "规则.草稿", True) in edges
    assert ("review-infer", "write-rules", "验收.读者视角.记录", False) in edges
    assert not any(to == "review-infer" and "隐藏" in tag for _, to, tag, _ in edges)


def test_graph_dot_is_one_digraph_with_every_worker(tmp_path: Path) -> None:
    done = skillc("graph", cwd=examples(tmp_path))
    assert done.out.startswith("digraph skillc {") and done.out.endswith("}\n")
    workers = [path.name for path in SKILLS.glob("*/*/workers/*")]
    assert all(f'label="{worker}"' in done.out for worker in workers)


def test_the_readme_speaks_true(tmp_path: Path) -> None:
    """The host program of README.md runs as it stands there."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    program = readme.split("```python\n")[1].split("```")[0]
    examples(tmp_path)
    skillc("build", cwd=tmp_path)
    program = program.replace('"build/', f'"{tmp_path.as_posix()}/build/')
    names: dict[str, object] = {}
    exec(program, names)  # the documentation is the test
    assert "夜班便利店" in names["context"].messages[1]["content"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("b.json", '{"items": ' + "[" * 100_000, "is nested more than 100 levels deep"),
        ("b.json", '{"items": ' + "[" * 500 + "]" * 500 + "}", "is nested more than 100 levels deep"),
        ("b.yaml", "items: " + "[" * 5000 + "]" * 5000, "P005"),
    ],
)
def test_a_board_that_is_nested_too_deeply_is_refused(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    write(examples(tmp_path, "novel/basic"), {name: text})
    done = skillc("show", "basic:outline", "--board", name, cwd=tmp_path)
    assert done.code == 2 and said in done.err


def test_the_readable_form_steers_no_terminal_and_json_is_verbatim(tmp_path: Path) -> None:
    text = "\x1b[2J店\r\n\u202e夜"
    examples(tmp_path, "novel/basic")
    board = {"items": [{"tag": "需求.核心要点", "content": text, "source": "user"}]}
    write(tmp_path, {"b.json": json.dumps(board)})
    out = skillc("show", "basic:outline", "--board", "b.json", cwd=tmp_path).out
    assert not set(out) & set("\x1b\r\u202e")
    assert "<U+001B>[2J店<U+000D>\n<U+202E>夜" in out
    data = shown(tmp_path, "basic:outline", "--board", "b.json")
    assert text in data["messages"][1]["content"]  # type: ignore[index]


def test_what_a_run_would_lack_is_said_and_json_stays_json(tmp_path: Path) -> None:
    examples(tmp_path)
    out = skillc("show", "basic:outline", cwd=tmp_path).out
    assert "reads: nothing on this board\nmissing: 需求.核心要点\n\n" in out
    done = skillc("show", "basic:outline", "--format", "json", cwd=tmp_path)
    assert json.loads(done.out)["reads"] == [] and done.err == "skillc: missing: 需求.核心要点\n"


def test_a_role_that_is_none_is_noted_and_one_that_is_missing_is_offered(tmp_path: Path) -> None:
    examples(tmp_path, "dialogue/roleplay-game-theory")
    done = skillc("show", "roleplay-game-theory:role-decide", cwd=tmp_path)
    assert "no role was given (roles: A, B, C): --role A" in done.err
    out = skillc("show", "roleplay-game-theory:role-decide", "--role", "丙", cwd=tmp_path).out
    assert "note: 丙 is none of the roles: A, B, C\n" in out


def test_the_segments_stand_in_columns_whatever_they_are_called(tmp_path: Path) -> None:
    examples(tmp_path, "novel/weird-rules-short")
    skill = tmp_path / "skills/novel/weird-rules-short/workers/review-infer/SKILL.md"
    replace(skill, "- id: brief", '- id: "需求简述"')
    board = str(BOARDS / "infer-first.yaml")
    out = skillc("show", "weird-rules-short:review-infer", "--board", board, cwd=tmp_path).out
    rows = out.splitlines()[-3:]
    assert any(row.startswith("需求简述") for row in rows)
    assert len({cells(row.split(" tokens")[0]) for row in rows if " tokens" in row}) == 1
