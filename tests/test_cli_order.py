"""`skillc order` and `skillc show --slot`: what a user sees of an order, and what an edit leaves in the file."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import yaml

from cli import Done, write
from playing_package import BOARD, ORDER, PACKAGE, ROWS, YAML_ORDER, package
from skillc.cli.main import run
from skillc.runtime import Board, load_plan
from skillc.runtime.order import normal_order
from skillc.runtime.slotplan import slot_plans

FILE = f"{PACKAGE}/context-order.yaml"


def skillc(*arguments: str, cwd: Path, stdin: str = "") -> Done:
    """The command in this process, since these are many."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(cwd),
        patch("sys.stdin", io.StringIO(stdin)),
        patch.dict("os.environ", SKILLC_LANG="en"),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = run(arguments)
    return Done(out.getvalue(), err.getvalue(), code)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


# show


def test_show_is_a_flat_table_with_the_dialogue_marked_and_the_end_of_the_static_part(tmp_path: Path) -> None:
    done = skillc("order", "show", "play", "--board", "board.json", cwd=package(tmp_path))
    assert done.code == 0, done.err
    shown = lines(done.out)
    assert shown[0] == "dialogue/play: the order of the package"
    assert shown[2:9] == [
        "gm 主世界层 · world-simulator · on · package",
        "  row  shows           projection  tier     tokens",
        "    0  worker.persona  fixed       static        9",
        "    1  设计.实现机制   summary     static       10",
        "  ──── static part ends: 2 rows, 19 tokens ───────",
        "»   2  对话.历史       summary     dynamic       7",
        "    3  用户.最新输入   full        dynamic       4",
    ]
    assert "──── static part ends: 1 row, 6 tokens ─" in done.out, (
        "of the narrator, who reads what play writes"
    )


def test_tokens_are_those_of_the_context(tmp_path: Path) -> None:
    folder = package(tmp_path)
    data = json.loads(
        skillc("order", "show", "play", "--board", "board.json", "--format", "json", cwd=folder).out
    )
    context = json.loads(
        skillc("show", "play", "--slot", "gm", "--board", "board.json", "--format", "json", cwd=folder).out
    )
    (gm,) = [slot for slot in data["slots"] if slot["slot"] == "gm"]
    assert [(row["ref"], row["tokens"]) for row in gm["rows"]] == [
        (segment["id"], segment["tokens"]) for segment in context["segments"]
    ]
    assert gm["static_rows"] == 2


def test_without_a_board_only_constant_text_is_counted(tmp_path: Path) -> None:
    done = skillc("order", "show", "play", "--format", "json", cwd=package(tmp_path))
    (gm,) = [slot for slot in json.loads(done.out)["slots"] if slot["slot"] == "gm"]
    assert [row["tokens"] is None for row in gm["rows"]] == [False, False, True, True]


def test_a_package_without_an_order_shows_what_its_workers_declare(tmp_path: Path) -> None:
    done = skillc("order", "show", "play", cwd=package(tmp_path, None))
    assert lines(done.out)[0] == "dialogue/play: no order; what the workers declare"
    assert "narrator 叙事转述 · narrator · on · declared" in done.out


def test_the_order_on_the_board_is_the_one_that_is_shown(tmp_path: Path) -> None:
    document = {"context_order": {"slots": [{"ref": "gm", "inserts": [{"ref": "变量.当前"}]}]}}
    board = {**BOARD, "items": [{"tag": "设计.worker集", "content": document}]}
    write(package(tmp_path), {"late.json": json.dumps(board)})
    done = skillc("order", "show", "play", "--board", "late.json", cwd=tmp_path)
    assert lines(done.out)[0] == "dialogue/play: the order in 设计.worker集"
    assert "实现机制" not in done.out.split("perspective")[0]


