"""A worker of one role that writes for all roles."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.labels import of_all_roles
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """A role-bound worker without role_pov whose output leaves open whose it is (SPEC 8.3). Under role_pov the
    wildcard means the role of the run; a worker that serves all roles is bound to none."""
    rules = graph.package.catalogue.labels
    for worker in graph.package.workers:
        if graph.role_bound(worker.id) and worker.isolation != "role_pov":
            for ref in worker.outputs:
                if of_all_roles(rules, ref.pattern):
                    yield finding(
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


RULE = Rule("role-writes-others", "A worker of one role writes for all roles.", check)
