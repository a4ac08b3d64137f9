"""What the commands share that answer a question about one worker: who is meant, and where things stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skillc.checks.wording import listed
from skillc.cli.check import check
from skillc.cli.errors import Stop
from skillc.cli.place import Place, find_package, find_place, split_worker
from skillc.graph import Producer, TagGraph
from skillc.graph.knowledge import Cut, Hop
from skillc.text import Span
from skillc.value import replace, value
from skillc.wording import say

WORKER_HELP = say("as in basic:outline; of one role: roleplay-game-theory:role-decide@A")


@value
class Asked:
    """A worker of a package, and the role that it is asked about as."""

    place: Place
    graph: TagGraph
    worker: str
    role: str | None

    @property
    def who(self) -> str:
        if not self.role:
            return self.worker
        return say("{who} as {role}", who=self.worker, role=self.role)


def find_worker(name: str) -> Asked:
    """The worker that `PACKAGE:WORKER[@ROLE]` names; refuses what is not there, and says what is."""
    target, at, role = name.partition("@")
    package, worker = split_worker(target)
    if not worker or (at and not role):
        raise Stop(say("`{name}` names no worker: write PACKAGE:WORKER, or PACKAGE:WORKER@ROLE", name=name))
    place = find_place([])
    path = find_package(place, package)
    graph = check(replace(place, only=frozenset([path]))).graphs.get(path)
    if graph is None or worker not in graph.workers:
        known = ", ".join(f"`{id}`" for id in graph.workers) if graph else ""
        there = say("; it has {workers}", workers=known) if known else ""
        raise Stop(say("`{path}` has no worker `{worker}`{there}", path=path, worker=worker, there=there))
    if role and not graph.role_bound(worker):
        raise Stop(
            say("`{worker}` does not run as a role: ask about `{target}`", worker=worker, target=target)
        )
    fixed = _fixed_roles(graph)
    if role and fixed and role not in fixed:
        raise Stop(
            say(
                "`{path}` has no role `{role}`; it has {roles}", path=path, role=role, roles=listed(fixed, 20)
            )
        )
    return Asked(place, graph, worker, role or None)


def _fixed_roles(graph: TagGraph) -> list[str]:
    """The roles of a package that lists them; none where they are known in play only."""
    manifest = graph.package.manifest
    if manifest is None or manifest.broken or manifest.roles_from:
        return []
    return [role.value for role in manifest.roles]


def given_by(producer: Producer) -> str:
    """Who gives tags, in a word or two."""
    origin = producer.origin or "unknown"
    return producer.worker or _SOURCES.get(origin, origin)


_SOURCES: Mapping[str, str] = {
    "user": say("the user"),
    "startup": say("the user, at the start"),
    "ask": say("the user, when asked"),
}


def at(span: Span) -> str:
    line, column = span.position
    return f"{span.path}:{line}:{column}"


def place_data(span: Span) -> dict[str, Any]:
    line, column = span.position
    return {"path": span.path, "line": line, "column": column}


def cut_text(cut: Cut) -> str:
    """What ends a flow, as a clause."""
    if cut.kind == "declassify":
        return say(
            "{label} declassified in `{tag}` of {worker}: {reason}",
            label=cut.label,
            tag=cut.tag,
            worker=cut.worker,
            reason=cut.reason,
        )
    if cut.kind == "public":
        return say(
            "{label} ends where {worker} acts in `{tag}`", label=cut.label, worker=cut.worker, tag=cut.tag
        )
    return say(
        "{label} ends where the user accepts `{tag}` of {worker}",
        label=cut.label,
        tag=cut.tag,
        worker=cut.worker,
    )


def cut_data(cut: Cut) -> dict[str, str]:
    return {
        "label": cut.label,
        "kind": cut.kind,
        "worker": cut.worker,
        "tag": cut.tag,
        "reason": cut.reason,
    }


def hop_data(hop: Hop) -> dict[str, Any]:
    """One hop of a way, with the places of both ends."""
    ref = hop.producer.ref
    return {
        "from": given_by(hop.producer),
        "tag": hop.pattern.text,
        "written_at": place_data(ref.span) if ref else None,
        "to": hop.reader,
        "read_at": place_data(hop.read.span),
    }
