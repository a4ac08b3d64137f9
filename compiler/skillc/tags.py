"""Tags and patterns as data, and the exact algebra over them.

A tag is text: segments joined by `.`; `#slot` may end the last one. A pattern is a tuple of
parts: a literal segment, `ONE` (`*`, exactly one segment), `ROLE` (`{id}`, exactly one segment:
the role of the run), at the end `REST` (`.*`, one or more further segments), or `WHOLE` alone
(`**`, every tag). Nothing here parses pattern text: compiled plans carry the parts.

A literal last part matches its tag and all slots of it (`设计.生成规则` matches `设计.生成规则#天气`).
Kept free of imports: this is on the path of every runtime start.
"""

from __future__ import annotations

ONE = "*"
ROLE = "{id}"
REST = ".*"
WHOLE = "**"
STAGES = ("候选", "草稿", "确认稿", "当前", "更新")


class Pattern:
    """What a worker declares to read or write; equal and hashed by its parts.

    >>> matches(Pattern(("角色", "A", REST)), "角色.A.行动.候选")
    True
    """

    __slots__ = ("exact", "parts", "text")

    parts: tuple[str, ...]
    exact: str | None
    """The concrete tag that this is; None when it holds a wildcard or the role."""
    text: str
    """The pattern as an author writes it."""

    def __init__(self, parts: tuple[str, ...]) -> None:
        self.parts = parts
        text = ".".join(parts)
        if ONE in parts or ROLE in parts or parts[-1] in (REST, WHOLE):
            self.exact = None
            self.text = text.replace("..*", ".*")
        else:
            self.exact = self.text = text

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Pattern) and self.parts == other.parts)

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"

    @property
    def is_tag(self) -> bool:
        """Whether it is one concrete tag, no wildcard and no role in it."""
        return self.exact is not None

    @property
    def has_role(self) -> bool:
        return ROLE in self.parts


def literal(tag: str) -> Pattern:
    """The pattern that is the concrete `tag`."""
    return Pattern(tuple(tag.split(".")))


def family(tag: str) -> str:
    """`tag` without its `#slot`."""
    return tag.split("#", 1)[0] if "#" in tag else tag


def stage(tag: str) -> str | None:
    """The life-cycle stage that a tag names (SPEC 3.6), or None."""
    segments = family(tag).split(".")
    if segments[-1] in STAGES:
        return segments[-1]
    return "更新" if segments[0] == "更新" else None


def matches(pattern: Pattern, tag: str) -> bool:
    """Whether `tag` is one of the tags of `pattern`. Linear in the segments."""
    exact = pattern.exact
    if exact is not None:
        return tag == exact or (
            "#" not in exact and tag.startswith(exact + "#") and "." not in tag[len(exact) :]
        )
    parts = pattern.parts
    if parts[0] == WHOLE:
        return True
    segments = tag.split(".")
    if parts[-1] == REST:
        if len(segments) < len(parts):
            return False
        return all(map(_part_matches, parts[:-1], segments))
    if len(segments) != len(parts):
        return False
    last = parts[-1] if "#" in parts[-1] else None
    tail = segments[-1] if last else family(segments[-1])
    return _part_matches(parts[-1], tail) and all(map(_part_matches, parts[:-1], segments[:-1]))


def _part_matches(part: str, segment: str) -> bool:
    return part in (segment, ONE, ROLE)


def overlaps(p: Pattern, q: Pattern) -> bool:
    """Whether some tag belongs to both, each under a role of its own choice."""
    a, b = p.exact, q.exact
    if a is not None and b is not None:
        return a == b or (("#" in a) != ("#" in b) and (matches(p, b) or matches(q, a)))
    if WHOLE in (p.parts[0], q.parts[0]):
        return True
    if len(p.parts) > len(q.parts):
        p, q = q, p
    short, long = p.parts, q.parts
    if short[-1] == REST:
        return all(map(_parts_meet, short[:-1], long))
    if len(short) != len(long):
        return False
    if long[-1] == REST:
        return all(map(_parts_meet, short[:-1], long[:-1]))
    return _last_parts_meet(short[-1], long[-1]) and all(map(_parts_meet, short[:-1], long[:-1]))


def _parts_meet(a: str, b: str) -> bool:
    return a == b or a in (ONE, ROLE) or b in (ONE, ROLE)


def _last_parts_meet(a: str, b: str) -> bool:
    if "#" in a and "#" in b:
        return a == b
    return _parts_meet(family(a), family(b))


def covers(p: Pattern, q: Pattern) -> bool:
    """Whether, whatever the role is, every tag of `q` is one of `p` under the same role."""
    if p.parts[0] == WHOLE:
        return True
    if q.parts[0] == WHOLE:
        return False
    wide, narrow = p.parts, q.parts
    if wide[-1] == REST:
        if len(narrow) < len(wide):
            return False
        return all(map(_part_covers, wide[:-1], narrow))
    if narrow[-1] == REST or len(narrow) != len(wide):
        return False
    last = narrow[-1] if "#" in wide[-1] else family(narrow[-1])
    return _part_covers(wide[-1], last) and all(map(_part_covers, wide[:-1], narrow[:-1]))


def _part_covers(wide: str, narrow: str) -> bool:
    return wide == narrow or (wide == ONE and narrow != REST)


def bind(pattern: Pattern, role: str, whole_family: bool) -> Pattern:
    """`pattern` for a run of `role` (SPEC 8.3): `{id}` becomes the role; with `whole_family`
    (role_pov) so does the second segment after `角色` when it is `*`.

    >>> bind(Pattern(("角色", REST)), "A", True).text
    '角色.A.*'
    """
    parts = tuple(role if part == ROLE else part for part in pattern.parts)
    if whole_family and parts[0] == "角色" and len(parts) > 1:
        if parts[1] == ONE:
            parts = ("角色", role, *parts[2:])
        elif parts[1] == REST:
            parts = ("角色", role, REST)
    return Pattern(parts)
