"""From a file that pytest met to its test."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from skillc.cli.errors import Stop
from skillc.cli.language import words
from skillc.cli.place import Place, find_place
from skillc.pytest_plugin import SNAPSHOTS
from skillc.pytest_plugin.items import CaseItem, FaultItem, UnusedItem
from skillc.snapshot.account import summary
from skillc.snapshot.assembling import Assembler
from skillc.snapshot.cases import Kept, kept_of
from skillc.snapshot.comparing import Kind, blocked
from skillc.wording import said_in, say

Maker = Callable[..., pytest.Item]
"""Makes the test of a file; takes its collector as `parent`."""

_NO_OPTIONS = argparse.Namespace()


class Workspace:
    """One workspace in a run of pytest: each of its packages is read once, when it is first needed."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.assembler = Assembler(place.reader, place.config)
        self.words = words(_NO_OPTIONS, place)
        self._kept: dict[str, Kept] = {}

    def kept(self, package: str) -> Kept:
        """What stands in `contexts` of a package."""
        if package not in self._kept:
            self._kept[package] = kept_of(self.place.reader, self.place.config.skills, package)
            self.assembler.want(package)
        return self._kept[package]


_WORKSPACES = pytest.StashKey[dict[str, Workspace]]()
_TOLD = pytest.StashKey[bool]()


class File(pytest.File):
    """A board, or a snapshot that no board asks for."""

    make: Maker

    def collect(self) -> list[pytest.Item]:
        return [self.make(self)]


def collector(file_path: Path, contexts: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The collector of `file_path`, which lies in or below the folder `contexts`; None when no workspace reads it,
    or when it is a snapshot that belongs to a case."""
    make = _maker(file_path, contexts, parent.config)
    if make is None:
        return None
    file: File = File.from_parent(parent, path=file_path)
    file.make = make
    return file


def _maker(path: Path, contexts: Path, config: pytest.Config) -> Maker | None:
    try:
        place = find_place([str(contexts)])
        if place.only is None:
            return None
        if not hasattr(config, "_syrupy"):
            return _without_syrupy(config)
        known = config.stash.setdefault(_WORKSPACES, {})
        workspace = known[place.root] = known.get(place.root) or Workspace(place)
    except Stop as stop:
        return partial(FaultItem.of, name="workspace", text=_told(stop.message))
    (package,) = place.only
    return _test_of(path, workspace, workspace.kept(package))


def _without_syrupy(config: pytest.Config) -> Maker | None:
    """Says once that syrupy is missing, at the first file that needs it."""
    if config.stash.get(_TOLD, False):
        return None
    config.stash[_TOLD] = True
    message = say(
        "the snapshots of contexts need syrupy: `pip install 'skillc[snapshot]'`, or `pytest -p no:skillc` to do without"
    )
    return partial(FaultItem.of, name="syrupy", text=_told(message))


def _test_of(path: Path, workspace: Workspace, kept: Kept) -> Maker | None:
    """The test of one file, by the package's own list, which says what counts as a case."""
    root = workspace.place.root
    if path.parent.name == SNAPSHOTS:
        lost = next((p for p in kept.unused if os.path.basename(p) == path.name), None)
        return partial(UnusedItem.of, snapshot=lost, root=root, words=workspace.words) if lost else None
    case = next((c for c in kept.cases if os.path.basename(c.path) == path.name), None)
    if case is None:
        return None
    if kept.blocked:
        return partial(FaultItem.of, name=case.name, text=blocked(kept.blocked), words=workspace.words)
    return partial(CaseItem.of, case=case, assembler=workspace.assembler, root=root, words=workspace.words)


def told_summary(kinds: list[Kind]) -> str:
    """What an update did, in the language of the locale."""
    return _told(summary(kinds, updated=True))


def _told(message: str) -> str:
    """`message` in the language of the environment, before any settings are known; in English if it names none."""
    try:
        return said_in(words(_NO_OPTIONS), message)
    except Stop:
        return message
