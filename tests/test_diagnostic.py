"""Codes are permanent, findings have one order."""

from __future__ import annotations

import random
from itertools import pairwise

from skillc.diagnostic import CODES, Severity, find_code, finding, in_order
from skillc.text import Source

PINNED = {
    "not-utf8": "P001",
    "too-large": "P016",
    "near-miss-name": "P031",
    "stray-file": "P051",
    "bad-tag": "T001",
    "unknown-tag": "T025",
    "whole-board": "T041",
    "unproduced-input": "G001",
    "unread-output": "G021",
    "feedback-loop": "G041",
    "candidate-into-memory": "L001",
    "draft-as-fact": "L021",
    "blind-reads-hidden": "I001",
    "hidden-flow": "I022",
    "disclosure": "I041",
    "segment-outside-inputs": "C001",
    "over-budget": "C009",
    "input-in-no-segment": "C021",
    "below-cache-minimum": "C042",
    "unregistered-worker": "M001",
    "acceptance-conflict": "M021",
    "step-table": "M041",
    "unknown-profile": "B001",
    "by-role-without-role": "B022",
    "legacy-keys": "D001",
    "percent-score": "D005",
}


def test_published_codes_never_change() -> None:
    assert {slug: CODES[slug].id for slug in PINNED} == PINNED


def test_numbers_are_unique_and_groups_leave_ten_free() -> None:
    numbers = [code.id for code in CODES.values()]
    assert len(set(numbers)) == len(numbers)
    for family in {number[0] for number in numbers}:
        codes = [code for code in CODES.values() if code.id[0] == family]
        for before, after in pairwise(codes):
            gap = int(after.id[1:]) - int(before.id[1:])
            assert gap == 1 if before.severity == after.severity else gap > 10


def test_a_code_is_found_by_number_in_any_case_and_by_name() -> None:
    assert find_code("g001") is find_code("G001") is find_code("unproduced-input")
    assert find_code("G999") is None


def test_findings_come_by_path_then_position_then_code_and_once() -> None:
    a, b = Source("a.md", "x\ny\nz"), Source("b.md", "x")
    found = [
        finding("bad-tag", a.span(4, 5), "third"),
        finding("bad-tag", b.span(0, 1), "last"),
        finding("not-nfc", a.span(0, 1), "second"),
        finding("bad-tag", a.span(0, 1), "first"),
    ]
    for seed in range(10):
        shuffled = found * 2
        random.Random(seed).shuffle(shuffled)
        assert [d.message for d in in_order(shuffled)] == ["first", "second", "third", "last"]


def test_a_finding_may_weigh_less_than_its_code() -> None:
    span = Source("a.md", "x").span()
    assert finding("unproduced-input", span, "m").severity is Severity.ERROR
    assert finding("unproduced-input", span, "m", severity=Severity.INFO).severity is Severity.INFO
