"""A tag under a name that it no longer has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skillc.checks.gaps import gaps
from skillc.checks.rule import Rule
from skillc.checks.uses import Use, uses, uses_beside
from skillc.diagnostic import Diagnostic, Edit, Fix, Label, finding
from skillc.graph import TagGraph
from skillc.text import Source
from skillc.wording import say

_REMARK = re.compile(r"(?:≈|≡|←|→|旧名|旧称|原名|曾用)[：:\s`]*$")
"""What stands before an old name that is told as such."""


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Once for each old name that a contract, the order or a board of the package uses, at its first place.
    Silent where the name is an input that nobody produces any more: unproduced-input names the new one."""
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
    """The new name in every file of the package. Unsafe where the package has the new name already: two tags
    would become one."""
    catalogue = f"{graph.package.folder}/tags.yaml"
    name = re.compile(rf"(?<![\w.·\-#/]){re.escape(old)}(?![\w·\-]|\.[\w*{{])")
    sources = [source for source in graph.package.sources if source.path != catalogue]
    edits = [edit for source in sources for edit in _edits(source, name, new)]
    is_new = not any(use.pattern.text == new for use in uses(graph))
    return Fix(say("write `{new}` for `{old}`", new=new, old=old), tuple(edits), safe=is_new)


def _edits(source: Source, name: re.Pattern[str], new: str) -> Iterator[Edit]:
    for match in name.finditer(source.text):
        line = source.text.rfind("\n", 0, match.start()) + 1
        if not _REMARK.search(source.text[line : match.start()]):
            yield Edit(source.span(*match.span()), new)


RULE = Rule("legacy-tag-names", "A tag is used under a name that it no longer has.", check)
