"""Every page is what it says: its bad examples give exactly the output shown, its good ones nothing of the code."""

from __future__ import annotations

import os
from collections.abc import Mapping

import pytest

from skillc import driver
from skillc.checks.page import (
    FOLDER,
    Example,
    Page,
    load_page,
    page_path,
    parse_page,
    summaries,
    workspace_of,
)
from skillc.checks.run import all_rules
from skillc.diagnostic import CODES, Diagnostic
from skillc.report.concise import line
from skillc.source.reader import DictReader

NAMES = sorted(name for name in os.listdir(FOLDER) if name.endswith(".md"))


def page(name: str) -> Page:
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return parse_page(file.read())


def reported(files: Mapping[str, bytes]) -> tuple[Diagnostic, ...]:
    return driver.reported(driver.check(DictReader(files)))


def of_code(example: Example, slug: str) -> str:
    found = reported(workspace_of(example))
    return "\n".join(line(diagnostic) for diagnostic in found if diagnostic.code.slug == slug)


EXAMPLES = [
    (name, kind, number)
    for name in NAMES
    for kind in ("bad", "good")
    for number in range(len(getattr(page(name), kind)))
]


@pytest.mark.parametrize(("name", "kind", "number"), EXAMPLES)
def test_an_example_gives_what_its_page_says(name: str, kind: str, number: int) -> None:
    shown = page(name)
    example: Example = getattr(shown, kind)[number]
    assert of_code(example, shown.code.slug) == example.output
    assert bool(example.output) == (kind == "bad")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_complete(name: str) -> None:
    shown = page(name)
    assert name == os.path.basename(page_path(shown.code))
    assert shown.summary and "\n\n" not in shown.summary
    assert shown.why and shown.fix and shown.bad and shown.good


def test_the_base_package_is_clean() -> None:
    assert reported(workspace_of(Example("", {}))) == ()


def test_every_rule_has_its_page_and_is_named_after_its_code() -> None:
    for rule in all_rules():
        assert load_page(rule.code) is not None, rule.slug
        assert (rule.check or rule.workspace).__module__.endswith(  # type: ignore[union-attr]
            f"{rule.code.id.lower()}_{rule.slug.replace('-', '_')}"
        )


def test_summaries_come_in_the_order_of_the_codes() -> None:
    known = summaries()
    assert list(known) == [slug for slug in CODES if slug in known]


def test_a_malformed_page_is_a_bug() -> None:
    with pytest.raises(ValueError, match="a page begins with"):
        parse_page("# G001 something-else\n")


def test_fences_of_files_may_hold_fences_and_headings() -> None:
    text = (
        "# G001 unproduced-input\n\nIt says.\n\n## Why\n\nw\n\n## How to fix\n\nf\n\n## Bad\n\n"
        "````md a.md\n## Bad\n```text\n### no\n```\n````\n\n```output\nx\n```\n\n## Good\n\n"
        "### first\n\n````escaped b.md\nx\\r\\xff\n````\n\n### second\n\n````delete c\n````\n"
    )
    shown = parse_page(text)
    assert shown.bad == (Example("", {"a.md": b"## Bad\n```text\n### no\n```\n"}, "x"),)
    assert shown.good == (Example("first", {"b.md": b"x\r\xff\n"}), Example("second", {"c": None}))
