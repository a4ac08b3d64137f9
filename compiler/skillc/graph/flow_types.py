"""What following the secrets of a package gives (SPEC 8.4). Data only."""

from __future__ import annotations

from skillc.model.package import TagRef
from skillc.tags import Pattern
from skillc.value import value

USER = "(user)"
"""Who reads what is delivered or asked. No worker has such an id."""
HISTORY = "(history)"
"""What the user was shown, as 对话.历史 gives it to workers."""
ASKED = -1
"""In the place of an output's number: what a worker asks the user."""
KEPT = ("hidden", "user_only", "role_private")
"""The labels that keep something from somebody."""
DENIED = "denied"
"""Stands as label of what a manifest forbids to one worker, and no label hides anyway."""


@value
class Secret:
    """Tags that carry `label`, as one worker writes them (output `number` of `writer`) or a source gives them.

    `role`: whose they are, a role's id or `*`, where the label is role_private. `only`: the one worker from
    which a manifest keeps them.
    """

    label: str
    pattern: Pattern
    writer: str | None = None
    number: int = 0
    origin: str | None = None
    ref: TagRef | None = None
    role: str | None = None
    only: str | None = None

    @property
    def private(self) -> bool:
        """Whether it is kept for the user's or a role's sake: these go together. Else it is hidden, or forbidden."""
        return self.label not in ("hidden", DENIED)


@value
class Step:
    """A worker on the way of a secret: what it read (None where it made the secret itself), what it then wrote
    (None where it asks the user)."""

    worker: str
    read: TagRef | None
    wrote: TagRef | None


@value
class Arrival:
    """Where a secret comes to be read: by a worker through an input, or by the user (`read` is None)."""

    reader: str
    read: TagRef | None
    pattern: Pattern


@value
class End:
    """A secret, the first thing that was written with it in mind (None: it is read right away, or the user is
    asked), and where that leads."""

    secret: Secret
    wrote: TagRef | None
    arrival: Arrival


@value
class Leak:
    """One cause, with the most telling of its ways in full, and all of its `ends`.

    `created`: the worker that makes the secret writes something beside it (co-output); else a worker read it, or,
    without `steps`, it is read right away by whom it must not be.
    """

    secret: Secret
    created: bool
    steps: tuple[Step, ...]
    end: End
    ends: tuple[End, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """What the secrets carry that take these ways, gravest first."""
        found = {end.secret.label for end in self.ends}
        return tuple(label for label in (*KEPT, DENIED) if label in found)

    @property
    def slug(self) -> str:
        """The kind of finding that this is (SPEC 16.5)."""
        if self.created:
            return "disclosure"
        if self.end.arrival.reader == USER:
            return "hidden-to-user"
        return "user-only-leak" if "user_only" in self.labels else "hidden-flow"


@value
class Flows:
    """All leaks of a package, by where their first way begins; `idle`: (entry, tag) numbers of the tags of
    declassify entries that cut nothing."""

    leaks: tuple[Leak, ...] = ()
    idle: tuple[tuple[int, int], ...] = ()


NO_FLOWS = Flows()
