"""Whatever shape a value has, reading ends in findings at real places and never in an exception."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading import FRONT, MANIFEST, ORCHESTRATOR, PACKAGE, SKILL, read_manifest, read_package
from skillc.diagnostic import Diagnostic
from skillc.model.bindings import BindingsFields
from skillc.model.catalogue import CatalogueFields
from skillc.model.manifest_front import ManifestFields
from skillc.model.registry import RegistryFields
from skillc.model.worker import WorkerFields

SHAPES = [
    "",
    "~",
    "x",
    '""',
    "true",
    "[]",
    "{}",
    "[~]",
    '[""]',
    "[[a]]",
    "[{a: b}]",
    "[a.b, [c], {d: e}, ~, f.g]",
    "{a: ~}",
    "{a: b}",
    "{a: [b]}",
    "{a: {b: c}}",
    "{a: {b: {c: d}}}",
    "[{id: a}, {id: b, tier: static}, {id: c, tier: [x], tags: {}}]",
    "{a: {contextSegments: [x], policies: [y]}, b: {policies: {z: [latest]}}}",
    "{hidden: [~, [x], {}, {pattern: [y]}, {segment: ''}]}",
]
FILES = [
    (SKILL, WorkerFields),
    (MANIFEST, ManifestFields),
    (f"{PACKAGE}/tags.yaml", CatalogueFields),
    (f"{PACKAGE}/llm-bindings.yaml", BindingsFields),
    ("skills/registry.yaml", RegistryFields),
]


def sound(found: Iterable[Diagnostic]) -> bool:
    return all(d.message and 0 <= d.span.start <= d.span.end <= len(d.span.source.text) for d in found)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("path", "schema"), FILES)
def test_no_shape_of_a_value_breaks_the_reading(path: str, schema: type[WorkerFields], shape: str) -> None:
    base = {SKILL: FRONT, MANIFEST: ORCHESTRATOR.strip("-\n") + "\n"}.get(path, "")
    fenced = "---\n{}---\n" if path.endswith(".md") else "{}"
    for field in schema.known():
        kept = "".join(line + "\n" for line in base.splitlines() if not line.startswith(f"{field}:"))
        package, found = read_package({path: fenced.format(f"{kept}{field}: {shape}\n")})
        assert sound(found) and package.workers[0].id == "write"


WORDS = [
    "启动询问",
    "写入目标",
    "注册表",
    "验收",
    "worker",
    "acceptanceMode",
    "instanceReadyWhen",
    "用户回合",
    "write",
]
MARKS = [
    "\n",
    "\n\n",
    "# ",
    "## ",
    "- ",
    "| ",
    " |",
    "|---|",
    "`",
    "**",
    "：",
    "（",
    "）",
    "(",
    ")",
    "→",
    "≡",
    "—",
    "```",
]
BODY = st.lists(
    st.sampled_from([*WORDS, *MARKS, "a.b", "角色.*", "has(a.b)", "run_worker(", "禁止注入", " "])
)


@settings(max_examples=150, deadline=None)
@given(BODY.map("".join))
def test_no_body_breaks_the_reading_and_all_places_are_true(body: str) -> None:
    manifest, found = read_manifest(body)
    assert sound(found)
    refs = [*manifest.prerequisites, *manifest.asks, *(manifest.startup.targets if manifest.startup else ())]
    assert all(ref.span.text == ref.text for ref in refs)
    texts = [*manifest.named, *manifest.user_turn, *(row.worker for row in manifest.registered)]
    assert all(text.span.text == text.value for text in texts)
