"""A model that decides who runs: what it is told, what it may call, what it never sees, and where it is stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orchestrating import NEED, WORKERS, calls, led_plan, runs
from running import ListedModel, TickingClock, live, needs, writes
from skillc.execute.envelope import ReplyError
from skillc.execute.models.form import fits
from skillc.execute.models.protocol import Completion, ModelError, Request, ToolCall
from skillc.execute.models.scripted import read_script
from skillc.execute.orchestrator import looking, loop, talk
from skillc.execute.orchestrator.tools import TOOLS, Call, read_call, tools_form
from skillc.execute.playback import Playback
from skillc.execute.records import SessionRecord, TalkRow
from skillc.execute.session import Session, SessionRefused
from skillc.execute.store import Store, open_store
from skillc.runtime import RunnablePlan

MAP = writes({"设计.地图": "图"})
OUTLINE = writes({"大纲.草稿": "纲", "核心.危险.隐藏": "店长是鬼"}, summary="店长其实是鬼")
TEXT = writes({"输出.正文": "门开了"})
WAY = [
    calls("list_workers"),
    runs("scout"),
    MAP,
    calls("declare_instance_ready"),
    runs("outline"),
    OUTLINE,
    calls("read_blackboard", tags=["大纲.确认稿", "核心.危险.隐藏", "没有.的"]),
    runs("write"),
    TEXT,
    calls("finish"),
]


REST = calls("ask_user", questions=["还要什么？"])
"""A call behind which a session waits, wherever it stands."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    yield open_store(str(tmp_path / "s.db"), TickingClock())


def led(
    store: Store, *replies: str | Exception, plan: RunnablePlan | None = None, **more: Any
) -> tuple[Session, ListedModel]:
    """A session that a model drives, behind the startup inquiry, and the model."""
    model = ListedModel(*replies)
    session = Session.open(store, plan or led_plan(), model, driver="model", **more)
    session.advance()
    if session.status.reason == "intake":
        session.answer("夜班便利店")
        session.advance()
    return session, model


def asked(model: ListedModel) -> list[Request]:
    """The requests of the loop."""
    return [request for request in model.requests if request.worker == loop.NAME]


def last(request: Request) -> list[dict[str, Any]]:
    """What the last message of a request says, each part as data."""
    return [json.loads(part) for part in request.messages[-1]["content"].split("\n\n")]


def test_a_model_drives_a_package_to_its_end(store: Store) -> None:
    session, model = led(store, *WAY)
    assert session.status.reason == "review_artifact"
    session.accept()
    assert session.advance().phase == "done"
    assert model.replies == []
    assert live(session)["输出.正文"] == "门开了"
    assert [(row.action, row.worker, row.driver) for row in session.record.decisions] == [
        ("run_worker", "scout", "model"),
        ("run_worker", "outline", "model"),
        ("run_worker", "write", "model"),
        ("finish", None, "model"),
    ]
    assert store.load(session.id) == session.record
    paid = [row for row in session.record.calls if row.worker == loop.NAME]
    assert len(paid) == 7 and {row.outcome for row in paid} == {"ok"}


