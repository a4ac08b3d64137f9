"""A blind reviewer, or a role, that would see what is hidden."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.secrets import Secret, is_change, secrets_of
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.model.package import TagRef, Worker
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding an input of a blind_review or role_pov worker that matches a hidden tag which some worker or
    source may write (SPEC 8.2, 8.4). A wildcard that could hold something hidden, but that nothing says does, is
    none: what turns up at run time is filtered. `**` has its own finding. Changes of variables are of cells for
    anybody, so they are as hidden; what the user sets counts only where an input names it."""
    for worker in graph.package.workers:
        for number, ref in enumerate(worker.inputs):
            secrets = secrets_of(graph, worker, number)
            if secrets:
                yield _seen(worker, ref, secrets)


def _seen(worker: Worker, ref: TagRef, secrets: list[Secret]) -> Diagnostic:
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
        if is_change(tag)
        else say(
            "name only the tags that the reviewer may see, or give it contextIsolation none if it reviews as the author"
        )
        if worker.isolation == "blind_review"
        else say("name only the tags that a role may see: the runtime never gives it what is hidden")
    )
    related = [label for secret in secrets[:4] for label in _ends(secret)]
    return finding("blind-reads-hidden", ref.span, message, advice, related)


def _ends(secret: Secret) -> Iterator[Label]:
    producer, tag = secret.producer, secret.tag.text
    if producer.ref is not None and producer.worker:
        yield Label(producer.ref.span, say("`{worker}` writes `{tag}` here", worker=producer.worker, tag=tag))
    elif producer.ref is not None:
        yield Label(producer.ref.span, say("the user is asked for `{tag}` here", tag=tag))


RULE = Rule("blind-reads-hidden", "A worker that is kept from what is hidden reads a hidden tag.", check)
