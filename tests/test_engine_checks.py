"""Several states of a workspace are checked as each alone would be, and what they have in common once."""

from __future__ import annotations

from faults import FAULTS
from skillc import driver
from skillc.engine.checks import Checks
from skillc.source.reader import DictReader
from test_engine_run import said
from test_seeded_faults import faulty, originals


def test_state_after_state_is_told_as_each_alone() -> None:
    checks = Checks()
    for fault in FAULTS[::12]:
        reader = DictReader(faulty(fault))
        ours, theirs = checks.check(reader), driver.check(reader)
        assert said(ours.diagnostics) == said(theirs.diagnostics), fault.name
        assert ours.scope == theirs.scope and ours.graphs.keys() == theirs.graphs.keys()


def test_some_packages_are_told_as_alone() -> None:
    checks, reader, only = Checks(), DictReader(originals()), frozenset({"novel/basic"})
    checks.check(reader)
    assert said(checks.check(reader, only=only).diagnostics) == said(
        driver.check(reader, only=only).diagnostics
    )


def test_only_what_differs_is_checked_again() -> None:
    checks, files = Checks(), originals()
    first = checks.check(DictReader(files))
    name = "skills/novel/basic/workers/outline/SKILL.md"
    second = checks.check(DictReader({**files, name: files[name] + "\n再补一句。\n".encode()}))
    same = {path for path in first.graphs if first.graphs[path] is second.graphs[path]}
    assert same == set(first.graphs) - {"novel/basic"}


def test_what_all_packages_get_from_their_workspace_counts() -> None:
    checks, files = Checks(), originals()
    checks.check(DictReader(files))
    reader = DictReader({**files, "skills/tags.yaml": "sources: {user: [读者.*]}\n"})
    assert said(checks.check(reader).diagnostics) == said(driver.check(reader).diagnostics)
    strict = checks.check(reader, flow="strict")
    assert said(strict.diagnostics) == said(driver.check(reader, flow="strict").diagnostics)
