from __future__ import annotations

import json
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sample_plans import sample_plan, segment
from skillc.runtime import AssemblyRefused, Board, Context
from skillc.runtime.context import BREAK

ANY = {"inputs": ["**"], "segments": [segment("all", ["**"])]}


def board_of(*rows: tuple[str, str]) -> Board:
    board = Board()
    for tag, content in rows:
        board.write(tag, content, source="w")
    return board


def run(worker: dict[str, Any], board: Board, more: dict[str, Any] | None = None, **options: Any) -> Context:
    return sample_plan({"w": worker}, **(more or {})).assemble("w", board, **options)


def user(worker: dict[str, Any], board: Board, more: dict[str, Any] | None = None, **options: Any) -> str:
    return run(worker, board, more, **options).messages[1]["content"]


# Select and merge (SPEC 7.2, 9.3)


def test_latest_is_the_newest_live_item_of_each_tag() -> None:
    board = board_of(("事件.甲", "一"), ("事件.甲", "二"), ("事件.乙", "三"), ("事件.甲", "四"))
    board.set_status("i4", "rejected")
    assert user({"inputs": ["事件.*"], "segments": [segment("s", ["事件.*"])]}, board) == "三\n\n二"


def test_concat_is_all_live_items_oldest_first() -> None:
    board = board_of(("事件.甲", "一"), ("事件.乙", "二"), ("事件.甲", "三"))
    worker = {"inputs": ["事件.甲"], "merge": "concat", "segments": [segment("s", ["事件.甲"])]}
    assert user(worker, board) == "一\n\n三"


def test_tags_stand_in_the_order_of_patterns_then_by_name_each_once() -> None:
    board = board_of(("b.2", "b2"), ("a.9", "a9"), ("b.1", "b1"), ("a.1", "a1"))
    worker = {"inputs": ["a.*", "b.*"], "segments": [segment("s", ["b.2", "a.*", "b.*", "a.1"])]}
    assert user(worker, board) == "b2\n\na1\n\na9\n\nb1"


def test_a_reader_of_the_draft_follows_it_to_the_confirmed_text() -> None:
    board = board_of(("规则.草稿", "稿"), ("规则.确认稿", "定"))
    board.set_status("i1", "superseded", "i2")
    context = run({"inputs": ["规则.草稿"], "segments": [segment("s", ["规则.草稿"])]}, board)
    assert context.messages[1]["content"] == "定"
    assert context.reads == ["规则.确认稿"]
    assert [item.id for item in context.items] == ["i2"]


def test_a_live_draft_wins_over_the_confirmed_text() -> None:
    board = board_of(("规则.草稿", "稿"), ("规则.确认稿", "定"))
    board.set_status("i1", "superseded", "i2")
    board.write("规则.草稿", "新稿", source="w")
    assert user({"inputs": ["规则.草稿"], "segments": [segment("s", ["规则.草稿"])]}, board) == "新稿"


def test_a_rejected_successor_is_not_followed() -> None:
    board = board_of(("规则.草稿", "稿"), ("规则.确认稿", "定"))
    board.set_status("i1", "superseded", "i2")
    board.set_status("i2", "rejected")
    assert run({"inputs": ["规则.草稿"], "segments": [segment("s", ["规则.草稿"])]}, board).reads == []


def test_a_text_found_twice_is_taken_once() -> None:
    board = board_of(("规则.草稿", "稿"), ("规则.确认稿", "定"))
    board.set_status("i1", "superseded", "i2")
    worker = {
        "inputs": ["规则.草稿", "规则.*"],
        "merge": "concat",
        "segments": [segment("s", ["规则.*", "规则.草稿"])],
    }
    assert user(worker, board) == "定"


def test_a_literal_pattern_reads_the_slots_of_its_family() -> None:
    board = board_of(("设计.规则#天气", "晴"), ("设计.规则", "总"), ("设计.规则书", "无关"))
    worker = {"inputs": ["设计.规则"], "segments": [segment("s", ["设计.规则"])]}
    assert user(worker, board) == "总\n\n晴"


