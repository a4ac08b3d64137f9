"""A worker of one role that writes for all roles."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.roles import foreign, say_own_role
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.model.package import TagRef, Worker
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """A role-bound worker without role_pov whose output leaves open whose it is (SPEC 8.3). Under role_pov the
    wildcard means the role of the run; a worker that serves all roles is bound to none. And, under role_pov too,
    an output of one role that is named, when the worker runs as others as well."""
    for worker in graph.package.workers:
        for ref, role in foreign(graph, worker, worker.outputs):
            yield _for_one(worker, ref, role) if role else _for_all(worker, ref)


def _for_all(worker: Worker, ref: TagRef) -> Diagnostic:
    return finding(
        "role-writes-others",
        ref.span,
        say(
            "`{worker}` runs as one role and writes `{tag}`: for the others too",
            worker=worker.id,
            tag=ref.text,
        ),
        say(
            "write `{{id}}` in place of the wildcard, or `contextIsolation: role_pov`, which binds it; "
            "a worker that writes for all roles must not be bound to one"
        ),
    )


def _for_one(worker: Worker, ref: TagRef, role: str) -> Diagnostic:
    return finding(
        "role-writes-others",
        ref.span,
        say(
            "`{worker}` runs as each role in turn and writes `{tag}`: for `{role}` in the runs of the others too",
            worker=worker.id,
            tag=ref.text,
            role=role,
        ),
        say_own_role(role),
    )


RULE = Rule("role-writes-others", "A worker of one role writes for all roles.", check)
