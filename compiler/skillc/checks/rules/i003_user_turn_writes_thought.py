"""The user's own turn, writing what a character thinks."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.labels import labelled
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.model.package import TagRef
from skillc.wording import say

THOUGHT = "思考"


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Each output of an `actor: user` worker that is, or by its wildcard may be, a thought (SPEC 12.8)."""
    for worker in graph.package.workers:
        for ref in worker.outputs if worker.actor == "user" else ():
            if _may_be_thought(graph, ref):
                yield finding(
                    "user-turn-writes-thought",
                    ref.span,
                    say(
                        "`{worker}` is the user's turn and may write `{tag}`: a thought, which the user does not speak",
                        worker=worker.id,
                        tag=ref.text,
                    ),
                    say("name only what the user does or says, such as `角色.{{id}}.行动`"),
                )


def _may_be_thought(graph: TagGraph, ref: TagRef) -> bool:
    return THOUGHT in ref.pattern.parts or labelled(graph, "user_only", ref.pattern) is not None


RULE = Rule("user-turn-writes-thought", "The user's turn writes a thought.", check)
