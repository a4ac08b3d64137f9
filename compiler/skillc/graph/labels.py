"""Which tags of a pattern carry a label (SPEC 4.3). Patterns, not tags: what is surely labelled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from skillc.graph.meeting import any_role, meet
from skillc.graph.promotion import new_names, under_new_name
from skillc.graph.types import TagGraph
from skillc.model.package import Catalogue, LabelRule, Manifest, Worker
from skillc.once import once
from skillc.tags import ONE, REST, ROLE, WHOLE, Pattern, covers, family, literal

Rule = tuple[Pattern | None, str | None, tuple[Pattern, ...]]


@once
def _rules_of(catalogue: Catalogue) -> Mapping[str, list[Rule]]:
    """By label: its own pattern or the beginning of a segment, and the exceptions; `{id}` stands for any role."""
    found: dict[str, list[Rule]] = {}
    for rule in catalogue.labels:
        pattern = any_role(rule.pattern) if rule.pattern else None
        row = (pattern, rule.segment, tuple(map(any_role, rule.exceptions)))
        found.setdefault(rule.label, []).append(row)
    return found


@once
def _signs_of(catalogue: Catalogue) -> tuple[frozenset[str] | None, tuple[str, ...]]:
    """The first segments of the rules' patterns and of old names, `**` among them (None: any), and the beginnings of
    segments."""
    heads = frozenset(rule.pattern.parts[0] for rule in catalogue.labels if rule.pattern)
    old = frozenset(name.partition(".")[0] for name in new_names(catalogue))
    is_open = WHOLE in heads or any("#" in head for head in heads)
    beginnings = dict.fromkeys(rule.segment for rule in catalogue.labels if rule.segment)
    return (None if is_open else heads | old | {WHOLE}), tuple(beginnings)


@once
def words_of_hidden(catalogue: Catalogue) -> tuple[str, ...]:
    """Texts of which one stands in every text that names something hidden."""
    labels = Labels(catalogue, new_names(catalogue))
    rules = [rule for rule in catalogue.labels if rule.label == "hidden"]
    heads = [family(rule.pattern.parts[0]) for rule in rules if rule.pattern]
    old = [
        old for old, new in new_names(catalogue).items() if labels.part("hidden", literal(new)) is not None
    ]
    words = (*(rule.segment for rule in rules if rule.segment), *heads, *([WHOLE] if heads else ()), *old)
    return ("",) if WHOLE in heads else tuple(dict.fromkeys(words))


class Labels:
    """The label rules of a package, read once: `{id}` in them stands for any role, and a moved tag has
    the labels of its new name."""

    __slots__ = ("_names", "_rules", "_signs")

    def __init__(self, catalogue: Catalogue, names: Mapping[str, str]) -> None:
        self._names = names
        self._rules = _rules_of(catalogue)
        self._signs = _signs_of(catalogue)

    def may_carry(self, pattern: Pattern) -> bool:
        """Whether tags of `pattern` may carry any label: a quick look that misses none."""
        heads, beginnings = self._signs
        text = pattern.text
        if heads is None or pattern.parts[0] in heads or "#" in text:
            return True
        return any(map(text.__contains__, beginnings))

    def may_meet(self, patterns: Sequence[Pattern]) -> bool:
        """The same of tags that any of `patterns` has, and of those that two of them have in common."""
        heads, beginnings = self._signs
        if heads is None or not heads.isdisjoint([pattern.parts[0] for pattern in patterns]):
            return True
        text = "\n".join([pattern.text for pattern in patterns])
        return "#" in text or any(map(text.__contains__, beginnings))

    def part(self, label: str, pattern: Pattern) -> Pattern | None:
        """The part of `pattern` that carries `label`, or None when nothing says that any of it does.

        A wildcard does not carry a label because some tag below it could: either a literal segment of
        the pattern says so, or a label's own pattern meets it.
        """
        renamed = under_new_name(pattern, self._names) if self._names else pattern
        found = self._part(label, pattern)
        if found is None and renamed is not pattern and self._part(label, renamed) is not None:
            return pattern
        return found

    def _part(self, label: str, pattern: Pattern) -> Pattern | None:
        for own, segment, exceptions in self._rules.get(label, ()):
            if own is not None:
                part = meet(own, pattern) if _heads_meet(own, pattern) else None
            else:
                part = pattern if segment and has_segment(pattern, segment) else None
            if part is not None and not any(covers(exception, any_role(part)) for exception in exceptions):
                return part
        return None


def labelled(graph: TagGraph, label: str, pattern: Pattern) -> Pattern | None:
    """The part of `pattern` that carries `label` in the package of `graph`, or None."""
    return labels_of(graph).part(label, pattern)


@once
def labels_of(graph: TagGraph) -> Labels:
    """The label rules of a package."""
    return Labels(graph.package.catalogue, graph.names)


def hidden_from(graph: TagGraph, worker: Worker, pattern: Pattern) -> Pattern | None:
    """The part of `pattern` that is hidden from `worker`: labelled so, or forbidden to it by the manifest."""
    part = labelled(graph, "hidden", pattern)
    if part is not None:
        return part
    parts = (meet(denied, pattern) for denied in denied_to(graph, worker.id))
    return next((part for part in parts if part is not None), None)


def denied_to(graph: TagGraph, worker_id: str) -> Iterator[Pattern]:
    """What the manifest forbids to a worker, under old and new names."""
    for pattern in denials(graph.package.manifest).get(worker_id, ()):
        yield from dict.fromkeys((any_role(pattern), any_role(under_new_name(pattern, graph.names))))


def denials(manifest: Manifest | None) -> dict[str, list[Pattern]]:
    """The patterns that a manifest forbids, by worker."""
    found: dict[str, list[Pattern]] = {}
    for who, ref in manifest.forbidden if manifest else ():
        found.setdefault(who.value, []).append(ref.pattern)
    return found


def has_segment(pattern: Pattern, beginning: str) -> bool:
    """Whether a literal segment, or a slot, begins with the text."""
    return any(
        name.startswith(beginning) for part in pattern.parts if beginning in part for name in part.split("#")
    )


def of_all_roles(rules: Iterable[LabelRule], pattern: Pattern) -> bool:
    """Whether `pattern` has a wildcard where a role_private rule has the role (SPEC 8.3)."""
    return any(_leaves_role_open(rule, pattern) for rule in rules if rule.label == "role_private")


def _leaves_role_open(rule: LabelRule, pattern: Pattern) -> bool:
    if rule.pattern is None or ROLE not in rule.pattern.parts:
        return False
    at = rule.pattern.parts.index(ROLE)
    parts = pattern.parts[: at + 1]
    head = all(a in (b, ONE) for a, b in zip(parts, rule.pattern.parts[:at], strict=False))
    return parts[0] == WHOLE or (head and (parts[-1] == REST or (len(parts) > at and parts[at] == ONE)))


def _heads_meet(own: Pattern, pattern: Pattern) -> bool:
    """Quick refusal: first segments are literal but for `**`."""
    a, b = own.parts[0], pattern.parts[0]
    return a == b or "#" in a + b or WHOLE in (a, b)
