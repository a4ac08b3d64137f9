"""Side effects: when they fire, what they do, what they may not, and that a killed session repeats none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playing import effect, fragment, seeded, sets, turn_plan, without
from running import ListedModel, TickingClock, live, opened, statuses, writes
from skillc.execute.effects import EffectsRefused, crossings, effects_of, read_effects
from skillc.execute.happening import Happening
from skillc.execute.records import EffectState
from skillc.execute.session import Session
from skillc.execute.store import Store, open_store
from skillc.runtime import Board
from skillc.runtime.variables import Cell

WORLD = {"world-simulator": {"inputs": ["场景.投影.当前?"], "outputs": ["变量.更新", "场景.投影.当前"]}}
CHANCE = {"chance": {"outputs": ["世界.机缘.当前", "输出.机缘"]}}
DARK = effect(
    "入夜", "时辰", ">=", 18, {"replace_tag": {"tag": "场景.投影.当前", "text": "夜"}}, mode="every_edge"
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


def design(*effects: Any) -> dict[str, object]:
    return seeded(设计_变量设计与更新规则=fragment(真值=[], side_effects=list(effects)))


def hours(*values: object) -> ListedModel:
    """A world that sets the hour in each turn."""
    return ListedModel(*(writes({"变量.更新": sets("时辰", value)}) for value in values))


def fired(told: list[Happening]) -> list[str]:
    return [h.data["id"] for h in told if h.kind == "effect"]


def test_a_threshold_replaces_a_projection_tag_without_a_model(store: Store) -> None:
    board = design(DARK)
    board["items"] += [{"tag": "场景.投影.当前", "content": "昼", "source": "design"}]  # type: ignore[operator]
    model = hours(12, 18, 19)
    session = opened(store, turn_plan(WORLD), model, board=board, rounds=3)
    shown = ["夜" if "夜" in request.messages[-1]["content"] else "昼" for request in model.requests]
    assert shown == ["昼", "昼", "夜"]
    assert live(session)["场景.投影.当前"] == "夜"
    assert ("场景.投影.当前", "superseded") in statuses(session)
    item = session.board.newest("场景.投影.当前")
    assert item is not None and (item.source, item.metadata) == ("side-effects", {"effect": "入夜"})


@pytest.mark.parametrize(
    ("mode", "values", "count"),
    [
        ("every_edge", [12, 18, 19, 12, 20], 2),
        ("once", [12, 18, 19, 12, 20], 1),
        ("every_edge", [18, 18, 18], 1),
        ("every_edge", [12, 13, 14], 0),
        ("every_edge", ["12", "18"], 1),
        ("every_edge", ["子时", "18"], 1),
    ],
)
def test_it_fires_at_edges_alone(store: Store, mode: str, values: list[Any], count: int) -> None:
    told: list[Happening] = []
    board = design({**DARK, "mode": mode})
    session = Session.open(
        store, turn_plan(WORLD), hours(*values), board=board, rounds=len(values), on_event=told.append
    )
    session.advance()
    assert session.status.phase == "done"
    assert len(fired(told)) == count


def test_what_holds_from_the_start_crosses_no_line(store: Store) -> None:
    told: list[Happening] = []
    board = {**design(DARK), "variables": {"时辰": 20}}
    session = Session.open(
        store, turn_plan(WORLD), hours(20, 12, 21), board=board, rounds=3, on_event=told.append
    )
    session.advance()
    assert fired(told) == ["入夜"]
    assert session.record.progress.effects == {"入夜": EffectState(held=True, fired=1)}


def test_write_adds_and_replace_supersedes_whoever_wrote(store: Store) -> None:
    workers = {"world-simulator": {"outputs": ["变量.更新", "世界.事"]}}
    adds = effect("记", "时辰", ">", 1, {"write_tag": {"tag": "世界.事", "text": "钟响"}})
    clears = effect("清", "时辰", ">", 2, {"replace_tag": {"tag": "世界.事", "text": "静"}})
    model = ListedModel(
        writes({"变量.更新": sets("时辰", 2), "世界.事": "起风"}), writes({"变量.更新": sets("时辰", 3)})
    )
    session = opened(store, turn_plan(workers), model, board=design(adds, clears), rounds=2)
    texts = [(i.content, i.status) for i in session.board.items if i.tag == "世界.事"]
    assert texts == [("起风", "superseded"), ("钟响", "superseded"), ("静", "accepted")]


def test_a_text_can_be_taken_from_another_tag(store: Store) -> None:
    board = design(
        effect("入夜", "时辰", ">=", 18, {"replace_tag": {"tag": "场景.投影.当前", "from": "场景.夜"}})
    )
    board["items"] += [{"tag": "场景.夜", "content": "灯火", "source": "design"}]  # type: ignore[operator]
    assert live(opened(store, turn_plan(WORLD), hours(18), board=board))["场景.投影.当前"] == "灯火"


@pytest.mark.parametrize("mode", ["once", "every_edge"])
def test_a_side_effect_waits_for_the_text_that_it_takes(store: Store, mode: str) -> None:
    """It does nothing by halves, is not used up, and fires when the text is there and its condition still holds."""
    told: list[Happening] = []
    workers = {"world-simulator": {"outputs": ["变量.更新", "场景.投影.当前", "场景.夜"]}}
    deeds = (
        {"write_tag": {"tag": "场景.投影.当前", "text": "暗"}},
        {"write_tag": {"tag": "场景.投影.当前", "from": "场景.夜"}},
    )
    board = design(effect("入夜", "时辰", ">=", 18, *deeds, mode=mode))
    outputs = [{"变量.更新": sets("时辰", hour)} for hour in (18, 12, 19, 20, 21)]
    outputs[3]["场景.夜"] = "灯火"
    model = ListedModel(*map(writes, outputs))
    session = Session.open(store, turn_plan(workers), model, board=board, rounds=5, on_event=told.append)
    session.advance()
    texts = [item.content for item in session.board.items if item.source == "side-effects"]
    assert texts == ["暗", "灯火"] and fired(told) == ["入夜"]
    notes = [h.data["text"] for h in told if h.kind == "note"]
    assert notes == ["side effect `入夜` waits: nothing is there under `场景.夜`"]


def test_a_text_that_the_effect_itself_writes_before_is_there(store: Store) -> None:
    workers = {"world-simulator": {"outputs": ["变量.更新", "场景.投影.当前", "场景.夜"]}}
    deeds = (
        {"write_tag": {"tag": "场景.夜", "text": "灯火"}},
        {"write_tag": {"tag": "场景.投影.当前", "from": "场景.夜"}},
    )
    board = design(effect("入夜", "时辰", ">=", 18, *deeds))
    assert live(opened(store, turn_plan(workers), hours(18), board=board))["场景.投影.当前"] == "灯火"


def test_a_queued_worker_runs_in_the_same_turn_behind_the_slots_and_is_shown(store: Store) -> None:
    board = design(effect("机缘", "时辰", ">=", 18, {"queue_worker": "chance"}, mode="every_edge"))
    workers = {**WORLD, **CHANCE, "narrator": {"outputs": ["输出.正文"]}}
    text = writes({"输出.正文": "正文"})
    model = ListedModel(
        writes({"变量.更新": sets("时辰", 12)}),
        text,
        writes({"变量.更新": sets("时辰", 18)}),
        text,
        writes({"输出.机缘": "一阵风"}),
        writes({}),
        text,
    )
    session = opened(store, turn_plan(workers), model, board=board, rounds=3)
    assert model.workers == ["world-simulator", "narrator"] * 2 + ["chance", "world-simulator", "narrator"]
    assert [block["content"] for block in session.board.history] == ["正文", "正文\n\n一阵风", "正文"]
    assert session.record.progress.queued == ()


def test_a_queued_worker_with_roles_runs_for_each(store: Store) -> None:
    board = design(effect("机缘", "时辰", ">=", 18, {"queue_worker": "role-decide"}))
    workers = {**WORLD, "role-decide": {"outputs": ["角色.{id}.行动"], "role_bound": True}}
    model = ListedModel(
        writes({"变量.更新": sets("时辰", 18)}),
        writes({"角色.甲.行动": "走"}),
        writes({"角色.乙.行动": "停"}),
    )
    opened(store, turn_plan(workers), model, board=board)
    assert model.workers == ["world-simulator", "role-decide/甲", "role-decide/乙"]


def test_a_queued_worker_that_lacks_an_input_is_left_out_and_told(store: Store) -> None:
    board = design(effect("机缘", "时辰", ">=", 18, {"queue_worker": "chance"}))
    workers = {**WORLD, "chance": {"inputs": ["无.此"], "outputs": ["世界.机缘.当前"]}}
    session = opened(store, turn_plan(workers), hours(18), board=board)
    assert session.status.phase == "done"
    assert [note.text for note in session.record.notes] == [
        "`chance` does not play in this turn: nothing is there for `无.此`"
    ]


def test_side_effects_are_looked_at_once_a_turn(store: Store) -> None:
    """What a queued worker changes is seen in the next turn: no chain can go on forever inside one."""
    told: list[Happening] = []
    board = design(effect("转", "数", "==", 1, {"queue_worker": "chance"}, mode="every_edge"))
    workers = {**WORLD, "chance": {"outputs": ["变量.更新"]}}
    flips = [writes({"变量.更新": sets("数", n)}) for n in (1, 0)]
    model = ListedModel(*flips, *flips)
    session = Session.open(store, turn_plan(workers), model, board=board, rounds=2, on_event=told.append)
    session.advance()
    assert (session.status.phase, fired(told)) == ("done", ["转"])


def test_resumed_after_each_step_no_side_effect_is_repeated_or_lost(store: Store) -> None:
    board = design(DARK, effect("机缘", "时辰", ">=", 18, {"queue_worker": "chance"}, mode="every_edge"))
    workers = {**WORLD, **CHANCE}
    values = [12, 18, 12, 19]

    def model() -> ListedModel:
        chance = writes({"世界.机缘.当前": "风"})
        set_ = [writes({"变量.更新": sets("时辰", value)}) for value in values]
        return ListedModel(set_[0], set_[1], chance, set_[2], set_[3], chance)

    straight = opened(store, turn_plan(workers), model(), board=board, rounds=4)
    kept = model()
    session = Session.open(store, turn_plan(workers), kept, board=board, rounds=4)
    while session.status.phase == "running":
        session = Session.resume(store, session.id, turn_plan(workers), kept)
        session.step()
    assert statuses(session) == statuses(straight)
    assert session.record.progress.effects == straight.record.progress.effects
    assert [i.content for i in session.board.items if i.source == "side-effects"] == ["夜", "夜"]


# What is refused


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"id": "x"}, "`side_effects`: a list is wanted"),
        ([3], "side effect 1: an object is wanted"),
        (
            [{**DARK, "when": {"key": "时辰", "op": "=<", "value": 1}}],
            "side effect 1 (`入夜`), `when.op`: ",
        ),
        (
            [{**DARK, "when": {"key": "时辰", "op": ">", "value": "晚"}}],
            "`>` compares numbers, and `晚` is none",
        ),
        ([{**DARK, "do": []}], "side effect 1 (`入夜`), `do`: it has too few entries: at least 1 are wanted"),
        (
            [{**DARK, "do": [{}]}],
            "`do.1`: it needs exactly one of `write_tag`, `replace_tag`, `queue_worker`",
        ),
        (
            [{**DARK, "do": [{"write_tag": {"tag": "场景.投影.当前"}}]}],
            "it needs exactly one of `text` and `from`",
        ),
        ([{**DARK, "do": [{"delete_tag": "a"}]}], "`do.1.delete_tag`: there is no such key"),
        ([{**DARK, "mode": "always"}], "`mode`: 'once' or 'every_edge' is wanted"),
        ([{key: value for key, value in DARK.items() if key != "id"}], "side effect 1, `id`: it is missing"),
        ([DARK, DARK], "two side effects are called `入夜`"),
    ],
)
def test_a_list_with_a_fault_is_refused_by_name(rows: object, message: str) -> None:
    with pytest.raises(EffectsRefused) as refused:
        read_effects(rows)
    assert message in str(refused.value)


def test_every_fault_is_told_at_once() -> None:
    rows = [{**DARK, "mode": "x"}, {**DARK, "id": "", "do": 3}]
    with pytest.raises(EffectsRefused) as refused:
        read_effects(rows)
    assert str(refused.value).count("side effect 1") == 1 and str(refused.value).count("side effect 2") == 2


@pytest.mark.parametrize(
    ("deed", "message"),
    [
        (
            {"write_tag": {"tag": "世界.别处", "text": "x"}},
            "`世界.别处` is nothing that a side effect may write",
        ),
        (
            {"write_tag": {"tag": "变量.更新", "text": "[]"}},
            "`变量.更新` is nothing that a side effect may write",
        ),
        ({"write_tag": {"tag": "场景．投影", "text": "x"}}, "`场景．投影` is no tag"),
        (
            {"replace_tag": {"tag": "场景.投影.当前", "from": "世界.隐藏.账"}},
            "`世界.隐藏.账` is hidden, and `场景.投影.当前` is not",
        ),
        *(
            (
                {"replace_tag": {"tag": "场景.投影.当前", "from": tag}},
                f"`{tag}` is kept by the runtime itself: no text can be brought from there",
            )
            for tag in ("变量.当前", "变量.更新#甲", "变量.用户", "对话.历史", "世界.当前角色.id")
        ),
        (
            {"queue_worker": "die"},
            "there is no play worker `die` to queue; there are `world-simulator`, `chance`",
        ),
        (
            {"queue_worker": "world-simulator"},
            "`world-simulator` plays in every turn, so it cannot be queued",
        ),
    ],
)
def test_a_side_effect_stays_inside_what_the_package_declares(deed: dict[str, Any], message: str) -> None:
    plan = turn_plan({**WORLD, **CHANCE})
    board = Board.from_data(design(effect("x", "时辰", ">", 1, deed)))
    with pytest.raises(EffectsRefused) as refused:
        effects_of(plan, board)
    assert str(refused.value).startswith(
        "the side effects in `设计.变量设计与更新规则` are not used: side effect `x`: "
    )
    assert message in str(refused.value)


VISIBLE = {"role-decide": {"outputs": ["角色.{id}.可见", "角色.{id}.行动", "私.{id}.记"], "role_bound": True}}


def _private(tag: str, *excepted: str) -> dict[str, Any]:
    parts = tag.replace(".*", "..*").split(".")
    parts = [*parts[:-2], ".*"] if parts[-1] == "*" else parts
    return {
        "label": "role_private",
        "pattern": parts,
        "segment": None,
        "except": [each.split(".") for each in excepted],
    }


LABELS = [
    {"label": "hidden", "pattern": None, "segment": "隐藏", "except": []},
    _private("角色.{id}.*", "角色.{id}.行动"),
    _private("私.{id}.记"),
    _private("私.公"),
]


@pytest.mark.parametrize(
    ("source", "target", "fits"),
    [
        ("角色.甲.设定", "角色.甲.可见", True),
        ("角色.甲.设定", "私.甲.记", True),
        ("私.甲.记", "角色.甲.可见", True),
        ("角色.甲.行动", "角色.乙.可见", True),
        ("场景.夜", "角色.乙.可见", True),
        ("角色.甲.设定", "角色.乙.可见", False),
        ("角色.甲.设定#昨", "角色.乙.可见#昨", False),
        ("私.甲.记", "私.乙.记", False),
        ("私.甲.记", "角色.乙.可见", False),
        ("旧.甲", "角色.乙.可见", False),
        ("旧.甲", "角色.甲.可见", True),
        ("私.公", "角色.甲.可见", False),
    ],
)
def test_what_is_private_to_a_role_stays_its_own(source: str, target: str, fits: bool) -> None:
    """Of two tags with the same label the owners count."""
    plan = turn_plan(VISIBLE, labels=LABELS, moved={"旧.甲": "角色.甲.设定"})
    rows = design(effect("x", "时辰", ">", 1, {"write_tag": {"tag": target, "from": source}}))
    if fits:
        assert len(effects_of(plan, Board.from_data(rows))) == 1
        return
    with pytest.raises(EffectsRefused) as refused:
        effects_of(plan, Board.from_data(rows))
    assert f"`{source}` is role_private, and not of the same role as `{target}`" in str(refused.value)


def test_what_is_private_to_no_role_is_nobodys(store: Store) -> None:
    plan = turn_plan({"world-simulator": {"outputs": ["私.公"]}}, labels=LABELS)
    rows = design(effect("x", "时辰", ">", 1, {"write_tag": {"tag": "私.公", "from": "角色.甲.设定"}}))
    assert len(effects_of(plan, Board.from_data(rows))) == 1


def test_a_runtime_source_of_the_package_may_be_written(store: Store) -> None:
    sources = {"user": [], "runtime": [["世界", "景况", "当前"], ["对话", "历史"]], "book": [], "rag": []}
    plan = turn_plan(WORLD, sources=sources)
    good = effect("x", "时辰", ">", 1, {"replace_tag": {"tag": "世界.景况.当前", "text": "雨"}})
    assert live(opened(store, plan, hours(2), board=design(good)))["世界.景况.当前"] == "雨"
    bad = effect("x", "时辰", ">", 1, {"replace_tag": {"tag": "对话.历史", "text": "雨"}})
    with pytest.raises(EffectsRefused):
        effects_of(plan, Board.from_data(design(bad)))


def test_a_list_with_a_fault_on_the_board_does_nothing_and_is_told_once(store: Store) -> None:
    board = design(DARK, effect("x", "时辰", ">", 1, {"queue_worker": "die"}))
    session = opened(store, turn_plan(WORLD), hours(12, 18, 19), board=board, rounds=3)
    assert session.status.phase == "done"
    assert "场景.投影.当前" not in live(session)
    assert [note.kind for note in session.record.notes] == ["side-effects"]


def test_a_reply_with_faulty_side_effects_is_told_and_written_again(store: Store) -> None:
    told: list[Happening] = []
    bad = fragment(side_effects=[{**DARK, "mode": "immer"}])
    model = ListedModel(
        writes({"设计.变量设计与更新规则": bad}),
        writes({"设计.变量设计与更新规则": fragment(side_effects=[DARK])}),
        writes({"变量.更新": sets("时辰", 18)}),
    )
    plan = turn_plan({"design": without()["design"], **WORLD})
    session = Session.open(store, plan, model, on_event=told.append)
    session.advance()
    assert [h.data["kind"] for h in told if h.kind == "retry"] == ["bad-side-effects"]
    assert live(session)["场景.投影.当前"] == "夜"


def test_a_design_that_is_prose_has_no_side_effects(store: Store) -> None:
    board = seeded(设计_变量设计与更新规则="到了晚上就天黑")
    assert opened(store, turn_plan(WORLD), hours(18), board=board).status.phase == "done"
    assert effects_of(turn_plan(WORLD), Board.from_data(board)) == ()


# Any course of values


@given(
    st.lists(st.none() | st.integers(0, 4) | st.sampled_from(["1", "三", "4"]), max_size=20),
    st.sampled_from(["<", "<=", "==", "!=", ">=", ">"]),
    st.integers(0, 4),
    st.sampled_from(["once", "every_edge"]),
)
def test_it_fires_exactly_where_the_condition_begins_to_hold(
    values: list[Any], op: str, line: int, mode: str
) -> None:
    rows = [
        {
            "id": "x",
            "when": {"key": "数", "op": op, "value": line},
            "do": [{"queue_worker": "w"}],
            "mode": mode,
        }
    ]
    effects = read_effects(rows)
    states: dict[str, EffectState] = {}
    found: list[bool] = []
    for value in values:
        table = {} if value is None else {"数": Cell("数", value)}
        fires, states = crossings(effects, states, table)
        found.append(bool(fires))

    def side(value: Any) -> bool:
        if value is None:
            return False
        if value == "三":
            return op == "!="
        n = int(value)
        return {
            "<": n < line,
            "<=": n <= line,
            "==": n == line,
            "!=": n != line,
            ">=": n >= line,
            ">": n > line,
        }[op]

    sides = [side(value) for value in values]
    edges = [now and not before for before, now in zip([True, *sides], sides, strict=False)]
    if sides and sides[0]:
        edges[0] = False
    if mode == "once" and True in edges:
        first = edges.index(True)
        edges = [at == first for at in range(len(edges))]
    assert found == edges
