"""The package that designs a world and plays it in slots: clean, played to an exact end, each slot shown what is its own.

What each slot is shown, word for word, stands in the package's own snapshots (contexts/__snapshots__).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cli import ROOT, Done, examples, skillc
from skillc.execute.models.protocol import Completion, Request
from skillc.execute.models.scripted import ScriptedClient, read_script
from skillc.execute.session import Session
from skillc.execute.store import open_store
from skillc.model.artifact_reading import read_artifact
from skillc.runtime import Board, Context
from skillc.runtime.fragment import find_fragment, read_fragment
from skillc.runtime.slotplan import slot_plans
from skillc.runtime.variables import cells_of
from test_examples import content, plan_of, read

PACKAGE = "dialogue/world-simulator"
FOLDER = f"skills/{PACKAGE}"
SCRIPT = f"{FOLDER}/scripts/demo.yaml"
SLOTS = ("gm", "perspective", "narrator", "auditor")
MOMENTS = ("first", "third", "cut")
ARTIFACTS = {
    "aesthetics-interaction": "设计.美学纲领与交互范式",
    "mechanism": "设计.实现机制",
    "world-blueprint": "设计.舞台骨架",
    "generation-rules": "设计.生成规则",
    "instances": "设计.具体实例",
    "narrative-guide": "设计.叙事指南与故事推进",
    "monitor-panel": "设计.监控栏",
    "text-composition": "设计.正文组成",
    "variable-design": "设计.变量设计与更新规则",
    "variable-context": "设计.变量控制上下文",
    "opening": "设计.开场白与开场变量",
    "worker-roster": "设计.worker规格",
    "context-order": "设计.上下文投影排序",
    "refine": "设计.worker集",
}
FLOODED = "地面：水漫进下街，齐踝"


def board_of(slot: str, moment: str) -> str:
    return f"{FOLDER}/contexts/{slot}-{moment}.yaml"


@cache
def shown(slot: str, moment: str) -> Context:
    data = read(board_of(slot, moment))
    board = Board.from_data(data)
    return plan_of(PACKAGE).assemble(data["slot"], board, role=data.get("role"), slot=data["slot"])


def text_of(context: Context) -> str:
    return conversation(context.messages).decode()


def conversation(messages: Iterable[Mapping[str, str]]) -> bytes:
    return "".join(message["content"] for message in messages).encode()


# Written


def test_the_package_has_no_error_and_no_warning() -> None:
    done = skillc("check", "--strict", FOLDER, "--format", "concise", cwd=ROOT)
    assert done.code == 0, done.out
    assert {line.split()[3].rstrip(":") for line in done.out.splitlines() if ": " in line} <= {
        "feedback-loop",
        "updates-in-place",
    }


def test_every_artifact_has_a_worker_that_writes_it() -> None:
    plan = plan_of(PACKAGE)
    for worker, tag in ARTIFACTS.items():
        assert tag in [pattern.text for pattern in plan.workers[worker].outputs]
        assert plan.workers[worker].stage == "design"


@pytest.mark.parametrize(("worker", "tag"), ARTIFACTS.items())
def test_the_sample_of_a_reply_is_an_artifact_without_a_fault(worker: str, tag: str) -> None:
    body = (ROOT / FOLDER / "workers" / worker / "SKILL.md").read_text(encoding="utf-8")
    found = re.search(rf"### `{re.escape(tag)}`.*?```json\n(.*?)```", body, re.DOTALL)
    assert found
    reading = read_artifact(found[1], tag)
    assert reading.artifact is not None and list(reading.notes) == []
    fragment = read_fragment(found[1])
    if fragment is not None:
        assert fragment.mounts and {"gm", "narrator", "auditor", "perspective"} >= {
            m for m, _ in fragment.mounts
        }


def test_every_artifact_of_the_script_is_one_without_a_fault() -> None:
    told = [
        (tag, note.message)
        for reply in read(SCRIPT)["replies"]
        for tag, text in reply["reply"]["outputs"].items()
        if tag.startswith("设计.")
        for note in read_artifact(text, tag).notes
    ]
    assert told == []


# Played


def played_by_command(folder: Path, script: Path | None = None, *more: str) -> Done:
    return skillc(
        "run",
        PACKAGE,
        "--script",
        str(script or ROOT / SCRIPT),
        "--store",
        str(folder / "sessions.db"),
        *more,
        cwd=folder,
    )


def stored(folder: Path) -> Session:
    store = open_store(str(folder / "sessions.db"))
    (summary,) = store.sessions()
    return Session.resume(store, summary.id, plan_of(PACKAGE))


def live(session: Session) -> dict[str, str]:
    return {item.tag: item.content for item in session.board.items if item.live}


TAGS_AT_THE_END = {
    "用户.需求",
    "用户.worker答复",
    "用户.修改说明",
    "用户.最新输入",
    "世界.角色名册",
    "世界.当前角色.id",
    "世界.景况.当前",
    "世界.裁决.当前",
    "世界.隐藏状态.当前",
    "世界.编年.当前",
    "世界.备料.当前",
    "世界.机缘.当前",
    "设计.暗线",
    "设计.具体实例#剩下的信",
    "设计.具体实例#没人要的东西",
    "变量.更新",
    "输出.正文",
    *(tag for tag in ARTIFACTS.values() if tag != "设计.具体实例"),
    *(f"角色.{id}.{what}" for id in ("阿橹", "温先生") for what in ("设定", "可见信息", "行动", "信念.当前")),
}
TABLE_AT_THE_END = [
    ("日次", 3, 2, "auditor", "public"),
    ("水位", 3, 2, "auditor", "public"),
    ("余信", 6, 3, "auditor", "public"),
    ("缆绳", 3, 2, "auditor", "role:阿橹"),
    ("疑心", 4, 3, "auditor", "hidden"),
]


def assert_the_end(session: Session) -> None:
    """The script was played: board, dialogue and variables are what three turns make of them."""
    assert session.status.phase == "done"
    assert set(live(session)) == TAGS_AT_THE_END
    history = session.board.history
    asked = [entry["input"] for entry in read(SCRIPT)["user"] if "input" in entry]
    assert [block["role"] for block in history] == ["assistant", *["user", "assistant"] * 3]
    assert history[0]["content"] == opening_of(session)
    assert [block["content"] for block in history if block["role"] == "user"] == asked
    told = [
        reply["reply"]["outputs"]["输出.正文"]
        for reply in read(SCRIPT)["replies"]
        if reply["worker"] == "narrator"
    ]
    assert [block["content"] for block in history[1:] if block["role"] == "assistant"] == told
    cells = cells_of(session.board.variables)
    assert [(c.key, c.value, c.rev, c.source, c.visibility) for c in cells] == TABLE_AT_THE_END


def opening_of(session: Session) -> str:
    """The opening that was accepted."""
    (item,) = session.board.alive("设计.开场白与开场变量")
    fragment = find_fragment(item.content)
    assert fragment is not None and isinstance(fragment.body, dict)
    return str(fragment.body["开场正文"]).strip()


def runs(session: Session) -> list[str]:
    return [f"{run.worker}/{run.role}" if run.role else run.worker for run in session.record.runs]


TURN = ["world-simulator", "role-decide/阿橹", "role-decide/温先生", "narrator", "auditor"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Done, Session]:
    """The script, played once by the command in its own process, and the session that it stored."""
    folder = examples(tmp_path_factory.mktemp("played"), PACKAGE)
    return played_by_command(folder), stored(folder)


def test_the_script_takes_a_session_from_one_sentence_through_three_turns(
    played: tuple[Done, Session],
) -> None:
    done, session = played
    assert (done.code, done.err) == (0, ""), done.out
    assert "\ndone\n" in done.out and "delivered 输出.正文" in done.out
    assert_the_end(session)
    assert runs(session)[-16:] == [*TURN, *TURN, "chance", *TURN]
    assert sorted(runs(session)[:-16]) == sorted(
        [*ARTIFACTS, "cast", "undercurrent", "aesthetics-interaction", "opening"]
    )


def test_a_threshold_replaces_what_is_shown_of_the_scene(played: tuple[Done, Session]) -> None:
    board = played[1].board
    scenes = [item for item in board.items if item.tag == "世界.景况.当前"]
    *before, last = scenes
    assert last.live and FLOODED in last.content and last.source not in ("opening", "auditor")
    assert all(not item.live and FLOODED not in item.content for item in before)
    audits = [item.seq for item in board.items if item.tag == "变量.更新"]
    assert len(scenes) == 3 and audits[1] < last.seq < audits[2]


def test_a_session_that_broke_between_effect_and_chance_goes_on_and_repeats_nothing(tmp_path: Path) -> None:
    examples(tmp_path, PACKAGE)
    text = (ROOT / SCRIPT).read_text(encoding="utf-8")
    at = text.index("  - worker: chance")
    cut = tmp_path / "cut.yaml"
    cut.write_text(text[:at], encoding="utf-8")
    broken = played_by_command(tmp_path, cut)
    assert broken.code == 1 and "no reply left" in broken.out
    (summary,) = open_store(str(tmp_path / "sessions.db")).sessions()
    done = played_by_command(tmp_path, None, "--resume", summary.id)
    assert done.code == 0, done.out
    session = stored(tmp_path)
    assert_the_end(session)
    assert len([item for item in session.board.items if FLOODED in item.content]) == 2, "design, then scene"


# Shown


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("slot", SLOTS)
def test_every_slot_has_a_board_and_a_snapshot_at_every_moment(slot: str, moment: str) -> None:
    assert shown(slot, moment).reads
    kept = ROOT / FOLDER / "contexts" / "__snapshots__" / f"{slot}-{moment}.md"
    digest = hashlib.sha256(conversation(shown(slot, moment).messages)).hexdigest()
    assert f"sha256: {digest}\n" in kept.read_text(encoding="utf-8")


def test_the_snapshots_are_what_the_contexts_are() -> None:
    done = skillc("snapshot", FOLDER, "--check", cwd=ROOT)
    assert done.code == 0, done.out + done.err


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_order_in_the_worker_set_decides_and_turns_the_perspective_on(moment: str) -> None:
    plan = plan_of(PACKAGE)
    assert [(slot.key, slot.on) for slot in slot_plans(plan)] == [
        ("gm", True),
        ("perspective", False),
        ("narrator", True),
        ("auditor", True),
    ]
    board = Board.from_data(read(board_of("gm", moment)))
    plans = slot_plans(plan, board)
    assert [(slot.key, slot.on, slot.origin) for slot in plans] == [
        (key, True, "worker-set") for key in SLOTS
    ]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("slot", SLOTS[1:])
def test_the_undercurrent_lies_on_every_board_and_reaches_the_world_alone(slot: str, moment: str) -> None:
    secret = json.loads(content(board_of(slot, moment), "设计.暗线"))["正文"]
    traces = [trace for layer in secret["露出的次序"] for trace in layer["痕迹"]]
    for words in (secret["真相"], secret["没有人追究"], *traces):
        assert words not in text_of(shown(slot, moment))
        assert words in text_of(shown("gm", moment))


@pytest.mark.parametrize(
    ("moment", "own", "other"), [("first", "阿橹", "温先生"), ("third", "温先生", "阿橹")]
)
def test_a_role_is_shown_its_own_card_and_nobody_elses(moment: str, own: str, other: str) -> None:
    text, board = text_of(shown("perspective", moment)), board_of("perspective", moment)
    for tag in ("设定", "可见信息"):
        assert content(board, f"角色.{own}.{tag}").strip() in text
        assert content(board, f"角色.{other}.{tag}").strip() not in text
    assert ("缆绳 = " in text) == (own == "阿橹")


@pytest.mark.parametrize("moment", MOMENTS)
def test_hidden_variables_reach_only_who_keeps_them(moment: str) -> None:
    assert "疑心 = " in text_of(shown("gm", moment))
    assert '"key": "疑心", "value": ' in text_of(shown("auditor", moment))
    assert "疑心 = " not in text_of(shown("narrator", moment)) + text_of(shown("perspective", moment))


def test_the_scene_is_another_one_after_the_threshold() -> None:
    for slot in SLOTS[:3]:
        assert FLOODED not in text_of(shown(slot, "first"))
        assert FLOODED in text_of(shown(slot, "third"))


# The dialogue


def roles(context: Context) -> list[str]:
    return [message["role"] for message in context.messages]


def test_the_world_gets_the_dialogue_as_turns_and_the_other_slots_none_of_it() -> None:
    assert roles(shown("gm", "first")) == ["system", "user"]
    assert roles(shown("gm", "third")) == ["system", *["user", "assistant"] * 2, "user"]
    for slot in SLOTS[1:]:
        for moment in MOMENTS:
            assert roles(shown(slot, moment)) == ["system", "user"]


def test_a_long_dialogue_is_cut_at_a_question_and_stays_cut_there() -> None:
    data = read(board_of("gm", "cut"))
    blocks: list[dict[str, str]] = data["history"]
    assert len(blocks) > 2 * 5
    assert kept(data, blocks) == blocks[7:]
    more = [*blocks, {"role": "user", "content": "等。"}, {"role": "assistant", "content": "水响。"}]
    assert kept(data, more)[0] == blocks[7]
    assert len(kept(data, more)) == 8


def kept(data: dict[str, Any], blocks: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    """The blocks of a dialogue that the world is shown. The first question follows the static part in its message."""
    board = Board.from_data({**data, "history": list(blocks)})
    context = plan_of(PACKAGE).assemble("gm", board, slot="gm")
    messages = [dict(message) for message in context.messages[1:-1]]
    static = context.prefix["static_bytes"] - context.prefix["fixed_bytes"]
    head = messages[0]["content"].encode()[static:].decode()
    messages[0]["content"] = head.removeprefix("\n\n---\n\n")
    return messages


class Listening(ScriptedClient):
    """A scripted model that keeps what the world was asked."""

    asked: list[Request]

    def complete(self, request: Request) -> Completion:
        self.asked = [*getattr(self, "asked", []), request]
        return super().complete(request)


def test_turns_share_the_static_prefix_and_the_dialogue_before_the_cut(tmp_path: Path) -> None:
    script = read_script(read(SCRIPT))
    client = Listening(script.replies)
    session = Session.open(
        open_store(str(tmp_path / "s.db")), plan_of(PACKAGE), client, rounds=script.rounds or 1
    )
    user = list(script.user)
    while session.advance().phase == "waiting_user":
        entry = user.pop(0)
        getattr(session, entry.action)(*(() if entry.action == "accept" else (entry.value,)))
    assert session.status.phase == "done" and not user
    first, second, third = (
        [dict(message) for message in request.messages]
        for request in client.asked
        if request.worker == "world-simulator"
    )
    static = shown("gm", "third").prefix["static_bytes"]
    assert static > 20_000
    openings = [conversation(messages)[:static] for messages in (first, second, third)]
    assert openings[0] == openings[1] == openings[2]
    assert second[:3] == third[:3] and [m["role"] for m in second[:3]] == ["system", "user", "assistant"]