def test_a_role_is_asked_for_where_a_slot_needs_one(tmp_path: Path) -> None:
    folder = package(tmp_path)
    done = skillc("order", "show", "play", "--board", "board.json", cwd=folder)
    assert "(worker `role-decide` runs for one role, and no role was given)" in done.out
    done = skillc("order", "show", "play", "--board", "board.json", "--role", "A", cwd=folder)
    assert "no role was given" not in done.out


def test_of_a_file_alone_nobody_knows_which_rows_are_static(tmp_path: Path) -> None:
    """That depends on who writes what in play, which only the package says."""
    write(tmp_path, {"order.json": json.dumps(ORDER)})
    done = skillc("order", "show", "order.json", cwd=tmp_path)
    assert done.code == 0
    shown = lines(done.out)
    assert shown[4:6] == [
        "    0  worker.persona  fixed       -          -",
        "    1  设计.实现机制   summary     -          -",
    ]
    assert shown[-1] == "which rows are static is known with the package: --package PKG"
    assert "static part ends" not in done.out
    (slot,) = json.loads(skillc("order", "show", "order.json", "--format", "json", cwd=tmp_path).out)["slots"]
    assert slot["static_rows"] is None and {row["tier"] for row in slot["rows"]} == {None}
    moved = skillc("order", "move", "order.json", "gm", "4", "1", cwd=tmp_path)
    assert "static part" not in moved.out and "--package PKG" in moved.out
    package(tmp_path)
    known = skillc("order", "move", "order.json", "gm", "1", "4", "--package", "play", cwd=tmp_path)
    assert "static part ends" in known.out and "--package" not in known.out


def test_a_file_alone_with_a_fault_is_shown_with_it(tmp_path: Path) -> None:
    write(tmp_path, {"order.json": json.dumps({"slots": [{"inserts": []}, {"ref": "gm", "inserts": ROWS}]})})
    done = skillc("order", "show", "order.json", cwd=tmp_path)
    assert (done.code, done.err) == (1, "skillc: a slot of it does not say which one it is\n")
    assert "对话.历史" in done.out


# The form of a file


def test_a_first_order_file_is_made_of_what_the_workers_declare(tmp_path: Path) -> None:
    """What the hint says makes a file that checks clean, shows what was sent before, and can be edited."""
    folder = package(tmp_path, None)
    before = json.loads(skillc("order", "show", "play", "--format", "json", cwd=folder).out)["slots"]
    hint = skillc("order", "move", "play", "gm", "1", "2", cwd=folder).err
    assert f"`skillc order show dialogue/play --format yaml > {FILE}`" in hint
    (folder / FILE).touch()  # A shell makes the file before it runs the command.
    done = skillc("order", "show", "play", "--format", "yaml", cwd=folder)
    assert (done.code, done.err) == (0, "")
    (folder / FILE).write_text(done.out, encoding="utf-8")
    assert "      - {order: 0, ref: worker.persona, projection: fixed}\n" in done.out
    plain = skillc("check", "--select", "C,P,D,T", cwd=folder)
    assert plain.code == 0 and "context-order.yaml" not in plain.out
    after = json.loads(skillc("order", "show", "play", "--format", "json", cwd=folder).out)["slots"]
    assert [slot["rows"] for slot in after] == [slot["rows"] for slot in before]
    assert skillc("order", "show", FILE, "--format", "yaml", cwd=folder).out == done.out
    assert skillc("order", "move", "play", "gm", "1", "2", cwd=folder).code == 0


def test_the_order_on_a_board_is_printed_as_a_file(tmp_path: Path) -> None:
    board = {
        "items": [
            {
                "tag": "设计.上下文投影排序",
                "content": {"agents": [{"id": "gm", "插入": [{"标签": "变量.当前"}]}]},
            }
        ]
    }
    write(package(tmp_path), {"late.json": json.dumps(board)})
    done = skillc("order", "show", "play", "--board", "late.json", "--format", "yaml", cwd=tmp_path)
    assert yaml.safe_load(done.out)["slots"] == [
        {"ref": "world-simulator", "inserts": [{"order": 0, "ref": "变量.当前"}]}
    ]


