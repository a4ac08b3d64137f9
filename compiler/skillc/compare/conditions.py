"""Conditions, labels and segments of plans as one line each, as an author writes them."""

from __future__ import annotations

from skillc.artifact.plan import Condition, LabelRule, SegmentPolicy
from skillc.graph.hysteresis import policy_name
from skillc.tags import Pattern


def condition_text(condition: Condition | None) -> str | None:
    """A condition in the words of a manifest; None for none.

    >>> condition_text(("not", ("startupCompleted",)))
    'not startupCompleted'
    """
    return None if condition is None else _text(condition)


def _text(condition: Condition) -> str:
    operator, rest = condition[0], condition[1:]
    match operator:
        case "and" | "or":
            return f" {operator} ".join(map(_inner, rest))
        case "not":
            return f"not {_inner(rest[0])}"
        case "count":
            return f"count({_pattern(rest[0])}) >= {rest[1]}"
        case "has" | "accepted":
            return f"{operator}({_pattern(rest[0])})"
    return str(operator)


def _inner(condition: object) -> str:
    text = _text(condition) if isinstance(condition, tuple) else ""
    return f"({text})" if " and " in text or " or " in text else text


def _pattern(pattern: object) -> str:
    return pattern.text if isinstance(pattern, Pattern) else ""


def label_text(rule: LabelRule) -> str:
    """A label rule: the label, whom it is about, and its exceptions."""
    about = rule.pattern.text if rule.pattern else f"{rule.segment}…"
    exceptions = ", ".join(pattern.text for pattern in rule.exceptions)
    return f"{rule.label}: {about}" + (f" except {exceptions}" if exceptions else "")


def policy_text(policy: SegmentPolicy | None) -> str | None:
    """A policy as an author writes it; None for none."""
    return policy_name(policy.kind, policy.n) if policy else None
