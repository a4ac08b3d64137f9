"""The answer of `skillc compat` in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.compare.compat import Compat, PackageVerdict, SessionVerdict, Verdict
from skillc.compare.naming import kinds_named, side_named
from skillc.wording import say


def compat_lines(compat: Compat) -> Iterator[str]:
    """Each package with the workers that changed, each session that a store holds, and the answer."""
    yield say("{base} → {head}", base=side_named(compat.old), head=side_named(compat.new))
    yield ""
    for one in compat.packages:
        yield from _package(one)
    if compat.sessions is not None:
        yield from _sessions(compat.sessions)
    yield ""
    yield _answer(compat)


def _package(one: PackageVerdict) -> Iterator[str]:
    if one.reason is not None:
        yield _whole(one)
        return
    changed = [worker for worker in one.workers if not worker.survives]
    if not changed:
        yield say("`{path}`: every worker is as it was", path=one.path)
        return
    values = {"path": one.path, "n": len(changed), "all": len(one.workers)}
    yield say("`{path}`: workers that changed: {n} of {all}", **values)
    yield from (say("  {told}", told=_worker(worker)) for worker in changed)


def _whole(one: PackageVerdict) -> str:
    match one.reason:
        case "removed":
            return say("`{path}` is gone: its sessions cannot go on", path=one.path)
        case "renamed":
            return say(
                "`{path}` is now `{now}`: its sessions cannot go on, since the path is theirs",
                path=one.path,
                now=one.now,
            )
        case "unknown":
            return say(
                "`{path}` had no plan of its own text: which one its sessions know, only a store can tell",
                path=one.path,
            )
        case "damaged":
            return say("the new plan of `{path}` cannot be used: its sessions cannot go on", path=one.path)
    return say("`{path}` has errors now: its sessions cannot go on until these are fixed", path=one.path)


def _worker(one: Verdict) -> str:
    match one.status:
        case "removed":
            return say("`{id}` is gone: a session that waits for it cannot go on", id=one.id)
        case "renamed":
            return say(
                "`{id}` is now `{now}`: a session that waits for it cannot go on", id=one.id, now=one.now
            )
    kinds = say(" ({kinds})", kinds=kinds_named(one.kinds)) if one.kinds else ""
    return say(
        "`{id}` changed{kinds}: a session that waits for it is refused, unless it is resumed with `--accept-change`",
        id=one.id,
        kinds=kinds,
    )


def _sessions(sessions: tuple[SessionVerdict, ...]) -> Iterator[str]:
    yield ""
    fine = [one for one in sessions if one.survives]
    yield from (_session(one) for one in sessions if not one.survives)
    yield say("sessions of the store that go on: {n}", n=len(fine))


def _session(one: SessionVerdict) -> str:
    session = one.session
    values = {
        "id": session.id,
        "package": session.package,
        "worker": session.worker,
        "role": say(" for the role `{role}`", role=session.role) if session.role else "",
    }
    match one.why:
        case "package":
            return say("session {id} is of `{package}`, which has no plan now", **values)
        case "removed":
            return say("session {id} of `{package}` waits for `{worker}`{role}, which is gone", **values)
    return say("session {id} of `{package}` waits for `{worker}`{role}, which changed", **values)


def _answer(compat: Compat) -> str:
    if compat.sessions is not None:
        return (
            say("all sessions of the store survive")
            if compat.survive
            else say("some sessions of the store do not survive")
        )
    if all(one.survives or one.reason == "unknown" for one in compat.packages) and not compat.survive:
        return say("whether every suspended session survives is not known: `--store FILE` tells")
    return (
        say("every suspended session survives")
        if compat.survive
        else say("a suspended session may not survive: `--store FILE` names the sessions")
    )
