"""When a failed call is made again, and how far in pieces an answer may come; as pure functions."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from skillc.execute.models.answer import BadAnswer, CutOff, ServerSaid, read_stream
from skillc.execute.models.retrying import LONGEST, Budget, delay_before, wanted_delay
from skillc.execute.models.sse import event_data

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_delays_grow_spread_and_end() -> None:
    most = [delay_before(retry, chance=lambda: 1.0) for retry in (1, 2, 3, 4)]
    assert most == [0.5, 1.0, 2.0, 4.0]
    assert [delay_before(retry, chance=lambda: 0.0) for retry in (1, 2, 3, 4)] == [each / 2 for each in most]
    assert delay_before(1000) <= LONGEST
    assert delay_before(5, 0.0) == 0.0 and delay_before(1, 99.0) == 99.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:07 GMT"}, 7.0),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e99"}, None),
        ({}, None),
    ],
)
def test_what_a_server_asks_for_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert wanted_delay(headers, NOON) == seconds


def test_a_budget_runs_out() -> None:
    now = [10.0]
    budget = Budget(3, lambda: now[0])
    assert budget.left == 3
    now[0] = 12.5
    assert budget.left == 0.5
    now[0] = 99.0
    assert budget.left == 0


def test_events_are_joined_and_a_cut_one_is_none() -> None:
    lines = ["data: a", "data: b", "", "retry: 3", "", "data:c", "", "data: half"]
    assert list(event_data(lines)) == ["a\nb", "c"]
    assert list(event_data(["data: [DONE]"])) == ["[DONE]"]


@pytest.mark.parametrize(
    ("events", "fault"),
    [
        ([], CutOff),
        (['{"choices": [{"delta": {"content": "a"}}]}'], CutOff),
        (["{"], BadAnswer),
        (["[]"], BadAnswer),
        (['{"error": {"message": "down"}}'], ServerSaid),
        (['{"choices": [{"delta": {"content": 7}}]}'], BadAnswer),
    ],
)
def test_a_stream_that_is_none_is_named(events: list[str], fault: type[Exception]) -> None:
    with pytest.raises(fault):
        read_stream(events, lambda _: None)


def test_tools_come_in_pieces_and_thoughts_are_counted_only() -> None:
    def piece(index: int, **function: str) -> str:
        import json

        return json.dumps({"choices": [{"delta": {"tool_calls": [{"index": index, "function": function}]}}]})

    seen: list[int] = []
    events = [
        '{"choices": [{"delta": {"reasoning_content": "hm"}}]}',
        piece(0, name="submit", arguments=""),
        piece(0, arguments='{"a"'),
        piece(1, name="ask_user", arguments="{}"),
        piece(0, arguments=": 1}"),
        '{"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}',
        '{"choices": [], "usage": {"prompt_tokens": 3}}',
    ]
    answer = read_stream(events, seen.append)
    assert [(call.name, call.arguments) for call in answer.calls] == [
        ("submit", '{"a": 1}'),
        ("ask_user", "{}"),
    ]
    assert (answer.text, answer.finish_reason, answer.prompt_tokens) == ("", "tool_calls", 3)
    assert seen == sorted(seen) and seen[-1] == 12
