"""What a comparison gives: frozen records, from the whole down to one field of one worker."""

from __future__ import annotations

from typing import Any, Literal, get_args

from skillc.compare.side import Side
from skillc.diagnostic import Diagnostic
from skillc.tokens import Counter
from skillc.value import value

Kind = Literal[
    "interface",
    "isolation",
    "acceptance",
    "readiness",
    "slots",
    "scheduling",
    "model",
    "fixed_prefix",
    "static_prefix",
    "dynamic",
    "prose",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which they are told: contracts first, words last."""
Status = Literal["added", "removed", "renamed", "changed"]


@value
class Change:
    """One field that differs. A list says what was `added` and `removed`, a value what it `was` and is `now`; a long
    text says neither."""

    kind: Kind
    field: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    was: str | None = None
    now: str | None = None


@value
class Prefix:
    """The beginning of a context that does not depend on the board: the fixed prefix and the leading static segments.

    `tokens` is all of it; `fixed_anew` and `static_anew` are what stands behind the first character that differs, and
    has to be read anew once. `fills` are the segments among them to which the board adds its texts. `variant` is None
    for the worker's own layout, `slot` says that it is the one of its slot.
    """

    variant: str | None
    slot: bool
    tokens: int
    fixed_anew: int
    static_anew: int
    fills: tuple[str, ...] = ()

    @property
    def anew(self) -> int:
        return self.fixed_anew + self.static_anew


@value
class WorkerDifference:
    """A worker that is not as before. `was` is its former id where it was renamed. `resumes`: whether a session that
    waits for it can go on. `prefixes` are None where no model reads it."""

    id: str
    status: Status
    kinds: tuple[Kind, ...] = ()
    was: str | None = None
    changes: tuple[Change, ...] = ()
    counter: Counter | None = None
    prefixes: tuple[Prefix, ...] | None = None
    resumes: bool = True

    @property
    def anew(self) -> int:
        """Tokens to be read anew in the layout that loses most."""
        return max((prefix.anew for prefix in self.prefixes or ()), default=0)


@value
class LostProducer:
    """`worker` still reads `pattern`, and `lost` (ids; sources in parentheses) write nothing of it any more;
    `left` is the number of producers that it still has."""

    worker: str
    pattern: str
    lost: tuple[str, ...]
    left: int


Row = dict[str, Any]
"""A row of `flows` of a plan (docs/plan-format.md)."""


@value
class FlowDifference:
    """Disclosures and declassifications that are in force now and were not, and the other way round."""

    disclosed: tuple[Row, ...] = ()
    undisclosed: tuple[Row, ...] = ()
    declassified: tuple[Row, ...] = ()
    reclassified: tuple[Row, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.disclosed or self.undisclosed or self.declassified or self.reclassified)


@value
class LeftOutDifference:
    """A package that is not compared, since one side has no plan of its present text: why, on either side (`absent`
    where there is no such package, None where it compiles). `same` says that its sources are equal all the same."""

    path: str
    base: str | None
    head: str | None
    same: bool
    detail: str = ""


@value
class PackageDifference:
    """A package that is not as before. `was` is its former path where it was renamed. `stranded` are the workers,
    under their former ids, for which no waiting session can go on."""

    path: str
    status: Status
    was: str | None = None
    changes: tuple[Change, ...] = ()
    workers: tuple[WorkerDifference, ...] = ()
    lost: tuple[LostProducer, ...] = ()
    flows: FlowDifference = FlowDifference()
    stranded: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """All kinds of changes in it, in order."""
        found = {change.kind for change in self.changes}
        found.update(kind for worker in self.workers for kind in worker.kinds)
        return tuple(kind for kind in KINDS if kind in found)


@value
class Difference:
    """All that differs between `base` and `head`. `new` and `gone` are findings, None where one side knows none;
    `same_plan` are packages whose files differ while they compile to the same."""

    base: Side
    head: Side
    packages: tuple[PackageDifference, ...]
    left_out: tuple[LeftOutDifference, ...]
    same_plan: tuple[str, ...]
    new: tuple[Diagnostic, ...] | None
    gone: tuple[Diagnostic, ...] | None

    @property
    def different(self) -> bool:
        """Whether anything differs that matters to whoever runs the packages."""
        return bool(self.packages or self.new or self.gone or any(not one.same for one in self.left_out))