# Isolation (SPEC 8)


def secrets() -> Board:
    return board_of(
        ("核心.危险.隐藏", "秘密一"),
        ("世界.隐藏状态", "秘密二"),
        ("规则#隐藏条款", "秘密三"),
        ("规则", "公开"),
    )


def test_a_blind_reviewer_never_receives_hidden_tags() -> None:
    context = run({**ANY, "isolation": "blind_review"}, secrets())
    assert context.messages[1]["content"] == "公开"
    assert context.reads == ["规则"]
    assert "秘密" in user(ANY, secrets())


def test_hidden_text_stays_hidden_behind_a_moved_name_and_behind_supersession() -> None:
    board = board_of(("core.danger", "秘密"), ("公开.草稿", "稿"), ("公开.隐藏", "秘密"))
    board.set_status("i2", "superseded", "i3")
    context = run({**ANY, "isolation": "blind_review"}, board, {"moved": {"core.danger": "核心.危险.隐藏"}})
    assert "秘密" not in context.messages[1]["content"]
    board = board_of(("甲.隐藏", "旧"), ("甲.公开", "秘密"))
    board.set_status("i1", "superseded", "i2")
    context = run({**ANY, "inputs": ["甲.隐藏"], "isolation": "blind_review"}, board)
    assert context.reads == []


def test_what_the_manifest_denies_is_never_received() -> None:
    assert run({**ANY, "denied": ["规则"]}, secrets()).reads == ["世界.隐藏状态", "核心.危险.隐藏"]


ROLE = {**ANY, "inputs": ["角色.*", "场景.*"], "isolation": "role_pov", "role_bound": True}


def cast() -> Board:
    return board_of(
        ("角色.A.记忆", "甲的记忆"),
        ("角色.A.思考", "甲的思考"),
        ("角色.A.思考.候选", "甲的思考"),
        ("角色.A.行动", "甲的行动"),
        ("角色.B.记忆", "乙"),
        ("角色.B.行动", "乙"),
        ("角色.B", "乙"),
        ("角色.AB.记忆", "乙"),
        ("场景.公开", "场景"),
        ("场景.隐藏信息", "乙"),
    )


def test_a_role_sees_its_own_tags_but_no_others_and_no_thoughts() -> None:
    context = run({**ROLE, "inputs": ["**"]}, cast(), role="A")
    assert context.messages[1]["content"] == "场景\n\n甲的行动\n\n甲的记忆"
    assert context.reads == ["场景.公开", "角色.A.行动", "角色.A.记忆"]


def test_segments_cannot_bring_back_what_isolation_took() -> None:
    worker = {**ROLE, "segments": [segment("s", ["角色.B.记忆", "角色.*", "角色.{id}.思考"])]}
    assert "乙" not in user(worker, cast(), role="A")
    assert "思考" not in user(worker, cast(), role="A")


def test_isolation_comes_before_merging() -> None:
    board = board_of(("规则.草稿", "可见"))
    board.write("角色.B.草稿", "不可见", source="w")
    board.set_status("i1", "superseded", "i2")
    assert run({**ROLE, "inputs": ["规则.草稿"]}, board, role="A").reads == []


def test_role_private_tags_outside_the_family_belong_to_the_role_that_the_rule_names() -> None:
    label = {"label": "role_private", "pattern": ["队伍", "{id}", "密谋"], "segment": None, "except": []}
    board = board_of(("队伍.A.密谋", "甲"), ("队伍.B.密谋", "乙"), ("队伍.B.旗号", "旗"))
    context = run({**ROLE, "inputs": ["队伍.*"]}, board, {"labels": [label]}, role="A")
    assert context.reads == ["队伍.A.密谋", "队伍.B.旗号"]


