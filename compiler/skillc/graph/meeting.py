"""What two patterns have in common, as a pattern: who writes a tag that another reads, and which tag."""

from __future__ import annotations

from skillc.tags import ONE, REST, ROLE, WHOLE, Pattern, overlaps


def meet(p: Pattern, q: Pattern) -> Pattern | None:
    """The pattern of exactly the tags of both, each under a role of its own choice; None when there are none.

    >>> meet(Pattern(("核心", REST)), Pattern(("核心", "*", "隐藏"))).text
    '核心.*.隐藏'
    """
    if not overlaps(p, q):
        return None
    if p.parts[0] == WHOLE or (p.parts[-1] == REST and q.is_tag):
        return q
    if q.parts[0] == WHOLE or (q.parts[-1] == REST and p.is_tag):
        return p
    short, long = sorted((p.parts, q.parts), key=len)
    if short[-1] != REST:
        return Pattern(tuple(map(_narrower, short, long))) if long[-1] != REST else _under(long, short)
    return _under(short, long)


def any_role(pattern: Pattern) -> Pattern:
    """`pattern` with `{id}` standing for any role, as in label rules."""
    return Pattern(tuple(ONE if part == ROLE else part for part in pattern.parts))


def _under(wide: tuple[str, ...], narrow: tuple[str, ...]) -> Pattern:
    """`wide` ends in `.*`; what is behind its other parts is `narrow`'s alone."""
    count = len(wide) - 1
    return Pattern((*map(_narrower, wide[:count], narrow), *narrow[count:]))


def _narrower(a: str, b: str) -> str:
    if a in (ONE, ROLE):
        return b
    if b in (ONE, ROLE):
        return a
    return max(a, b, key=len)
