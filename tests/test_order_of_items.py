"""The order of files changes nothing; that of list items only which of several equal places speaks for the rest."""

from __future__ import annotations

from collections import Counter

import pytest

from faults import BASIC, FAULTS, GAME, RULES, Fault
from reordering import reordered
from skillc.diagnostic import Diagnostic
from test_seeded_faults import faulty, originals, said

SEEDS = range(5)
BY_ORDER = {"design reads what play writes": "prerequisite-unproduced"}
"""Faults that close a loop, in which the order of the manifest decides who waits (SPEC 5), and so whether anybody can
begin: what is found there by one order and not by another."""
WAYS = ("hidden-flow", "user-only-leak", "hidden-to-user", "disclosure")


def about(diagnostic: Diagnostic) -> tuple[str, frozenset[tuple[str, str]]]:
    """The code, and all that is pointed at, wherever it stands and whatever stands first; of a leak, whose shortest
    way is one of several, where it is told."""
    if diagnostic.code.slug in WAYS:
        return diagnostic.code.slug, frozenset([(diagnostic.span.path, "")])
    spans = (diagnostic.span, *(label.span for label in diagnostic.related))
    return diagnostic.code.slug, frozenset((span.path, span.text) for span in spans)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_files_in_another_order_are_the_same_workspace(fault: Fault) -> None:
    files = faulty(fault)
    turned = said(dict(reversed(files.items())), fault.package)
    assert list(map(repr, turned)) == list(map(repr, said(files, fault.package)))


@pytest.mark.parametrize("package", [BASIC, RULES, GAME])
@pytest.mark.parametrize("seed", SEEDS)
def test_items_in_another_order_say_the_same_of_a_good_package(package: str, seed: int) -> None:
    before, after = (
        sorted((d.code.id, d.message) for d in said(files, package))
        for files in (originals(), reordered(originals(), seed))
    )
    assert after == before


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_items_in_another_order_have_the_same_faults(fault: Fault) -> None:
    """In the same words; or, where one of several places speaks for all, at the same places."""
    files = faulty(fault)
    first = _whatever_the_order(fault, said(files, fault.package))
    for seed in SEEDS[:2]:
        then = _whatever_the_order(fault, said(reordered(files, seed), fault.package))
        assert sorted(d.code.id for d in then) == sorted(d.code.id for d in first)
        words, others = {d.message for d in first}, {d.message for d in then}
        lost = Counter(about(d) for d in first if d.message not in others)
        assert Counter(about(d) for d in then if d.message not in words) == lost


def _whatever_the_order(fault: Fault, found: list[Diagnostic]) -> list[Diagnostic]:
    return [d for d in found if d.code.slug != BY_ORDER.get(fault.name)]


def test_items_are_mixed_at_all() -> None:
    changed = {path for path, data in reordered(originals(), 1).items() if data != originals()[path]}
    assert "skills/registry.yaml" in changed
    assert f"skills/{GAME}/orchestrator.md" in changed
    assert any(path.endswith("SKILL.md") for path in changed)
