"""The readable account of a session: one line or two for each thing that happened."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from skillc.execute.happening import Happening
from skillc.execute.models.scripted import UserEntry
from skillc.execute.records import Pending
from skillc.execute.session import Session
from skillc.report.visible import visible
from skillc.runtime import RunnablePlan

PREVIEW = 60
_ASKS = {
    "intake": "the package asks",
    "input": "your input for this round; nothing to skip it",
    "approve_step": "may this worker run?",
    "review_artifact": "do you accept what was written?",
    "worker_questions": "the worker asks",
    "revision": "reviews failed three times: take the text as it is, or say what to change",
}


def preview(text: str) -> str:
    """The first line that says something, cut to what fits."""
    line = next((line.strip() for line in text.splitlines() if any(map(str.isalnum, line))), text.strip()[:1])
    more = len(line) > PREVIEW or text.strip() != line
    return line[:PREVIEW] + (" …" if more else "")


class Account:
    """Writes the account of a session of `plan` to `out`, plain text; `given` are the options that a command to
    go on needs again."""

    def __init__(self, plan: RunnablePlan, out: TextIO, given: Sequence[str] = ()) -> None:
        self._plan = plan
        self._given = tuple(given)
        self._out = out

    def line(self, text: str) -> None:
        """One line. Much of it was written by models: what would steer a terminal, or begin a line that looks
        like one of ours, is shown by its number."""
        self._out.write(visible(text) + "\n")
        self._out.flush()

    def show(self, happening: Happening) -> None:
        """Print what a session tells; what this account has no words for is left out."""
        teller = getattr(self, f"_{happening.kind}", None)
        if teller is not None:
            teller(happening.data)

    def ask(self, session: Session, pending: Pending, full: bool) -> None:
        """Print what the session waits for; with `full` all that a person needs to see to answer."""
        who = f" · {self._who(pending.turn.worker, pending.turn.role)}" if pending.turn else ""
        self.line(f"waiting ({pending.reason}){who}: {self._asks(pending)}")
        for question in pending.questions:
            self.line(f"  ? {question}")
        if full:
            self._material(session, pending)

    def _asks(self, pending: Pending) -> str:
        worker = self._plan.workers.get(pending.turn.worker) if pending.turn else None
        if pending.reason == "worker_questions" and worker and worker.actor == "user":
            return f"your turn; it is written to {', '.join(pending.targets)}"
        return _ASKS[pending.reason]

    def _material(self, session: Session, pending: Pending) -> None:
        if pending.prompt:
            self._indented(pending.prompt)
        if pending.reason == "intake" and (len(pending.targets) > 1 or not pending.prompt):
            self.line(f"  for {', '.join(pending.targets)}")
        board = session.board
        for item_id in pending.items:
            item = board.get(item_id)
            if item is not None:
                self.line(f"  --- {item.tag}")
                self._indented(item.content)

    def entry(self, entry: UserEntry) -> None:
        """Print what the script answered."""
        said = entry.value if isinstance(entry.value, str) else ", ".join(entry.value)
        self.line(f"  > {entry.action}" + (f": {preview(said)}" if said else ""))

    def suspended(self, session: Session) -> None:
        """Print that the session waits, and how to go on."""
        status = session.status
        waits = f"waits for the user ({status.reason})" if status.reason else "was interrupted"
        self.line(f"suspended: session {session.id} {waits}")
        self._how_to_resume(session)

    def failed(self, session: Session, message: str) -> None:
        """Print why the run stopped, and how to go on."""
        self.line(f"error: {message}")
        if session.status.phase != "done":
            self._how_to_resume(session)

    def done(self, session: Session, full: bool) -> None:
        """Print what was delivered: its first line, or all of it with `full`."""
        self.line("done")
        for item in session.deliverables():
            self.line(f"  delivered {item.tag}: {preview(item.content)}")
            if full:
                self._indented(item.content)

    def _how_to_resume(self, session: Session) -> None:
        words = ("skillc", "run", self._plan.package.path, "--resume", session.id, *self._given)
        self.line(f"resume with: {shlex.join(words)}")

    def _indented(self, text: str) -> None:
        for line in text.removesuffix("\n").replace("\r\n", "\n").split("\n"):
            self.line(f"  {line}" if line else "")

    def _who(self, worker_id: object, role: object) -> str:
        worker = self._plan.workers.get(str(worker_id))
        name = f" {worker.name}" if worker and worker.name != worker_id else ""
        return f"{worker_id}{name}" + (f" as {role}" if role else "")

    def _session(self, data: Mapping[str, Any]) -> None:
        verb = "resumed" if data["resumed"] else "started"
        self.line(f"session {data['id']} of {data['package']} {verb}")

    def _round(self, data: Mapping[str, Any]) -> None:
        self.line(f"{data['stage']}, round {data['round']}")

    def _run(self, data: Mapping[str, Any]) -> None:
        again = " again" if data["revision"] else ""
        self.line(f"run {self._who(data['worker'], data['role'])}{again}")
        self.line(f"  reads {', '.join(data['reads']) or 'nothing'}")

    def _retry(self, data: Mapping[str, Any]) -> None:
        self.line(f"  reply not usable ({data['kind']}): {data['message']}; asking again")

    def _written(self, data: Mapping[str, Any]) -> None:
        for item in data["items"]:
            self.line(f"  writes {item['tag']}: {preview(item['content'])}")
        if not data["items"]:
            self.line("  writes nothing")

    def _summary(self, data: Mapping[str, Any]) -> None:
        self.line(f"  summary: {data['text']}")

    def _note(self, data: Mapping[str, Any]) -> None:
        self.line(f"  note: {data['text']}")

    def _question(self, data: Mapping[str, Any]) -> None:
        self.line(f"  asks: {' / '.join(data['questions'])}")

    def _verdict(self, data: Mapping[str, Any]) -> None:
        reason = f": {data['reason']}" if data["reason"] else ""
        self.line(f"  verdict {data['verdict']}{reason}")

    def _accepted(self, data: Mapping[str, Any]) -> None:
        self.line(f"  accepted {', '.join(data['tags'])}")

    def _promoted(self, data: Mapping[str, Any]) -> None:
        for draft, confirmed in data["pairs"]:
            self.line(f"  promoted {draft} -> {confirmed}")

    def _rejected(self, data: Mapping[str, Any]) -> None:
        self.line(f"  rejected {', '.join(data['tags'])}")

    def _revision(self, data: Mapping[str, Any]) -> None:
        self.line(f"  sent back to {self._who(data['worker'], None)}: {', '.join(data['tags'])}")

    def _never_ran(self, data: Mapping[str, Any]) -> None:
        reasons = [f"missing: {', '.join(data['missing'])}"] if data["missing"] else []
        kept_back = data.get("filtered", ())
        reasons += [f"{tag} is there, but never given to it ({why})" for tag, why in kept_back]
        if data.get("skipped"):
            reasons.append("the package was ready before its turn")
        why = "; ".join(reasons) or "missing: nothing"
        self.line(f"  note: {self._who(data['worker'], None)} never ran; {why}")
