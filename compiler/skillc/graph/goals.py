"""What must be there before a package may go from design to play: its prerequisites and conditions (SPEC 6.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from skillc.model.package import Condition, Manifest, Readiness
from skillc.tags import Pattern
from skillc.text import Span
from skillc.value import value


@value
class Goal:
    """A tag that must be there. `readiness` is the condition that asks for it; None for a prerequisite.

    `denied`: the condition asks that it is not there.
    """

    pattern: Pattern
    span: Span
    readiness: Readiness | None = None
    denied: bool = False


def goals_of(manifest: Manifest) -> tuple[Goal, ...]:
    """Every tag that prerequisites and conditions speak of, in that order; prose speaks of none."""
    found = [Goal(ref.pattern, ref.span) for ref in manifest.prerequisites]
    for ready in manifest.ready:
        if ready.condition is not None:
            found += _goals(ready, ready.condition, False)
    return tuple(found)


def whole(manifest: Manifest) -> Condition:
    """All of it as one condition."""
    tags = (("has", ref.pattern) for ref in manifest.prerequisites)
    return ("and", *tags, *(ready.condition for ready in manifest.ready if ready.condition is not None))


def parts(condition: Condition) -> tuple[Condition, ...]:
    """The conditions that `and`, `or` and `not` join."""
    return cast(tuple[Condition, ...], condition[1:])


def asked(condition: Condition) -> Pattern:
    """The pattern that `has`, `accepted` and `count` ask about."""
    return cast(Pattern, condition[1])


def contradiction(condition: Condition) -> bool:
    """Whether `condition` asks for something and for its opposite at once, or that the startup, which comes
    before all else, has not been.

    >>> here = ("has", Pattern(("大纲", "草稿")))
    >>> contradiction(("and", here, ("not", here)))
    True
    """
    kind = condition[0]
    if kind == "or":
        return all(contradiction(part) for part in parts(condition))
    if kind == "and":
        said = set(parts(condition))
        return any(contradiction(part) or ("not", part) in said for part in parts(condition))
    return condition == ("not", ("startupCompleted",))


def _goals(ready: Readiness, condition: Condition, denied: bool) -> Iterator[Goal]:
    kind = condition[0]
    if kind in ("and", "or", "not"):
        for part in parts(condition):
            yield from _goals(ready, part, denied != (kind == "not"))
    elif kind != "startupCompleted" and condition[2:] != (0,):
        pattern = asked(condition)
        yield Goal(pattern, _place(ready, pattern), ready, denied)


def _place(ready: Readiness, pattern: Pattern) -> Span:
    """Where the condition names the pattern first, else the condition."""
    span = ready.text.span
    at = span.text.find(pattern.text)
    end = at + len(pattern.text)
    while at > 0 and (span.text[at - 1] in ".#" or span.text[end : end + 1] in (".", "#")):
        at = span.text.find(pattern.text, at + 1)
        end = at + len(pattern.text)
    return span if at < 0 else span.part(at, end)
