"""The table of variables: who sees a cell, who wins, what is refused, and what contexts show."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sample_plans import sample_plan, segment
from skillc.runtime import AssemblyRefused, Board
from skillc.runtime.variables import (
    USER,
    Cell,
    Change,
    VariablesRefused,
    apply_changes,
    cells_of,
    changes_in,
    read_changes,
    read_table,
    revision_of,
    sees,
    table_data,
    table_text,
)


def table(*cells: Cell) -> dict[str, Any]:
    return {cell.key: cell for cell in cells}


def changed(variables: dict[str, Any], rows: list[object], source: str, revision: int) -> dict[str, Any]:
    return apply_changes(variables, changes_in(rows), source, revision).variables


def test_a_change_writes_value_revision_and_source() -> None:
    applied = apply_changes({"血量": 5}, changes_in([{"key": "血量", "value": 3}]), "auditor", 2)
    assert applied.variables == {"血量": Cell("血量", 3, 2, "auditor")}
    assert (applied.changed, applied.kept) == ([Cell("血量", 3, 2, "auditor")], [])


def test_the_user_wins_in_the_revision_of_his_edit_and_not_in_the_next() -> None:
    mine = changed({}, [{"key": "血量", "value": 10}], USER, 3)
    same = apply_changes(
        mine, changes_in([{"key": "血量", "value": 7}, {"key": "金", "value": 1}]), "auditor", 3
    )
    assert same.kept == ["血量"]
    assert same.variables["血量"] == Cell("血量", 10, 3, USER)
    assert same.variables["金"] == Cell("金", 1, 3, "auditor")
    assert changed(mine, [{"key": "血量", "value": 7}], "auditor", 4)["血量"].value == 7


def test_the_user_wins_over_an_update_that_did_not_see_his_edit() -> None:
    mine = changed({}, [{"key": "血量", "value": 10}], USER, 3)
    late = apply_changes(mine, changes_in([{"key": "血量", "value": 7, "rev": 2}]), "auditor", 5)
    assert (late.kept, late.variables) == (["血量"], mine)


def test_the_user_overwrites_what_a_worker_wrote_in_the_same_revision() -> None:
    theirs = changed({}, [{"key": "血量", "value": 7}], "auditor", 3)
    assert changed(theirs, [{"key": "血量", "value": 10, "rev": 3}], USER, 3)["血量"] == Cell(
        "血量", 10, 3, USER
    )


@pytest.mark.parametrize("source", ["gm", USER])
def test_a_change_of_what_moved_on_is_refused_and_nothing_is_changed(source: str) -> None:
    before = changed({}, [{"key": "血量", "value": 7}], "auditor", 3)
    with pytest.raises(VariablesRefused) as refused:
        apply_changes(
            before, changes_in([{"key": "金", "value": 1}, {"key": "血量", "value": 0, "rev": 2}]), source, 4
        )
    assert str(refused.value) == (
        "`血量` was changed by `auditor` in revision 3, and this change knows revision 2"
    )
    assert before == {"血量": Cell("血量", 7, 3, "auditor")}


def test_a_revision_that_has_not_come_is_refused() -> None:
    with pytest.raises(VariablesRefused, match="`血量` has no revision 9 yet: the table is at 2"):
        changed({"血量": 1}, [{"key": "血量", "value": 0, "rev": 9}], "gm", 2)


def test_only_the_user_changes_who_may_see_a_cell() -> None:
    secret = changed({}, [{"key": "幕后", "value": "甲", "visibility": "hidden"}], "gm", 1)
    assert secret["幕后"].visibility == "hidden"
    with pytest.raises(VariablesRefused, match="who may see `幕后` stays as it is"):
        changed(secret, [{"key": "幕后", "value": "乙", "visibility": "public"}], "gm", 2)
    assert changed(secret, [{"key": "幕后", "value": "乙"}], "gm", 2)["幕后"].visibility == "hidden"
    assert (
        changed(secret, [{"key": "幕后", "value": "乙", "visibility": "公开"}], USER, 2)["幕后"].visibility
        == "public"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "血量减三",
            "it is no JSON list of {key, value}: a value is wanted (texts stand in straight quotes) at character 1",
        ),
        ('{"血量": 3}', "it is no JSON list of {key, value}"),
        ('[{"key": "血量"}]', "entry 1 has no `value`"),
        ('[{"value": 3}]', "`key` of entry 1 is no name"),
        (
            '[{"key": " 血量", "value": 3}]',
            "`key` of entry 1 has blanks around it or characters that cannot be seen",
        ),
        ('[3, {"key": "a", "value": 1}]', "entry 1 is no mapping of `key` and `value`"),
        (
            '[{"key": "血量", "value": 3, "delta": -2}]',
            "entry 1 has `delta`; there are key, value, rev, visibility",
        ),
        ('[{"key": "血量", "value": 3, "rev": -1}]', "`rev` of entry 1 is no whole number"),
        ('[{"key": "血量", "value": 3, "rev": true}]', "`rev` of entry 1 is no whole number"),
        ('[{"key": "a", "value": 1}, {"key": "a", "value": 2}]', "`a` stands twice"),
        ('[{"key": "a", "value": 1, "value": 2}]', "the key `value` stands twice in one entry"),
        ('[{"key": "a", "value": NaN}]', "`NaN` is no JSON value"),
        (
            '[{"key": "a", "value": "\\ud83d"}]',
            "a text in it holds half a surrogate pair, which is no character",
        ),
        ('[{"key": "a", "value": 1, "visibility": "some.body"}]', "`visibility` of entry 1 is none of"),
        ('[{"key": "a", "value": [1, {"b": -1e999}]}]', "the number `-1e999` is too large"),
        ('[{"key": "a", "value": ' + "7" * 5000 + "}]", f"the number `{'7' * 20}…` is too large"),
        ('[{"key": "a", "value": ' + "7" * 1001 + "}]", f"the number `{'7' * 20}…` is too large"),
        ('[{"key": "a", "value": -Infinity}]', "`-Infinity` is no JSON value"),
        ('[{"key": "a", "value": 1, "rev": 1e999}]', "the number `1e999` is too large"),
        (
            '[{"key": "a", "value": "\ud83d"}]',
            "a text in it holds half a surrogate pair, which is no character",
        ),
        ("[" * 100_000, "it is nested too deeply"),
        ('[{"key": "a", "value": 1}', "it is no JSON list of {key, value}: "),
    ],
)
def test_what_is_no_list_of_changes_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(VariablesRefused) as refused:
        read_changes(text)
    assert str(refused.value).startswith(message)


INF = float("inf")
NO_VALUES = [
    (INF, "holds `inf`, which is no number"),
    ([{"a": -INF}], "holds `-inf`, which is no number"),
    (float("nan"), "holds `nan`, which is no number"),
    (10**1000, "holds a number with more than 1000 digits"),
    ({"a": -(10**5000)}, "holds a number with more than 1000 digits"),
    ("\ud83d", "holds half a surrogate pair, which is no character"),
    ({"\udc00": 1}, "holds half a surrogate pair, which is no character"),
    ({1: 2}, "holds a key that is no text"),
    (b"x", "holds a bytes, which JSON does not have"),
]


@pytest.mark.parametrize(("value", "message"), NO_VALUES, ids=[text for _, text in NO_VALUES])
def test_what_json_cannot_hold_comes_into_no_table(value: Any, message: str) -> None:
    """By rows, by changes that somebody made himself, by a board file in both forms, and by a host's own hand."""
    with pytest.raises(VariablesRefused, match=message):
        changes_in([{"key": "a", "value": value}])
    with pytest.raises(VariablesRefused, match=message):
        apply_changes({}, [Change("a", value)], "gm", 1)
    for table in ({"a": value}, [{"key": "a", "value": value}]):
        with pytest.raises(ValueError, match=message):
            read_table(table)
        with pytest.raises(ValueError):
            Board.from_data({"variables": table})
    board = Board()
    board.variables["a"] = value
    plan = sample_plan({"gm": {"inputs": ["变量.当前"], "segments": [segment("v", ["变量.当前"])]}})
    if value not in ({1: 2}, 10**1000):
        with pytest.raises(AssemblyRefused, match="the board's variables cannot be shown: the value of `a`"):
            plan.assemble("gm", board)


