"""A build that has nothing to do: seen from the log alone, before anything of the compiler is loaded."""

from __future__ import annotations

import os
from bisect import bisect_right

from skillc.store.log import open_log
from skillc.store.marks import changed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from skillc.store.log import Log, Opened

STATE = ".skillc"
LOG = "log"
COMPILER, SAID, VARIABLES, BUILD = range(4)
"""The words of a log's frame: the compiler's identity; what a build says when nothing has changed, empty where it
has more to say; the variables that decide how it says it; the folder of the output."""
DECIDING = ("SKILLC_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "SKILLC_FORMAT")


class Standing:
    """How a workspace stands against its log, by times alone. `around` tells whether all outside of packages is as it
    was; `sources` and `output` are the packages, by their rows in the log, of which that cannot be said."""

    __slots__ = ("around", "folder", "opened", "output", "sources")

    def __init__(
        self, folder: str, opened: Opened, around: bool, sources: frozenset[int], output: frozenset[int]
    ) -> None:
        self.folder = folder
        self.opened = opened
        self.around = around
        self.sources = sources
        self.output = output

    @property
    def log(self) -> Log:
        return self.opened.log

    @property
    def is_as_it_was(self) -> bool:
        return self.around and not self.sources and not self.output


def standing(folder: str, build: str = "") -> Standing | None:
    """How the workspace in `folder` stands; None where there is no log. `build` is the folder of the output, below it;
    without one, that of the log's frame."""
    opened = open_log(os.path.join(folder, STATE, LOG))
    return stood(folder, opened, build) if opened else None


def stood(folder: str, opened: Opened, build: str = "") -> Standing:
    """The same with a log that is opened."""
    log = opened.log
    words = build or (log.frame[BUILD] if len(log.frame) > BUILD else "")
    paths = _paths(folder, log.seen.names) + _paths(os.path.join(folder, *words.split("/")), log.made.names)
    rows = changed(paths, [*log.seen.marks, *log.made.marks])
    sources = [row for row in rows if row < len(log.seen)]
    output = [row - len(log.seen) for row in rows[len(sources) :]]
    return Standing(
        folder,
        opened,
        not sources or sources[0] >= log.firsts[0],
        frozenset(bisect_right(log.firsts, row) - 1 for row in sources if row >= log.firsts[0]),
        frozenset(bisect_right(log.writes, row) - 1 for row in output),
    )


def _paths(folder: str, names: Sequence[str]) -> list[str]:
    """The paths of `names`, of which those that are not absolute are below `folder`. The system is the sooner there, the
    less lies between it and where we are."""
    here, prefix = os.path.join(os.getcwd(), ""), os.path.join(folder, "")
    prefix = prefix.removeprefix(here)
    return [name if name[:1] == "/" or name[1:2] == ":" else prefix + name or "." for name in names]


def variables(environment: Mapping[str, str]) -> str:
    """What of the environment decides how a build speaks."""
    return "\n".join(environment.get(name, "") for name in DECIDING)


def looked(folder: str, environment: Mapping[str, str]) -> tuple[str | None, Standing | None]:
    """What `skillc build` in `folder` says when everything is as the last one left it, None when it is not or when that
    cannot be told from here; and how things stand, where that was looked at."""
    opened = open_log(os.path.join(folder, STATE, LOG))
    if opened is None:
        return None, None
    frame = opened.log.frame
    if len(frame) <= BUILD or not frame[SAID] or frame[VARIABLES] != variables(environment):
        opened.close()
        return None, None
    found = stood(folder, opened)
    if not found.is_as_it_was:
        return None, found
    opened.close()
    return frame[SAID], None


def nothing_to_do(folder: str, environment: Mapping[str, str]) -> str | None:
    """What a build says that has nothing to do; None when it has, or when that cannot be told from here."""
    said, found = looked(folder, environment)
    if found:
        found.opened.close()
    return said