def test_the_orchestrator_is_told_its_prompt_and_what_happened_and_goes_by_the_default_profile(
    store: Store,
) -> None:
    _, model = led(store, *WAY)
    first, second, third = asked(model)[:3]
    assert first.messages[0] == {"role": "system", "content": "总管"}
    assert (first.profile, first.role, first.form) == (None, None, tools_form())
    assert last(first) == [
        {
            "said": [{"tag": NEED, "content": "夜班便利店"}],
            "user": [{"did": "answer", "about": "intake"}],
            "now": {
                "stage": "design",
                "not_ready_because": ["nothing is there under `设计.地图` (written by `scout`)"],
            },
        }
    ]
    (told,) = last(second)
    assert told["tool"] == "list_workers"
    assert {row["id"]: row["ready"] for row in told["result"]["workers"]} == {"scout": True}
    assert {row["id"] for row in told["result"]["templates"]} == {"helper", "stand-in", "reader"}
    assert last(third) == [
        {
            "ran": [{"worker": "scout", "wrote": ["设计.地图"]}],
            "now": {"stage": "design", "not_ready_because": []},
        }
    ]
    roles = [message["role"] for message in asked(model)[-1].messages]
    assert roles == ["system"] + ["user", "assistant"] * ((len(roles) - 2) // 2) + ["user"]


def test_no_labelled_text_reaches_the_orchestrator(store: Store) -> None:
    """Nor what a worker says who knows one: its summary, its questions, the reason of its verdict."""
    asking = writes({}, askUser=["店长是鬼，可以吗？"])
    replies = [runs("scout"), MAP, calls("declare_instance_ready"), runs("outline"), asking, OUTLINE]
    looks = [
        calls("read_blackboard"),
        calls(
            "read_blackboard", tags=["核心.危险.隐藏", "变量.当前", "变量.更新", "变量.用户", "角色.甲.记忆"]
        ),
        calls("list_artifacts"),
        calls("review_blackboard"),
        REST,
    ]
    seen = needs({"角色.甲.记忆": "甲的秘密"})
    seen["variables"] = [
        {"key": "灯油", "value": 2},
        {"key": "真凶", "value": "店长是鬼", "visibility": "hidden"},
    ]
    plan = led_plan(asks=[["角色", "{id}", "设定"]])
    session, model = led(store, *replies, *looks, plan=plan, board=seen)
    assert session.status.reason == "worker_questions"
    session.answer("可以")
    session.advance()
    session.edit({"真凶": "还是店长是鬼"})
    session.accept()
    assert session.advance().reason == "input"
    sent = json.dumps([list(request.messages) for request in asked(model)], ensure_ascii=False)
    assert "大纲.确认稿" in sent and "灯油" in sent
    assert "鬼" not in sent and "甲的秘密" not in sent
    assert "鬼" not in json.dumps([row.content for row in session.record.talk], ensure_ascii=False)


def test_an_answer_under_a_labelled_tag_is_told_without_its_text(store: Store) -> None:
    question = calls("ask_user", questions=["甲是谁？"], targets=["角色.甲.设定"])
    session, model = led(store, question, REST)
    assert session.pending and session.pending.targets == ("角色.甲.设定",)
    session.answer("一个骗子")
    session.advance()
    assert "骗子" not in str([row.content for row in session.record.talk])
    assert {"tag": "角色.甲.设定", "closed": True} in last(asked(model)[-1])[0]["said"]


def test_reading_the_board_gives_texts_of_named_tags(store: Store) -> None:
    session, model = led(store, *WAY)
    session.accept()
    session.advance()
    found = next(
        told["result"]
        for request in asked(model)
        for told in last(request)
        if told.get("tool") == "read_blackboard"
    )
    assert found == {
        "items": [
            {"tag": "大纲.确认稿", "status": "accepted", "size": 1, "by": "outline", "content": "纲"},
            {"tag": "核心.危险.隐藏", "status": "accepted", "size": 4, "by": "outline", "closed": True},
        ],
        "nothing": ["没有.的"],
    }


REFUSED = [
    (
        json.dumps(
            {"tool": "run_worker", "arguments": {"workerId": "scout", "reason": "", "inputTags": ["需求.*"]}}
        ),
        "`run_worker` never carries `inputTags`: what a worker reads and writes stands in its contract",
    ),
    (
        calls("run_worker", workerId="scout", outputs={"设计.地图": "我来画"}),
        "`run_worker` never writes: `outputs` is for the worker whose contract has the tag",
    ),
    (
        calls("finish", statePatch={"stage": "done"}),
        "`finish` never changes the state: it has no `statePatch`",
    ),
    (
        json.dumps({"outputs": {"设计.地图": "图"}}),
        "the call never writes: `outputs` is for the worker whose contract has the tag",
    ),
    (runs("skout"), "there is no worker `skout`; the nearest is `scout`"),
    (runs("outline"), "worker `outline` runs in play, and the session is in design"),
    (
        calls("write_board", tag="设计.地图"),
        f"there is no tool `write_board`; there are {', '.join(f'`{n}`' for n in TOOLS)}",
    ),
    (json.dumps({"tool": "finish"}), "`finish` needs `reason`"),
    (json.dumps({"arguments": {}}), f"a call names its `tool`, one of {', '.join(f'`{n}`' for n in TOOLS)}"),
    (json.dumps({"tool": "finish", "arguments": []}), "`arguments` of a call is an object"),
    (calls("list_workers", x=1), "`list_workers` takes nothing, so no `x`"),
    (
        calls("read_blackboard", tags="设计.地图"),
        "`tags` of `read_blackboard` does not fit: a list is wanted",
    ),
    (calls("read_blackboard", tags=["a"] * 21), "`read_blackboard` shows at most 20 tags at once"),
    (
        calls("run_worker", workerId=7),
        "`workerId` of `run_worker` does not fit: a text is wanted",
    ),
    ("我先想想", "the reply has no JSON object in it"),
    ("", "the reply is blank"),
    (
        calls("declare_instance_ready"),
        "the package is not ready: nothing is there under `设计.地图` (written by `scout`)",
    ),
    (
        calls("ask_user", questions=["藏什么？"], targets=["核心.危险.隐藏"]),
        "the package does not let the user be asked for `核心.危险.隐藏`; he may be asked for `项目.风格要求`, "
        "`角色.{id}.设定`, `需求.核心要点`",
    ),
]


@pytest.mark.parametrize(("reply", "message"), REFUSED)
def test_a_call_that_cannot_be_is_refused_and_the_model_is_told_why(
    store: Store, reply: str, message: str
) -> None:
    session, model = led(store, reply, REST)
    assert session.status.reason == "input"
    assert last(asked(model)[1]) == [{"refused": message}]
    assert [row.kind for row in session.record.talk] == ["news", "call", "refusal", "call"]
    assert [item.tag for item in session.board.items] == [NEED]


def test_a_decision_that_is_refused_is_kept_with_the_reason(store: Store) -> None:
    session, _ = led(store, runs("skout"), REST)
    first, second = session.record.decisions
    assert (first.worker, first.outcome) == ("skout", "refused")
    assert first.message == "there is no worker `skout`; the nearest is `scout`"
    assert (second.action, second.outcome) == ("ask_user", "waits")


def test_the_third_call_in_a_row_that_is_refused_stops_the_session_and_is_kept(store: Store) -> None:
    session, _ = led(store, runs("a"), "…", calls("finish", tags=[]))
    assert session.status.phase == "error"
    assert session.status.error == (
        "the orchestrator made 3 calls in a row that were refused; the last: `finish` never carries `tags`: "
        "what a worker reads and writes stands in its contract"
    )
    assert [row.kind for row in session.record.talk].count("refusal") == 3
    later = Session.resume(store, session.id, led_plan(), ListedModel(REST))
    assert later.advance().reason == "input"


def test_a_call_that_is_taken_begins_the_count_anew(store: Store) -> None:
    bad, good = runs("a"), calls("list_workers")
    session, _ = led(store, bad, bad, good, bad, bad, good, REST)
    assert session.status.reason == "input"


def test_so_many_turns_and_then_the_user(store: Store) -> None:
    session, model = led(store, *[calls("list_workers")] * 12, calls("finish"))
    assert (session.status.phase, session.status.reason) == ("waiting_user", "input")
    assert session.pending and session.pending.prompt == (
        "the orchestrator took 12 turns without you: say what to do, or nothing to let it go on"
    )
    assert len(asked(model)) == 12
    session.input("别看了，结束吧")
    assert session.advance().phase == "done"
    assert last(asked(model)[-1])[-1]["said"] == [{"tag": "用户.最新输入", "content": "别看了，结束吧"}]


EARLY_DESIGN = "`finish` is too early: the package is still designed, and `scout` can run"
EARLY = "`finish` is too early: nothing that the package delivers was written, and `{0}` can run"


def test_a_model_does_not_finish_before_anything_was_done(store: Store) -> None:
    session, _ = led(
        store,
        calls("finish"),
        runs("scout"),
        MAP,
        calls("finish"),
        calls("declare_instance_ready"),
        calls("finish"),
        runs("outline"),
        OUTLINE,
        calls("finish"),
        runs("write"),
        TEXT,
        calls("finish"),
    )
    session.accept()
    assert session.advance().phase == "done"
    told = [row.content for row in session.record.talk if row.kind == "refusal"]
    assert [json.loads(row)["refused"] for row in told] == [
        EARLY_DESIGN,
        "`finish` is too early: after declare_instance_ready `outline` can run, and nothing is delivered yet",
        EARLY.format("outline"),
        EARLY.format("write`, `actor"),
    ]
    assert [row.outcome for row in session.record.decisions if row.action == "finish"] == [
        *("refused", "refused", "refused", "refused", "taken")
    ]


def test_the_user_and_a_host_may_end_it_at_any_time(store: Store) -> None:
    session, _ = led(store, REST, calls("finish"))
    session.input("够了，结束吧")
    assert session.advance().phase == "done"
    other = Session.open(
        store, led_plan(startup=None), ListedModel(), board=needs({NEED: "店"}), driver="host"
    )
    assert other.finish("够了").status == "written"


def test_a_package_that_delivers_nothing_and_has_nobody_left_is_finished(store: Store) -> None:
    only = {"scout": WORKERS["scout"]}
    session, _ = led(store, runs("scout"), MAP, calls("finish"), plan=led_plan(only))
    assert session.status.phase == "done"


def test_refused_calls_count_as_turns(store: Store) -> None:
    pairs = [runs("a"), calls("list_workers")] * 6
    session, model = led(store, *pairs)
    assert session.status.reason == "input" and len(asked(model)) == 12


def test_the_plan_s_approval_is_asked_whatever_the_model_says(store: Store) -> None:
    plan = led_plan(accept={"scout": {"requires_approval": True, "mode": "no_confirmation"}})
    session, _ = led(store, runs("scout", requiresApproval=False), MAP, REST, plan=plan)
    assert (session.status.reason, session.pending and session.pending.prompt) == ("approve_step", "因为")
    session.accept()
    assert session.advance().reason == "input"
    assert [run.worker for run in session.record.runs] == ["scout"]


def test_a_model_may_have_a_step_approved_and_hears_of_the_refusal(store: Store) -> None:
    session, model = led(store, runs("scout", requiresApproval=True), calls("finish"))
    assert session.status.reason == "approve_step"
    session.reject()
    assert session.advance().phase == "done"
    assert last(asked(model)[-1])[-1]["user"] == [{"did": "reject", "about": "approve_step"}]
    assert session.record.runs == ()


def test_a_worker_is_made_and_run(store: Store) -> None:
    make = calls("create_temp_worker", templateId="helper", instructions="查历史")
    session, model = led(store, make, runs("helper-1"), writes({"设计.备注": "记"}), REST)
    assert session.status.reason == "input"
    assert last(asked(model)[1]) == [{"tool": "create_temp_worker", "result": {"workerId": "helper-1"}}]
    assert live(session)["设计.备注"] == "记"
    row = session.record.decisions[0]
    assert (row.worker, row.detail) == ("helper-1", {"template": "helper", "instructions": "查历史"})


def test_what_the_plan_decides_is_not_asked_of_the_model(store: Store) -> None:
    """The startup inquiry, a revision, and a worker that got its answer."""
    asking = writes({}, askUser=["多长？"])
    session, model = led(
        store, runs("scout"), asking, MAP, calls("declare_instance_ready"), runs("outline"), OUTLINE, OUTLINE
    )
    assert session.status.reason == "worker_questions"
    session.answer("短")
    session.advance()
    session.reject("重写")
    assert session.advance().reason == "review_artifact"
    assert model.workers == [loop.NAME, "scout", "scout", loop.NAME, loop.NAME, "outline", "outline"]


def native(name: str, arguments: str, *more: ToolCall) -> Completion:
    return Completion("", "tool_calls", way="forced_tool", calls=(ToolCall(name, arguments), *more))


def test_a_tool_call_of_the_provider_means_the_same_as_the_object() -> None:
    said = read_call(Completion(runs("scout"), "stop"))
    called = read_call(native("run_worker", '{"workerId": "scout", "reason": "因为", "roleId": null}'))
    assert isinstance(said, Call) and isinstance(called, Call)
    assert (said.tool, said.arguments) == (called.tool, called.arguments)
    assert read_call(native("list_workers", "")) == Call("list_workers", TOOLS["list_workers"]())


@pytest.mark.parametrize(
    ("completion", "kind"),
    [
        (native("finish", '{"reason": "a"}', ToolCall("finish", "{}")), "two-calls"),
        (native("finish", '{"reason": "a"'), "truncated"),
        (native("finish", '{"reason": "a", "reason": "b"}'), "duplicate-key"),
        (native("finis", "{}"), "bad-tool"),
        (Completion(calls("finish"), "length"), "length-limit"),
        (Completion(f"{calls('finish')} {calls('finish')}", "stop"), "ambiguous"),
        (Completion('{"tool": "finish", "arguments": {"reason": "x"}, "tags": []}', "stop"), "bad-tool"),
    ],
)
def test_a_call_is_never_guessed(completion: Completion, kind: str) -> None:
    found = read_call(completion)
    assert isinstance(found, ReplyError) and found.kind == kind


def test_that_no_state_changes_may_be_said_with_any_call() -> None:
    plain = read_call(Completion(runs("scout"), "stop"))
    assert read_call(Completion(runs("scout", statePatchAllowed=False), "stop")) == plain
    looks = Completion(calls("list_workers", statePatchAllowed=False), "stop")
    assert read_call(looks) == Call("list_workers", TOOLS["list_workers"]())
    for more in (True, None, 0, "false"):
        found = read_call(Completion(runs("scout", statePatchAllowed=more), "stop"))
        assert isinstance(found, ReplyError) and found.kind == "bad-arguments", more


def test_the_schema_of_a_call_takes_every_tool_and_its_nulls_say_nothing() -> None:
    form = tools_form()
    names = form.schema["properties"]["arguments"]["properties"]
    nothing = dict.fromkeys(names)
    for tool, given in (
        ("list_workers", {}),
        ("run_worker", {"workerId": "w", "reason": "r"}),
        ("ask_user", {"questions": ["?"], "targets": ["a"], "reason": "r"}),
    ):
        data = {"tool": tool, "arguments": {**nothing, **given}}
        assert fits(data, form.schema)
        call = read_call(Completion(json.dumps(data), "stop"))
        assert isinstance(call, Call) and call.arguments.model_dump(exclude_unset=True) == given
    assert [tool.name for tool in form.tools] == list(TOOLS)


def test_a_plan_that_tells_nothing_is_driven_by_no_model(store: Store) -> None:
    with pytest.raises(
        SessionRefused, match="the plan says nothing to a model that decides who runs; build it again"
    ):
        Session.open(store, led_plan(orchestrator=None), driver="model")
    assert store.sessions() == ()


def test_the_driver_is_that_of_the_session_unless_another_takes_over(store: Store) -> None:
    session, _ = led(store, ModelError("down", "the server is down"))
    assert session.status.phase == "error"
    model = ListedModel(MAP, OUTLINE)
    later = Session.resume(store, session.id, led_plan(), model, driver="scheduler")
    assert later.advance().reason == "review_artifact"
    assert model.workers == ["scout", "outline"]


def test_a_script_carries_the_replies_of_the_orchestrator(store: Store) -> None:
    replies = [
        {
            "worker": "orchestrator",
            "reply": {"tool": "run_worker", "arguments": {"workerId": "scout", "reason": "图"}},
        },
        {"worker": "scout", "reply": json.loads(MAP)},
        {
            "worker": "orchestrator",
            "reply": {"tool": "ask_user", "arguments": {"questions": ["？"], "reason": "够了"}},
        },
    ]
    playback = Playback(read_script({"replies": replies, "user": []}))
    session = Session.open(
        store,
        led_plan(startup=None),
        playback.client,
        driver="model",
        playback=playback,
        board=needs({NEED: "店"}),
    )
    assert session.advance().reason == "input"
    assert playback.client.left_over == ()


def test_the_conversation_that_is_sent_is_bounded_and_begins_alike_for_a_while() -> None:
    rows: list[TalkRow] = []
    firsts = []
    for number in range(300):
        rows += [
            TalkRow(role="user", kind="news", content=f"news {number}"),
            TalkRow(role="assistant", kind="call", content=f"call {number}"),
        ]
        sent = talk.messages_of("总管", [*rows, TalkRow(role="user", kind="news", content="now")])
        assert len(sent) <= 2 * talk.KEPT + 2
        assert [sent[0]["role"], sent[1]["role"], sent[-1]["role"]] == ["system", "user", "user"]
        firsts.append(sent[1]["content"])
    assert len(dict.fromkeys(firsts)) < 300 * 2 / talk.KEPT + 2


def test_long_texts_do_not_pile_up_in_what_is_sent() -> None:
    rows = [
        row
        for number in range(60)
        for row in (
            TalkRow(role="user", kind="news", content=f"news {number}"),
            TalkRow(role="assistant", kind="call", content="call"),
            TalkRow(role="user", kind="result", content="长" * 15_000),
            TalkRow(role="assistant", kind="call", content="call"),
        )
    ]
    sent = talk.messages_of("", [*rows, TalkRow(role="user", kind="news", content="now")])
    assert sum(len(message["content"]) for message in sent) <= talk.LONGEST + 15_010


def test_texts_that_are_long_are_cut_and_said_to_be(store: Store) -> None:
    board = needs({NEED: "长" * 7_000, **{f"需求.第{n}": "文" * 5_000 for n in range(6)}})
    tags = [NEED, *(f"需求.第{n}" for n in range(6))]
    _, model = led(store, calls("read_blackboard", tags=tags), REST, board=board)
    rows = last(asked(model)[-1])[0]["result"]["items"]
    assert sum(len(row["content"]) for row in rows) <= looking.ALL_TEXTS
    assert rows[0]["cut"] and len(rows[0]["content"]) == looking.LONGEST_TEXT
    assert [row["size"] for row in rows] == [7_000, *[5_000] * 6]


class Killed(BaseException):
    """The process died."""


class Dying:
    """A model whose process dies before or after the answer of one call."""

    def __init__(self, replies: list[str], dies_at: int) -> None:
        self.replies = replies
        self.dies_at = dies_at

    def complete(self, request: Request) -> Completion:
        if len(self.replies) == self.dies_at:
            self.dies_at = -1
            raise Killed
        return Completion(self.replies.pop(0), "stop")


@pytest.mark.parametrize("left", range(1, len(WAY) + 1))
def test_a_session_that_dies_in_any_call_repeats_no_decision(store: Store, left: int) -> None:
    """The model is asked again only what was not stored."""
    replies = [*WAY]
    model = Dying(replies, left)
    session = Session.open(store, led_plan(), model, driver="model")
    session = _to_the_end(store, session, model)
    assert replies == []
    _expect_the_way(session.record)


def _to_the_end(store: Store, session: Session, model: Any) -> Session:
    """Go on, in a new process after each death."""
    for _ in range(40):
        try:
            session.advance()
        except Killed:
            session = Session.resume(store, session.id, led_plan(), model)
            continue
        if session.status.phase == "done":
            return session
        if session.status.reason == "intake":
            session.answer("夜班便利店")
        elif session.status.reason == "review_artifact":
            session.accept()
    raise AssertionError(session.status)


def _expect_the_way(record: SessionRecord) -> None:
    decided = [(row.id, row.action, row.worker) for row in record.decisions]
    assert decided == [
        ("d1", "run_worker", "scout"),
        ("d2", "run_worker", "outline"),
        ("d3", "run_worker", "write"),
        ("d4", "finish", None),
    ]
    assert [run.worker for run in record.runs] == ["scout", "outline", "write"]
    tags = [item.tag for item in record.items]
    assert len(tags) == len(set(tags))


class DyingStore(Store):
    """A store whose process dies right before or right after the commit with a given number."""

    number = 0
    dies_at = 0
    after = False

    def commit(self, *given: Any, **more: Any) -> SessionRecord:
        self.number += 1
        dies = self.number == self.dies_at
        if dies and not self.after:
            raise Killed
        done = super().commit(*given, **more)
        if dies:
            raise Killed
        return done


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("number", range(1, 15))
def test_a_session_that_dies_around_any_commit_repeats_no_decision(
    store: Store, number: int, after: bool
) -> None:
    dying = store
    dying.__class__ = DyingStore
    dying.dies_at, dying.after = number, after  # type: ignore[attr-defined]
    replies = list(WAY)
    kept = ListedModel(*replies)
    session = Session.open(dying, led_plan(), kept, driver="model")
    for _ in range(40):
        try:
            session.advance()
            if session.status.phase == "done":
                break
            if session.status.reason == "intake":
                session.answer("夜班便利店", "first")
            else:
                session.accept("second")
        except Killed:
            unsaved = len(replies) - len(kept.replies) - _answered(store.load(session.id))
            kept.replies[:0] = replies[len(replies) - len(kept.replies) - unsaved :][:unsaved]
            session = Session.resume(store, session.id, led_plan(), kept)
    assert session.status.phase == "done"
    _expect_the_way(session.record)


def _answered(record: SessionRecord) -> int:
    """Replies that came to be stored."""
    return len(record.runs) + sum(row.kind == "call" for row in record.talk)


def test_every_worker_of_the_plan_is_known(store: Store) -> None:
    _, model = led(store, calls("list_workers"), REST)
    told = last(asked(model)[-1])[0]["result"]
    assert {row["id"] for row in told["workers"]} | set(told["other_stage"]) == set(WORKERS)
