"""The reply protocol: what is taken as it is, and what is refused under which name."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from running import running_plan
from skillc.execute.envelope import ReplyError
from skillc.execute.reply import Reply, is_blank, parse_reply

PLAN = running_plan(
    {
        "write": {"outputs": ["规则.草稿", "规则.说明.草稿"], "aliases": {"规则": "规则.草稿"}},
        "decide": {
            "outputs": ["角色.{id}.行动", "角色.*.信念"],
            "isolation": "role_pov",
            "role_bound": True,
            "aliases": {"行动": "角色.{id}.行动"},
        },
        "notes": {"outputs": ["笔记.*"]},
        "mute": {},
    }
)
WRITE = PLAN.workers["write"]


def read(text: str, finish: str | None = "stop") -> Reply:
    reply = parse_reply(text, WRITE, None, finish)
    assert isinstance(reply, Reply), reply
    return reply


def refused(
    text: str, worker: str = "write", role: str | None = None, finish: str | None = None
) -> ReplyError:
    error = parse_reply(text, PLAN.workers[worker], role, finish)
    assert isinstance(error, ReplyError), error
    return error


GOOD = '{"outputs": {"规则.草稿": "一"}, "summary": "好", "askUser": null}'


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```\n",
        f"好的，这是结果：\n\n{GOOD}",
        f"用 {{id}} 表示角色：\n```json\n{GOOD}\n```",
        f'<think>先想 {{"outputs": {{}}}}</think>\n{GOOD}',
        f"先想一想……</think>\n{GOOD}",
        f'想 {{"outputs": {{"规则.草稿": "别的"}}}} 不好</think>{GOOD}',
        f'想 {{"outputs": 没写完</think>{GOOD}',
        f"一</think>二</think>\n```json\n{GOOD}\n```",
        f"  \n{GOOD}\n\n",
    ],
)
def test_wrappings_around_the_object_are_accepted(text: str) -> None:
    assert read(text) == Reply({"规则.草稿": "一"}, "好")


@pytest.mark.parametrize(
    "value",
    [
        "<think>这是正文</think>后面",
        "前</think>后",
        "```json\n{}\n```",
        '{"outputs": {}}',
        "# 标题\n{id} {{x}} \\n “引号”",
        "  首尾空白 \n",
    ],
)
@pytest.mark.parametrize("before", ["", "好的：", "```json\n"])
def test_what_stands_inside_a_value_stays_as_it_is(value: str, before: str) -> None:
    text = before + json.dumps({"outputs": {"规则.草稿": value}}, ensure_ascii=False)
    assert read(text + ("\n```" if before.startswith("`") else "")).outputs == {"规则.草稿": value}


@given(st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: not is_blank(text)))
def test_any_text_survives_the_reply(value: str) -> None:
    assert read(json.dumps({"outputs": {"规则.草稿": value}})).outputs == {"规则.草稿": value}


@given(st.text(alphabet='{}"“”<think>/规则.草稿:,[]\\ \n`outputs1', max_size=60))
def test_nothing_that_a_model_sends_is_an_exception(text: str) -> None:
    assert isinstance(parse_reply(text, WRITE), Reply | ReplyError)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty"),
        ("  \n ", "empty"),
        ("<think>想着想着", "truncated"),
        ('{"outputs": {"规则.草稿": "写到一', "truncated"),
        ('{"outputs": {"规则.草稿": "一"}', "truncated"),
        ('{"outputs": {"规则.草稿": "一"}, ', "truncated"),
        ("我写好了。", "not-json"),
        ("['outputs']", "not-json"),
        ("{'outputs': {}}", "not-json"),
        ("{“outputs”: {“规则.草稿”: “你好”}}", "not-json"),
        ('{"outputs":{"规则.草稿":“你好”}}', "not-json"),
        ('{"outputs": {"规则.草稿": NaN}}', "not-json"),
        ('{"outputs": {"规则.草稿": -Infinity}}', "not-json"),
        ('{"outputs": {"规则.草稿": 1e999}}', "not-json"),
        ('{"outputs": {"规则.草稿": "\\ud83d"}}', "not-json"),
        ('{"outputs": {"规则.草稿": "一\n二"}}', "not-json"),
        ('{"outputs": {}} 就是这样。', "not-json"),
        ('{"a":' * 100_000, "not-json"),
        (GOOD + GOOD, "ambiguous"),
        (f"第一版\n```json\n{GOOD}\n```\n第二版\n```json\n{GOOD}\n```", "ambiguous"),
        ('{"outputs": {}, "outputs": {"规则.草稿": "一"}}', "duplicate-key"),
        ('{"outputs": {"规则.草稿": "一", "规则.草稿": "二"}}', "duplicate-key"),
        ('{"outputs": {"规则.草稿": {"a": 1, "a": 2}}}', "duplicate-key"),
        ('{"outputs": {"规则.草稿": "一", "规则": "二"}}', "duplicate-key"),
        ('{"规则.草稿": "一"}', "bad-shape"),
        ('{"outputs": "规则"}', "bad-shape"),
        ('{"outputs": [{"tag": "规则.草稿"}]}', "bad-shape"),
        ('{"outputs": {}, "askUser": "问什么"}', "bad-shape"),
        ('{"outputs": {}, "askUser": [" "]}', "bad-shape"),
        (json.dumps({"askUser": ["？"] * 13}), "asks-too-much"),
        (json.dumps({"askUser": ["问" * 2_001]}), "asks-too-much"),
        ('{"outputs": {}, "summary": 3}', "bad-shape"),
        ('{"outputs": {"规则.草稿": ""}}', "blank-text"),
        ('{"outputs": {"规则.草稿": " \\n\\u3000"}}', "blank-text"),
        ('{"outputs": {"规则.草稿": "\\u200b\\ufeff"}}', "blank-text"),
    ],
)
def test_what_is_not_one_valid_reply_has_a_name(text: str, kind: str) -> None:
    assert refused(text).kind == kind


@pytest.mark.parametrize(
    "text", ['{"outputs": {}} \ud83d', '{"a": \ud83d}', '{"\ud83d": 1, "\ud83d": 2}', "\ud83d"]
)
def test_a_refusal_that_quotes_half_a_character_can_be_sent(text: str) -> None:
    assert refused(text).message.encode()


def test_the_length_limit_of_the_model_is_a_truncated_reply_even_when_it_parses() -> None:
    assert refused(GOOD, finish="length").kind == "length-limit"


def test_a_value_that_is_no_text_becomes_canonical_json() -> None:
    reply = read('{"outputs": {"规则.草稿": {"b": [1, true], "a": "字"}, "规则.说明.草稿": 1.10}}')
    assert reply.outputs == {"规则.草稿": '{"a":"字","b":[1,true]}', "规则.说明.草稿": "1.1"}


def test_null_writes_nothing_and_says_so() -> None:
    reply = read('{"outputs": {"规则.草稿": null}}')
    assert reply.outputs == {}
    assert reply.notes == ("`规则.草稿` is null: nothing is written",)


def test_the_list_form_means_the_same() -> None:
    assert read('{"outputs": [{"tag": "规则", "text": "一"}]}').outputs == {"规则.草稿": "一"}
    twice = '{"outputs": [{"tag": "规则.草稿", "text": "一"}, {"tag": "规则.草稿", "text": "二"}]}'
    assert refused(twice).kind == "duplicate-key"


def test_a_long_summary_is_cut_and_noted() -> None:
    reply = read(json.dumps({"outputs": {}, "summary": "长" * 51}))
    assert reply.summary == "长" * 50
    assert reply.notes == ("the summary has 51 characters and was cut to 50",)


def test_one_bad_key_refuses_all_and_names_each_with_the_nearest_tag() -> None:
    error = refused('{"outputs": {"规则.草稿": "一", "规则草稿": "二", "rules.draft": "三"}}')
    assert error == ReplyError(
        "undeclared-tag",
        "`write` may not write `规则草稿`, `rules.draft` (nearest `规则.草稿`, `规则.草稿`); "
        "nothing was written",
    )
    assert refused('{"outputs": {"规则.草稿": "一"}}', "mute").message == (
        "`mute` writes no tags, but the reply has `规则.草稿`"
    )


def test_a_role_writes_its_own_tags_only() -> None:
    text = '{"outputs": {"角色.A.行动": "走", "角色.A.信念": "信"}}'
    reply = parse_reply(text, PLAN.workers["decide"], "A")
    assert isinstance(reply, Reply)
    assert reply.outputs == {"角色.A.行动": "走", "角色.A.信念": "信"}
    alias = parse_reply('{"outputs": {"行动": "走"}}', PLAN.workers["decide"], "A")
    assert isinstance(alias, Reply)
    assert alias.outputs == {"角色.A.行动": "走"}
    for other in ("角色.B.行动", "角色.B.信念", "角色.{id}.行动"):
        assert refused(json.dumps({"outputs": {other: "走"}}), "decide", "A").kind == "undeclared-tag"


@pytest.mark.parametrize(
    "tag",
    [
        "笔记",
        "笔记.",
        "笔记..一",
        "笔记.*",
        "笔记.a b",
        "笔记.\u200b",
        "笔记.a#b#c",
        "笔记.e\u0301",
        "笔记.a#",
    ],
)
def test_a_family_takes_only_well_formed_tags(tag: str) -> None:
    assert refused(json.dumps({"outputs": {tag: "x"}}), "notes").kind == "undeclared-tag"


def test_a_family_takes_its_tags_and_their_slots() -> None:
    for tag in ("笔记.一", "笔记.一.二", "笔记.一#槽"):
        reply = parse_reply(json.dumps({"outputs": {tag: "x"}}), PLAN.workers["notes"])
        assert isinstance(reply, Reply)
        assert reply.outputs == {tag: "x"}


def test_questions_beside_outputs_are_kept_with_them() -> None:
    reply = read('{"outputs": {"规则.草稿": "一"}, "askUser": ["多长？"], "想法": "x"}')
    assert reply.questions == ("多长？",)
    assert reply.notes == ("the key `想法` is not part of a reply",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"outputs": {"规则.草稿": “一”}}', "a value is wanted (texts stand in straight quotes)"),
        ('{"outputs": {"规则.草稿": "一",}}', "a key in straight double quotes is wanted"),
        ('{"outputs": {"规则.草稿"："一"}}', "a colon is wanted"),
        ('{"outputs": {} "summary": ""}', "a comma is wanted, or a closing bracket"),
        ('{"outputs": {"规则.草稿": "一\n二"}}', "a line break or control character stands in a text"),
        ('{"outputs": {"规则.草稿": "\\x"}}', "there is no such escape"),
    ],
)
def test_what_is_wrong_with_json_is_said_so_that_it_can_be_mended(text: str, said: str) -> None:
    error = refused(text)
    assert error.kind == "not-json" and said in error.message
