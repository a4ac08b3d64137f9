"""A private tag that belongs to no role: no role may ever read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skillc.checks.labels import labelled
from skillc.checks.rule import Rule
from skillc.checks.wording import listed, nearest
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import InputKey, TagGraph
from skillc.model.package import LabelRule, TagRef, Worker
from skillc.tags import ONE, ROLE
from skillc.text import Span
from skillc.wording import say

if TYPE_CHECKING:
    from skillc.graph.receiving import Receiving


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """A tag named for a role that `roles` does not list, once a role, where it is first written, else first read
    (an input that nobody gives has its own finding); and a role_private label without `{id}`. Silent where
    roles come from a tag, and for the seat of the user."""
    yield from _labels_without_role(graph)
    manifest = graph.package.manifest
    if manifest is None or manifest.broken or manifest.roles_from or not manifest.roles:
        return
    known = [role.value for role in manifest.roles]
    from skillc.graph.receiving import receiving_of

    receiving = receiving_of(graph)
    seats = _seats(graph, receiving, known)
    seen: dict[str, list[tuple[Worker, TagRef, bool]]] = {}
    for worker, ref, writes in _refs(graph):
        role = receiving.owner(ref.pattern)
        if role not in (None, ONE, ROLE, *known, *seats) and labelled(graph, "role_private", ref.pattern):
            seen.setdefault(str(role), []).append((worker, ref, writes))
    for role, places in seen.items():
        yield _unowned(role, places, known, manifest.roles[0].span)


def _seats(graph: TagGraph, receiving: Receiving, known: list[str]) -> set[str]:
    """Whom the user plays: the names in the tags of `actor: user` workers, but for what is nearly a role. Such a
    worker is shown what is private to its seat, and runs as no role: `roles` are those that a model plays."""
    users = [worker for worker in graph.package.workers if worker.actor == "user"]
    named = {receiving.owner(ref.pattern) for worker in users for ref in (*worker.inputs, *worker.outputs)}
    return {role for role in named if role is not None and not nearest(role, known)}


def _refs(graph: TagGraph) -> Iterator[tuple[Worker, TagRef, bool]]:
    """All outputs, then all inputs that somebody gives."""
    for worker in graph.package.workers:
        yield from ((worker, ref, True) for ref in worker.outputs)
    for worker in graph.package.workers:
        for number, ref in enumerate(worker.inputs):
            key: InputKey = (worker.id, number)
            if any(producer.kind != "unknown" for producer in graph.producers[key]):
                yield worker, ref, False


def _unowned(
    role: str, places: list[tuple[Worker, TagRef, bool]], known: list[str], roles: Span
) -> Diagnostic:
    worker, ref, writes = places[0]
    values = {"worker": worker.id, "tag": ref.text, "role": role}
    if writes:
        message = say(
            "`{worker}` writes `{tag}`, private to `{role}`, which is no role of this package", **values
        )
    else:
        message = say(
            "`{worker}` reads `{tag}`, private to `{role}`, which is no role of this package", **values
        )
    near = nearest(role, known)
    names = listed(known)
    return finding(
        "unowned-private-tag",
        ref.span,
        message,
        say("did you mean `{near}`? The roles are {names}", near=near, names=names)
        if near
        else say(
            "list it under `roles`, or give the tag a name that belongs to no role; the roles are {names}",
            names=names,
        ),
        [
            Label(roles, say("the roles are listed here")),
            *(
                Label(other.span, say("`{worker}` names it too", worker=who.id))
                for who, other, _ in places[1:9]
            ),
        ],
    )


def _labels_without_role(graph: TagGraph) -> Iterator[Diagnostic]:
    for rule in graph.package.catalogue.labels:
        if rule.label == "role_private" and rule.span is not None and _names_no_role(rule):
            yield finding(
                "unowned-private-tag",
                rule.span,
                say(
                    "`{entry}` is labelled role_private and does not say whose it is",
                    entry=rule.pattern.text if rule.pattern else rule.segment,
                ),
                say("write `{{id}}` where the role stands, or label it hidden if no role may read it"),
            )


def _names_no_role(rule: LabelRule) -> bool:
    return rule.pattern is None or not rule.pattern.has_role


RULE = Rule("unowned-private-tag", "A private tag belongs to no role.", check)
