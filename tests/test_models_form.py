"""How a reply is asked for: the ladder of ways, the form with generated names, and the way back."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from running import running_plan, writes
from skillc.execute.delivered import read_completion
from skillc.execute.envelope import ReplyError
from skillc.execute.models.form import fits, reply_form
from skillc.execute.models.ladder import Ladder, ladder_of
from skillc.execute.models.protocol import Completion, ToolCall
from skillc.execute.models.sending import one_system_message
from skillc.execute.reply import Reply, bound_outputs

ALL = ["json_schema", "forced_tool", "json_object"]
LADDERS: list[tuple[str, dict[str, bool], dict[str, bool], list[str]]] = [
    ("nothing is known", {}, {}, ["text"]),
    ("all is there", dict.fromkeys(ALL, True), {}, [*ALL, "text"]),
    ("schema", {"json_schema": True}, {}, ["json_schema", "text"]),
    ("tools", {"tools": True}, {}, ["forced_tool", "text"]),
    ("tools by their other name", {"forced_tool": True}, {}, ["forced_tool", "text"]),
    ("JSON", {"json_object": True}, {}, ["json_object", "text"]),
    (
        "a thinking model takes no forced tool",
        {"thinking": True, "tools": True, "json_object": True},
        {},
        ["json_object", "text"],
    ),
    ("a thinking model with nothing but tools", {"thinking": True, "tools": True}, {}, ["text"]),
    ("a thinking model with a schema", {"thinking": True, "json_schema": True}, {}, ["json_schema", "text"]),
    ("probed and found to work", {}, {"json_schema": True, "json_object": False}, ["json_schema", "text"]),
    (
        "declared, probed and found not to work",
        {"json_schema": True, "json_object": True},
        {"json_schema": False},
        ["json_object", "text"],
    ),
    (
        "declared not to be there, whatever probing found",
        {"json_schema": False},
        {"json_schema": True},
        ["text"],
    ),
    ("thinking weighs more than probing", {"thinking": True}, {"forced_tool": True}, ["text"]),
]
ANTHROPIC: list[tuple[str, dict[str, bool], dict[str, bool], list[str]]] = [
    ("tools are there", {}, {}, ["forced_tool", "text"]),
    ("thinking forces none", {"thinking": True}, {}, ["auto_tool", "text"]),
    ("without tools", {"tools": False}, {}, ["text"]),
    ("probed and found not to work", {}, {"forced_tool": False}, ["text"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("capabilities", "verdicts", "ways"), [row[1:] for row in LADDERS], ids=[row[0] for row in LADDERS]
)
def test_c72_the_ways_of_a_profile(
    capabilities: dict[str, bool], verdicts: dict[str, bool], ways: list[str]
) -> None:
    assert list(ladder_of(capabilities, verdicts)) == ways


@pytest.mark.parametrize(
    ("capabilities", "verdicts", "ways"), [row[1:] for row in ANTHROPIC], ids=[row[0] for row in ANTHROPIC]
)
def test_the_ways_of_anthropic(
    capabilities: dict[str, bool], verdicts: dict[str, bool], ways: list[str]
) -> None:
    assert list(ladder_of(capabilities, verdicts, anthropic=True)) == ways


def test_a_way_that_is_dropped_is_not_used_again_and_the_last_stays() -> None:
    ladder = Ladder((*ALL, "text"))
    assert ladder.drop("forced_tool") == "json_object"
    assert ladder.drop("forced_tool") is None
    assert ladder.drop("text") is None
    assert ladder.usable(True) == ("json_schema", "json_object", "text")
    assert ladder.usable(False) == ("json_object", "text")


PLAN = running_plan(
    {
        "write": {"outputs": ["规则.草稿", "核心.隐藏"], "aliases": {"t1": "核心.隐藏"}},
        "play": {"outputs": ["角色.{id}.行动", "角色.{id}.话"], "role_bound": True},
        "many": {"outputs": ["角色.*.行动", "世界.当前"]},
        "silent": {"outputs": []},
    }
)


def form_of(worker: str, role: str | None = None) -> Any:
    return reply_form(bound_outputs(PLAN.workers[worker], role), PLAN.workers[worker].aliases)


def completion(worker: str, data: object, role: str | None = None, **more: Any) -> Reply | ReplyError:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    names = form_of(worker, role).names
    return read_completion(Completion(text, "stop", names=names, **more), PLAN.workers[worker], role)


def test_names_are_ascii_lead_back_and_meet_no_alias() -> None:
    assert form_of("write").names == {"t2": "规则.草稿", "t3": "核心.隐藏"}
    assert form_of("play", "甲").names == {"t1": "角色.甲.行动", "t2": "角色.甲.话"}
    described = form_of("write").schema["properties"]["outputs"]["properties"]["t2"]["description"]
    assert described.startswith("规则.草稿")


@pytest.mark.parametrize("worker", ["write", "many", "silent"])
def test_schemas_are_strict(worker: str) -> None:
    form = form_of(worker)
    for schema in (form.schema, *(tool.parameters for tool in form.tools)):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert_strict(schema)


def assert_strict(schema: Any) -> None:
    """What strict modes ask for: closed objects, all properties required, ASCII names."""
    if isinstance(schema, list):
        for one in schema:
            assert_strict(one)
    if not isinstance(schema, dict):
        return
    if schema.get("type") == "object":
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
        assert all(name.isascii() and name.isalnum() for name in schema["properties"])
    for value in schema.values():
        assert_strict(value)


def test_families_are_asked_for_as_a_list() -> None:
    form = form_of("many")
    assert form.schema["properties"]["outputs"]["type"] == "array" and form.names == {}
    rows = [{"tag": "角色.甲.行动", "text": "走"}, {"tag": "世界.当前", "text": "雨"}]
    reply = completion("many", {"outputs": rows, "summary": "", "askUser": None})
    assert isinstance(reply, Reply) and reply.outputs == {"角色.甲.行动": "走", "世界.当前": "雨"}


VALUES: list[object] = [
    {"outputs": {"t2": "一", "t3": None}, "summary": "", "askUser": None},
    {"outputs": {"t2": "一"}, "summary": "", "askUser": None},
    {"outputs": {"t2": 1, "t3": None}, "summary": "", "askUser": None},
    {"outputs": {"t2": "一", "t3": "二"}, "summary": "", "askUser": ["几条？"]},
    {"outputs": {"t2": "一", "t3": "二", "t4": "三"}, "summary": "", "askUser": None},
    {"outputs": [], "summary": "", "askUser": None},
    {"outputs": {"t2": "一", "t3": "二"}, "summary": "", "askUser": [1]},
    [],
    None,
]


@pytest.mark.parametrize("value", VALUES)
def test_what_fits_is_what_a_validator_of_json_schema_says(value: object) -> None:
    schema = form_of("write").schema
    assert fits(value, schema) == jsonschema.Draft202012Validator(dict(schema)).is_valid(value)


def test_names_become_tags_and_null_writes_nothing() -> None:
    reply = completion("write", {"outputs": {"t2": "一", "t3": None}, "summary": "好", "askUser": None})
    assert isinstance(reply, Reply)
    assert (reply.outputs, reply.summary, reply.notes) == ({"规则.草稿": "一"}, "好", ())


def test_tags_and_aliases_of_the_package_are_taken_beside_names() -> None:
    reply = completion("write", {"outputs": {"规则.草稿": "一", "t1": "二"}})
    assert isinstance(reply, Reply) and reply.outputs == {"规则.草稿": "一", "核心.隐藏": "二"}


def test_a_name_and_its_tag_are_twice_the_same() -> None:
    fault = completion("write", {"outputs": {"规则.草稿": "一", "t2": "二"}})
    assert isinstance(fault, ReplyError) and fault.kind == "duplicate-key"


@pytest.mark.parametrize("key", ["规则草稿", "rules.draft", "t9", "T2", "t2 "])
def test_c74_a_key_that_was_not_asked_for_is_never_written(key: str) -> None:
    fault = completion("write", {"outputs": {key: "一"}})
    assert isinstance(fault, ReplyError) and fault.kind == "undeclared-tag" and f"`{key}`" in fault.message


@pytest.mark.parametrize(
    "text",
    [
        '{"outputs":{"规则.草稿":“你好”}}',
        '{"outputs":{"规则.草稿":"他说"好""}}',
        '{"outputs":{"规则.草稿":"你好",}}',
        '{"outputs":{"规则.草稿":\'你好\'}}',
    ],
)
def test_c68_what_is_no_json_is_never_repaired_by_guess(text: str) -> None:
    fault = completion("write", text)
    assert isinstance(fault, ReplyError) and fault.kind == "not-json"


def test_c68_quotes_inside_a_text_stay_as_they_are() -> None:
    reply = completion("write", {"outputs": {"t2": '他说“好”，又说「好」\n"好"'}})
    assert isinstance(reply, Reply) and reply.outputs["规则.草稿"] == '他说“好”，又说「好」\n"好"'


def test_c73_messages_leave_with_one_system_message_at_the_head() -> None:
    said = [("user", "甲"), ("system", "一"), ("assistant", "乙"), ("system", "二"), ("user", "丙")]
    sent = one_system_message([{"role": role, "content": text} for role, text in said])
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "user"]
    assert sent[0]["content"] == "一\n\n二"


def called(*calls: tuple[str, str]) -> Reply | ReplyError:
    return completion("write", "", calls=tuple(ToolCall(name, arguments) for name, arguments in calls))


SUBMIT = '{"outputs": {"t2": "一", "t3": null}, "summary": "好"}'


def test_tools_mean_what_a_reply_means() -> None:
    reply = called(("submit", SUBMIT))
    assert isinstance(reply, Reply) and (reply.outputs, reply.summary) == ({"规则.草稿": "一"}, "好")
    asked = called(("ask_user", '{"questions": ["几条？"]}'))
    assert isinstance(asked, Reply) and (asked.outputs, asked.questions) == ({}, ("几条？",))
    both = called(("ask_user", '{"questions": ["几条？"]}'), ("submit", SUBMIT))
    assert isinstance(both, Reply) and both.outputs and both.questions


@pytest.mark.parametrize(
    ("calls", "kind"),
    [
        ([("submit", "")], "no-arguments"),
        ([("submit", "  ")], "no-arguments"),
        ([("submit", "{}")], "bad-shape"),
        ([("submit", '{"outputs": {"t2"')], "truncated"),
        ([("submit", '{"outputs": {}, "outputs": {}}')], "duplicate-key"),
        ([("submit", SUBMIT), ("submit", SUBMIT)], "ambiguous"),
        ([("write_board", "{}")], "unknown-tool"),
        ([("submit", '{"outputs": {"规则": "一"}}')], "undeclared-tag"),
        ([("ask_user", '{"questions": "几条？"}')], "bad-shape"),
    ],
)
def test_a_call_that_is_not_clear_is_named(calls: list[tuple[str, str]], kind: str) -> None:
    fault = called(*calls)
    assert isinstance(fault, ReplyError) and fault.kind == kind, fault


def test_an_answer_at_the_limit_is_cut_off_whatever_is_in_it() -> None:
    fault = read_completion(Completion(writes({"规则.草稿": "一"}), "length"), PLAN.workers["write"], None)
    assert isinstance(fault, ReplyError) and fault.kind == "length-limit"
