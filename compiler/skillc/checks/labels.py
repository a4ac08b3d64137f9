"""Which tags of a pattern carry a label (SPEC 4.3). Patterns, not tags: what is surely labelled."""

from __future__ import annotations

from skillc.graph import TagGraph, any_role, meet, under_new_name
from skillc.model.package import LabelRule, Worker
from skillc.tags import Pattern, covers


def labelled(graph: TagGraph, label: str, pattern: Pattern) -> Pattern | None:
    """The part of `pattern` that carries `label`, or None when nothing says that any of it does.

    A wildcard does not carry a label because some tag below it could: either a literal segment of the
    pattern says so, or a label's own pattern meets it.
    """
    renamed = under_new_name(pattern, graph.names)
    for rule in graph.package.catalogue.labels:
        if rule.label == label:
            for name in {pattern.text: pattern, renamed.text: renamed}.values():
                part = _part(rule, name)
                if part is not None:
                    return part if name is pattern else pattern
    return None


def hidden_from(graph: TagGraph, worker: Worker, pattern: Pattern) -> Pattern | None:
    """The part of `pattern` that is hidden from `worker`: labelled so, or forbidden to it by the manifest."""
    part = labelled(graph, "hidden", pattern)
    if part is not None or graph.package.manifest is None:
        return part
    denied = (ref for who, ref in graph.package.manifest.forbidden if who.value == worker.id)
    parts = (meet(any_role(ref.pattern), pattern) for ref in denied)
    return next((part for part in parts if part is not None), None)


def _part(rule: LabelRule, pattern: Pattern) -> Pattern | None:
    if rule.pattern is not None:
        part = meet(any_role(rule.pattern), pattern)
    else:
        part = pattern if rule.segment and has_segment(pattern, rule.segment) else None
    if part is None or any(covers(any_role(exception), part) for exception in rule.exceptions):
        return None
    return part


def has_segment(pattern: Pattern, beginning: str) -> bool:
    """Whether a literal segment, or a slot, begins with the text."""
    names = (name for part in pattern.parts for name in part.split("#"))
    return any(name.startswith(beginning) for name in names)
