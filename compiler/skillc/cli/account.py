"""The readable account of a session: one line or two for each thing that happened."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TextIO

from skillc.cli.artifact_page import artifact_page
from skillc.cli.ending import Ending
from skillc.cli.session_words import word
from skillc.execute.happening import Happening
from skillc.execute.models.scripted import UserEntry
from skillc.execute.records import Pending
from skillc.execute.session import Session
from skillc.report.language import ENGLISH, Words, retold
from skillc.report.visible import visible
from skillc.runtime import Item, RunnablePlan
from skillc.runtime.projection import project
from skillc.wording import clauses, said_in, say, series

PREVIEW = 60
ASKS = {
    "intake": say("the package asks"),
    "input": say("your input for this round; nothing to skip it"),
    "approve_step": say("may this worker run?"),
    "review_artifact": say("do you accept what was written?"),
    "worker_questions": say("the worker asks"),
    "revision": say("reviews failed three times: take the text as it is, or say what to change"),
}


def preview(text: str) -> str:
    """The first line that says something, cut to what fits."""
    line = next((line.strip() for line in text.splitlines() if any(map(str.isalnum, line))), text.strip()[:1])
    more = len(line) > PREVIEW or text.strip() != line
    return line[:PREVIEW] + (" …" if more else "")


def gist(text: str) -> str:
    """A fragment, or another document with a brief, by its brief; any other text by its first line."""
    return preview(project(text, "summary"))


def value_line(value: object) -> str:
    """The value of a variable in one line; a text that would show nothing, in quotes."""
    written = value if isinstance(value, str) and value.strip() else json.dumps(value, ensure_ascii=False)
    return preview(written) if any(map(str.isalnum, written)) else " ".join(written.split())[:PREVIEW]


def _keys(value: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> list[str]:
    """The keys of a mapping, or those that its rows name."""
    return list(value) if isinstance(value, Mapping) else [str(row.get("key", "")) for row in value]


class Account:
    """Writes the account of a session of `plan` to `out`, plain text; `given` are the options that a command to
    go on needs again, `words` the catalogue of its language."""

    def __init__(
        self, plan: RunnablePlan, out: TextIO, given: Sequence[str] = (), words: Words = ENGLISH
    ) -> None:
        self._plan = plan
        self._words = words
        self._given = tuple(given)
        self._out = out
        self._live = out.isatty()
        self._progressing = False

    def told(self, text: str) -> str:
        """`text` in the language of the account."""
        return said_in(self._words, text)

    def retold(self, text: str) -> str:
        """What the session or the runtime says, in the language of the account."""
        return retold(self._words, text)

    def refused(self, problem: Exception) -> None:
        """Print why there is no session."""
        message = problem.args[0] if problem.args and isinstance(problem.args[0], str) else str(problem)
        self.line(say("error: {message}", message=self.retold(message)))

    def line(self, text: str) -> None:
        """One line. Much of it was written by models: what would steer a terminal, or begin a line that looks
        like one of ours, is shown by its number."""
        self._out.write(self._wiped() + visible(self.told(text)) + "\n")
        self._out.flush()

    def _wiped(self) -> str:
        """What takes away the line that shows how far a reply is."""
        shown, self._progressing = self._progressing, False
        return "\r\x1b[K" if shown else ""

    def show(self, happening: Happening) -> None:
        """Print what a session tells; what this account has no words for is left out."""
        teller = getattr(self, f"_{happening.kind}", None)
        if teller is not None:
            teller(happening.data)

    def ask(self, session: Session, pending: Pending, full: bool) -> None:
        """Print what the session waits for; with `full` all that a person needs to see to answer."""
        turn = pending.turn
        who = say(" · {who}", who=self._who(turn.worker, turn.role)) if turn else ""
        self.line(
            say(
                "waiting ({reason}){who}: {what}",
                reason=word(pending.reason),
                who=who,
                what=self._asks(pending),
            )
        )
        card = full and pending.reason == "review_artifact"
        if card:
            self._artifacts(session, pending)
        elif not full:
            self._questions(pending)
            return
        if pending.prompt:
            self._indented(pending.prompt)
        self._questions(pending)
        if pending.reason == "intake" and (len(pending.targets) > 1 or not pending.prompt):
            self.line(say("  for {tags}", tags=series(pending.targets)))
        if not card:
            self._artifacts(session, pending)

    def _questions(self, pending: Pending) -> None:
        for question in pending.questions:
            self.line(f"  ? {question}")

    def _asks(self, pending: Pending) -> str:
        worker = self._plan.workers.get(pending.turn.worker) if pending.turn else None
        if pending.reason == "worker_questions" and worker and worker.actor == "user":
            return say("your turn; it is written to {tags}", tags=series(pending.targets))
        return ASKS[pending.reason]

    def _artifacts(self, session: Session, pending: Pending) -> None:
        """What is decided about: artifacts as people read them, any other text as it is."""
        board = session.board
        for item_id in pending.items:
            item = board.get(item_id)
            if item is not None:
                self.line(f"  --- {item.tag}")
                self._indented(artifact_page(item, self._words) or item.content)

    def entry(self, entry: UserEntry) -> None:
        """Print what the script answered."""
        said = entry.value if isinstance(entry.value, str) else series(_keys(entry.value))
        action = word(entry.action)
        self.line(
            say("  > {action}: {said}", action=action, said=preview(said))
            if said
            else say("  > {action}", action=action)
        )

    def suspended(self, session: Session) -> None:
        """Print that the session waits, and how to go on."""
        status = session.status
        waits = (
            say("waits for the user ({reason})", reason=word(status.reason))
            if status.reason
            else say("was interrupted")
        )
        self.line(say("suspended: session {id} {waits}", id=session.id, waits=waits))
        self._how_to_resume(session)

    def failed(self, session: Session, message: str) -> None:
        """Print why the run stopped, and how to go on."""
        self.line(say("error: {message}", message=self.retold(message)))
        if session.status.phase != "done":
            self._how_to_resume(session)

    def done(self, session: Session, ending: Ending, full: bool, exported: str | None = None) -> None:
        """Print which texts there are: the first line of each, or all of it with `full`; and how to see the rest.
        `exported` is the file that holds them."""
        self.line(say("done"))
        for item in ending.delivered:
            self._final(say("  delivered {tag}: {text}", tag=item.tag, text=gist(item.content)), item, full)
        for item in ending.confirmed:
            self._final(say("  confirmed {tag}: {text}", tag=item.tag, text=gist(item.content)), item, full)
        for item in ending.written:
            self._final(say("  written {tag}: {text}", tag=item.tag, text=gist(item.content)), item, full)
        if exported:
            self.line(say("written to {path}", path=exported))
        elif ending.texts and not full:
            words = ("skillc", "run", self._plan.package.path, "--resume", session.id, *self._stored())
            self.line(
                say(
                    "in full: {command} --text (or --export FILE, as Markdown)",
                    command=shlex.join(words),
                )
            )

    def play_on(self, session: Session) -> None:
        """Print how a play that ended with its rounds goes on."""
        words = ("skillc", "run", self._plan.package.path, "--resume", session.id)
        more = ("--rounds", str(session.record.progress.round + 1))
        self.line(say("play on with: {command}", command=shlex.join([*words, *more, *self._given])))

    def _final(self, said: str, item: Item, full: bool) -> None:
        self.line(said)
        if full:
            self._indented(item.content)

    def _stored(self) -> tuple[str, ...]:
        """The option that names the store, where it was given: a finished session needs no other."""
        after = dict(pairwise(self._given))
        return ("--store", after["--store"]) if "--store" in after else ()

    def _how_to_resume(self, session: Session) -> None:
        words = ("skillc", "run", self._plan.package.path, "--resume", session.id, *self._given)
        self.line(say("resume with: {command}", command=shlex.join(words)))

    def _indented(self, text: str) -> None:
        for line in text.removesuffix("\n").replace("\r\n", "\n").split("\n"):
            self.line(f"  {line}" if line else "")

    def _who(self, worker_id: object, role: object) -> str:
        worker = self._plan.workers.get(str(worker_id))
        name = f" {worker.name}" if worker and worker.name != worker_id else ""
        return say("{who} as {role}", who=f"{worker_id}{name}", role=role) if role else f"{worker_id}{name}"

    def _session(self, data: Mapping[str, Any]) -> None:
        verb = say("resumed") if data["resumed"] else say("started")
        self.line(say("session {id} of {package} {verb}", id=data["id"], package=data["package"], verb=verb))

    def _round(self, data: Mapping[str, Any]) -> None:
        if data.get("by_slots"):
            self.line(say("turn {n}", n=data["round"]))
        else:
            self.line(say("{stage}, round {n}", stage=word(data["stage"]), n=data["round"]))

    def _decision(self, data: Mapping[str, Any]) -> None:
        who = say(" {who}", who=self._who(data["worker"], data["role"])) if data["worker"] else ""
        why = say(": {reason}", reason=data["reason"]) if data["reason"] else ""
        self.line(say("decides {action}{who}{why}", action=word(data["action"]), who=who, why=why))

    def _looked(self, data: Mapping[str, Any]) -> None:
        self.line(say("looks ({tool})", tool=word(data["tool"])))

    def _refused(self, data: Mapping[str, Any]) -> None:
        self.line(say("  refused: {message}", message=self.retold(data["message"])))

    def _declared(self, data: Mapping[str, Any]) -> None:
        self.line(say("ready; from now on run {workers}", workers=series(data["workers"])))

    def _run(self, data: Mapping[str, Any]) -> None:
        again = say(" again") if data["revision"] else ""
        slot = say(" in slot {slot}", slot=data["slot"]) if data.get("slot") else ""
        who = self._who(data["worker"], data["role"])
        self.line(say("run {who}{slot}{again}", who=who, slot=slot, again=again))
        self.line(say("  reads {tags}", tags=series(data["reads"]) or say("nothing")))

    def _retry(self, data: Mapping[str, Any]) -> None:
        self.line(
            say(
                "  reply not usable ({kind}): {message}; asking again",
                kind=word(data["kind"]),
                message=self.retold(data["message"]),
            )
        )

    def _progress(self, data: Mapping[str, Any]) -> None:
        """How much of a reply is there, in one line that changes; only where a person looks."""
        if not self._live:
            return
        said = self.told(say("  … {n:,} characters", n=data["characters"]))
        self._out.write(f"{self._wiped()}{said}")
        self._out.flush()
        self._progressing = True

    def _stepped_down(self, data: Mapping[str, Any]) -> None:
        self.line(
            say(
                "  note: profile {profile} is asked by {to} from now on, not by {way}: {why}",
                profile=data["profile"],
                to=data["to"],
                way=data["way"],
                why=self.retold(data["why"]),
            )
        )

    def _written(self, data: Mapping[str, Any]) -> None:
        for item in data["items"]:
            self.line(say("  writes {tag}: {text}", tag=item["tag"], text=gist(item["content"])))
        if not data["items"]:
            self.line(say("  writes nothing"))

    def _variables(self, data: Mapping[str, Any]) -> None:
        for key, value, before in data["changed"]:
            was = say(" (was {value})", value=value_line(before)) if before is not None else ""
            self.line(say("  variable {key} = {value}{was}", key=key, value=value_line(value), was=was))
        for key in data["kept"]:
            self.line(say("  variable {key} stays as you set it in this turn", key=key))

    def _effect(self, data: Mapping[str, Any]) -> None:
        self.line(say("side effect {id}", id=data["id"]))
        for item in data["items"]:
            self.line(say("  writes {tag}: {text}", tag=item["tag"], text=gist(item["content"])))
        for worker in data["queued"]:
            self.line(say("  queues {who}", who=self._who(worker, None)))

    def _queued(self, data: Mapping[str, Any]) -> None:
        self.line(say("queued {who}", who=self._who(data["worker"], data["role"])))

    def _shown(self, data: Mapping[str, Any]) -> None:
        self.line(say("shown:"))
        self._indented(data["text"])

    def _summary(self, data: Mapping[str, Any]) -> None:
        self.line(say("  summary: {text}", text=data["text"]))

    def _note(self, data: Mapping[str, Any]) -> None:
        self.line(say("  note: {text}", text=self.retold(data["text"])))

    def _question(self, data: Mapping[str, Any]) -> None:
        self.line(say("  asks: {questions}", questions=" / ".join(data["questions"])))

    def _card(self, data: Mapping[str, Any]) -> None:
        questions = [f"{data['lead']} "] if data["lead"] else []
        told = " / ".join(row["text"] for row in data["questions"])
        self.line(say("  {tag} asks: {questions}", tag=data["tag"], questions="".join([*questions, told])))

    def _verdict(self, data: Mapping[str, Any]) -> None:
        reason = f": {self.retold(data['reason'])}" if data["reason"] else ""
        self.line(say("  verdict {verdict}{reason}", verdict=word(data["verdict"]), reason=reason))

    def _accepted(self, data: Mapping[str, Any]) -> None:
        self.line(say("  accepted {tags}", tags=series(data["tags"])))

    def _promoted(self, data: Mapping[str, Any]) -> None:
        for draft, confirmed in data["pairs"]:
            self.line(say("  promoted {draft} -> {confirmed}", draft=draft, confirmed=confirmed))

    def _rejected(self, data: Mapping[str, Any]) -> None:
        self.line(say("  rejected {tags}", tags=series(data["tags"])))

    def _revision(self, data: Mapping[str, Any]) -> None:
        self.line(
            say(
                "  sent back to {who}: {tags}",
                who=self._who(data["worker"], None),
                tags=series(data["tags"]),
            )
        )

    def _never_ran(self, data: Mapping[str, Any]) -> None:
        reasons = [say("missing: {tags}", tags=series(data["missing"]))] if data["missing"] else []
        kept_back = data.get("filtered", ())
        reasons += [
            say("{tag} is there, but never given to it ({why})", tag=tag, why=self.retold(why))
            for tag, why in kept_back
        ]
        if data.get("skipped"):
            reasons.append(say("the package was ready before its turn"))
        if data.get("uncalled"):
            reasons.append(say("it is no slot that is on, and no side effect called it"))
        why = clauses(reasons) if reasons else say("missing: nothing")
        self.line(say("  note: {who} never ran; {why}", who=self._who(data["worker"], None), why=why))