@pytest.mark.parametrize("key", ["", " ", " a", "a\nb", "a\u200b", "长" * 121, "\ud83d"])
def test_a_mapping_of_variables_has_the_names_that_a_table_has(key: str) -> None:
    for table in ({key: 1}, [{"key": key, "value": 1}]):
        with pytest.raises(ValueError):
            Board.from_data({"variables": table})
        with pytest.raises(ValueError, match="`variables` of the board: "):
            read_table(table)
    with pytest.raises(VariablesRefused):
        apply_changes({}, [Change(key, 1)], "gm", 1)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(VariablesRefused) as refused:
        read_changes('[{"key": "a"}, {"key": "b", "value": 1, "rev": "x"}]')
    assert str(refused.value) == "entry 1 has no `value`; `rev` of entry 2 is no whole number"


def test_a_fence_around_the_list_is_allowed() -> None:
    assert read_changes('```json\n[{"key": "血量", "value": 3, "rev": 2}]\n```')[0].rev == 2
    assert read_changes("[]") == []


@pytest.mark.parametrize(
    ("isolation", "role", "seen"),
    [
        ("none", None, ["公", "藏", "私", "甲的"]),
        ("blind_review", None, ["公", "私", "甲的"]),
        ("role_pov", "甲", ["公", "甲的"]),
        ("role_pov", "乙", ["公"]),
    ],
)
def test_who_may_see_a_cell_is_as_with_labels(isolation: str, role: str | None, seen: list[str]) -> None:
    levels = {"公": "public", "藏": "hidden", "私": "user_only", "甲的": "role:甲"}
    assert [key for key, level in levels.items() if sees(level, isolation, role)] == seen


