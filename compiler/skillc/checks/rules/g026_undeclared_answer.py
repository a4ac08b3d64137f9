"""A worker that asks the user and does not read the answer."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.asking import ANSWER, unanswered
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.model.package import Worker
from skillc.text import Span
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Speaks at the words that ask. Not of a user's turn, whose answer the runtime checks and writes (SPEC 12.8)."""
    return (_undeclared(worker, place) for worker, place in unanswered(graph))


def _undeclared(worker: Worker, place: Span) -> Diagnostic:
    from skillc.checks.edits import with_entry

    return finding(
        "undeclared-answer",
        place,
        say(
            "`{worker}` asks the user, but never reads the answer: `{tag}` is not among its inputTags",
            worker=worker.id,
            tag=ANSWER,
        ),
        say('add `"{tag}?"` to inputTags, and say in the text what to do with it', tag=ANSWER),
        fix=with_entry(ANSWER + "?", worker.inputs),
    )


RULE = Rule("undeclared-answer", "A worker asks the user and does not read the answer.", check)
