"""Two workers that write one tag, and nothing says which of them goes first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import OutputKey, TagGraph
from skillc.graph.readiness import makers
from skillc.graph.table import changes_table
from skillc.later import later
from skillc.wording import say

WORDS = later(r"[a-z0-9]+(?:-[a-z0-9]+)*")
COMPARED = 8
"""How many writers of one tag are compared with each other."""


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a concrete tag, at the first writer that is unordered with an earlier one. Silent for what a
    source gives too, where every reader takes all texts (concat), where one of the two goes on from the other's
    text, and where a row of the manifest names both."""
    shared = _shared(graph)
    if not shared:
        return
    from skillc.graph.ordering import Ordering

    ordering, rows = Ordering(graph), _rows_naming(graph)
    made = makers(graph, [graph.output(keys[0]).pattern for keys in shared])
    for keys in shared:
        outside = any(p.kind == "source" for p in made[graph.output(keys[0]).pattern])
        if outside or _all_are_taken(graph, keys):
            continue
        pairs = combinations(keys[:COMPARED], 2)
        pair = next(
            (
                (a, b)
                for a, b in pairs
                if not ordering.ordered(a[0], b[0])
                and not rows.get(a[0], set()) & rows.get(b[0], set())
                and not _goes_on(graph, a, b)
            ),
            None,
        )
        if pair:
            yield _ambiguous(graph, *pair, keys)


def _shared(graph: TagGraph) -> list[list[OutputKey]]:
    """The outputs of each concrete tag that several workers write, in manifest order. Changes of variables are all
    taken, in the order of writing."""
    written = [ref.pattern.text for worker in graph.package.workers for ref in worker.outputs]
    if len(set(written)) == len(written):
        return []
    found: dict[str, dict[str, OutputKey]] = {}
    for worker in graph.package.workers:
        for number, ref in enumerate(worker.outputs):
            if ref.pattern.is_tag and not changes_table(ref.pattern):
                found.setdefault(ref.text, {}).setdefault(worker.id, (worker.id, number))
    return [list(keys.values()) for keys in found.values() if len(keys) > 1]


def _all_are_taken(graph: TagGraph, keys: list[OutputKey]) -> bool:
    """Whether somebody reads the tag, and everybody who does takes all its texts in the order of writing."""
    readers = {reader for key in keys for reader in graph.consumers[key]}
    return bool(readers) and all(_takes_all(graph, reader[0], graph.input(reader).text) for reader in readers)


def _goes_on(graph: TagGraph, a: OutputKey, b: OutputKey) -> bool:
    """Whether one of the two reads the tag itself, if only when it is there: its text then holds the other's."""
    readers = {a[0], b[0]}
    return any(reader in readers and reader != key[0] for key in (a, b) for reader, _ in graph.consumers[key])


def _takes_all(graph: TagGraph, id: str, tag: str) -> bool:
    worker = graph.workers[id]
    policies = [
        segment.policy.kind
        for segment in worker.segments or ()
        if segment.policy and any(ref.text == tag for ref in segment.tags)
    ]
    return all(kind != "latest" for kind in policies) if policies else worker.merge == "concat"


def _rows_naming(graph: TagGraph) -> dict[str, set[int]]:
    """The table rows of the manifest that name each worker: "`polish`, after `write`" is an order for people."""
    manifest = graph.package.manifest
    sections = manifest.document.sections if manifest else ()
    rows = (row for section in sections for table in section.tables for row in table.rows)
    found: dict[str, set[int]] = {}
    for number, row in enumerate(rows):
        for word in WORDS.findall(" ".join(cell.value for cell in row)):
            if word in graph.workers:
                found.setdefault(word, set()).add(number)
    return found


def _ambiguous(graph: TagGraph, first: OutputKey, second: OutputKey, keys: list[OutputKey]) -> Diagnostic:
    ref = graph.output(second)
    related = [
        Label(graph.output(key).span, say("`{id}` writes it too", id=key[0])) for key in keys if key != second
    ]
    readers = dict.fromkeys(reader for key in keys for reader in graph.consumers[key])
    related += [Label(graph.input(key).span, say("`{id}` reads the latest", id=key[0])) for key in readers]
    return finding(
        "ambiguous-producer",
        ref.span,
        say(
            "{workers} both write `{tag}`, and neither comes after the other: the latest may be of either",
            workers=listed(sorted([first[0], second[0]])),
            tag=ref.text,
        ),
        say(
            "let `{second}` read `{tag}` if it goes on from there, give each a tag of its own, or read all with "
            "`inputMerge: concat`",
            second=second[0],
            tag=ref.text,
        ),
        related,
    )


RULE = Rule("ambiguous-producer", "Two workers write the same tag, and nothing orders them.", check)
