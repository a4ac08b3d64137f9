"""A build that has nothing to do: seen from the log alone, before anything of the compiler is loaded."""

from __future__ import annotations

import os

from skillc.processes import in_shares, processors
from skillc.store.log import open_log
from skillc.store.marks import changed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from skillc.store.log import Opened

    Change = tuple[list[int], list[int]]

STATE = ".skillc"
LOG = "log"
COMPILER, SAID, VARIABLES, BUILD = range(4)
"""The words of a log's frame: the compiler's identity; what a build says when nothing has changed, empty where it
has more to say; the variables that decide how it says it; the folder of the output."""
SHARE = 8
"""Fewer sheets than this are looked at sooner than a process is there for them."""
DECIDING = ("SKILLC_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "SKILLC_FORMAT")


class Standing:
    """How the workspace in `folder` stands against its log, by times alone. `changes` are, for each sheet, the rows that
    are not as they were, of what packages are made of and of what was written of them."""

    __slots__ = ("changes", "folder", "opened")

    def __init__(self, folder: str, opened: Opened, changes: list[Change]) -> None:
        self.folder = folder
        self.opened = opened
        self.changes = changes

    @property
    def is_as_it_was(self) -> bool:
        return all(change == ([], []) for change in self.changes)


def standing(folder: str, build: str = "") -> Standing | None:
    """How the workspace in `folder` stands; None where there is no log. `build` is the folder of the output, below it;
    without one, that of the log's frame."""
    opened = open_log(os.path.join(folder, STATE, LOG))
    return stood(folder, opened, build) if opened else None


def stood(folder: str, opened: Opened, build: str = "") -> Standing | None:
    """The same with a log that is opened."""
    words = build or (opened.frame[BUILD] if len(opened.frame) > BUILD else "")
    sources, output = _prefix(folder), _prefix(os.path.join(folder, *words.split("/")))

    def look(share: range) -> list[Change | None]:
        return [_change(opened, number, sources, output) for number in share]

    found = in_shares(look, len(opened), max(1, min(processors(), len(opened) // SHARE)))
    changes = [change for change in found if change is not None]
    if len(changes) < len(found):
        opened.close()
        return None
    return Standing(folder, opened, changes)


def _change(opened: Opened, number: int, sources: str, output: str) -> Change | None:
    """What changed of a sheet; None where the log is not the one that was written."""
    front = opened.front(number)
    if front is None:
        return None
    rows = changed([*_paths(sources, front.seen), *_paths(output, front.made)], front.marks)
    seen = len(front.seen)
    return [row for row in rows if row < seen], [row - seen for row in rows if row >= seen]


def _prefix(folder: str) -> str:
    """What the name of a file in `folder` has before it. The system is the sooner there, the less lies between it and
    where we are."""
    return os.path.join(folder, "").removeprefix(os.path.join(os.getcwd(), ""))


def _paths(prefix: str, names: Sequence[str]) -> Sequence[str]:
    if not prefix:
        return names
    return [name if name[:1] == "/" or name[1:2] == ":" else prefix + name for name in names]


def variables(environment: Mapping[str, str]) -> str:
    """What of the environment decides how a build speaks."""
    return "\n".join(environment.get(name, "") for name in DECIDING)


def looked(folder: str, environment: Mapping[str, str]) -> tuple[str | None, Standing | None]:
    """What `skillc build` in `folder` says when everything is as the last one left it, None when it is not or when that
    cannot be told from here; and how things stand, where that was looked at."""
    opened = open_log(os.path.join(folder, STATE, LOG))
    if opened is None:
        return None, None
    frame = opened.frame
    if len(frame) <= BUILD or not frame[SAID] or frame[VARIABLES] != variables(environment):
        opened.close()
        return None, None
    found = stood(folder, opened)
    if found is None or not (found.is_as_it_was or _is_settled(found, frame[BUILD])):
        return None, found
    opened.close()
    return frame[SAID], None


def _is_settled(found: Standing, build: str) -> bool:
    from skillc.store.racy import is_settled

    return is_settled(found, build)


def nothing_to_do(folder: str, environment: Mapping[str, str]) -> str | None:
    """What a build says that has nothing to do; None when it has, or when that cannot be told from here."""
    said, found = looked(folder, environment)
    if found:
        found.opened.close()
    return said
