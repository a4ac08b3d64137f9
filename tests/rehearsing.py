"""The script of an example package, played in this process: who was shown what, and a session that is killed anywhere.

>>> rehearsal = rehearsed("novel/quick-write", tmp_path)
>>> [call.worker for call in rehearsal.calls], rehearsal.session.status.phase
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from skillc.execute.models.protocol import Completion, Request
from skillc.execute.models.scripted import Script, ScriptedReply, read_script
from skillc.execute.playback import Playback
from skillc.execute.records import Pending
from skillc.execute.session import Session
from skillc.execute.store import Store, open_store
from test_examples import plan_of, read


@dataclass
class Rehearsal:
    """A session with the requests that the model got and all that the user was asked."""

    session: Session
    calls: list[Request] = field(default_factory=list)
    asked: list[Pending] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def shown(self, worker: str, role: str | None = None) -> list[str]:
        """What each call of `worker` was sent, as one text."""
        return [text_of(call) for call in self.calls if (call.worker, call.role) in ((worker, role),)]

    def prompts(self, worker: str) -> list[str]:
        """What the user was shown at each turn of his."""
        return [one.prompt for one in self.asked if one.turn and one.turn.worker == worker]

    def texts(self, tag: str) -> list[str]:
        """All that was ever written under `tag`, oldest first."""
        return [item.content for item in self.session.board.items if item.tag == tag]


def text_of(call: Request) -> str:
    return "\n".join(message["content"] for message in call.messages)


def script_of(package: str) -> Script:
    return read_script(read(f"skills/{package}/scripts/demo.yaml"))


def replied(script: Script, worker: str, tag: str) -> list[str]:
    """What the script lets `worker` write under `tag`."""
    return [
        str(entry.reply["outputs"][tag])
        for entry in script.replies
        if entry.worker == worker and isinstance(entry.reply, dict) and tag in entry.reply["outputs"]
    ]


class _Listening:
    """The scripted model, with everything that it is sent kept."""

    def __init__(self, playback: Playback, calls: list[Request]) -> None:
        self._client = playback.client
        self._calls = calls

    def complete(self, request: Request) -> Completion:
        self._calls.append(request)
        return self._client.complete(request)


def rehearsed(package: str, folder: Path) -> Rehearsal:
    """The script of `package` from its first entry to its last; nothing may be missing or left over."""
    script = script_of(package)
    playback = Playback(script)
    calls: list[Request] = []
    session = Session.open(
        open_store(str(folder / "sessions.db")),
        plan_of(package),
        _Listening(playback, calls),
        rounds=script.rounds or 1,
        playback=playback,
    )
    rehearsal = Rehearsal(session, calls)
    while session.status.phase in ("running", "waiting_user"):
        _act(session, playback, rehearsal)
    assert (session.status.phase, session.status.error) == ("done", None)
    assert (playback.client.left_over, playback.left_entries) == ((), ())
    return rehearsal


def killed(package: str, folder: Path, every: int) -> Session:
    """The same script, by a process that dies behind every `every` steps: each time a new one takes the session up by
    its id, from the store alone."""
    script = script_of(package)
    store, plan = open_store(str(folder / "killed.db")), plan_of(package)
    playback = Playback(script)
    session = Session.open(store, plan, playback.client, rounds=script.rounds or 1, playback=playback)
    steps = 0
    while session.status.phase in ("running", "waiting_user"):
        stored = _act(session, playback, None)
        steps += stored
        if stored and steps % every == 0:
            session, playback = _taken_up(store, session.id, package, script)
    assert (session.status.phase, session.status.error) == ("done", None)
    assert playback.client.left_over == ()
    return session


def _taken_up(store: Store, id: str, package: str, script: Script) -> tuple[Session, Playback]:
    playback = Playback(script)
    again = open_store(store.path)
    return Session.resume(again, id, plan_of(package), playback.client, playback=playback), playback


def _act(session: Session, playback: Playback, rehearsal: Rehearsal | None) -> bool:
    """One step of the session, or one entry of the user; whether anything of it is stored. A refused answer is not,
    so who dies behind it begins with it again."""
    if session.status.phase == "running":
        session.step()
        if rehearsal is not None and session.pending is not None:
            rehearsal.asked.append(session.pending)
        return True
    entry = playback.next_entry()
    assert entry is not None, f"the script has nothing for {session.pending}"
    assert not isinstance(entry.value, list)
    if entry.action == "refused":
        before = session.board.to_data()
        delivery = session.answer(entry.value)
        assert delivery.refused and session.board.to_data() == before
        if rehearsal is not None:
            rehearsal.refused.append(delivery.message)
        return False
    if entry.action == "accept":
        delivery = session.accept()
    elif entry.action == "answer":
        delivery = session.answer(entry.value)
    else:
        assert isinstance(entry.value, str)
        delivery = session.reject(entry.value) if entry.action == "reject" else session.input(entry.value)
    assert delivery.status == "written", delivery.message
    return True


def left_behind(session: Session) -> list[tuple[str, str, str, str]]:
    """The whole board, with what became of each text."""
    return [(item.tag, item.content, item.source, item.status) for item in session.board.items]


__all__ = [
    "Rehearsal",
    "ScriptedReply",
    "killed",
    "left_behind",
    "rehearsed",
    "replied",
    "script_of",
    "text_of",
]