def test_an_order_that_is_refused_is_not_printed_as_a_file(tmp_path: Path) -> None:
    write(
        package(tmp_path),
        {"order.json": json.dumps({"slots": [{"ref": "gm", "inserts": [{"ref": "核心.危险"}]}]})},
    )
    done = skillc("order", "show", "order.json", "--package", "play", "--format", "yaml", cwd=tmp_path)
    assert (done.code, done.out) == (1, "") and "核心.危险" in done.err


@pytest.mark.parametrize("action", [("show",), ("move", "gm", "1", "2"), ("compile",)])
def test_the_table_as_json_is_no_order(tmp_path: Path, action: tuple[str, ...]) -> None:
    folder = package(tmp_path)
    table = skillc("order", "show", "play", "--format", "json", cwd=folder).out
    write(folder, {"table.json": table})
    name, *rest = action
    done = skillc("order", name, "table.json", *rest, cwd=folder)
    assert (
        done.code == 2
        and "`table.json` is the table that `skillc order show --format json` prints" in done.err
    )


def test_a_slot_without_rows_in_an_order_without_any(tmp_path: Path) -> None:
    folder = package(tmp_path, "play_slots: {gm: true}\nslots: []\n")
    done = skillc("order", "move", "play", "gm", "1", "2", cwd=folder)
    assert done.err == "skillc: the order has no rows for a slot `gm`, nor for any other\n"
    told = skillc("order", "move", "play", "gm", "1", "2", "--lang", "zh", cwd=folder).err
    assert "排序里没有槽 `gm` 的行，别的槽也没有" in told


def test_colour_inverts_the_row_of_the_dialogue(tmp_path: Path) -> None:
    done = skillc("order", "show", "play", "--color", "always", cwd=package(tmp_path))
    marked = [line for line in done.out.splitlines() if "\x1b[7m" in line]
    assert marked and all("对话.历史" in line for line in marked)


def test_an_order_that_is_refused_is_shown_with_all_its_faults(tmp_path: Path) -> None:
    order = {
        "slots": [{"ref": "gm", "inserts": [{"ref": "核心.危险"}, {"ref": "a.b", "projection": "brief"}]}]
    }
    write(package(tmp_path), {"order.json": json.dumps(order)})
    done = skillc("order", "show", "order.json", "--package", "play", cwd=tmp_path)
    assert done.code == 1
    assert "核心.危险" in done.out
    assert lines(done.err) == [
        "skillc: row 0 of `gm` shows `核心.危险`, which the inputTags of `world-simulator` do not cover",
        "skillc: row 1 of `gm` shows `a.b`, which the inputTags of `world-simulator` do not cover",
        "skillc: row 1 of `gm` (`a.b`) has projection `brief`; there are full, summary, fields, fixed",
    ]


# Edits


def test_an_edit_keeps_the_form_of_a_yaml_file_and_its_head(tmp_path: Path) -> None:
    folder = package(tmp_path)
    done = skillc("order", "move", "play", "gm", "3", "1", cwd=folder)
    assert done.code == 0, done.err
    assert (folder / FILE).read_text(encoding="utf-8") == (
        "# 主世界层的投影序\n# 由上下文投影排序一步写成\n\nschema: context-order.v1\n"
        "play_slots:\n  gm: true\nslots:\n  - ref: world-simulator\n    inserts:\n"
        "      - {order: 0, ref: worker.persona, projection: fixed}\n"
        "      - {order: 1, ref: 用户.最新输入, projection: full}\n"
        "      - {order: 2, ref: 设计.实现机制, projection: summary, label: '## 机制'}\n"
        "      - {order: 3, ref: 对话.历史, projection: summary}\n"
    )
    assert "用户.最新输入" in done.out
    assert skillc("check", "--select", "C,P,D", cwd=folder).code == 0


