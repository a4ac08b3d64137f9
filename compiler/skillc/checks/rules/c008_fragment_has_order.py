"""A fragment that says where in a context it stands."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.fragments import faults
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.wording import say


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """In the shell and in its mounts (SPEC 10.1); the body is the artifact's own. One finding a fragment."""
    for tag, fragment, found in faults(graph, "order"):
        places = [fragment.key_at(fault.path) for fault in found]
        yield finding(
            "fragment-has-order",
            places[0],
            say("the fragment `{tag}` says its own place with `{key}`", tag=tag, key=found[0].path[-1]),
            say("remove it: a fragment says on which slots it is mounted, the projection order says where"),
            [Label(place, say("here, too")) for place in places[1:]],
        )


RULE = Rule("fragment-has-order", "A context fragment numbers itself.", check)