def test_a_role_binds_the_id_in_inputs_segments_and_outputs() -> None:
    worker = {
        "inputs": ["角色.{id}.记忆"],
        "outputs": ["角色.{id}.行动"],
        "role_bound": True,
        "segments": None,
    }
    data = json.loads(user(worker, cast(), role="A"))
    assert data["inputs"] == {"角色.A.记忆": "甲的记忆"}
    assert data["outputTags"] == ["角色.A.行动"]


@pytest.mark.parametrize(
    "role",
    [
        "",
        " ",
        "A.行动",
        "*",
        "**",
        "{id}",
        "A#x",
        "A\n",
        "A B",
        "cafe\u0301",
        "A\u200b",
        "ㅤ",
        "a" * 65,
        "/",
        "行动。",
    ],
)
@pytest.mark.parametrize("worker", [ROLE, ANY])
def test_what_is_no_plain_segment_is_no_role(role: str, worker: dict[str, Any]) -> None:
    with pytest.raises(AssemblyRefused, match="is no role"):
        run(worker, cast(), role=role)


@pytest.mark.parametrize("role", ["A", "阿离", "阿·离", "a_1-b", "café", "二〇三"])
def test_a_plain_segment_is_a_role(role: str) -> None:
    assert run(ROLE, board_of((f"角色.{role}.记忆", "x")), role=role).reads == [f"角色.{role}.记忆"]


@pytest.mark.parametrize(
    "worker",
    [
        ROLE,
        {**ANY, "isolation": "role_pov"},
        {**ANY, "role_bound": True},
        {**ANY, "inputs": ["角色.{id}.记忆"]},
        {**ANY, "outputs": ["角色.{id}.记忆"]},
    ],
)
def test_without_a_role_what_needs_one_is_refused(worker: dict[str, Any]) -> None:
    with pytest.raises(AssemblyRefused, match="no role was given"):
        run(worker, cast())


def test_unknown_workers_and_variants_are_refused_by_name() -> None:
    plan = sample_plan({"w": ANY})
    with pytest.raises(AssemblyRefused, match="has no worker `x`; it has `w`"):
        plan.assemble("x", Board())
    with pytest.raises(AssemblyRefused, match="has no variant `short`; it has none"):
        plan.assemble("w", Board(), variant="short")


# Segments (SPEC 9.2, 9.4, 9.6)


def test_the_layout_of_the_user_message() -> None:
    board = board_of(("需求.要点", "便利店"), ("规则.草稿", "稿"))
    worker = {
        "inputs": ["需求.*", "规则.*"],
        "segments": [
            segment("brief", ["需求.*"], tier="static", label="## 需求"),
            segment("gone", ["用户.*"], label="## 没有"),
            segment("rules", ["规则.*"], label="## 规则", inline="请看："),
        ],
    }
    context = run(worker, board)
    assert context.messages[1]["content"] == "## 需求\n\n便利店\n\n---\n\n## 规则\n\n请看：\n\n稿"
    assert [s["id"] for s in context.segments] == ["brief", "rules"]
    assert [s["tags"] for s in context.segments] == [["需求.要点"], ["规则.草稿"]]


def test_there_is_one_system_message_first_and_one_user_message() -> None:
    worker = {**ANY, "segments": [segment("a", ["a"], tier="static"), segment("b", ["b"], tier="static")]}
    for board in (Board(), board_of(("a", "1"), ("b", "2"))):
        assert [m["role"] for m in run(worker, board).messages] == ["system", "user"]


def test_constant_text_needs_no_tag_and_an_empty_text_is_none() -> None:
    worker = {
        "inputs": ["a"],
        "segments": [segment("c", [], inline="常量"), segment("s", ["a"], label="## 空")],
    }
    assert user(worker, board_of(("a", ""))) == "常量"


def test_the_persona_is_inserted_verbatim_whatever_the_policy() -> None:
    one = segment("p", ["worker.persona"], tier="static", policy=("tail_lines", 1), projection="summary")
    persona = "{冷静}\n" + "长" * 900
    assert user({"persona": persona, "segments": [one]}, Board()) == persona
    assert user({"persona": None, "segments": [one]}, Board()) == ""