@pytest.mark.parametrize(
    ("arguments", "change"),
    [
        (("move", "gm", "4", "1"), lambda rows: [rows[0], rows[4], *rows[1:4]]),
        (
            ("project", "主世界层", "2", "全文"),
            lambda rows: [*rows[:2], {**rows[2], "projection": "full"}, *rows[3:]],
        ),
        (("anchor", "world-simulator", "4", "before"), lambda rows: [*rows[:2], rows[4], *rows[2:4]]),
        (("replace", "gm", "rows.yaml"), lambda _: [{"ref": "变量.当前", "projection": "fields"}]),
    ],
)
def test_each_edit_of_a_json_file(tmp_path: Path, arguments: tuple[str, ...], change: Any) -> None:
    data = {**ORDER, "x-我的": 1}
    folder = package(tmp_path, json.dumps(data, ensure_ascii=False), "context-order.json")
    write(folder, {"rows.yaml": "- {序: 3, 标签: 变量.当前, 投影: 字段}\n"})
    path = f"{PACKAGE}/context-order.json"
    action, *rest = arguments
    done = skillc("order", action, path, *rest, cwd=folder)
    assert done.code == 0, done.err
    text = (folder / path).read_text(encoding="utf-8")
    after = json.loads(text)
    assert text == json.dumps(after, ensure_ascii=False, indent=2) + "\n"
    rows = [{**row, "order": at} for at, row in enumerate(change(ROWS))]
    assert after["slots"] == [{"ref": "world-simulator", "inserts": rows}]
    assert {key: after[key] for key in after if key != "slots"} == {
        key: data[key] for key in data if key != "slots"
    }


@pytest.mark.parametrize(
    "rows",
    [
        '[{"ref": "变量.当前"}]',
        "- ref: 变量.当前\n",
        "inserts: [{序: 3, 标签: 变量.当前}]",
        "[{ref: 变量.当前},]",
    ],
)
def test_rows_may_come_from_standard_input(tmp_path: Path, rows: str) -> None:
    """YAML or JSON, as from a file."""
    folder = package(tmp_path)
    done = skillc("order", "replace", FILE, "gm", "-", cwd=folder, stdin=rows)
    assert done.code == 0, done.err
    read = yaml.safe_load((folder / FILE).read_text(encoding="utf-8"))
    assert read["slots"][0]["inserts"] == [{"order": 0, "ref": "变量.当前"}]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (
            '[{"ref": "变量.当前", "note": "\\ud83d"}]',
            "holds half a surrogate pair, which is no character, at `1.note`",
        ),
        (
            '[{"ref": "变量.当前", "\\udc00": 1}]',
            "holds half a surrogate pair, which is no character, at `1.?`",
        ),
        ('[{"ref": "变量.当前", "order": 1e999}]', "is not valid JSON: the number `1e999` is too large"),
        ('[{"ref": "变量.当前", "order": NaN}]', "is not valid JSON: `NaN` is no JSON value"),
        ("[" * 100_000, "is nested more than 100 levels deep"),
    ],
)
def test_rows_that_no_file_could_hold_are_refused(tmp_path: Path, rows: str, why: str) -> None:
    folder = package(tmp_path)
    before = (folder / FILE).read_bytes()
    done = skillc("order", "replace", FILE, "gm", "-", cwd=folder, stdin=rows)
    assert done.code == 2 and f"the list of rows `-` {why}" in done.err
    write(folder, {"rows.json": rows})
    assert why in skillc("order", "replace", FILE, "gm", "rows.json", cwd=folder).err
    assert (folder / FILE).read_bytes() == before


def test_an_order_file_with_half_a_character_is_refused(tmp_path: Path) -> None:
    folder = package(tmp_path)
    write(folder, {"o.json": json.dumps({**ORDER, "brief": "\ud83d"})})
    for arguments in (
        ("show", "o.json"),
        ("move", "o.json", "gm", "0", "1", "--package", "play"),
        ("compile", "o.json"),
    ):
        done = skillc("order", *arguments, cwd=folder)
        assert done.code == 2 and "holds half a surrogate pair, which is no character, at `brief`" in done.err


