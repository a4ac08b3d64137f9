"""The user's side of a session: a person at the terminal, or the entries of a script."""

from __future__ import annotations

from collections.abc import Callable

from skillc.cli.account import Account
from skillc.execute.delivery import Delivery, Said
from skillc.execute.models.scripted import Script, UserEntry
from skillc.execute.records import Pending
from skillc.execute.session import Session

Prompt = Callable[[str], str]


class Unanswered(Exception):
    """Nobody is there to answer: the session stays suspended."""


class RunFailed(Exception):
    """The run cannot go on; one sentence."""


class Conversation:
    """The user's side of the conversation: a person at the terminal, or the entries of a script."""

    def __init__(
        self, session: Session, account: Account, script: Script | None, prompt: Prompt, interactive: bool
    ) -> None:
        self._session = session
        self._account = account
        self._entries = None if script is None else list(script.user)
        self._taken = 0
        self._prompt = prompt
        self._interactive = interactive

    def converse(self) -> None:
        """Advance and answer in turn until the session is done or stopped by an error."""
        while self._session.advance().phase == "waiting_user":
            pending = self._session.pending
            if pending is None:
                return
            changed = self._session.changed_worker()
            if changed:
                raise RunFailed(
                    f"worker `{changed}` was compiled anew since it asked; give --accept-change to go on"
                )
            self._account.ask(self._session, pending, full=self._entries is None)
            self._answer(pending)
        if self._entries and self._session.status.phase == "done":
            left = ", ".join(entry.action for entry in self._entries)
            raise RunFailed(f"the script has user entries that nobody asked for: {left}")

    def _answer(self, pending: Pending) -> None:
        if self._entries is not None:
            self._from_script(pending)
        elif self._interactive:
            self._from_person(pending)
        else:
            raise Unanswered

    def _from_script(self, pending: Pending) -> None:
        if not self._entries:
            raise RunFailed(f"the script has no user entry left, but the session waits ({pending.reason})")
        entry = self._entries.pop(0)
        self._taken += 1
        self._account.entry(entry)
        delivery = self._deliver(entry)
        if delivery.refused:
            raise RunFailed(
                f"user entry {self._taken} of the script (`{entry.action}`) does not fit: {delivery.message}"
            )

    def _deliver(self, entry: UserEntry) -> Delivery:
        said = entry.value
        if entry.action == "answer":
            return self._session.answer(said)
        if not isinstance(said, str):
            return Delivery("refused", f"`{entry.action}` takes one text")
        if entry.action == "accept":
            return self._session.accept()
        return self._session.reject(said) if entry.action == "reject" else self._session.input(said)

    def _from_person(self, pending: Pending) -> None:
        delivery = self._decide() if "accept" in self._session.actions else self._write(pending)
        if delivery.refused:
            self._account.line(f"  {delivery.message}")

    def _decide(self) -> Delivery:
        """Accept, or anything else said is the reason why not."""
        said = self._prompt("accept? [y, or what to change] ").strip()
        if said.lower() in ("y", "yes", "好", "是"):
            return self._session.accept()
        if said.lower() in ("n", "no", "不", "否"):
            said = self._lines("what to change")
        if not said:
            return Delivery("refused", "say y to accept, or what to change")
        return self._session.reject(said)

    def _write(self, pending: Pending) -> Delivery:
        if len(pending.targets) < 2 or pending.reason == "input":
            return self._session.answer(self._lines("your text"))
        if pending.reason == "intake":
            return self._session.answer(self._lines(pending.targets[0]))
        said: Said = {tag: self._lines(tag) for tag in pending.targets}
        return self._session.answer(said)

    def _lines(self, what: str) -> str:
        """Lines up to an empty one."""
        lines: list[str] = []
        while True:
            line = self._prompt(f"{what} (end with an empty line): " if not lines else "")
            if not line.strip():
                return "\n".join(lines)
            lines.append(line)
