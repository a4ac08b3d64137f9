"""The labels of tags as a session remembers them: what may be handed out does not depend on files (SPEC 8.4)."""

from __future__ import annotations

from skillc.artifact.labels import labels_of
from skillc.artifact.plan import LabelRule, Plan
from skillc.execute.records import LabelRow, RulesRow
from skillc.tags import Pattern


def rules_of(plan: Plan) -> RulesRow:
    """How `plan` labels tags, as a row."""
    return RulesRow(
        fingerprint=plan.fingerprint,
        labels=tuple(_row(rule) for rule in plan.labels),
        moved=dict(plan.moved),
    )


def _row(rule: LabelRule) -> LabelRow:
    return LabelRow(
        label=rule.label,
        pattern=rule.pattern.parts if rule.pattern is not None else None,
        segment=rule.segment,
        exceptions=tuple(pattern.parts for pattern in rule.exceptions),
    )


def _rule(row: LabelRow) -> LabelRule:
    pattern = None if row.pattern is None else Pattern(row.pattern)
    exceptions = tuple(Pattern(parts) for parts in row.exceptions)
    return LabelRule(label=row.label, pattern=pattern, segment=row.segment, exceptions=exceptions)


class Labelling:
    """All labels that any of `rows` gives a tag: a package that stopped calling something hidden has not told it.

    Without rows nothing is known of what is hidden, and the rules that hold for every package decide.
    """

    def __init__(self, rows: tuple[RulesRow, ...]) -> None:
        self._rules = [([_rule(one) for one in row.labels], row.moved) for row in rows]
        self._rules = self._rules or [(_BUILT_IN, {})]
        self._known: dict[str, frozenset[str]] = {}

    def labels(self, tag: str) -> frozenset[str]:
        """The labels of the concrete `tag`."""
        found = self._known.get(tag)
        if found is None:
            found = frozenset().union(*(labels_of(tag, rules, moved) for rules, moved in self._rules))
            self._known[tag] = found
        return found


def _built_in() -> list[LabelRule]:
    """Those of SPEC 4.3, for sessions that were begun before rules were kept."""
    own = ("角色", "{id}")
    minds = ((*own, name, *rest) for name in ("思考", "内心想法") for rest in ((), (".*",)))
    acts = (Pattern((*own, "行动")), Pattern((*own, "行动", ".*")))
    return [
        LabelRule(label="hidden", pattern=None, segment="隐藏", exceptions=()),
        *(LabelRule(label="user_only", pattern=Pattern(p), segment=None, exceptions=()) for p in minds),
        LabelRule(label="role_private", pattern=Pattern((*own, ".*")), segment=None, exceptions=acts),
    ]


_BUILT_IN = _built_in()