def test_half_a_character_inside_a_document_is_shown_as_it_is_written(tmp_path: Path) -> None:
    """A valid artifact with such an escape stops no command, and is a text like any other."""
    folder = package(tmp_path)
    text = '{"brief": "\\ud800坏", "a": "x"}'
    items = [{"tag": "设计.实现机制", "content": text}, {"tag": "用户.最新输入", "content": "走"}]
    board = json.dumps({"slot": "gm", "items": items}, ensure_ascii=False)
    write(folder, {"half.json": board, f"{PACKAGE}/contexts/half.json": board})
    shown = skillc("show", "play", "--slot", "gm", "--board", "half.json", cwd=folder)
    assert shown.code == 0 and text in shown.out
    form = ("--format", "json")
    context = json.loads(
        skillc("show", "play", "--slot", "gm", "--board", "half.json", *form, cwd=folder).out
    )
    assert text in context["messages"][1]["content"]
    for arguments in (("order", "show", "play", "--board", "half.json"), ("check",), ("build",)):
        done = skillc(*arguments, cwd=folder)
        assert done.code == 0, (arguments, done)
        assert (done.out + done.err).encode()
    with patch.dict("os.environ", CI=""):
        assert skillc("snapshot", "--update", cwd=folder).code == 0
    kept = (folder / PACKAGE / "contexts/__snapshots__/half.md").read_text(encoding="utf-8")
    assert text in kept


def test_rows_that_are_no_yaml_are_refused_in_the_language_of_the_user(tmp_path: Path) -> None:
    folder = package(tmp_path)
    before = (folder / FILE).read_bytes()
    done = skillc("order", "replace", FILE, "gm", "-", cwd=folder, stdin="- ref: [a\n")
    assert (done.code, done.err) == (
        2,
        "skillc: -:1:8: P005 error yaml-syntax: the bracket `[` is not closed\n",
    )
    told = skillc("order", "replace", FILE, "gm", "-", "--lang", "zh", cwd=folder, stdin="- ref: [a\n").err
    assert told == "skillc: -:1:8: P005 error yaml-syntax: 括号 `[` 没有结束\n"
    assert (folder / FILE).read_bytes() == before


def test_one_comment_that_is_lost_is_one(tmp_path: Path) -> None:
    folder = package(tmp_path, YAML_ORDER + "    # 完\n")
    done = skillc("order", "project", FILE, "gm", "1", "full", cwd=folder)
    assert "a line with a comment inside" in done.err


def test_an_order_inside_a_document_is_edited_there(tmp_path: Path) -> None:
    document = {
        "schema": "context-fragment.v1",
        "brief": "终稿",
        "正文": {"play_slots": {"gm": True}, "context_order": ORDER},
    }
    write(package(tmp_path), {"set.json": json.dumps(document)})
    done = skillc("order", "project", "set.json", "gm", "1", "full", "--package", "play", cwd=tmp_path)
    assert done.code == 0, done.err
    after = json.loads((tmp_path / "set.json").read_text(encoding="utf-8"))
    assert (after["schema"], after["brief"], list(after["正文"])) == (
        "context-fragment.v1", "终稿", ["play_slots", "context_order"],
    )  # fmt: skip
    assert after["正文"]["context_order"]["slots"][0]["inserts"][1]["projection"] == "full"