def test_a_policy_wins_over_input_merge() -> None:
    board = board_of(("e", "一\n二"), ("e", "三"), ("e", "四"))

    def under(*policy: Any) -> str:
        return user({"inputs": ["e"], "segments": [segment("s", ["e"], policy=policy)]}, board)

    assert under("latest", None) == "四"
    assert under("concat", None) == "一\n二\n\n三\n\n四"
    assert under("last_turns", 2) == "三\n\n四"
    assert under("tail_lines", 3) == "二\n\n三\n\n四"
    assert under("tail_tokens", 2) == "三\n\n四"
    assert under("window_turns", 1) == "四"
    assert under("window_lines", 1) == "三\n\n四"


def test_a_variant_replaces_the_segments_and_the_plan_may_choose_one() -> None:
    worker = {**ANY, "variants": {"short": [segment("s", [], inline="短")]}}
    board = board_of(("a", "长"))
    assert user(worker, board) == "长"
    assert user(worker, board, variant="short") == "短"
    assert user({**worker, "variant": "short"}, board) == "短"


def test_projections_apply_to_each_text() -> None:
    board = board_of(("a", '{"brief": "短", "k": 1}'), ("a", '{"brief": "二", "k": 2}'))
    one = segment("s", ["a"], policy=("concat", None), projection="fields")
    assert user({"inputs": ["a"], "segments": [one]}, board) == "短\nk = 1\n\n二\nk = 2"


# History and variables


def test_a_history_that_is_handed_over_replaces_the_boards_own() -> None:
    board = board_of(("用户.最新输入", "现在"))
    board.history += [{"role": "user", "content": "你好"}, {"role": "assistant", "content": "{欢迎}"}]
    worker = {
        "inputs": ["对话.历史", "用户.最新输入"],
        "segments": [segment("h", ["对话.历史"]), segment("t", ["用户.最新输入"])],
    }
    context = run(worker, board)
    assert [m["content"] for m in context.messages[1:]] == ["你好", "{欢迎}", "现在"]
    assert context.reads == ["对话.历史", "用户.最新输入"]
    assert run(worker, board, history=[]).messages[1]["content"] == "现在"
    other = [{"role": "user", "content": "别的"}]
    assert run(worker, board, history=other).messages[1]["content"] == "别的\n\n---\n\n现在"


def test_who_does_not_declare_the_dialogue_does_not_get_it() -> None:
    board = board_of(("a", "x"))
    board.history.append({"role": "user", "content": "你好"})
    assert user({"inputs": ["a"], "segments": [segment("s", ["a", "对话.历史"])]}, board) == "x"


def test_variables_are_the_text_of_their_tag_unless_an_item_is() -> None:
    board = Board()
    board.variables["血量"] = 3
    worker = {"inputs": ["变量.当前"], "segments": [segment("s", ["变量.当前"], projection="fields")]}
    assert user(worker, board) == "血量 = 3"
    board.write("变量.当前", "写下的", source="host")
    assert user(worker, board) == "写下的"


# The JSON object of a worker without segments (SPEC 9.5)


def test_without_segments_the_user_message_is_one_json_object() -> None:
    board = board_of(("需求.要点", '他说"好"\n\x01'), ("大纲.草稿", ""))
    worker = {"inputs": ["大纲.*", "需求.*"], "outputs": ["正文.草稿"], "name": "写", "instruction": "写吧"}
    context = run(worker, board)
    assert context.messages[1]["content"] == (
        '{"workerId": "w", "workerName": "写", "outputTags": ["正文.草稿"], '
        '"inputs": {"大纲.草稿": "", "需求.要点": "他说\\"好\\"\\n\\u0001"}, "instruction": "写吧"}'
    )
    size = len(context.messages[1]["content"].encode())
    assert context.segments[0] | {"tokens": 0} == {
        "id": "inputs",
        "tier": "dynamic",
        "tags": ["大纲.草稿", "需求.要点"],
        "message": 1,
        "start": 6,
        "end": 6 + size,
        "tokens": 0,
    }


