"""Items of boards that lie under a name which is one slip away from a declared tag: no worker ever receives them."""

from __future__ import annotations

from skillc.checks.vocabulary import Near, Vocabulary, vocabulary_of
from skillc.graph import TagGraph
from skillc.tags import Pattern, literal
from skillc.text import Text


def misnamed(graph: TagGraph) -> list[tuple[list[Text], Near]]:
    """Each such name at all of its places on the package's boards, with the tags that it was meant to be. A name
    that lacks nothing but a stage is left alone: a board may hold what a package does not know."""
    found: dict[str, list[Text]] = {}
    for case in graph.package.boards:
        for item in case.items:
            if item.tag is not None:
                found.setdefault(item.tag.value, []).append(item.tag)
    words = vocabulary_of(graph) if found else None
    slips = ((places, _near(graph, words, name)) for name, places in found.items() if words)
    return [(places, near) for places, near in slips if near]


def _near(graph: TagGraph, words: Vocabulary, name: str) -> Near | None:
    pattern = literal(name)
    if "#" in name or len(pattern.parts) < 2 or words.knows(pattern) or words.begins(pattern):
        return None
    if _may_be_injected(graph, pattern):
        return None
    near = words.near(name, glued=False)
    if near is None or near.stage or any(_is_other_draft(name, tag) for tag in near.tags):
        return None
    return near


def _is_other_draft(name: str, tag: str) -> bool:
    """`正文.终稿` beside `正文.草稿`: a stage of somebody's own."""
    written, meant = name.rpartition(".")[2], tag.rpartition(".")[2]
    return written != meant and written.endswith("稿") and meant.endswith("稿")


def _may_be_injected(graph: TagGraph, pattern: Pattern) -> bool:
    unknowns = graph.unknowns
    return bool(unknowns.injected) and (not unknowns.heads or pattern.parts[0] in unknowns.heads)