REFUSED = [
    (("move", "judge", "1", "2"), "the order has no rows for a slot `judge`"),
    (("move", "auditor", "1", "2"), "the order has no rows for a slot `auditor`"),
    (("move", "gm", "9", "1"), "`gm` has no row 9; its rows are 0 to 3"),
    (("move", "gm", "1", "9"), "`gm` has no row 9"),
    (
        ("project", "gm", "1", "brief"),
        "there is no projection `brief`; there are full, summary, fields, fixed",
    ),
    (("anchor", "gm", "1", "inside"), "`before` or `after`"),
    (("replace", "gm", "outside.json"), "`核心.危险`, which the inputTags of `world-simulator` do not cover"),
    (("replace", "gm", "nothing.json"), "holds no list of rows"),
    (("anchor", "auditor", "0", "after"), "no rows for a slot `auditor`"),
]


@pytest.mark.parametrize(("arguments", "why"), REFUSED)
def test_what_cannot_be_done_changes_nothing(tmp_path: Path, arguments: tuple[str, ...], why: str) -> None:
    folder = package(tmp_path)
    write(folder, {"outside.json": '[{"ref": "核心.危险"}]', "nothing.json": "{}"})
    action, *rest = arguments
    done = skillc("order", action, FILE, *rest, cwd=folder)
    assert done.code == 2
    assert why in done.err
    assert (folder / FILE).read_text(encoding="utf-8") == YAML_ORDER


def test_an_order_that_cannot_be_read_in_whole_is_not_rewritten(tmp_path: Path) -> None:
    order = YAML_ORDER.replace("projection: full", "projection: whole")
    folder = package(tmp_path, order)
    done = skillc("order", "move", FILE, "gm", "1", "2", cwd=folder)
    assert done.code == 1
    assert "has projection `whole`" in done.err
    assert (folder / FILE).read_text(encoding="utf-8") == order


def test_a_fault_that_was_there_does_not_stop_an_edit_elsewhere(tmp_path: Path) -> None:
    order = YAML_ORDER + '      - {order: 4, ref: "核心.危险"}\n'
    folder = package(tmp_path, order)
    assert skillc("order", "project", FILE, "gm", "1", "full", cwd=folder).code == 0
    assert "核心.危险" in (folder / FILE).read_text(encoding="utf-8")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "mark"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", ["order.yaml", "order.json"])
def test_an_edit_keeps_mark_line_ends_mode_and_the_link(
    tmp_path: Path, name: str, end: bytes, mark: bytes
) -> None:
    folder = package(tmp_path)
    text = YAML_ORDER if name.endswith(".yaml") else json.dumps(ORDER, ensure_ascii=False, indent=2) + "\n"
    real = tmp_path / "elsewhere" / name
    real.parent.mkdir()
    real.write_bytes(mark + text.encode().replace(b"\n", end))
    real.chmod(0o640)
    link = tmp_path / name
    link.symlink_to(real)
    before = real.read_bytes()
    done = skillc("order", "move", str(link), "gm", "3", "1", "--package", "play", cwd=folder)
    assert done.code == 0, done.err
    after = real.read_bytes()
    assert link.is_symlink() and real.stat().st_mode & 0o777 == 0o640
    assert after != before and after.startswith(mark) and after.count(b"\xef\xbb\xbf") == bool(mark)
    assert after.count(end) == after.count(b"\n") > 5
    assert skillc("order", "show", str(link), "--package", "play", cwd=folder).code == 0


def test_a_document_is_written_through_a_link(tmp_path: Path) -> None:
    folder = package(tmp_path)
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    link.symlink_to(real)
    for _ in range(2):
        assert skillc("order", "compile", "play", "--output", str(link), cwd=folder).code == 0
        assert link.is_symlink() and "context_order" in json.loads(real.read_bytes())


