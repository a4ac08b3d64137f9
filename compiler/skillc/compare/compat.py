"""Whether suspended sessions survive: a session that waits for a worker goes on only with that worker's plan (SPEC 12.8).

A session keeps the package's path, and while a worker waits for answers that worker's digest. So a change of another
worker, of the manifest or of what is checked never stops it; a change of this one does, until somebody accepts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from skillc.artifact.plan import Plan
from skillc.compare.cost import Counters
from skillc.compare.data import side_data
from skillc.compare.difference import Kind
from skillc.compare.match import Counting, match, workers
from skillc.compare.pairing import renamed_packages
from skillc.compare.side import Side, Why
from skillc.runtime.instance import instance_of
from skillc.tokens import counter_for
from skillc.value import value

FORMAT_VERSION = "1.0"
SCHEMA_ID = "urn:skillc:compat:1"
Reason = Literal["removed", "renamed", "unknown"] | Why


@value
class Verdict:
    """What becomes of a session that waits for the worker `id`. `now` is its new id where it was renamed, `kinds` what
    changed. One that was `changed` goes on when the change is accepted; the others that do not survive never do."""

    id: str
    status: Literal["same", "changed", "renamed", "removed"]
    kinds: tuple[Kind, ...] = ()
    now: str | None = None

    @property
    def survives(self) -> bool:
        return self.status == "same"


@value
class PackageVerdict:
    """A package of the old side. `reason` says why no session of it can go on now; `unknown` that the old side has no
    plan of it, so that only a store can tell, and nothing is promised. `now` is its new path."""

    path: str
    reason: Reason | None = None
    now: str | None = None
    workers: tuple[Verdict, ...] = ()

    @property
    def survives(self) -> bool:
        return self.reason is None and all(one.survives for one in self.workers)


@value
class Waiting:
    """A session of a store that is not over. `digest` is the plan of `worker` when it asked; None where the session
    waits for something else, `waits` says for what, or for nothing."""

    id: str
    package: str
    worker: str | None = None
    role: str | None = None
    waits: str | None = None
    digest: str | None = None
    made: tuple[str, str] | None = None
    """The template that `worker` was made of in the session, and what it is told."""


@value
class SessionVerdict:
    """Whether a session goes on: not without its `package`, not when the plan of its worker `changed` or it was
    `removed`."""

    session: Waiting
    why: Literal["package", "changed", "removed"] | None

    @property
    def survives(self) -> bool:
        return self.why is None


@value
class Compat:
    """The answer: by package and worker, and by session where a store was read."""

    old: Side
    new: Side
    packages: tuple[PackageVerdict, ...]
    sessions: tuple[SessionVerdict, ...] | None

    @property
    def survive(self) -> bool:
        """Whether all suspended sessions survive: those of the store, where one was read, else any that there may be."""
        judged: Iterable[SessionVerdict | PackageVerdict] = (
            self.packages if self.sessions is None else self.sessions
        )
        return all(one.survives for one in judged)


def compatible(
    old: Side, new: Side, waiting: Iterable[Waiting] | None = None, counters: Counters = counter_for
) -> Compat:
    """Whether sessions of `old` go on with `new`; `waiting` are the sessions of a store, None where none was read."""
    counting = Counting((new, old), counters)
    moved = {was: now for now, was in renamed_packages(old, new).items()}
    packages = tuple(_package(path, moved.get(path), old, new, counting) for path in sorted(old.paths))
    sessions = None if waiting is None else tuple(_session(one, new) for one in waiting)
    return Compat(old, new, packages, sessions)


def _package(path: str, now: str | None, old: Side, new: Side, counting: Counting) -> PackageVerdict:
    if now is not None:
        return PackageVerdict(path, "renamed", now)
    if path in new.left_out:
        return PackageVerdict(path, new.left_out[path].why)
    if path not in new.packages:
        return PackageVerdict(path, "removed")
    before = _last_plan(old, path)
    if before is None:
        return PackageVerdict(path, "unknown")
    one, other = old.packages.get(path), new.packages[path]
    if one and one.mark and one.mark == other.mark:
        return PackageVerdict(path, workers=tuple(Verdict(id, "same") for id in before.order))
    return PackageVerdict(path, workers=tuple(_workers(before, other.plan(), counting)))


def _last_plan(side: Side, path: str) -> Plan | None:
    """The plan that sessions of this side were run from: an earlier one, where the package has errors since."""
    return side.packages[path].plan() if path in side.packages else side.left_out[path].plan


def _workers(before: Plan, after: Plan, counting: Counting) -> Iterator[Verdict]:
    differences = {one.was or one.id: one for one in workers(match(before, after, counting))}
    for id in before.order:
        one = differences.get(id)
        if one is None or one.resumes:
            yield Verdict(id, "same")
        elif one.status == "renamed":
            yield Verdict(id, "renamed", one.kinds, one.id)
        elif one.status == "removed":
            yield Verdict(id, "removed")
        else:
            yield Verdict(id, "changed", one.kinds)


def _session(one: Waiting, new: Side) -> SessionVerdict:
    if one.package not in new.packages:
        return SessionVerdict(one, "package")
    if one.worker is None or one.digest is None:
        return SessionVerdict(one, None)
    plan = new.packages[one.package].plan()
    worker = (
        plan.workers.get(one.worker)
        if one.made is None
        else instance_of(plan, one.made[0], one.worker, one.made[1])
    )
    if worker is None:
        return SessionVerdict(one, "removed")
    return SessionVerdict(one, None if worker.digest == one.digest else "changed")


def compat_data(compat: Compat) -> dict[str, Any]:
    """The answer for `--format json`."""
    return {
        "$schema": SCHEMA_ID,
        "format_version": FORMAT_VERSION,
        "old": side_data(compat.old),
        "new": side_data(compat.new),
        "survive": compat.survive,
        "packages": [_package_data(one) for one in compat.packages],
        "sessions": None if compat.sessions is None else [_session_data(one) for one in compat.sessions],
    }


def _package_data(one: PackageVerdict) -> dict[str, Any]:
    return {
        "path": one.path,
        "survives": one.survives,
        "reason": one.reason,
        "now": one.now,
        "workers": [
            {
                "id": worker.id,
                "survives": worker.survives,
                "status": worker.status,
                "now": worker.now,
                "kinds": list(worker.kinds),
            }
            for worker in one.workers
        ],
    }


def _session_data(one: SessionVerdict) -> dict[str, Any]:
    session = one.session
    return {
        "id": session.id,
        "package": session.package,
        "worker": session.worker,
        "role": session.role,
        "waits": session.waits,
        "survives": one.survives,
        "why": one.why,
    }
