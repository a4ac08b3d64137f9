"""Which labels a concrete tag carries (SPEC 4.3), and whose it is."""

from __future__ import annotations

from skillc.tags import Pattern, bind, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from skillc.artifact.plan import LabelRule


def labels_of(tag: str, rules: Iterable[LabelRule], moved: Mapping[str, str] | None = None) -> frozenset[str]:
    """The labels of `tag`; those of its new name too when the package moved it (SPEC 3.6).

    In a rule's pattern `{id}` stands for any role.
    """
    names = names_of(tag, moved or {})
    return frozenset(rule.label for rule in rules if any(_applies(rule, name) for name in names))


def names_of(tag: str, moved: Mapping[str, str]) -> tuple[str, ...]:
    """`tag`, and the name that it moved to where it did; a `#slot` moves with its family."""
    new = name_of(tag, moved)
    return (tag,) if new == tag else (tag, new)


def name_of(tag: str, moved: Mapping[str, str]) -> str:
    """The name that `tag` has now: where its family moved, a slot moved with it.

    >>> name_of("old.draft#甲", {"old.draft": "新.草稿"})
    '新.草稿#甲'
    """
    if tag in moved:
        return moved[tag]
    name, mark, slot = tag.partition("#")
    return f"{moved[name]}#{slot}" if mark and name in moved else tag


def owned(tag: str, role: str, rules: Iterable[LabelRule]) -> bool:
    """Whether every role_private rule that applies to `tag` names `role` as its owner.

    A rule whose pattern has no `{id}` names no owner: what it labels belongs to no role.
    """
    private = [rule for rule in rules if rule.label == "role_private" and _applies(rule, tag)]
    return all(rule.pattern is not None and _names_owner(rule.pattern, role, tag) for rule in private)


def _names_owner(pattern: Pattern, role: str, tag: str) -> bool:
    return pattern.has_role and matches(bind(pattern, role, False), tag)


def _applies(rule: LabelRule, tag: str) -> bool:
    if rule.pattern is not None:
        hit = matches(rule.pattern, tag)
    else:
        hit = rule.segment is not None and _has_segment(tag, rule.segment)
    return hit and not any(matches(exception, tag) for exception in rule.exceptions)


def _has_segment(tag: str, text: str) -> bool:
    """A slot counts as a segment: what is named hidden is hidden, wherever the name stands."""
    return any(segment.startswith(text) for segment in tag.replace("#", ".").split("."))
