"""The user's side of a session: a person at the terminal, or the entries of a script."""

from __future__ import annotations

from collections.abc import Callable

from skillc.cli.account import Account
from skillc.cli.commands import Commands, meant
from skillc.cli.keyboard import Prompt, decision_of, is_short, read_text
from skillc.cli.session_words import word
from skillc.execute.delivery import Delivery, Said
from skillc.execute.models.scripted import UserEntry
from skillc.execute.playback import Playback
from skillc.execute.records import Pending
from skillc.execute.session import Session
from skillc.wording import say, series


class Unanswered(Exception):
    """Nobody is there to answer: the session stays suspended."""


class RunFailed(Exception):
    """The run cannot go on; one sentence."""


class Conversation:
    """The user's side of the conversation: a person at the terminal, or the entries of a script."""

    def __init__(
        self,
        session: Session,
        account: Account,
        script: Playback | None,
        prompt: Prompt,
        interactive: bool,
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        self._session = session
        self._account = account
        self._script = script
        self._prompt: Prompt = lambda question: prompt(account.told(question))
        self._interactive = interactive
        self._forget = forget
        self._commands = Commands(session, account)

    def converse(self) -> None:
        """Advance and answer in turn until the session is done or stopped by an error. Who gave an answer that does not do
        is asked again, but what is asked about is not shown again: it may be long."""
        is_shown = False
        while self._session.advance().phase == "waiting_user":
            pending = self._session.pending
            if pending is None:
                return
            changed = self._session.changed_worker()
            if changed:
                raise RunFailed(
                    say(
                        "worker `{worker}` was compiled anew since it asked; give --accept-change to go on",
                        worker=changed,
                    )
                )
            if not is_shown:
                self._account.ask(self._session, pending, full=self._script is None)
            is_shown = self._is_to_ask_again(pending)
        entries = self._script.left_entries if self._script else ()
        if entries and self._session.status.phase == "done":
            left = series(word(entry.action) for entry in entries)
            raise RunFailed(say("the script has user entries that nobody asked for: {names}", names=left))

    def _is_to_ask_again(self, pending: Pending) -> bool:
        """Take one answer, and say whether the person who gave it has to give another."""
        if self._script is None and not self._interactive:
            raise Unanswered
        if self._script is None:
            return self._from_person(pending).refused
        self._from_script(self._script, pending)
        return False

    def _from_script(self, script: Playback, pending: Pending) -> None:
        """The next entry, behind the edits of variables that stand before it: these end no waiting."""
        entry = script.next_entry()
        while entry is not None and entry.action == "edit":
            self._play(script, entry)
            entry = script.next_entry()
        if entry is None:
            raise RunFailed(
                say(
                    "the script has no user entry left, but the session waits ({reason})",
                    reason=word(pending.reason),
                )
            )
        self._play(script, entry)

    def _play(self, script: Playback, entry: UserEntry) -> None:
        self._account.entry(entry)
        delivery = self._deliver(entry)
        if entry.action == "refused":
            self._refuse(script, delivery)
        elif delivery.refused:
            raise RunFailed(
                say(
                    "user entry {number} of the script (`{action}`) does not fit: {message}",
                    number=script.taken,
                    action=entry.action,
                    message=self._account.retold(delivery.message),
                )
            )

    def _refuse(self, script: Playback, delivery: Delivery) -> None:
        """The script says that this answer is none: then the session goes on asking."""
        if not delivery.refused:
            raise RunFailed(
                say(
                    "user entry {number} of the script should have been refused, and it was taken",
                    number=script.taken,
                )
            )
        self._account.line(say("  {message}", message=self._account.retold(delivery.message)))

    def _deliver(self, entry: UserEntry) -> Delivery:
        said = entry.value
        if entry.action in ("answer", "refused") and not isinstance(said, list):
            return self._session.answer(said)
        if entry.action == "edit" and not isinstance(said, str):
            return self._session.edit(meant(said))
        if not isinstance(said, str):
            return Delivery("refused", say("`{action}` takes one text", action=entry.action))
        if entry.action == "accept":
            return self._session.accept()
        return self._session.reject(said) if entry.action == "reject" else self._session.input(said)

    def _from_person(self, pending: Pending) -> Delivery:
        if pending.reason == "input":
            self._commands.hint()
        delivery = self._decide(pending) if "accept" in self._session.actions else self._write(pending)
        if delivery.refused:
            self._account.line(say("  {message}", message=self._account.retold(delivery.message)))
        return delivery

    def _decide(self, pending: Pending) -> Delivery:
        """Accept, or notes on what to change; what may be either is asked back, so that no text is refused
        by an odd way to say yes. A longer text answers the questions of what is shown, where it has some."""
        asks = pending.reason == "review_artifact" and bool(pending.questions)
        said = self._ask(
            say("accept? [y, n, or your answers] ") if asks else say("accept? [y, n, or what to change] ")
        )
        decision = decision_of(said)
        if decision:
            return self._session.accept()
        if decision is None and is_short(said):
            sure = say("send this as your answer? [y/n] ") if asks else say("send this back as notes? [y/n] ")
            if not said or not decision_of(self._ask(sure)):
                return Delivery("refused", say("say y to accept, or what to change"))
            return self._session.answer(said) if asks else self._session.reject(said)
        if decision is False:
            notes = self._read(say("what to change"))
        elif asks:
            return self._session.answer(read_text(self._prompt, say("more answers"), said))
        else:
            notes = read_text(self._prompt, say("what else to change"), said)
        if not notes.strip():
            return Delivery("refused", say("say y to accept, or what to change"))
        return self._session.reject(notes)

    def _ask(self, question: str) -> str:
        """One line as the answer to what is shown now, never what was typed before; commands are none."""
        self._forget()
        said = None
        while said is None:
            said = self._commands.take(self._prompt(question).strip())
        return said

    def _write(self, pending: Pending) -> Delivery:
        if pending.reason == "input":
            return self._session.answer(self._read(say("your text")))
        names = pending.targets if len(pending.targets) > 1 else (say("your text"),)
        if pending.reason == "intake":
            names = names[:1]
        texts = [self._read(name) for name in names]
        if not all(text.strip() for text in texts):
            return Delivery("refused", say("nothing was said: the text is blank"))
        said: Said = texts[0] if len(names) == 1 else dict(zip(names, texts, strict=True))
        return self._session.answer(said)

    def _read(self, what: str) -> str:
        return read_text(self._prompt, what, begin=self._commands.take)
