"""A tag under a name that it no longer has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skillc.checks.gaps import gaps
from skillc.checks.prohibition import sentence_around
from skillc.checks.rule import Rule
from skillc.checks.uses import Use, texts_used, uses, uses_beside
from skillc.diagnostic import Diagnostic, Edit, Fix, Label, finding
from skillc.graph import TagGraph
from skillc.later import later
from skillc.text import Source, Span
from skillc.wording import say

_REMARK = later(r"(?:≈|≡|←|→|旧名|旧称|原名|曾用)[：:\s`]*$")
"""What stands before an old name that is told as such."""
_OF_OLD = later(
    r"(?<![照依仍])旧|老(?:名|key|键|标签|称|写法|版)|原(?:名|称|先|来)|曾(?:经?叫|用|名|称)|(?:以前|从前|过去)(?:的|就?叫|称|用|是)|早[先期]"
    r"|改[名称叫]|更名|废弃|作废|弃用|停用|不再[用叫使]"
    r"|\b(?:legacy|old|former(?:ly)?|deprecated|renamed?|obsolete|earlier)\b",
    re.IGNORECASE,
)
"""A sentence with such a word speaks of the name, and stays true only with it."""
_HEAD = later(r"\ufeff?---[ \t]*\n.*?\n---[ \t]*(?:\n|$)", re.DOTALL)
_OPENS = later(r"(?:^|[\s\[{,])[\"']?$")
_CLOSES = later(r"[\"']?\s*(?:$|[:,\]}?]|#)")
"""What stands before and behind a whole key or value of YAML or JSON."""


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Once for each old name that a contract, the order or a board of the package uses, at its first place.
    Silent where the name is an input that nobody produces any more: unproduced-input names the new one."""
    if texts_used(graph).isdisjoint(graph.names) and not _beside(graph):
        return
    found: dict[str, list[Use]] = {}
    for use in (*uses(graph), *uses_beside(graph)):
        if use.pattern.exact in graph.names and not use.derived:
            found.setdefault(use.pattern.text, []).append(use)
    if not found:
        return
    unproduced = {gap.pattern.text for gap in gaps(graph)}
    for old, places in found.items():
        if old not in unproduced:
            yield _legacy(graph, old, places)


def _beside(graph: TagGraph) -> bool:
    """Whether the package names tags outside of its contract."""
    return graph.package.order is not None or bool(graph.package.boards)


def _legacy(graph: TagGraph, old: str, places: list[Use]) -> Diagnostic:
    new = graph.names[old]
    is_own = any(old == moved.value for moved, _ in graph.package.catalogue.moved)
    said = (
        say("`{old}` was moved: it is called `{new}` now", old=old, new=new)
        if is_own
        else say("`{old}` is the old name of `{new}`", old=old, new=new)
    )
    return finding(
        "legacy-tag-names",
        places[0].span,
        said,
        say("write `{new}` everywhere in the package", new=new),
        [Label(use.span, say("`{old}` stands here, too", old=old)) for use in places[1:]],
        _renamed(graph, old, new),
    )


def _renamed(graph: TagGraph, old: str, new: str) -> Fix:
    """The new name wherever the package names the tag; the entry of `moved` itself stays. Unsafe where the package has
    the new name already (two tags would become one), and where the workspace's tags.yaml speaks of the old one."""
    contract = frozenset(use.span for use in (*uses(graph), *uses_beside(graph)))
    edits = [edit for source in graph.package.sources for edit in _edits(graph, source, old, new, contract)]
    is_new = not any(use.pattern.text == new for use in uses(graph))
    safe = is_new and old not in graph.package.catalogue.above
    return Fix(say("write `{new}` for `{old}`", new=new, old=old), tuple(edits), safe=safe)


def _edits(graph: TagGraph, source: Source, old: str, new: str, contract: frozenset[Span]) -> Iterator[Edit]:
    """In Markdown wherever the name stands by itself, but for sentences that speak of the name itself; in data only
    where it is a whole key or value, since the rest there is somebody's text. The remark `（≈ NEW）` goes with a
    name of the contract."""
    moved = {place.span for pair in graph.package.catalogue.moved for place in pair}
    head = _HEAD.match(source.text) if source.path.endswith(".md") else None
    told = re.compile(rf"`?\s*[（(]\s*(?:≈|≡|=|即)\s*`?{re.escape(new)}`?\s*[）)]")
    for match in _name(old).finditer(source.text):
        span = source.span(*match.span())
        line = source.text.rfind("\n", 0, match.start()) + 1
        end = source.text.find("\n", match.end())
        before, after = (
            source.text[line : match.start()],
            source.text[match.end() : end if end >= 0 else None],
        )
        whole = source.path.endswith(".md") or (_OPENS.search(before) and _CLOSES.match(after))
        if not whole or span in moved or _REMARK.search(before):
            continue
        remark = told.match(after)
        if span in contract and remark and source.path.endswith(".md"):
            tick = "`" if remark.group().startswith("`") else ""
            yield Edit(source.span(span.start, span.end + remark.end()), new + tick)
        elif span in contract or (head and span.start < head.end()) or not _is_remark(before, after, new):
            yield Edit(span, new)


def _is_remark(before: str, after: str, new: str) -> bool:
    """Whether the sentence with an old name holds the new one, too, or says that it is old."""
    text = before + " " + after
    start, end = sentence_around(text, len(before), len(before) + 1)
    said = text[start:end]
    return _name(new).search(said) is not None or _OF_OLD.search(said) is not None


def _name(tag: str) -> re.Pattern[str]:
    """A tag that stands by itself. Chinese puts no blanks around Latin names, so a Latin name ends where Latin ends."""
    letters = "A-Za-z0-9_" if tag.isascii() else r"\w"
    return re.compile(rf"(?<![{letters}.·\-#/@]){re.escape(tag)}(?![{letters}·\-]|\.[{letters}*{{])")


RULE = Rule("legacy-tag-names", "A tag is used under a name that it no longer has.", check)
