"""What the commands share that answer a question about one worker: who is meant, and where things stand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from skillc.cli.check import check
from skillc.cli.errors import Stop
from skillc.cli.place import find_package, find_place, split_worker
from skillc.graph import Producer, TagGraph
from skillc.graph.knowledge import Cut, Hop
from skillc.text import Span

WORKER_HELP = "as in basic:outline; of one role: roleplay-game-theory:role-decide@A"


@dataclass(frozen=True, slots=True)
class Asked:
    """A worker of a package, and the role that it is asked about as."""

    graph: TagGraph
    worker: str
    role: str | None


def find_worker(name: str) -> Asked:
    """The worker that `PACKAGE:WORKER[@ROLE]` names; refuses what is not there, and says what is."""
    target, at, role = name.partition("@")
    package, worker = split_worker(target)
    if not worker or (at and not role):
        raise Stop(f"`{name}` names no worker: write PACKAGE:WORKER, or PACKAGE:WORKER@ROLE")
    place = find_place([])
    path = find_package(place, package)
    graph = check(replace(place, only=frozenset([path]))).graphs.get(path)
    if graph is None or worker not in graph.workers:
        known = ", ".join(f"`{id}`" for id in graph.workers) if graph else ""
        raise Stop(f"`{path}` has no worker `{worker}`" + (f"; it has {known}" if known else ""))
    if role and not graph.role_bound(worker):
        raise Stop(f"`{worker}` does not run as a role: ask about `{target}`")
    return Asked(graph, worker, role or None)


def given_by(producer: Producer) -> str:
    """Who gives tags, in a word or two."""
    sources = {"user": "the user", "startup": "the user, at the start", "ask": "the user, when asked"}
    return producer.worker or sources.get(producer.origin or "", producer.origin or "unknown")


def at(span: Span) -> str:
    line, column = span.position
    return f"{span.path}:{line}:{column}"


def place_data(span: Span) -> dict[str, Any]:
    line, column = span.position
    return {"path": span.path, "line": line, "column": column}


def cut_text(cut: Cut) -> str:
    """What ends a flow, as a clause."""
    if cut.kind == "declassify":
        return f"{cut.label} declassified in `{cut.tag}` of {cut.worker}: {cut.reason}"
    if cut.kind == "public":
        return f"{cut.label} ends where {cut.worker} acts in `{cut.tag}`"
    return f"{cut.label} ends where the user accepts `{cut.tag}` of {cut.worker}"


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
