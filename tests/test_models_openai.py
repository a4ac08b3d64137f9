"""The client for OpenAI-compatible servers, against a real server process with real faults."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from chatting import serving
from running import TickingClock, live, opened, running_plan
from skillc.execute.models.protocol import Completion, ModelError, Request
from skillc.execute.profiled import ProfiledClient
from skillc.execute.profiles import (
    ProfileError,
    Profiles,
    check_profiles,
    load_profiles,
    profile_of,
)
from skillc.execute.store import open_store

KEY = "sk-very-secret-1234567890"
USER = json.dumps(
    {"outputTags": ["大纲.草稿"], "inputs": {}, "instruction": "用 JSON 回答"}, ensure_ascii=False
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving("server.py") as server:
        yield server.address


def profile(address: str, behaviour: str, **more: Any) -> dict[str, Any]:
    return {
        "id": behaviour,
        "provider": "openai-compatible",
        "baseUrl": f"{address}/{behaviour}",
        "model": "small",
        "apiKeyEnv": "SMALL_KEY",
        "maxRetries": 0,
        "timeoutSeconds": 120,
        **more,
    }


def ask(address: str, behaviour: str, user: str = USER, **more: Any) -> Completion:
    profiles = load_profiles([profile(address, behaviour, **more)])
    messages = [{"role": "system", "content": "系统"}, {"role": "user", "content": user}]
    return ProfiledClient(profiles, {"SMALL_KEY": KEY}).complete(Request("w", None, messages))


def last_request(address: str) -> dict[str, Any]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{address}/log") as answer:
        log: list[dict[str, Any]] = json.load(answer)
    return log[-1]


def test_an_answer_comes_back_with_its_usage(address: str) -> None:
    completion = ask(address, "ok")
    assert json.loads(completion.text)["outputs"] == {"大纲.草稿": "为 大纲.草稿 而写"}
    assert (completion.finish_reason, completion.way) == ("stop", "text")
    assert (completion.prompt_tokens, completion.completion_tokens, completion.cached_tokens) == (100, 7, 64)
    request = last_request(address)
    assert request["authorization"] == f"Bearer {KEY}"
    assert request["body"]["model"] == "small"
    assert [message["role"] for message in request["body"]["messages"]] == ["system", "user"]
    assert not {"response_format", "max_tokens"} & request["body"].keys()
    ask(address, "ok", maxOutputTokens=900)
    assert last_request(address)["body"]["max_tokens"] == 900


def test_json_mode_is_asked_for_where_the_profile_has_it(address: str) -> None:
    assert ask(address, "ok", capabilities=["json_object"]).way == "json_object"
    body = last_request(address)["body"]
    assert body["response_format"] == {"type": "json_object"}
    assert body["messages"][1]["content"] == USER


def test_c70_json_mode_without_the_word_json_gets_a_line_that_has_it(address: str) -> None:
    user = '{"outputTags": ["大纲.草稿"]}'
    ask(address, "ok", user=user, capabilities={"json_object": True, "tools": False})
    assert last_request(address)["body"]["messages"][1]["content"] == user + "\n\n请只输出一个 JSON 对象。"


@pytest.mark.parametrize(
    ("behaviour", "kind", "sentence"),
    [
        ("refused", "refused-key", "refused the key"),
        ("limited", "rate-limited", "takes no more requests for now (429)"),
        ("broken", "server-error", "failed (500)"),
        ("torn", "bad-response", "sent an answer that is no JSON"),
        ("odd", "bad-response", "sent an answer without a choice in it"),
        ("missing", "refused", "refused the request (404): "),
    ],
)
def test_each_fault_is_one_sentence_without_the_key(
    address: str, behaviour: str, kind: str, sentence: str
) -> None:
    with pytest.raises(ModelError) as caught:
        ask(address, behaviour)
    assert caught.value.kind == kind
    assert f"the model server of profile `{behaviour}` {sentence}" in str(caught.value)
    assert KEY not in str(caught.value) + repr(caught.value.__cause__)


def test_a_server_that_answers_late_or_not_at_all_is_named(address: str) -> None:
    with pytest.raises(ModelError, match="did not answer in time") as late:
        ask(address, "slow", timeoutSeconds=0.2)
    assert late.value.kind == "timed-out"
    with pytest.raises(ModelError, match="cannot be reached") as gone:
        ask("http://127.0.0.1:9", "ok")
    assert gone.value.kind == "unreachable"


def spoken(address: str, **fields: Any) -> Completion:
    """What becomes of an answer that holds `fields`."""
    return ask(address, "spoken", user=json.dumps(fields))


def choice(content: object) -> list[object]:
    return [{"message": {"content": content}}]


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        [],
        "3",
        {"prompt_tokens": None, "completion_tokens": "7", "prompt_tokens_details": 1},
        {"prompt_tokens": -1, "completion_tokens": True, "prompt_tokens_details": {"cached_tokens": 1e300}},
    ],
)
def test_a_count_that_makes_no_sense_costs_no_reply(address: str, usage: object) -> None:
    completion = spoken(address, choices=choice("{}"), usage=usage)
    assert completion.text == "{}"
    assert (completion.prompt_tokens, completion.completion_tokens, completion.cached_tokens) == (0, 0, 0)


def test_fractions_are_counted_down_and_parts_are_joined(address: str) -> None:
    parts = [{"type": "text", "text": '{"a":'}, {"type": "image"}, {"type": "text", "text": "1}"}]
    completion = spoken(address, choices=choice(parts), usage={"prompt_tokens": 7.5})
    assert (completion.text, completion.prompt_tokens) == ('{"a":1}', 7)
    assert spoken(address, choices=choice(None)).text == ""


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ({"choices": [{}]}, "sent an answer without a message in it"),
        ({"choices": [{"message": None}]}, "sent an answer without a message in it"),
        ({"choices": [None]}, "sent an answer without a choice in it"),
        ({"choices": {"0": 1}}, "sent an answer without a choice in it"),
        ({"choices": choice(7)}, "sent a message whose content is no text"),
        ({"error": {"message": f"no credit\nfor {KEY}"}}, "answered with an error: no credit for …"),
        ({"error": "down"}, "answered with an error: down"),
        ({"error": {"code": 3}}, "answered with an error: it does not say which"),
    ],
)
def test_an_odd_answer_is_one_sentence(address: str, answer: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError) as caught:
        spoken(address, **answer)
    assert str(caught.value) == f"the model server of profile `spoken` {sentence}"


def test_the_time_out_is_for_the_whole_answer(address: str) -> None:
    """Of a server that is never silent for long, and never done."""
    with pytest.raises(ModelError, match="did not answer in time"):
        ask(address, "dripping", timeoutSeconds=1)


def test_the_official_client_tries_again_where_the_profile_allows_it(address: str) -> None:
    assert json.loads(ask(address, "flaky", maxRetries=1).text)["summary"] == "写好了"


@pytest.mark.parametrize("behaviour", ["ok", "fenced", "thinking"])
def test_a_session_runs_on_a_server(address: str, behaviour: str, tmp_path: Path) -> None:
    plan = running_plan({"outline": {"outputs": ["大纲.草稿"]}}, {"outline": {"mode": "no_confirmation"}})
    client = ProfiledClient(load_profiles([profile(address, behaviour)]), {"SMALL_KEY": KEY})
    session = opened(open_store(str(tmp_path / "s.db"), TickingClock()), plan, client)
    assert session.status.phase == "done"
    assert live(session) == {"大纲.草稿": "为 大纲.草稿 而写"}
    assert session.record.runs[0].cached_tokens == 64
    assert KEY.encode() not in (tmp_path / "s.db").read_bytes()


@pytest.mark.parametrize(
    ("behaviour", "word"), [("blank", "blank"), ("cut", "length limit"), ("refused", "key")]
)
def test_a_session_stops_with_a_sentence_when_the_server_does_not_help(
    address: str, behaviour: str, word: str, tmp_path: Path
) -> None:
    plan = running_plan({"outline": {"outputs": ["大纲.草稿"]}})
    client = ProfiledClient(load_profiles([profile(address, behaviour)]), {"SMALL_KEY": KEY})
    session = opened(open_store(str(tmp_path / "s.db"), TickingClock()), plan, client)
    assert session.status.phase == "error"
    assert word in str(session.status.error)
    assert session.board.items == []
    assert KEY.encode() not in (tmp_path / "s.db").read_bytes()


def test_a_missing_key_is_named_by_its_variable() -> None:
    client = ProfiledClient(load_profiles([profile("http://127.0.0.1:9", "ok")]), {})
    with pytest.raises(ModelError, match="profile `ok` needs the environment variable `SMALL_KEY`"):
        client.complete(Request("w", None, []))


@pytest.mark.parametrize("key", ["密钥", "sk-1 2", "sk-1\n2", "sk-é", "sk-\u200b1"])
def test_a_key_that_no_header_can_hold_is_named_and_not_shown(key: str) -> None:
    client = ProfiledClient(load_profiles([profile("http://127.0.0.1:9", "ok")]), {"SMALL_KEY": key})
    with pytest.raises(ModelError, match="the key of profile `ok` cannot be sent") as caught:
        client.complete(Request("w", None, []))
    assert caught.value.kind == "bad-key" and key not in str(caught.value)


def test_a_line_end_behind_a_key_is_not_part_of_it(address: str) -> None:
    profiles = load_profiles([profile(address, "ok")])
    client = ProfiledClient(profiles, {"SMALL_KEY": f"{KEY}\n"})
    client.complete(Request("w", None, [{"role": "user", "content": USER}]))
    assert last_request(address)["authorization"] == f"Bearer {KEY}"


def test_profiles_name_keys_and_never_hold_them() -> None:
    with pytest.raises(ProfileError) as caught:
        load_profiles([{"id": "p", "model": "m", "apiKey": KEY}])
    assert "name its environment variable in `apiKeyEnv`" in str(caught.value)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("x", "profiles are a list"),
        ([{"id": "p"}], "profile 1, `model`: it is missing"),
        (
            [{"id": "p", "model": "m", "baseURL": "x"}],
            "a profile has no key `baseURL`; the nearest is `baseUrl`",
        ),
        ([{"id": "p", "model": "m", "baseUrl": "localhost:8080"}], "profile 1, `baseUrl`: an address begins"),
        ([{"id": "p", "model": "m", "baseUrl": ""}], "profile 1, `baseUrl`: an address begins"),
        ([{"id": "p", "model": "m", "baseUrl": "http://[::1/v1"}], "profile 1, `baseUrl`: an address begins"),
        ([{"id": "p", "model": "m", "timeoutSeconds": 1e400}], "profile 1, `timeoutSeconds`"),
        ([{"id": "p", "model": "m", "timeoutSeconds": 1e300}], "profile 1, `timeoutSeconds`"),
        ([{"id": "p", "model": "m"}, {"id": "p", "model": "n"}], "two profiles have the same id"),
        (
            {"profiles": [{"id": "p", "model": "m"}], "defaultProfileId": "q"},
            "there is no profile `q`; there are `p`",
        ),
    ],
)
def test_profiles_that_cannot_be_used_are_refused(data: object, sentence: str) -> None:
    with pytest.raises(ProfileError, match=sentence):
        load_profiles(data)


@pytest.mark.parametrize("page", ["models.md", "zh/模型与档案.md"])
def test_the_profiles_of_the_guide_fit_the_published_schema(page: str) -> None:
    root = Path(__file__).parent.parent
    text = (root / "docs" / "guide" / page).read_text(encoding="utf-8")
    data = json.loads(text.partition("```json\n")[2].partition("```")[0])
    schema = json.loads((root / "docs/schema/profiles.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(data)
    assert set(load_profiles(data).by_id) == {"local", "deepseek", "claude"}
    for wrong in ({**data, "defaultProfile": "x"}, [{**data["profiles"][0], "apiKey": "x"}]):
        assert not jsonschema.Draft202012Validator(schema).is_valid(wrong)


def test_the_default_profile_is_the_stated_one_or_the_only_one() -> None:
    two = [{"id": "p", "model": "m"}, {"id": "q", "model": "n"}]
    assert load_profiles(two[:1]).default == "p"
    assert load_profiles(two).default is None
    assert load_profiles({"profiles": two, "defaultProfileId": "q"}).default == "q"
    assert load_profiles({"profiles": two, "defaultProfileId": "q"}, "p").default == "p"


def test_a_profile_is_chosen_by_role_before_worker_before_session() -> None:
    plan = running_plan({"a": {}, "b": {"profiles": {"default": "q", "by_role": {"no": "p"}}}})
    assert profile_of(plan.workers["b"], "no") == "p"
    assert profile_of(plan.workers["b"], "B") == "q"
    assert profile_of(plan.workers["a"], "no") is None


def test_a_profile_that_the_plan_names_and_nobody_has_is_an_error() -> None:
    plan = running_plan({"b": {"profiles": {"default": None, "by_role": {"A": "lost"}}}})
    profiles: Profiles = load_profiles([{"id": "p", "model": "m"}])
    with pytest.raises(
        ProfileError, match="worker `b` wants profile `lost`, which does not exist; there are `p`"
    ):
        check_profiles(plan, profiles)
