"""Phases and reasons: what may happen when, and that everything else changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from skillc.execute.phase import REASONS, Event, Refused, SessionState, allowed_actions, apply_event

KINDS = ("start", "wait", "answer", "accept", "reject", "ready", "fail", "retry", "finish", "nonsense")
EVENTS = st.builds(
    Event, kind=st.sampled_from(KINDS), reason=st.sampled_from([*REASONS, None, "boredom"]), message=st.none()
)


def after(*events: tuple[str, str | None]) -> SessionState:
    """The state after events that are all allowed."""
    state = SessionState()
    for kind, reason in events:
        moved = apply_event(state, Event(kind=kind, reason=reason))
        assert isinstance(moved, SessionState), moved
        state = moved
    return state


@given(st.lists(EVENTS, max_size=30))
def test_no_sequence_of_events_leads_to_an_illegal_state(events: list[Event]) -> None:
    state = SessionState()
    for event in events:
        moved = apply_event(state, event)
        if isinstance(moved, Refused):
            assert event.kind in moved.message or str(event.reason) in moved.message
            continue
        assert (moved.reason is not None) == (moved.phase == "waiting_user")
        assert moved.reason in (None, *REASONS)
        assert (moved.error is not None) == (moved.phase == "error")
        assert (moved.stage == "done") == (moved.phase == "done")
        assert ("design", "play", "done").index(moved.stage) >= ("design", "play", "done").index(state.stage)
        state = moved


@given(st.lists(EVENTS, max_size=20), EVENTS)
def test_the_same_event_on_the_same_state_gives_the_same_result(events: list[Event], last: Event) -> None:
    state = SessionState()
    for event in events:
        moved = apply_event(state, event)
        state = moved if isinstance(moved, SessionState) else state
    before = state.model_dump()
    assert apply_event(state, last) == apply_event(state, last)
    assert state.model_dump() == before


def test_waiting_ends_only_by_what_its_reason_allows() -> None:
    waiting = after(("start", None), ("wait", "intake"))
    assert isinstance(apply_event(waiting, Event(kind="accept")), Refused)
    assert apply_event(waiting, Event(kind="answer")) == after(("start", None))
    assert allowed_actions(waiting) == ("answer",)
    assert allowed_actions(after(("start", None), ("wait", "revision"))) == ("answer", "accept", "reject")


def test_the_stage_goes_forward_only_while_running() -> None:
    assert after(("start", None), ("ready", None)).stage == "play"
    assert isinstance(apply_event(SessionState(), Event(kind="ready")), Refused)
    playing = after(("start", None), ("ready", None))
    assert isinstance(apply_event(playing, Event(kind="ready")), Refused)


def test_a_done_session_takes_no_event() -> None:
    done = after(("start", None), ("finish", None))
    assert all(isinstance(apply_event(done, Event(kind=kind, reason="intake")), Refused) for kind in KINDS)


def test_only_a_session_without_a_package_waits_before_it_started() -> None:
    assert after(("wait", "skill_selection"), ("answer", None)).phase == "running"
    refused = apply_event(SessionState(), Event(kind="wait", reason="intake"))
    assert isinstance(refused, Refused)
    assert refused.message == "a session that has not started cannot wait for intake"