# Verbatim text and the index (SPEC 9.8)

SHAPES = [
    "{",
    "}}",
    "{{x}}",
    "{char}",
    "<user>",
    "{#i}",
    "```",
    "\n\n---\n\n",
    "\r\n",
    "🜁",
    "系统：",
    "%s",
    "\\",
]
CONTENT = st.lists(st.sampled_from(SHAPES) | st.text(st.characters(codec="utf-8")), max_size=6).map("".join)


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), CONTENT), max_size=6), CONTENT, CONTENT)
def test_slices_by_the_index_give_back_each_segment(
    rows: list[tuple[str, str]], label: str, system: str
) -> None:
    board = board_of(*rows)
    worker = {
        "system": system,
        "inputs": ["a", "b", "c"],
        "merge": "concat",
        "segments": [segment(tag, [tag], label=label, tier="static") for tag in "abc"],
    }
    context = run(worker, board)
    conversation = "".join(m["content"] for m in context.messages).encode()
    expected = {tag: [text for t, text in rows if t == tag and text] for tag in "abc"}
    assert [s["id"] for s in context.segments] == [tag for tag in "abc" if expected[tag]]
    for row in context.segments:
        text = conversation[row["start"] : row["end"]].decode()
        assert text == "\n\n".join([label, *expected[row["id"]]])
    assert (
        BREAK.join(conversation[s["start"] : s["end"]].decode() for s in context.segments)
        == context.messages[1]["content"]
    )
    assert context.prefix["fixed_bytes"] == len(system.encode())


def test_braces_and_macros_in_content_appear_byte_for_byte() -> None:
    content = '{"a": {{x}}} {char} <user> {#i} {% raw %} $name %s'
    assert user({"inputs": ["a"], "segments": [segment("s", ["a"])]}, board_of(("a", content))) == content


def test_two_turns_share_at_least_the_static_part() -> None:
    worker = {
        "inputs": ["设定", "用户.最新输入"],
        "segments": [segment("s", ["设定"], tier="static"), segment("t", ["用户.最新输入"])],
    }
    board = board_of(("设定", "便利店"), ("用户.最新输入", "一"))
    first = run(worker, board)
    board.write("用户.最新输入", "二", source="user")
    second = run(worker, board)
    static = first.prefix["static_bytes"]
    assert static == second.prefix["static_bytes"] == len("系统便利店".encode())
    texts = ["".join(m["content"] for m in c.messages).encode() for c in (first, second)]
    assert texts[0][:static] == texts[1][:static]


def test_a_static_segment_behind_a_dynamic_one_is_not_part_of_the_prefix() -> None:
    worker = {
        "inputs": ["a", "b"],
        "segments": [segment("d", ["a"]), segment("s", ["b"], tier="static")],
    }
    assert run(worker, board_of(("a", "1"), ("b", "2"))).prefix == {"fixed_bytes": 6, "static_bytes": 6}


def test_the_static_part_ends_before_the_first_dynamic_segment_even_where_that_is_empty() -> None:
    """What two contexts of one worker share cannot depend on what one of them has to show."""
    worker = {
        "inputs": ["设定", "事件", "规则"],
        "segments": [
            segment("s", ["设定"], tier="static"),
            segment("d", ["事件"]),
            segment("late", ["规则"], tier="static"),
        ],
    }
    quiet = run(worker, board_of(("设定", "店"), ("规则", "十条")))
    loud = run(worker, board_of(("设定", "店"), ("事件", "钟响"), ("规则", "十条")))
    shared = len("系统店".encode())
    assert quiet.prefix["static_bytes"] == loud.prefix["static_bytes"] == shared
    silent = run(worker, board_of(("规则", "十条")))
    assert silent.prefix == {"fixed_bytes": 6, "static_bytes": 6}