def test_comments_inside_a_file_are_told_of_when_they_go(tmp_path: Path) -> None:
    order = YAML_ORDER.replace("    enabled: true\n", "    enabled: true  # 一直开着\n    # 每回合\n")
    folder = package(tmp_path, order)
    done = skillc("order", "project", FILE, "gm", "1", "full", cwd=folder)
    assert "2 lines with comments inside" in done.err
    assert skillc("order", "project", FILE, "gm", "1", "full", cwd=folder).err == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("show",),
        ("turn", "play"),
        (),
        ("show", "nothing-of-that-name"),
        ("show", "board.json"),
        ("compile", "board.json"),
    ],
)
def test_usage_errors(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = skillc("order", *arguments, cwd=package(tmp_path))
    assert done.code == 2
    assert done.err


# compile


def test_compile_makes_the_document_of_the_worker_set(tmp_path: Path) -> None:
    folder = package(tmp_path)
    done = skillc("order", "compile", "play", cwd=folder)
    assert done.code == 0, done.err
    document = json.loads(done.out)
    assert document["play_slots"] == {"gm": True, "perspective": False, "narrator": True, "auditor": True}
    assert document["context_order"]["slots"] == normal_order(yaml.safe_load(YAML_ORDER))["slots"]


def test_compile_merges_files_and_what_comes_out_is_played_by(tmp_path: Path) -> None:
    folder = package(tmp_path)
    write(
        folder,
        {
            "specs.json": '{"brief": "名册", "play_slots": {"perspective": true}}',
            "order.json": json.dumps({"agents": [{"id": "旁观维护", "插入": [{"标签": "世界.事件"}]}]}),
        },
    )
    done = skillc("order", "compile", "play", "specs.json", "order.json", "--output", "set.json", cwd=folder)
    assert done.code == 0, done.err
    document = json.loads((folder / "set.json").read_text(encoding="utf-8"))
    assert (document["brief"], document["play_slots"]["perspective"]) == ("名册", True)
    skillc("build", cwd=folder)
    plan = load_plan(folder / "build/dialogue/play/plan.json")
    board = Board()
    board.write("设计.worker集", json.dumps(document), source="refine")
    made = {slot.key: slot for slot in slot_plans(plan, board)}
    assert (made["perspective"].on, made["auditor"].origin, made["gm"].origin) == (
        True,
        "worker-set",
        "declared",
    )
    again = skillc("order", "compile", "set.json", "--package", "play", cwd=folder)
    assert json.loads(again.out) == document


def test_compile_refuses_an_order_as_a_whole_with_every_fault(tmp_path: Path) -> None:
    order = {
        "slots": [
            {"ref": "gm", "inserts": [{"ref": "核心.危险"}]},
            {"ref": "judge", "inserts": [{"ref": "a.b"}]},
        ]
    }
    folder = package(tmp_path)
    write(folder, {"order.json": json.dumps(order)})
    done = skillc("order", "compile", "play", "order.json", "--output", "set.json", cwd=folder)
    assert done.code == 1
    assert "核心.危险" in done.err and "judge" in done.err
    assert not (folder / "set.json").exists()


# skillc show


def test_a_board_names_a_slot_in_place_of_a_worker(tmp_path: Path) -> None:
    folder = package(tmp_path)
    write(folder, {"case.json": json.dumps({**BOARD, "slot": "gm"}, ensure_ascii=False)})
    by_board = skillc("show", "play", "--board", "case.json", "--format", "json", cwd=folder)
    assert by_board.code == 0, by_board.err
    by_option = skillc(
        "show", "play", "--slot", "主世界层", "--board", "board.json", "--format", "json", cwd=folder
    )
    assert by_option.out == by_board.out
    assert [s["id"] for s in json.loads(by_board.out)["segments"]] == [
        "worker.persona", "设计.实现机制", "对话.历史", "用户.最新输入",
    ]  # fmt: skip
    own = skillc("show", "play:world-simulator", "--board", "case.json", "--format", "json", cwd=folder)
    assert [s["id"] for s in json.loads(own.out)["segments"]] == ["inputs"], "a worker by its name is itself"


def test_a_slot_of_nobody_is_refused(tmp_path: Path) -> None:
    done = skillc("show", "play", "--slot", "critic", cwd=package(tmp_path))
    assert done.code == 2
    assert "has nobody for the slot `critic`; it has `gm`, `perspective`, `narrator`, `auditor`" in done.err