def test_a_context_shows_the_rows_that_its_worker_may_see() -> None:
    board = Board()
    board.variables.update(table(Cell("血量", 3, 2, "auditor"), Cell("幕后", "甲", 1, "gm", "hidden")))
    spec = {"inputs": ["变量.当前"], "segments": [segment("v", ["变量.当前"], projection="fields")]}
    plan = sample_plan({"gm": spec, "critic": {**spec, "isolation": "blind_review"}})
    assert plan.assemble("gm", board).messages[-1]["content"] == "血量 = 3\n幕后 = 甲"
    assert plan.assemble("critic", board).messages[-1]["content"] == "血量 = 3"
    del board.variables["血量"]
    assert plan.assemble("critic", board).reads == []


def test_the_whole_table_tells_revision_source_and_who_is_kept_from_it() -> None:
    cells = table(Cell("血量", 3, 2, "auditor"), Cell("幕后", "甲", 1, "gm", "hidden"))
    assert table_text(cells) == (
        '[{"key": "血量", "value": 3, "rev": 2, "source": "auditor"}, '
        '{"key": "幕后", "value": "甲", "rev": 1, "source": "gm", "visibility": "hidden"}]'
    )
    assert table_text({"血量": 3}) == '{"血量": 3}'
    assert table_text({}) is None


def test_a_board_file_holds_plain_values_or_cells() -> None:
    board = Board.from_data({"variables": {"血量": "3"}})
    assert board.variables == {"血量": "3"}
    assert board.to_data()["variables"] == {"血量": "3"}
    rows = [
        {"key": "血量", "value": "3", "rev": "2", "source": "user", "visibility": "role:甲"},
        {"key": "金", "value": 1},
    ]
    board = Board.from_data({"variables": rows})
    assert cells_of(board.variables) == [Cell("血量", "3", 2, "user", "role:甲"), Cell("金", 1)]
    assert Board.from_data(board.to_data()).variables == board.variables
    assert read_table(table_data(board.variables)) == board.variables


KEYS = st.sampled_from("甲乙丙")
ACTION = st.tuples(
    KEYS,
    st.integers(0, 9),
    st.sampled_from(["gm", "auditor", USER]),
    st.integers(0, 1),
    st.none() | st.integers(0, 9),
)


@given(st.lists(ACTION, max_size=30))
def test_edits_and_updates_in_any_order_keep_what_holds_of_a_table(actions: list[Any]) -> None:
    """Revisions of cells never go back; a cell that the user set stays his until the next revision; what is
    refused or kept changes nothing; a change is applied with exactly its value."""
    variables: dict[str, Any] = {}
    revision = 0
    for key, value, source, step, rev in actions:
        revision += step
        before = dict(variables)
        old = before.get(key)
        row = {"key": key, "value": value} if rev is None else {"key": key, "value": value, "rev": rev}
        try:
            applied = apply_changes(variables, changes_in([row]), source, revision)
        except VariablesRefused:
            assert rev is not None
            assert rev > revision or (old is not None and rev < old.rev)
            assert variables == before
            continue
        variables = applied.variables
        assert {k: v for k, v in variables.items() if k != key} == {
            k: v for k, v in before.items() if k != key
        }
        if old is not None and old.source == USER and source != USER and old.rev == revision:
            assert variables[key] == old
        elif applied.changed:
            assert variables[key] == Cell(key, value, revision, source)
        assert variables[key].rev >= (old.rev if old else 0)
        assert revision_of(variables) <= revision
        assert source != USER or variables[key].source == USER
