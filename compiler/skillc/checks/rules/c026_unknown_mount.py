"""A mount of a fragment that nobody is."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.fragments import fragments
from skillc.checks.orders import Names
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.runtime.slots import SLOTS
from skillc.wording import say, series


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """A mount is a slot or a worker of the package (SPEC 10.1); each name once a fragment."""
    names: Names | None = None
    for _, fragment in fragments(graph):
        names = names or Names(graph)
        for name, path in dict(reversed(fragment.said.mounts)).items():
            if names.has(name):
                continue
            near = names.nearest(name)
            message = (
                say(
                    "`{name}` is neither a slot nor a worker of the package; did you mean `{near}`?",
                    name=name,
                    near=near,
                )
                if near
                else say("`{name}` is neither a slot nor a worker of the package", name=name)
            )
            slots = series(f"`{slot.key}`" for slot in SLOTS)
            help = say("mount it on a worker, or on one of the slots {slots}", slots=slots)
            yield finding("unknown-mount", fragment.place(path), message, help)


RULE = Rule("unknown-mount", "A fragment is mounted on something that is no slot and no worker.", check)
