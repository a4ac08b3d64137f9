"""What can be wrong with a store, each as an exception whose message is one sentence for the user."""

from __future__ import annotations


class StoreError(Exception):
    """The store cannot be used; the message is one sentence for the user."""


class StoreCorrupt(StoreError):
    """What the store holds is damaged."""


class StoreBusy(StoreError):
    """Others use the store at this moment; the same thing may succeed when it is tried again."""


class StoreUnreachable(StoreError):
    """There is no connection to the store's server, or it broke: what was going on may have happened or not."""


class StoreOutdated(StoreError):
    """An older version of the program made the store; `version` is its."""

    def __init__(self, message: str, version: int) -> None:
        super().__init__(message)
        self.version = version


class StoreConflict(StoreError):
    """Somebody else moved the session on; nothing was written."""


class SessionHeld(StoreConflict):
    """Another process runs the session."""


class LeaseLost(StoreConflict):
    """The session was taken over by another process; nothing was written."""


class UnknownSession(StoreError):
    """The store has no session of that id."""


class Damage(Exception):
    """Something read does not fit its digest; the message says what."""


class Moved(Exception):
    """The stored session is not the one that was read."""


class LeaseGone(Exception):
    """The lease under which something should be written is another's now; the message says whose, if any."""


class OtherVersion(Exception):
    """The tables are of another version of the program."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version
