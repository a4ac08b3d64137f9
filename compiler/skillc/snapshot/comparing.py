"""A case held against what is kept of it: the one comparison that the command and the plugin share."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from typing import Literal

from skillc.report.reasons import reason
from skillc.snapshot.assembling import Assembler, Fault
from skillc.snapshot.cases import Case
from skillc.snapshot.difference import Change, difference
from skillc.store.files import write_atomic
from skillc.text import Source
from skillc.value import value
from skillc.wording import say

Kind = Literal["same", "changed", "missing", "unused", "failed"]


@value
class Outcome:
    """What became of the case at `path` (of an unused snapshot: at its own path). `text` is what its snapshot should
    hold; without it, `faults` say why there is none. `changes` tell how the kept one differs."""

    kind: Kind
    path: str
    snapshot: str
    text: str | None = None
    faults: tuple[Fault, ...] = ()
    changes: tuple[Change, ...] = ()


def outcome_of(case: Case, assembler: Assembler, root: str) -> Outcome:
    """`case` assembled now, against its snapshot below `root`."""
    now = assembler.text(case)
    if not isinstance(now, str):
        return Outcome("failed", case.path, case.snapshot, faults=now)
    try:
        kept = stored(absolute(root, case.snapshot))
    except OSError as error:
        return Outcome("failed", case.path, case.snapshot, faults=(_unread(case.snapshot, error),))
    if kept is None:
        return Outcome("missing", case.path, case.snapshot, now)
    if same(kept, now):
        return Outcome("same", case.path, case.snapshot, now)
    return Outcome("changed", case.path, case.snapshot, now, changes=difference(_text(kept), now))


def unused(path: str) -> Outcome:
    """The snapshot at `path`, which belongs to no case."""
    return Outcome("unused", path, path)


def blocked(path: str) -> Outcome:
    """The snapshot folder at `path`, which is no plain folder."""
    fault = Fault(
        Source(path, "").span(),
        say("`{path}` is a link or no folder: snapshots are neither read nor written there", path=path),
        say("remove it, and put a folder there"),
    )
    return Outcome("failed", path, path, faults=(fault,))


def same(kept: bytes, now: str) -> bool:
    """Whether a snapshot on disk says `now`. A checkout may have changed its line ends or put a byte order mark
    before it; what contents hold of either is written by number, and counts."""
    return _text(kept) == now


def _text(kept: bytes) -> str:
    return kept.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def absolute(root: str, path: str) -> str:
    """Where the workspace-relative `path` is on this machine."""
    return os.path.join(root, *path.split("/"))


def stored(path: str) -> bytes | None:
    """The bytes of a snapshot, None when there is none; OSError for what cannot be read or is no plain file."""
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    )
    try:
        handle = os.open(path, flags)
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no file", path)
        return file.read()


def accept(outcome: Outcome, root: str) -> None:
    """Make the snapshot what it should be: written, or removed when it is unused. One that says the same stays as
    it is. Raises OSError."""
    path = absolute(root, outcome.snapshot)
    if outcome.kind == "unused":
        os.unlink(path)
    elif outcome.kind in ("changed", "missing") and outcome.text is not None:
        write_atomic(path, outcome.text.encode("utf-8"))


def unwritable(path: str, error: OSError) -> str:
    """Why a snapshot could not be written or removed."""
    return say("cannot write `{path}`: {reason}", path=path, reason=reason(error))


def _unread(path: str, error: OSError) -> Fault:
    why = say("it is a link") if error.errno == errno.ELOOP else reason(error)
    return Fault(
        Source(path, "").span(),
        say("the snapshot `{path}` cannot be read: {reason}", path=path, reason=why),
        say("remove it, and take it anew"),
    )


def refusal(environment: Mapping[str, str]) -> str | None:
    """Why snapshots are not updated here, if they are not: where `CI` is set nobody looks at what would be accepted."""
    if environment.get("CI", "").strip().lower() in ("", "0", "false", "no"):
        return None
    return say(
        "snapshots are not updated where CI is set: update them on your own machine, look at the difference, and commit"
    )
