"""An artifact that does not reach a slot which needs it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skillc.checks.fragments import fragments
from skillc.checks.orders import Names, turned_off
from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.runtime.slots import slot_named
from skillc.wording import say

if TYPE_CHECKING:
    from skillc.runtime.fragment import Fragment


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a fragment (SPEC 10.3). A slot that the package turns off needs nothing, and one that a
    mistyped mount is near has its finding there."""
    names: Names | None = None
    for tag, fragment in fragments(graph):
        from skillc.runtime.artifacts import expected_mounts

        expected = expected_mounts(tag)
        if not expected:
            continue
        names = names or Names(graph)
        there = turned_off(graph) | set(_meant(fragment.said, names))
        missing = [key for key in expected if key not in there]
        if missing:
            yield finding(
                "missing-mount",
                fragment.key("mount"),
                say("`{tag}` is not mounted on {slots}", tag=tag, slots=listed(missing)),
                say(
                    "add {slots} to its `mount`: whoever plays there needs it in every turn",
                    slots=listed(missing),
                ),
            )


def _meant(fragment: Fragment, names: Names) -> Iterator[str]:
    """The slots that its mounts name, well or ill."""
    for name, _ in fragment.mounts:
        meant = name if names.has(name) else names.nearest(name) or name
        slot = slot_named(meant)
        if slot:
            yield slot.key


RULE = Rule("missing-mount", "An artifact is not mounted on a slot that needs it.", check)
