"""The tests: a case against its snapshot, a snapshot that belongs to none, and what cannot be compared."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from skillc.pytest_plugin import PROPERTY
from skillc.report.language import ENGLISH, Words
from skillc.snapshot.account import account, plain
from skillc.snapshot.assembling import Assembler
from skillc.snapshot.cases import Case
from skillc.snapshot.comparing import Outcome, absolute, accept, outcome_of, refusal, unused, unwritable
from skillc.wording import said_in, say


class Failed(Exception):
    """A test did not hold; its text is all that the user needs to see."""


class Item(pytest.Item):
    """A test that fails with words, never with a traceback."""

    words: Words = ENGLISH

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, Failed) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"context {self.name}"

    def fail(self, lines: Iterable[tuple[str, str]]) -> None:
        """Fail with the lines of an account."""
        raise Failed("\n".join(plain(mark, said_in(self.words, text)) for mark, text in lines))

    def may_update(self) -> bool:
        """Whether snapshots are to be written; fails where they must not be."""
        wanted = bool(self.config.getoption("update_snapshots", False))
        new_only = bool(self.config.getoption("update_new_snapshots_only", False))
        refused = refusal(os.environ) if wanted or new_only else None
        if refused:
            self.fail([("!", refused)])
        return wanted


class CaseItem(Item):
    """Assembles one case and compares it with its snapshot."""

    case: Case
    assembler: Assembler
    root: str

    @classmethod
    def of(
        cls, parent: pytest.Collector, case: Case, assembler: Assembler, root: str, words: Words
    ) -> CaseItem:
        item: CaseItem = cls.from_parent(parent, name=case.name)
        item.case, item.assembler, item.root, item.words = case, assembler, root, words
        return item

    def obj(self) -> None:
        """What syrupy names a test by."""

    @property
    def snapshot(self) -> str:
        """Where the snapshot is on this machine."""
        return absolute(self.root, self.case.snapshot)

    def runtest(self) -> None:
        self.may_update()
        outcome = outcome_of(self.case, self.assembler, self.root)
        if outcome.text is None or not self._holds(outcome.text):
            self.fail(account(outcome))
        self.user_properties.append((PROPERTY, outcome.kind))

    def _holds(self, text: str) -> bool:
        from skillc.pytest_plugin.extension import holds

        try:
            return holds(self, text)
        except OSError as error:
            self.fail([("!", unwritable(self.case.snapshot, error))])
        return False


class UnusedItem(Item):
    """Fails for a snapshot without a case; an update removes it."""

    outcome: Outcome
    root: str

    @classmethod
    def of(cls, parent: pytest.Collector, snapshot: str, root: str, words: Words) -> UnusedItem:
        item: UnusedItem = cls.from_parent(parent, name=parent.path.stem)
        item.outcome, item.root, item.words = unused(snapshot), root, words
        return item

    def runtest(self) -> None:
        kept = self.config.getoption("no_cleanup", False)
        if self.may_update() and not kept:
            try:
                accept(self.outcome, self.root)
            except OSError as error:
                self.fail([("!", unwritable(self.outcome.snapshot, error))])
            self.user_properties.append((PROPERTY, self.outcome.kind))
        elif kept or any(
            self.config.getoption(name, False)
            for name in ("warn_unused_snapshots", "disable_unused_snapshots")
        ):
            pytest.skip(said_in(self.words, say("unused snapshot")))
        else:
            self.fail(account(self.outcome))


class FaultItem(Item):
    """Fails with what stands in the way of a test."""

    text: str | Outcome = ""

    @classmethod
    def of(
        cls, parent: pytest.Collector, name: str, text: str | Outcome, words: Words = ENGLISH
    ) -> FaultItem:
        item: FaultItem = cls.from_parent(parent, name=name)
        item.text, item.words = text, words
        return item

    def runtest(self) -> None:
        self.fail(account(self.text) if isinstance(self.text, Outcome) else [("!", self.text)])
