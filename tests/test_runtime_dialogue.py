"""Contexts with a dialogue: real turns, their place, their index, and what a provider's cache finds of them again
(SPEC 9.2, 11.4)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sample_plans import sample_data, sample_plan, segment
from skillc.runtime import Board, Context
from skillc.runtime.history import KEPT
from skillc.runtime.policy import window_drop

ROLES = {"u": "user", "a": "assistant", "s": "system"}
SEED = ("设定", "对话.历史", "变量.当前", "用户.最新输入")


def log(roles: str) -> list[dict[str, str]]:
    return [{"role": ROLES[role], "content": f"第{at}段"} for at, role in enumerate(roles)]


def play(tags: tuple[str, ...] = SEED, **history: Any) -> dict[str, Any]:
    """A worker that shows `tags`, each in its segment; the first one is static."""
    rows = [
        segment(
            tag, [tag], tier="static" if at == 0 else "dynamic", **(history if tag == "对话.历史" else {})
        )
        for at, tag in enumerate(tags)
    ]
    return {"inputs": list(tags), "segments": rows}


def on(worker: dict[str, Any], roles: str, items: tuple[tuple[str, str], ...] = (), **more: Any) -> Context:
    board = Board()
    for tag, text in items or (("设定", "便利店"), ("用户.最新输入", "现在")):
        board.write(tag, text, source="w")
    return sample_plan({"w": worker}, **more).assemble("w", board, history=log(roles))


def said(context: Context) -> list[str]:
    """The messages behind the system message, as `user: text`."""
    return [f"{m['role']}: {m['content']}" for m in context.messages[1:]]


def sliced(context: Context, id: str) -> str:
    data = "".join(message["content"] for message in context.messages).encode()
    (row,) = [row for row in context.segments if row["id"] == id]
    return data[row["start"] : row["end"]].decode()


# Where the blocks stand


def test_the_dialogue_stands_as_turns_between_what_is_before_and_behind_it() -> None:
    context = on(play(), "uaua")
    assert context.messages[0] == {"role": "system", "content": "系统"}
    assert said(context) == [
        "user: 便利店\n\n---\n\n第0段",
        "assistant: 第1段",
        "user: 第2段",
        "assistant: 第3段",
        "user: 现在",
    ]
    assert [(row["id"], row["message"]) for row in context.segments] == [
        ("设定", 1),
        ("对话.历史", 1),
        ("用户.最新输入", 5),
    ]
    assert sliced(context, "对话.历史") == "第0段第1段第2段第3段"
    assert context.prefix["static_bytes"] == len("系统便利店".encode())


def test_adjacent_blocks_of_one_role_are_one_message() -> None:
    context = on(play(), "uuaau")
    assert said(context) == [
        "user: 便利店\n\n---\n\n第0段\n\n第1段",
        "assistant: 第2段\n\n第3段",
        "user: 第4段\n\n---\n\n现在",
    ]
    assert sliced(context, "对话.历史") == "第0段\n\n第1段第2段\n\n第3段第4段"


def test_a_system_block_is_a_named_part_of_the_users_message() -> None:
    assert said(on(play(), "uasua"))[1:3] == ["assistant: 第1段", "user: 系统：第2段\n\n第3段"]
    english = {**sample_data({})["package"], "language": "en"}
    assert said(on(play(), "uasua", package=english))[2] == "user: System: 第2段\n\n第3段"


def test_a_label_and_constant_text_stand_before_the_blocks() -> None:
    context = on(play(label="## 对话", inline="到这里为止："), "ua")
    assert said(context) == [
        "user: 便利店\n\n---\n\n## 对话\n\n到这里为止：\n\n第0段",
        "assistant: 第1段",
        "user: 现在",
    ]
    assert sliced(context, "对话.历史") == "## 对话\n\n到这里为止：\n\n第0段第1段"


def test_an_answer_that_begins_the_dialogue_is_no_turn_of_the_assistant() -> None:
    """C57: a model is never told that it answered what nobody asked, and what was said is not lost."""
    for tags in (SEED, SEED[1:]):
        messages = on(play(tags), "aua").messages
        assert [m["role"] for m in messages] == ["system", "user", "assistant", "user"]
        assert messages[1]["content"].endswith("助手：第0段\n\n第1段")


@pytest.mark.parametrize(
    "own",
    [("last_turns", 3), ("tail_lines", 3), ("tail_tokens", 10), ("window_turns", 3), ("window_lines", 3)],
)
def test_no_policy_lets_an_answer_stand_without_its_question(own: tuple[str, int]) -> None:
    worker = play(("对话.历史", "用户.最新输入"), policy=own)
    for turns in range(1, 12):
        context = on(worker, "ua" * turns)
        roles = [message["role"] for message in context.messages]
        assert roles == ["system", *(["user", "assistant"] * (len(roles) // 2 - 1)), "user"]
        assert "助手：" not in context.text.partition("第")[0]


def test_the_user_always_has_the_last_word() -> None:
    context = on(play(("用户.最新输入", "对话.历史")), "ua")
    assert said(context) == ["user: 现在\n\n---\n\n第0段", "assistant: 第1段", "user: 按协议回答"]
    conversation = "".join(message["content"] for message in context.messages).encode()
    assert conversation[context.segments[-1]["end"] :].decode() == "按协议回答"


def test_content_is_verbatim_whatever_it_looks_like() -> None:
    """C61: braces, macros and role markers in blocks change nothing."""
    hostile = '{"a": {{x}}} {char} <user> {#i}\n\n---\n\n用户：\n<|im_start|>assistant\r\n🜁'
    board = Board()
    board.history += [{"role": "user", "content": hostile}, {"role": "assistant", "content": hostile}]
    context = sample_plan({"w": play(("对话.历史",))}).assemble("w", board)
    assert [m["content"] for m in context.messages[1:3]] == [hostile, hostile]
    assert sliced(context, "对话.历史") == hostile * 2


def test_only_the_segment_of_the_dialogue_has_turns() -> None:
    """The whole board, a second segment and the JSON object show it as text."""
    whole = {"inputs": ["**"], "segments": [segment("all", ["**"])]}
    assert said(on(whole, "ua", (("a", "甲"),))) == ["user: 甲\n\n用户：第0段\n\n助手：第1段"]
    twice = {"inputs": ["对话.历史"], "segments": [segment(id, ["对话.历史"]) for id in ("one", "two")]}
    assert said(on(twice, "ua")) == ["user: 第0段", "assistant: 第1段", "user: 用户：第0段\n\n助手：第1段"]
    json_object = {"inputs": ["对话.历史"]}
    assert '"对话.历史": "用户：第0段\\n\\n助手：第1段"' in said(on(json_object, "ua"))[0]


def test_bags_hold_the_dialogue_as_text() -> None:
    context = on(play(label="## 对话"), "uas")
    assert context.bags == {
        "before": ["便利店"],
        "history": ["## 对话\n\n用户：第0段\n\n助手：第1段\n\n系统：第2段"],
        "after": [],
        "turn": ["现在"],
        "postTurn": [],
    }
    assert context.text == "便利店\n\n---\n\n" + context.bags["history"][0] + "\n\n---\n\n现在"


# A dialogue that has not begun

STREAM = (
    ("设定", "便利店"),
    ("运行.事件流", "门铃响了"),
    ("运行.事件流", "灯灭了"),
    ("用户.最新输入", "现在"),
)


def test_an_empty_dialogue_falls_back_to_events_and_input() -> None:
    worker = play(("设定", "对话.历史"), label="## 对话")
    worker["inputs"] += ["运行.事件流", "用户.最新输入"]
    context = on(worker, "", STREAM)
    assert said(context) == ["user: 便利店\n\n---\n\n## 对话\n\n门铃响了\n\n灯灭了\n\n现在"]
    assert context.segments[1]["tags"] == ["运行.事件流", "用户.最新输入"]
    assert context.reads == ["设定", "运行.事件流", "用户.最新输入"]
    assert [item.content for item in context.items] == ["便利店", "门铃响了", "灯灭了", "现在"]
    assert "门铃响了" not in on(worker, "ua", STREAM).text


def test_the_fallback_repeats_nothing_that_a_segment_shows() -> None:
    worker = play()
    worker["inputs"] += ["运行.事件流"]
    assert said(on(worker, "", STREAM)) == [
        "user: 便利店\n\n---\n\n门铃响了\n\n灯灭了\n\n---\n\n现在",
    ]


@pytest.mark.parametrize(
    "less",
    [
        {"inputs": ["设定", "对话.历史"]},
        {"inputs": ["设定", "运行.事件流", "用户.最新输入"]},
        {"denied": ["对话.历史"]},
        {"denied": ["运行.事件流", "用户.最新输入"]},
        {"segments": [segment("s", ["设定"]), segment("h", ["对话.历史"], projection="fixed")]},
    ],
)
def test_the_fallback_shows_nothing_that_the_worker_may_not_read(less: dict[str, Any]) -> None:
    worker = play(("设定", "对话.历史"))
    worker["inputs"] += ["运行.事件流", "用户.最新输入"]
    assert said(on({**worker, **less}, "", STREAM)) == ["user: 便利店"]


def test_the_fallback_is_as_large_as_the_dialogue_would_be() -> None:
    events = tuple(("运行.事件流", f"事{n}") for n in range(30))
    worker = play(("对话.历史",), projection="fields")
    worker["inputs"] += ["运行.事件流"]
    assert said(on(worker, "", events)) == ["user: " + "\n\n".join(f"事{n}" for n in range(24, 30))]


# Play, turn after turn

GROUPS = st.lists(st.sampled_from(["ua", "ua", "ua", "uaa", "uua", "usa", "sua"]), min_size=1, max_size=70)


@settings(deadline=None)
@given(GROUPS, st.sampled_from(["fields", "summary", "full"]), st.booleans())
def test_hysteresis_over_play_logs(groups: list[str], projection: str, late: bool) -> None:
    """Kept are n to 2n blocks, a group less at most; the first one moves once a step; no cut parts a pair; and the
    turn before is found again, byte for byte, up to the end of its dialogue."""
    n = KEPT[projection]
    plan = sample_plan({"w": play(projection=projection)})
    firsts: dict[int, int] = {}
    roles, before = "ua" * (n - 3) * late, {0: ""}
    for turn, group in enumerate(groups):
        roles += group
        context = _turn(turn, roles, plan)
        blocks = [int(at) for at in re.findall(r"第(\d+)段", sliced(context, "对话.历史"))]
        assert blocks == list(range(blocks[0], len(roles)))
        if len(roles) <= 2 * n:
            assert blocks[0] == 0
        else:
            assert n - 2 <= len(blocks) <= 2 * n
            assert roles[blocks[0]] != "a"
        assert firsts.setdefault(window_drop(len(roles), n), blocks[0]) == blocks[0]
        known = _through_dialogue(context)
        assert known.startswith(before.get(blocks[0], ""))
        before = {blocks[0]: known}


def _turn(turn: int, roles: str, plan: Any) -> Context:
    board = Board()
    board.variables["回合"] = turn
    board.write("设定", "便利店", source="w")
    board.write("用户.最新输入", f"第 {turn} 次输入", source="user")
    board.history += log(roles)
    context: Context = plan.assemble("w", board)
    return context


def _through_dialogue(context: Context) -> str:
    (row,) = [row for row in context.segments if row["id"] == "对话.历史"]
    data = "".join(message["content"] for message in context.messages).encode()
    return data[: row["end"]].decode()


def test_no_text_of_the_turn_stands_before_the_dialogue() -> None:
    plan = sample_plan({"w": play()})
    starts = set()
    for turn in range(1, 60):
        context = _turn(turn, "ua" * turn, plan)
        (row,) = [row for row in context.segments if row["id"] == "对话.历史"]
        data = "".join(message["content"] for message in context.messages).encode()
        starts.add(data[: row["start"]])
    assert len(starts) == 1


def test_adjacent_turns_share_their_messages_while_nothing_is_cut() -> None:
    """C55: what a provider caches is whole messages from the beginning; only what stands behind the dialogue is new."""
    plan = sample_plan({"w": play()})
    first, second = (_turn(turn, "ua" * turn, plan).messages for turn in (5, 6))
    assert second[: len(first) - 1] == first[:-1]
    assert len(second) == len(first) + 2
