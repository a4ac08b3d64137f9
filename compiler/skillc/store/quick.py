"""A build that has nothing to do: seen from the log alone, before anything of the compiler is loaded."""

from __future__ import annotations

import os

from skillc.store.log import read_log, unchanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

STATE = ".skillc"
LOG = "log"
COMPILER, SAID, VARIABLES, BUILD = range(4)
"""The words of a log's frame: the compiler's identity; what a build says when nothing has changed, empty where it
has more to say; the variables that decide how it says it; the folder of the output."""
DECIDING = ("SKILLC_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "SKILLC_FORMAT")


def variables(environment: Mapping[str, str]) -> str:
    """What of the environment decides how a build speaks."""
    return "\n".join(environment.get(name, "") for name in DECIDING)


def nothing_to_do(folder: str, environment: Mapping[str, str]) -> str | None:
    """What `skillc build` in `folder` says when everything is as the last one left it; None when it is not, or when
    that cannot be told from here."""
    read = read_log(os.path.join(folder, STATE, LOG))
    if read is None:
        return None
    log, _ = read
    if len(log.frame) <= BUILD or not log.frame[SAID] or log.frame[VARIABLES] != variables(environment):
        return None
    output = os.path.join(folder, *log.frame[BUILD].split("/"))
    return log.frame[SAID] if unchanged(log.seen, folder) and unchanged(log.made, output) else None
