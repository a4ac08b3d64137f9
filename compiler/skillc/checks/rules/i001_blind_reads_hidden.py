"""A blind reviewer, or a role, that would see what is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skillc.checks.labels import hidden_from, labelled
from skillc.checks.layouts import as_bound
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import Producer, TagGraph, meet
from skillc.graph.table import CHANGES
from skillc.model.package import TagRef, Worker
from skillc.tags import REST, ROLE, WHOLE, Pattern, family
from skillc.wording import say


@dataclass(frozen=True, slots=True)
class _Secret:
    tag: Pattern
    producer: Producer


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding an input of a blind_review or role_pov worker that matches a hidden tag which some worker or
    source may write (SPEC 8.2, 8.4). A wildcard that could hold something hidden, but that nothing says does, is
    none: what turns up at run time is filtered. `**` has its own finding. Changes of variables are of cells for
    anybody, so they are as hidden; what the user sets counts only where an input names it."""
    for worker in graph.package.workers:
        if worker.isolation != "none":
            for number, ref in enumerate(worker.inputs):
                secrets = list(_secrets(graph, worker, ref, graph.producers[worker.id, number]))
                if secrets:
                    yield _seen(worker, ref, secrets)


def _secrets(
    graph: TagGraph, worker: Worker, ref: TagRef, producers: tuple[Producer, ...]
) -> Iterator[_Secret]:
    pattern = as_bound(worker, ref.pattern)
    if pattern.parts[0] == WHOLE or (worker.isolation == "role_pov" and _all_of_its_own(pattern)):
        return
    for producer in producers:
        written = meet(producer.pattern, pattern)
        hidden = (_hidden(graph, worker, written) or _change(written, pattern, producer)) if written else None
        if hidden is not None:
            yield _Secret(hidden, producer)


def _all_of_its_own(pattern: Pattern) -> bool:
    """A role may ask for all that is its own: what is hidden among it is left out by rule (SPEC 8.3)."""
    return pattern.parts[:2] == ("角色", ROLE) and pattern.parts[-1] == REST


def _change(written: Pattern, pattern: Pattern, producer: Producer) -> Pattern | None:
    """The changes of variables that `producer` gives as such to a reader of `pattern`."""
    meant = pattern.is_tag or producer.kind != "source"
    return written if meant and written.exact and _is_change(written.exact) else None


def _is_change(tag: str) -> bool:
    return any(family(tag) == change.text for change in CHANGES)


def _hidden(graph: TagGraph, worker: Worker, written: Pattern) -> Pattern | None:
    if worker.isolation == "blind_review":
        return hidden_from(graph, worker, written)
    return labelled(graph, "hidden", written)


def _seen(worker: Worker, ref: TagRef, secrets: list[_Secret]) -> Diagnostic:
    tag = secrets[0].tag.text
    values = {"worker": worker.id, "isolation": worker.isolation, "read": ref.text, "tag": tag}
    message = (
        say("`{worker}` has {isolation} and reads `{read}`, which is hidden from it", **values)
        if tag == ref.text
        else say(
            "`{worker}` has {isolation} and reads `{read}`, which matches `{tag}`, hidden from it", **values
        )
    )
    advice = (
        say("read `变量.当前`: it shows the variables that this worker may see, after each change")
        if _is_change(tag)
        else say(
            "name only the tags that the reviewer may see, or give it contextIsolation none if it reviews as the author"
        )
        if worker.isolation == "blind_review"
        else say("name only the tags that a role may see: the runtime never gives it what is hidden")
    )
    related = [label for secret in secrets[:4] for label in _ends(secret)]
    return finding("blind-reads-hidden", ref.span, message, advice, related)


def _ends(secret: _Secret) -> Iterator[Label]:
    producer, tag = secret.producer, secret.tag.text
    if producer.ref is not None and producer.worker:
        yield Label(producer.ref.span, say("`{worker}` writes `{tag}` here", worker=producer.worker, tag=tag))
    elif producer.ref is not None:
        yield Label(producer.ref.span, say("the user is asked for `{tag}` here", tag=tag))


RULE = Rule("blind-reads-hidden", "A worker that is kept from what is hidden reads a hidden tag.", check)
