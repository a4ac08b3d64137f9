"""The cache report against the contexts that the runtime really makes: no write reaches in front of its cut."""

from __future__ import annotations

from typing import Any

import pytest

from cli import ROOT
from skillc import driver
from skillc.graph import build_graph
from skillc.graph.stability import Cut, cuts
from skillc.plan import compile_package
from skillc.plan.cache import cache_report
from skillc.runtime import Board, Context, assemble
from skillc.source.reader import DiskReader
from skillc.tags import Pattern, overlaps
from skillc.tokens import counter_for

CHECKED = driver.check(DiskReader(str(ROOT)))
CUTS = [(path, cut) for path, graph in sorted(CHECKED.graphs.items()) for cut in cuts(graph)]


def pattern_of(text: str) -> Pattern:
    parts = text.split(".")
    return Pattern((*parts[:-1], ".*") if parts[-1] == "*" else tuple(parts))


def instance(pattern: Pattern) -> str:
    """A tag of the pattern, of the role A."""
    parts = (
        "A" if part in ("*", "{id}") else "x" if part in (".*", "**") else part for part in pattern.parts
    )
    return ".".join(parts)


def filled(worker: Any) -> Board:
    """A board with something under every input."""
    board = Board()
    for entry in worker.inputs:
        board.write(instance(entry.pattern), f"{entry.pattern.text}的第一稿。", source="前一位")
    return board


def sent(context: Context) -> bytes:
    return "".join(message["content"] for message in context.messages).encode()


def common(a: bytes, b: bytes) -> int:
    return next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


@pytest.mark.parametrize(("path", "cut"), CUTS, ids=lambda value: getattr(value, "tag", value))
def test_a_write_changes_nothing_in_front_of_its_cut(path: str, cut: Cut) -> None:
    plan, _ = compile_package(CHECKED.graphs[path])
    worker = plan.workers[cut.reader]
    role = "A" if worker.role_bound else None
    board = filled(worker)
    before = assemble(plan, cut.reader, board, role)
    tag = instance(pattern_of(cut.tag))
    assert any(overlaps(entry.pattern, pattern_of(cut.tag)) for entry in worker.inputs)
    board.write(tag, "改过的一稿。", source=cut.writer)
    after = assemble(plan, cut.reader, board, role)
    same = common(sent(before), sent(after))
    if worker.segments is not None:
        segment = next(row for row in before.segments if row["id"] == worker.segments[cut.position].id)
        assert segment["start"] <= same
    # A run has its own role, whatever the board says of the current one.
    own = role is not None and cut.tag == "世界.当前角色.id"
    assert (sent(before) == sent(after)) is own
    asked = plan.startup is not None and cut.tag in plan.startup.targets
    if cut.stage == worker.stage == "play" and not asked:
        assert same >= before.prefix["static_bytes"] >= before.prefix["fixed_bytes"]


def test_what_is_kept_and_what_is_lost_make_up_the_constant_text() -> None:
    for graph in CHECKED.graphs.values():
        for worker in cache_report(graph, None, counter_for):
            for row in worker.layouts:
                assert worker.fixed_tokens <= row.tokens <= row.worst
                for loss in row.losses:
                    assert loss.kept_tokens + loss.lost_tokens == row.tokens
                    assert worker.fixed_bytes <= loss.kept_bytes and loss.lost_bytes >= 0
                    assert loss.segment == row.layout.parts[loss.cut.position].id


def test_the_kept_bytes_are_there_when_no_segment_is_empty() -> None:
    """With every input filled, the changed segment begins no earlier than the constant text before it is long."""
    for path, cut in CUTS:
        graph = CHECKED.graphs[path]
        plan, _ = compile_package(graph)
        worker = plan.workers[cut.reader]
        context = assemble(plan, cut.reader, filled(worker), "A" if worker.role_bound else None)
        reports = {report.id: report for report in cache_report(graph, None, counter_for)}
        loss = next(loss for loss in reports[cut.reader].layouts[0].losses if loss.cut == cut)
        segment = next(row for row in context.segments if row["id"] == loss.segment)
        assert loss.kept_bytes <= segment["start"] + len("\n\n---\n\n") * cut.position


def test_the_same_package_gives_the_same_report() -> None:
    for graph in CHECKED.graphs.values():
        again = build_graph(graph.package)
        assert list(cuts(graph)) == list(cuts(again))
