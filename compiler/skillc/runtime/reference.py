"""What a row of an order names: one tag, a family of tags, or the persona (SPEC 3.2, 11.2).

An order may be written in mid-session, so a runtime reads its refs; the rule is that of the grammar, and a
test keeps the two in agreement.
"""

from __future__ import annotations

from skillc.runtime.naming import tag_fault
from skillc.tags import ONE, REST, ROLE, WHOLE, Pattern


def read_ref(ref: str) -> tuple[Pattern | None, str]:
    """The pattern that `ref` is; without one, what is wrong, in words that follow its name.

    >>> read_ref("设计.生成规则"), read_ref("角色.{id}.*")
    ((Pattern('设计.生成规则'), ''), (Pattern('角色.{id}.*'), ''))
    >>> read_ref("设计..规则")
    (None, 'a tag is segments joined by `.`, and one `#slot` may end it')
    """
    if ref == WHOLE:
        return Pattern((WHOLE,)), ""
    parts = ref.split(".")
    plain = [parts[0], *("x" if part in (ONE, ROLE) else part for part in parts[1:])]
    fault = tag_fault(".".join(plain))
    if fault:
        return None, _PLACEHOLDER if set("*{}") & set("".join(plain)) else fault
    return Pattern((*parts[:-1], REST) if parts[-1] == ONE else tuple(parts)), ""


_PLACEHOLDER = "`*` and `{id}` stand for one whole segment behind the first"
