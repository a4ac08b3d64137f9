"""Edits of an order: what they make, what they refuse, and that nothing else changes."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.runtime.order import normal_order
from skillc.runtime.orderedit import edit, move, replace, set_anchor, set_projection
from skillc.runtime.orderfault import OrderRefused

P, H = "worker.persona", "对话.历史"


def order(*refs: str, slot: str = "world-simulator") -> dict[str, Any]:
    return {"brief": "名册", "slots": [{"ref": slot, "inserts": [{"ref": ref} for ref in refs]}]}


def refs(of: dict[str, Any], at: int = 0) -> list[str]:
    rows = of["slots"][at]["inserts"]
    assert [row["order"] for row in rows] == list(range(len(rows)))
    return [row["ref"] for row in rows]


def test_a_row_moves_and_the_others_keep_their_order() -> None:
    assert refs(move(order("甲", "乙", "丙", "丁"), "gm", 3, 1)) == ["甲", "丁", "乙", "丙"]
    assert refs(move(order("甲", "乙", "丙", "丁"), "gm", 0, 3)) == ["乙", "丙", "丁", "甲"]
    assert refs(move(order(P, "甲", "乙"), "gm", 2, 0)) == [P, "乙", "甲"], "nothing comes before the persona"


@pytest.mark.parametrize("name", ["gm", "world-simulator", "主世界层", " GM "])
def test_a_slot_is_meant_by_each_of_its_names(name: str) -> None:
    assert refs(move(order("甲", "乙"), name, 1, 0)) == ["乙", "甲"]
    own = {"agents": [{"id": "gm", "ref": "my-world", "inserts": [{"ref": "甲"}, {"ref": "乙"}]}]}
    assert refs(move(own, name if name != "world-simulator" else "my-world", 1, 0)) == ["乙", "甲"]


def test_a_projection_is_set_under_any_of_its_names() -> None:
    new = set_projection(order("甲", "乙"), "gm", 1, "摘要")
    assert [row.get("projection") for row in new["slots"][0]["inserts"]] == [None, "summary"]


@pytest.mark.parametrize(
    ("rows", "index", "side", "after"),
    [
        (("甲", H, "乙"), 2, "before", ["甲", "乙", H]),
        (("甲", H, "乙"), 0, "after", [H, "甲", "乙"]),
        (("甲", "乙", H, "丙"), 0, "after", ["乙", H, "甲", "丙"]),
        (("甲", H, "乙", "丙"), 3, "史前", ["甲", "丙", H, "乙"]),
        (("甲", "乙", H), 0, "before", ["甲", "乙", H]),
        ((H, "甲", "乙"), 2, "史后", [H, "甲", "乙"]),
        (("甲", "乙"), 0, "before", ["甲", H, "乙"]),
        ((P, "甲", "乙"), 1, "after", [P, H, "甲", "乙"]),
        ((P, "甲"), 0, "before", [P, H, "甲"]),
    ],
)
def test_a_row_goes_before_or_after_the_dialogue(
    rows: tuple[str, ...], index: int, side: str, after: list[str]
) -> None:
    assert refs(set_anchor(order(*rows), "gm", index, side)) == after


def test_the_dialogue_that_an_anchor_brings_is_a_summary() -> None:
    rows = set_anchor(order("甲"), "gm", 0, "before")["slots"][0]["inserts"]
    assert rows[1] == {"order": 1, "ref": H, "projection": "summary"}


def test_rows_are_replaced_by_a_normal_form_of_what_is_given() -> None:
    given = [
        {"序": 5, "标签": "乙", "投影": "字段"},
        {"order": 1, "ref": "甲", "anchor": "before"},
        {"order": 9, "ref": P},
    ]
    new = replace(order("丙"), "gm", given)
    assert new["slots"][0]["inserts"] == [
        {"order": 0, "ref": P},
        {"order": 1, "ref": "甲"},
        {"order": 2, "ref": "乙", "projection": "fields"},
    ]
    added = replace(order("丙"), "旁观维护", [{"ref": "甲"}])
    assert (added["slots"][1]["ref"], refs(added, 1)) == ("auditor", ["甲"])


REFUSED = [
    ({"op": "move", "slot": "judge", "index": 0, "to": 1}, "no rows for a slot `judge`"),
    ({"op": "move", "slot": "auditor", "index": 0, "to": 1}, "it has them for `world-simulator`"),
    ({"op": "move", "slot": "gm", "index": 4, "to": 1}, "no row 4; its rows are 0 to 3"),
    ({"op": "move", "slot": "gm", "index": -1, "to": 1}, "no row -1"),
    ({"op": "move", "slot": "gm", "index": True, "to": 1}, "no row True"),
    ({"op": "move", "slot": "gm", "index": "1", "to": 2}, "no row 1"),
    ({"op": "move", "slot": "gm", "index": 1, "to": 4}, "no row 4"),
    ({"op": "move", "slot": "gm", "index": 1}, "`move` needs `to`"),
    ({"op": "move", "slot": "gm", "index": 0, "to": 1}, "`worker.persona` comes first"),
    ({"op": "set_projection", "slot": "gm", "index": 1, "projection": "brief"}, "no projection `brief`"),
    ({"op": "set_projection", "slot": "gm", "index": 1, "projection": 3}, "no projection `3`"),
    ({"op": "set_anchor", "slot": "gm", "index": 1, "anchor": "inside"}, "`before` or `after`"),
    ({"op": "set_anchor", "slot": "gm", "index": 2, "anchor": "before"}, "`对话.历史` itself"),
    ({"op": "set_anchor", "slot": "gm", "index": 0, "anchor": "after"}, "`worker.persona` comes first"),
    ({"op": "replace", "slot": "gm", "inserts": []}, "at least one"),
    ({"op": "replace", "slot": "judge", "inserts": [{"ref": "甲"}]}, "no rows for a slot `judge`"),
    (
        {
            "op": "replace",
            "slot": "gm",
            "inserts": [{"order": 0}, {"ref": "甲。乙"}, {"ref": "甲", "projection": "x"}],
        },
        "row 0 of `gm` does not say what it shows.*row 1.*no tag.*row 2.*projection `x`",
    ),
    ({"op": "drop", "slot": "gm"}, "no edit `drop`; there are move, set_projection, set_anchor, replace"),
    ({"op": "move"}, "which slot"),
    ([], "an object"),
]


@pytest.mark.parametrize(("request_", "why"), REFUSED)
def test_what_cannot_be_done_is_refused_and_nothing_changes(request_: Any, why: str) -> None:
    before = order(P, "甲", H, "乙")
    kept = copy.deepcopy(before)
    answer = edit(before, request_)
    assert answer["ok"] is False
    import re

    assert re.search(why, answer["error"], re.S), answer["error"]
    assert before == kept
    assert set(answer) == {"ok", "error"}


def test_a_request_is_answered_with_the_new_order() -> None:
    before = order(P, "甲", H, "乙")
    kept = copy.deepcopy(before)
    answer = edit(before, {"op": "set_anchor", "ref": "world-simulator", "index": 3, "anchor": "before"})
    assert answer["ok"] is True
    assert refs(answer["order"]) == [P, "甲", "乙", H]
    assert answer["order"]["brief"] == "名册"
    assert before == kept


def test_an_edit_of_a_slot_is_of_the_worker_that_fills_it_and_of_no_other() -> None:
    given = {
        "slots": [
            {"id": "narrator", "ref": "world-simulator", "inserts": [{"ref": "甲"}, {"ref": "乙"}]},
            {"id": "gm", "ref": "chance", "inserts": [{"ref": "丙"}, {"ref": "丁"}]},
        ]
    }
    assert refs(move(given, "gm", 0, 1), 1) == ["丁", "丙"]
    assert refs(move(given, "叙事转述", 0, 1)) == ["乙", "甲"]
    new = move(given, "narrator", 0, 1)
    assert [(entry["id"], entry["ref"]) for entry in new["slots"]] == [
        ("narrator", "world-simulator"),
        ("gm", "chance"),
    ]


def test_a_slot_that_its_worker_left_has_no_rows_to_edit() -> None:
    given = {
        "slots": [{"id": "narrator", "ref": "world-simulator", "inserts": [{"ref": "甲"}, {"ref": "乙"}]}]
    }
    with pytest.raises(OrderRefused, match="no rows for a slot `gm`"):
        move(given, "gm", 0, 1)
    with pytest.raises(OrderRefused, match="no rows for a slot `主世界层`"):
        replace(given, "主世界层", [{"ref": "丙"}])


ROWS = st.lists(st.sampled_from([P, H, "甲", "乙", "丙", "丁"]), min_size=1, max_size=7)


@given(ROWS, st.integers(-1, 8), st.integers(-1, 8), st.sampled_from(["move", "before", "after", "full"]))
def test_an_edit_gives_a_normal_form_and_loses_no_row(
    rows: list[str], index: int, to: int, what: str
) -> None:
    before = normal_order(order(*rows))
    try:
        if what == "move":
            new = move(before, "gm", index, to)
        elif what == "full":
            new = set_projection(before, "gm", index, what)
        else:
            new = set_anchor(before, "gm", index, what)
    except OrderRefused:
        return
    assert normal_order(new) == new
    had, has = sorted(refs(before)), sorted(refs(new))
    assert has == had or (H not in had and has == sorted([*had, H]))