def test_the_same_plan_board_and_options_give_the_same_context() -> None:
    data = cast().to_data()
    runs = [run(ROLE, Board.from_data(data), role="A").to_json() for _ in range(2)]
    assert json.dumps(runs[0]) == json.dumps(runs[1])


def test_bags_split_at_the_history_and_the_latest_input() -> None:
    board = board_of(*((tag, tag) for tag in ("甲", "乙", "丙", "用户.最新输入")))
    board.history.append({"role": "user", "content": "旧"})
    worker = {
        "inputs": ["**"],
        "segments": [segment(t, [t]) for t in ("甲", "对话.历史", "乙", "用户.最新输入", "丙")],
    }
    assert run(worker, board).bags == {
        "before": ["甲"],
        "history": ["用户：旧"],
        "after": ["乙"],
        "turn": ["用户.最新输入"],
        "postTurn": ["丙"],
    }


def test_a_block_that_is_no_part_of_a_dialogue_is_refused() -> None:
    worker = {"inputs": ["对话.历史"], "segments": [segment("h", ["对话.历史"])]}
    with pytest.raises(AssemblyRefused, match="block 1 of the history is no text of one of the roles user, "):
        run(worker, Board(), history=[{"role": "tool", "content": "3"}])
    with pytest.raises(AssemblyRefused, match="block 2 of the history holds half a surrogate pair"):
        run(worker, Board(), history=[{"role": "user", "content": text} for text in ("走", "坏\ud83d")])


CHANGES = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.sampled_from(["甲.草稿", "甲.确认稿", "乙", "乙#一", "变量.当前", "对话.历史"]),
        st.sampled_from(["write", "reject", "accept", "supersede", "say", "set"]),
        st.text("一二", max_size=2),
    ),
    max_size=12,
)


@settings(deadline=None)
@given(CHANGES)
def test_what_a_plan_remembers_changes_no_context(changes: list[tuple[int, str, str, str]]) -> None:
    """One plan over two boards as they change, against a plan that is new each time."""
    worker = {
        "inputs": ["甲.草稿", "甲.*", "乙", "变量.当前", "对话.历史"],
        "persona": "冷静",
        "segments": [
            segment("one", ["甲.草稿"], tier="static", label="## 甲"),
            segment("all", ["乙", "甲.*"], policy=("last_turns", 2), projection="summary"),
            segment("more", ["变量.当前", "worker.persona"], inline="定："),
            segment("h", ["对话.历史"]),
        ],
    }
    plan, boards = sample_plan({"w": worker}), (Board(), Board())
    for at, tag, what, text in changes:
        _change(boards[at], tag, what, text)
        for board in boards:
            again = sample_plan({"w": worker}).assemble("w", Board.from_data(board.to_data()))
            found = plan.assemble("w", board)
            assert found.to_json() == again.to_json()
            found.segments.clear()


def _change(board: Board, tag: str, what: str, text: str) -> None:
    items = board.written(tag)
    if what == "say":
        board.history.append({"role": "user", "content": text})
    elif what == "set":
        board.variables["数"] = text
    elif what == "write" or not items:
        board.write(tag, text, source="w")
    else:
        heir = board.items[-1].id if what == "supersede" and board.items[-1] is not items[0] else None
        status = {"reject": "rejected", "accept": "accepted"}.get(what, "superseded" if heir else "live")
        board.set_status(items[0].id, status, heir)


def test_many_tags_are_placed_in_about_linear_time() -> None:
    board = Board()
    for number in range(10_000):
        board.write(f"事件.e{number}", "x", source="w")
    reads = {"inputs": ["事件.*"]}
    plan = sample_plan({"o": reads, "s": {**reads, "segments": [segment("s", ["事件.*"])]}})
    begun = process_time()
    assert all(len(plan.assemble(worker, board).reads) == 10_000 for worker in ("o", "s"))
    assert process_time() - begun < 30
