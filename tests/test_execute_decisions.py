"""What a host decides: each decision is kept with what it changes, and one that is refused changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orchestrating import NEED, WORKERS, hosted, led_plan, stored
from running import ListedModel, TickingClock, live, needs, statuses, writes
from skillc.execute.decision import Decision, read_decision
from skillc.execute.models.protocol import ModelError
from skillc.execute.phase import DECISIONS, REASONS, Event, Refused, SessionState, apply_event
from skillc.execute.session import Session
from skillc.execute.store import LeaseLost, Store, open_store

MAP = writes({"设计.地图": "图"})
OUTLINE = writes({"大纲.草稿": "纲", "核心.危险.隐藏": "店长是鬼"})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


def test_a_host_drives_a_package_to_its_end(store: Store) -> None:
    model = ListedModel(MAP, OUTLINE, writes({"输出.正文": "文"}))
    session = hosted(store, led_plan(), model)
    assert session.run_worker("scout", reason="先画图").status == "written"
    assert live(session)["设计.地图"] == "图"
    assert session.declare_instance_ready().status == "written"
    assert session.status.stage == "play"
    listed = live(session)["设计.run_skill清单"].split("\n")
    assert [line.partition("：")[0] for line in listed] == ["outline", "write", "actor"]
    assert session.run_worker("outline").status == "written"
    assert session.status.reason == "review_artifact"
    assert session.accept().status == "written"
    assert session.run_worker("write").status == "written"
    assert session.finish("写完了").status == "written"
    assert session.status.phase == "done"
    kept = [(row.id, row.action, row.worker, row.outcome, row.driver) for row in session.record.decisions]
    assert kept == [
        ("d1", "run_worker", "scout", "taken", "host"),
        ("d2", "run_worker", "outline", "taken", "host"),
        ("d3", "run_worker", "write", "taken", "host"),
        ("d4", "finish", None, "taken", "host"),
    ]
    assert store.load(session.id) == session.record


def playing(store: Store, model: Any = None, **more: Any) -> Session:
    """A session in play, driven by its host, with a map and a need."""
    board = needs({NEED: "店", "设计.地图": "图"})
    session = Session.open(store, led_plan(**more), model or ListedModel(), board=board, driver="host")
    assert session.declare_instance_ready().status == "written"
    return session


REFUSED = [
    (("outlin",), "there is no worker `outlin`; the nearest is `outline`"),
    (("scout",), "worker `scout` runs in design, and the session is in play"),
    (("write",), "worker `write` lacks `大纲.确认稿` (written by `outline`)"),
    (("actor",), "worker `actor` runs for one role: say which; there are `甲`, `乙`"),
    (("actor", "丙"), "there is no role `丙`; there are `甲`, `乙`"),
    (("actor", "甲.乙"), "`甲.乙` is no name of a role: it is one plain segment of a tag"),
    (("outline", "甲"), "worker `outline` runs for no role"),
    (("helper",), "`helper` is a template: create_temp_worker makes a worker of it, and that one runs"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_a_turn_that_cannot_run_is_refused_and_changes_nothing(
    store: Store, given: tuple[str, ...], message: str
) -> None:
    session = playing(store)
    before = stored(store, session)
    done = session.run_worker(*given)
    assert (done.status, done.message) == ("refused", message)
    assert stored(store, session) == before


def test_who_gives_what_is_missing_is_named(store: Store) -> None:
    workers = {
        "free": {"inputs": ["项目.风格要求"], "outputs": ["大纲.草稿"]},
        "lost": {"inputs": ["无人.写的"], "outputs": ["正文.草稿"]},
        "blind": {"inputs": ["核心.危险.隐藏"], "outputs": ["验收.记录"], "isolation": "blind_review"},
    }
    plan = led_plan(workers, {}, startup=None)
    board = needs({"核心.危险.隐藏": "鬼"})
    session = Session.open(store, plan, ListedModel(), board=board, driver="host")
    session.declare_instance_ready()
    assert session.run_worker("free").message == "worker `free` lacks `项目.风格要求` (the user gives it)"
    assert session.run_worker("lost").message == "worker `lost` lacks `无人.写的` (nobody writes it)"
    blind = session.run_worker("blind").message
    assert blind == "worker `blind` lacks `核心.危险.隐藏`, which is there and never given to it"


@pytest.mark.parametrize("key", ["inputTags", "outputTags", "tags", "inputKeys", "inputs"])
def test_a_decision_that_passes_tags_is_refused(store: Store, key: str) -> None:
    session = playing(store)
    before = stored(store, session)
    done = session.decide({"id": "x", "action": "run_worker", "workerId": "outline", key: ["大纲.*"]})
    assert (
        done.message
        == f"the decision never carries `{key}`: what a worker reads and writes stands in its contract"
    )
    assert stored(store, session) == before


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            {"outputs": {"大纲.草稿": "我写"}},
            "the decision never writes: `outputs` is for the worker whose contract has the tag",
        ),
        ({"statePatch": {}}, "the decision never changes the state: it has no `statePatch`"),
        (
            {"statePatchAllowed": True},
            "the decision never changes the state: `statePatchAllowed` is always false",
        ),
        ({"workerID": "outline"}, "the decision has no key `workerID`; the nearest is `workerId`"),
        (
            {"requiresApproval": "yes"},
            "`requiresApproval` of the decision does not fit: true or false is wanted",
        ),
        (
            {"action": "write"},
            "`write` is nothing that can be decided; there are `ask_user`, `run_worker`, "
            "`create_temp_worker`, `review_blackboard`, `finish`",
        ),
        ({"reason": "长" * 2001}, "a reason has at most 2,000 characters"),
    ],
)
def test_a_decision_carries_nothing_else(more: dict[str, object], message: str) -> None:
    assert read_decision({"id": "d1", "action": "run_worker", "workerId": "outline", **more}) == message


def test_a_decision_has_exactly_its_fields() -> None:
    found = read_decision({"id": "d1", "action": "run_worker", "workerId": "w", "roleId": "甲"})
    assert isinstance(found, Decision)
    assert found.model_dump() == {
        "id": "d1",
        "action": "run_worker",
        "reason": "",
        "workerId": "w",
        "roleId": "甲",
        "requiresApproval": False,
        "statePatchAllowed": False,
    }


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        ({"action": "run_worker"}, "`run_worker` needs `workerId`"),
        (
            {"action": "finish", "workerId": "outline"},
            "`finish` is about no worker, so it takes no `workerId`",
        ),
        ({"action": "finish", "roleId": "甲"}, "`finish` runs nobody, so it takes no `roleId`"),
        (
            {"action": "finish", "requiresApproval": True},
            "`finish` runs nobody, so there is nothing to approve",
        ),
        ({"action": "ask_user"}, "`ask_user` needs a question, and none that is blank"),
    ],
)
def test_a_decision_says_what_its_kind_needs_and_no_more(
    store: Store, decision: dict[str, object], message: str
) -> None:
    assert playing(store).decide({"id": "x", **decision}).message == message


def test_nothing_is_decided_while_the_user_is_waited_for_nor_after_the_end(store: Store) -> None:
    session = Session.open(store, led_plan(), ListedModel(), driver="host")
    session.advance()
    before = stored(store, session)
    waiting = "`run_worker` is not possible while the session is waiting for the user (intake)"
    assert session.run_worker("scout").message == waiting
    assert (
        session.finish().message
        == "`finish` is not possible while the session is waiting for the user (intake)"
    )
    assert session.declare_instance_ready().refused
    assert stored(store, session) == before
    session.answer("店")
    session.finish()
    for done in (
        session.run_worker("scout"),
        session.ask_user(["?"]),
        session.review_blackboard(),
        session.finish(),
    ):
        assert done.refused and done.message.endswith("is not possible while the session is done")


def test_the_role_of_the_decision_stands_on_the_board(store: Store) -> None:
    model = ListedModel(OUTLINE, *(writes({f"角色.{role}.行动": "走"}) for role in ("乙", "甲")))
    session = playing(store, model)
    session.run_worker("outline")
    session.accept()
    session.run_worker("actor", "乙")
    assert live(session)["世界.当前角色.id"] == "乙"
    session.run_worker("actor", "甲")
    assert live(session)["世界.当前角色.id"] == "甲"
    assert model.workers == ["outline", "actor/乙", "actor/甲"]


def test_what_the_plan_wants_approved_no_decision_waives(store: Store) -> None:
    accept = {"outline": {"requires_approval": True}}
    session = playing(store, ListedModel(OUTLINE), accept=accept)
    done = session.run_worker("outline", reason="该写大纲了")
    assert done.decision and (done.decision.outcome, done.decision.requires_approval) == ("waits", True)
    assert (session.status.reason, session.pending and session.pending.prompt) == (
        "approve_step",
        "该写大纲了",
    )
    session.accept()
    assert session.advance().reason == "review_artifact"


def test_a_decision_may_ask_for_approval_and_a_refusal_leaves_the_turn_out(store: Store) -> None:
    session = playing(store, ListedModel())
    session.run_worker("outline", requires_approval=True)
    assert session.status.reason == "approve_step"
    session.reject()
    assert session.advance().phase == "running"
    assert session.record.runs == ()


def test_the_user_is_asked_for_what_the_package_lets_him_be_asked_for(store: Store) -> None:
    session = playing(store)
    closed = session.ask_user(["藏着什么？"], ["核心.危险.隐藏"])
    assert closed.refused and closed.message.startswith(
        "the package does not let the user be asked for `核心.危险.隐藏`; he may be asked for `项目.风格要求`"
    )
    assert session.ask_user(["什么风格？", "多长？"], ["项目.风格要求"]).status == "written"
    assert session.pending and (session.pending.reason, session.pending.prompt) == (
        "intake",
        "什么风格？\n多长？",
    )
    session.answer("冷")
    assert live(session)["项目.风格要求"] == "冷"
    session.ask_user("接下来？")
    assert session.pending and (session.pending.reason, session.pending.questions) == ("input", ("接下来？",))
    session.input("往前走")
    assert live(session)["用户.最新输入"] == "往前走"


@pytest.mark.parametrize(
    ("questions", "targets", "message"),
    [
        ([], [], "`ask_user` needs a question, and none that is blank"),
        (["  "], [], "`ask_user` needs a question, and none that is blank"),
        (["?"] * 13, [], "`ask_user` asks at most 12 questions at once"),
        (["问" * 2001], [], "a question has at most 2,000 characters"),
        (["?"], ["项目.风格要求"] * 2, "`ask_user` names a target twice"),
    ],
)
def test_a_question_has_a_form(store: Store, questions: list[str], targets: list[str], message: str) -> None:
    session = playing(store)
    assert session.ask_user(questions, targets).message == message


def test_asking_for_input_begins_a_round_and_closes_the_one_before(store: Store) -> None:
    model = ListedModel(OUTLINE, writes({"输出.正文": "门开了"}))
    session = playing(store, model)
    session.ask_user(["做什么？"])
    session.input("推门")
    session.run_worker("outline")
    session.accept()
    session.run_worker("write")
    session.ask_user(["然后？"])
    assert [(block.role, block.content) for block in session.record.blocks] == [
        ("user", "推门"),
        ("assistant", "门开了"),
    ]
    assert session.record.progress.round == 2


def test_a_decision_with_an_id_is_made_once(store: Store) -> None:
    session = hosted(store, led_plan(), ListedModel(MAP, MAP))
    assert session.run_worker("scout", decision_id="k").status == "written"
    again = session.run_worker("scout", decision_id="k")
    assert (again.status, again.message) == ("duplicate", "decision `k` was made before; nothing was written")
    other = Session.resume(store, session.id, led_plan(), ListedModel())
    assert other.run_worker("scout", decision_id="k").status == "duplicate"
    assert len(session.record.runs) == 1


def test_two_processes_that_decide_the_same_decide_it_once(store: Store) -> None:
    session = hosted(store, led_plan())
    other = Session.resume(store, session.id, led_plan(), ListedModel())
    assert session.ask_user(["?"], decision_id="k").status == "written"
    assert other.ask_user(["?"], decision_id="k").status == "duplicate"
    assert len(store.load(session.id).decisions) == 1


def test_of_two_decisions_at_the_same_time_one_is_refused_and_may_be_made_again(store: Store) -> None:
    session = playing(store)
    other = Session.resume(store, session.id, led_plan(), ListedModel())
    made = session.create_temp_worker("helper", "搭把手")
    late = other.create_temp_worker("helper", "搭把手")
    assert (late.status, late.message) == (
        "refused",
        "the session was moved on by another process; nothing was written",
    )
    assert made.decision and made.decision.worker in other.plan.workers
    assert other.create_temp_worker("helper", "搭把手").status == "written"


def test_a_decision_without_an_id_is_never_taken_for_one_with_an_id(store: Store) -> None:
    session = playing(store)
    assert session.create_temp_worker("helper", "搭把手", decision_id="d2").status == "written"
    assert session.create_temp_worker("helper", "搭把手").status == "written"
    assert [row.id for row in session.record.decisions] == ["d2", "d3"]


def test_readiness_that_somebody_else_declared_meanwhile_is_refused(store: Store) -> None:
    board = needs({NEED: "店", "设计.地图": "图"})
    session = Session.open(store, led_plan(), ListedModel(), board=board, driver="host")
    other = Session.resume(store, session.id, led_plan(), ListedModel())
    assert session.declare_instance_ready().status == "written"
    assert other.declare_instance_ready().message.startswith("the session was moved on by another process")
    assert other.status.stage == "play"


def test_who_lost_the_lease_of_a_session_is_told_so_by_an_exception(store: Store) -> None:
    session = playing(store)
    lease = store.lease(session.id)
    assert lease
    held = Session.resume(store, session.id, led_plan(), ListedModel(), lease=lease)
    lease.release()
    with pytest.raises(LeaseLost):
        held.finish()


def test_what_was_decided_runs_first_also_after_a_crash(store: Store) -> None:
    session = hosted(store, led_plan(), ListedModel(ModelError("down", "the server is down")))
    session.run_worker("scout")
    assert (session.status.phase, session.status.error) == ("error", "the server is down")
    model = ListedModel(MAP)
    later = Session.resume(store, session.id, led_plan(), model)
    assert later.run_worker("scout").message == "worker `scout` is to run first: that was decided before"
    assert later.advance().phase == "running"
    assert model.workers == ["scout"] and len(later.record.decisions) == 1


def test_a_revision_comes_to_pass_whoever_drives(store: Store) -> None:
    session = playing(store, ListedModel(OUTLINE, OUTLINE))
    session.run_worker("outline")
    session.reject("太短")
    assert session.advance().reason == "review_artifact"
    assert [run.revision for run in session.record.runs] == [False, True]


def test_a_failed_readiness_says_what_is_missing(store: Store) -> None:
    session = hosted(store, led_plan())
    before = stored(store, session)
    done = session.declare_instance_ready()
    assert done.message == "the package is not ready: nothing is there under `设计.地图` (written by `scout`)"
    assert stored(store, session) == before
    ready = {"prerequisites": [], "condition": ["and", ["has", ["设计", "地图"]], ["accepted", ["大纲"]]]}
    other = hosted(store, led_plan(ready=ready))
    assert other.declare_instance_ready().message == (
        "the package is not ready: `(has(设计.地图) and accepted(大纲))` does not hold"
    )


def test_readiness_is_declared_once(store: Store) -> None:
    session = playing(store)
    assert session.declare_instance_ready().message == (
        "the package is declared ready while it is designed; the session is in play"
    )


def test_a_look_at_the_board_shows_no_labelled_text(store: Store) -> None:
    session = playing(store, ListedModel(OUTLINE))
    session.run_worker("outline")
    session.accept()
    found = session.review_blackboard("看看").found
    assert "店长是鬼" not in str(found)
    tags = {row["tag"] for row in found["items"]}  # type: ignore[attr-defined]
    assert {"核心.危险.隐藏", "大纲.确认稿"} <= tags
    assert session.record.decisions[-1].action == "review_blackboard"


def test_a_worker_is_made_of_a_template_and_runs_by_its_contract(store: Store) -> None:
    model = ListedModel(writes({"设计.备注": "记"}), writes({"设计.备注": "又记"}))
    session = hosted(store, led_plan(), model)
    made = session.create_temp_worker("helper", "查一查店的历史", "缺资料")
    assert made.decision and made.decision.worker == "helper-1"
    assert session.run_worker("helper-1").status == "written"
    system = model.requests[0].messages[0]["content"]
    assert system == "系统\n\n---\n\n# 本次任务\n\n查一查店的历史"
    assert session.create_temp_worker("helper").decision.worker == "helper-2"  # type: ignore[union-attr]
    later = Session.resume(store, session.id, led_plan(), model)
    assert [id for id in later.plan.workers if id.startswith("helper")] == ["helper-1", "helper-2"]
    assert later.run_worker("helper-2").status == "written"
    assert [item.source for item in later.board.items if item.tag == "设计.备注"] == ["helper-1", "helper-2"]
    assert statuses(later)[-1] == ("设计.备注", "accepted")


def test_a_worker_that_was_made_writes_what_its_template_may(store: Store) -> None:
    model = ListedModel(*[writes({"大纲.草稿": "越界"})] * 3)
    session = hosted(store, led_plan(), model)
    session.create_temp_worker("helper")
    session.run_worker("helper-1")
    assert session.status.phase == "error" and "`大纲.草稿`" in (session.status.error or "")
    assert "大纲.草稿" not in live(session)


@pytest.mark.parametrize(
    ("template", "told", "message"),
    [
        (
            "helpr",
            "",
            "there is no template `helpr`; the nearest is `helper` of `helper`, `stand-in`, `reader`",
        ),
        (
            "outline",
            "",
            "there is no template `outline`; the nearest is `stand-in` of `helper`, `stand-in`, `reader`",
        ),
        (
            "stand-in",
            "乙要走了",
            "template `stand-in` takes no instructions: it must not know what who decides may know",
        ),
        ("helper", "长" * 4001, "instructions have at most 4,000 characters"),
    ],
)
def test_what_cannot_be_made_is_refused(store: Store, template: str, told: str, message: str) -> None:
    session = hosted(store, led_plan())
    before = stored(store, session)
    done = session.create_temp_worker(template, told)
    assert (done.status, done.message) == ("refused", message)
    assert stored(store, session) == before


def test_a_package_without_templates_makes_nobody(store: Store) -> None:
    session = hosted(store, led_plan(templates={}))
    assert (
        session.create_temp_worker("helper").message == "there is no template `helper`; the package has none"
    )


def test_so_many_workers_are_made_and_no_more(store: Store) -> None:
    session = hosted(store, led_plan())
    for _ in range(32):
        assert session.create_temp_worker("helper").status == "written"
    assert session.create_temp_worker("helper").message == "a session makes at most 32 workers of templates"


SECRETS = {
    "角色.乙.记忆": "乙的秘密",
    "角色.甲.思考": "甲的思考",
    "角色.乙.行动": "乙在明处",
    "核心.危险.隐藏": "鬼在里间",
}


@pytest.mark.parametrize(
    ("template", "role", "kept"),
    [("stand-in", "甲", list(SECRETS.values())), ("reader", None, ["鬼在里间"])],
)
def test_no_byte_of_what_is_kept_from_a_template_reaches_who_is_made_of_it(
    store: Store, template: str, role: str | None, kept: list[str]
) -> None:
    model = ListedModel(writes({}))
    board = needs({**SECRETS, "大纲.确认稿": "纲", "角色.甲.记忆": "甲自己的", "设计.地图": "图", NEED: "店"})
    session = Session.open(store, led_plan(), model, board=board, driver="host")
    session.declare_instance_ready()
    session.create_temp_worker(template)
    assert session.run_worker(f"{template}-1", role).status == "written"
    sent = str(model.requests[0].messages)
    assert "纲" in sent and not [text for text in kept if text in sent]


NAMES = st.sampled_from([*WORKERS, "helper", "nobody", "", "无", "𠀀" * 70, "\ud800"])
ROLES = st.sampled_from([None, "甲", "丙", "a.b", "", "*", "{id}", "\ud800"])
TEXTS = st.sampled_from(["", " ", "问", "\ud800", "长" * 5000])
WRONG = st.one_of(
    st.builds(lambda w, r: lambda s: s.run_worker(w, r), NAMES, ROLES),
    st.builds(
        lambda q, t: lambda s: s.ask_user([q], [t]),
        TEXTS,
        st.sampled_from(["核心.危险.隐藏", "", "不是 tag", "**"]),
    ),
    st.builds(
        lambda t, i: lambda s: s.create_temp_worker(t, i), st.sampled_from(["x", "", "stand-in"]), TEXTS
    ),
    st.builds(
        lambda k, v: lambda s: s.decide({"id": "x", "action": "finish", k: v}),
        st.sampled_from(["tags", "outputs", "x", "workerId", "statePatchAllowed", "\ud800"]),
        st.sampled_from(["", True, None, ["a"], "\ud800"]),
    ),
    st.builds(lambda r: lambda s: s.finish(r), st.sampled_from(["\ud800", "长" * 3000])),
    st.just(lambda s: s.declare_instance_ready()),
    st.just(lambda s: s.answer("答")),
    st.just(lambda s: s.accept()),
    st.just(lambda s: s.reject("不")),
    st.just(lambda s: s.input("话")),
    st.just(lambda s: s.queue("outline")),
    st.just(lambda s: s.edit("x")),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WRONG, min_size=1, max_size=6))
def test_no_sequence_of_refused_calls_changes_the_store(tmp_path: Path, attempts: list[Any]) -> None:
    store = open_store(str(tmp_path / "p.db"), TickingClock())
    plan = led_plan(ready={"prerequisites": [["没有", "的"]], "condition": None})
    session = Session.open(store, plan, ListedModel(), board=needs({}), driver="host")
    before = stored(store, session)
    for attempt in attempts:
        done = attempt(session)
        if done.status == "written":
            session = Session.resume(store, session.id, plan, ListedModel())
            before = stored(store, session)
            continue
        assert (done.refused or done.status == "duplicate") and done.message
        done.message.encode()
        assert stored(store, session) == before


STATES = [
    SessionState(),
    SessionState(phase="running"),
    SessionState(phase="running", stage="play"),
    *(SessionState(phase="waiting_user", reason=reason) for reason in REASONS),
    SessionState(phase="error", error="x"),
    SessionState(phase="done", stage="done"),
]
AFTER = {
    ("idle", "start"): "running",
    ("idle", "wait"): "waiting_user",
    ("running", "wait"): "waiting_user",
    ("running", "ask_user"): "waiting_user",
    ("running", "fail"): "error",
    ("running", "finish"): "done",
    ("running", "ready"): "running",
    ("running", "run_worker"): "running",
    ("running", "create_temp_worker"): "running",
    ("running", "review_blackboard"): "running",
    ("error", "retry"): "running",
    ("done", "more"): "running",
}
ANSWERS = {
    "answer": {"skill_selection", "intake", "input", "worker_questions", "review_artifact", "revision"},
    "accept": {"approve_step", "review_artifact", "revision"},
    "reject": {"approve_step", "review_artifact", "revision"},
}
KINDS = ("start", "wait", "ready", "fail", "retry", "more", *ANSWERS, *DECISIONS, "nonsense")


@pytest.mark.parametrize("state", STATES, ids=lambda s: f"{s.phase}-{s.reason or s.stage}")
@pytest.mark.parametrize("kind", KINDS)
def test_every_event_in_every_phase(state: SessionState, kind: str) -> None:
    reason = "skill_selection" if state.phase == "idle" else "input"
    moved = apply_event(state, Event(kind=kind, reason=reason))
    expected = AFTER.get((state.phase, kind))
    if state.reason in ANSWERS.get(kind, ()):
        expected = "running"
    if kind == "ready" and state.stage != "design":
        expected = None
    if expected is None:
        assert (
            isinstance(moved, Refused) and f"`{kind}` is not possible while the session is" in moved.message
        )
        return
    assert isinstance(moved, SessionState)
    assert moved.phase == expected
    assert moved.reason == (reason if expected == "waiting_user" else None)
    stage = {"finish": "done", "ready": "play", "more": "play"}.get(kind, state.stage)
    assert moved.stage == stage
