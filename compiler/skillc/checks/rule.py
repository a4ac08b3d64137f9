"""What a rule is. Dropping `rules/<code>_<slug>.py` and its page into their folders adds one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from skillc.diagnostic import CODES, Code, Diagnostic
from skillc.graph import TagGraph
from skillc.graph.brief import Overview
from skillc.value import value


@value
class Rule:
    """`check` speaks of one package, `workspace` of all together, seen from outside; a rule has one of them, or both."""

    slug: str
    summary: str
    check: Callable[[TagGraph], Iterable[Diagnostic]] | None = None
    workspace: Callable[[Overview], Iterable[Diagnostic]] | None = None

    @property
    def code(self) -> Code:
        return CODES[self.slug]
