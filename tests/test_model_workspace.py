"""Bindings, the registry and the workspace as a whole; order and brokenness of one file never reach another."""

from __future__ import annotations

from itertools import permutations

import pytest

from reading import MANIFEST, ORCHESTRATOR, PACKAGE, SKILL, lines, read, read_package, skill
from skillc.checks.run import all_rules
from skillc.diagnostic import in_order
from skillc.graph import build_graph
from skillc.graph.brief import overview
from skillc.model.workspace import build_workspace
from skillc.source.discover import read_workspace
from skillc.source.document import WorkspaceFiles
from skillc.source.reader import DictReader

BINDINGS = f"{PACKAGE}/llm-bindings.yaml"
REGISTRY = "skills/registry.yaml"


def test_bindings_keep_role_ids_as_text_and_take_null_for_none() -> None:
    text = """defaultProfileId: null
workers:
  write:
    profileId: slow
    byRole:
      no: p1
      on: p2
      "3": ~
  other: {}
  third:
"""
    package, found = read_package({BINDINGS: text})
    assert found == ()
    bindings = package.bindings
    assert bindings.default_profile is None
    write, other, third = bindings.workers
    assert (write.worker.value, write.profile) == ("write", "slow")
    assert [(role.value, profile) for role, profile in write.by_role] == [("no", "p1"), ("on", "p2")]
    assert (other.profile, other.by_role, third.profile) == (None, (), None)


def test_bindings_refuse_unknown_fields_and_wrong_types() -> None:
    text = "defaultProfile: a\nworkers:\n  write: {profile: x}\n  other: {byRole: [A]}\n  third: fast\n"
    package, found = read_package({BINDINGS: text})
    assert lines(found) == ["1:1 unknown-field", "3:11 unknown-field", "4:19 field-type", "5:10 field-type"]
    assert [binding.worker.value for binding in package.bindings.workers] == ["write", "other", "third"]


def test_a_duplicate_in_bindings_is_one_finding() -> None:
    _, found = read_package({BINDINGS: "workers:\n  a: {}\n  a: {profileId: x}\n"})
    assert [d.code.slug for d in found] == ["duplicate-key"]


@pytest.mark.parametrize("path", ["novel/demo", "novel/demo/", "./novel/demo", "novel/demo/orchestrator.md"])
def test_a_row_of_the_registry_points_at_its_package(path: str) -> None:
    for head in ("packages:\n", "skills:\n", ""):
        workspace, found = read(
            {
                MANIFEST: ORCHESTRATOR,
                SKILL: skill(),
                REGISTRY: f"{head}- name: demo\n  description: d\n  category: c\n  bookKind: novel\n  path: {path}\n",
            }
        )
        assert found == ()
        assert workspace.registry is not None
        row = workspace.registry[0]
        assert (row.name.value, row.package) == ("demo", "novel/demo")
        assert row.kind is not None and row.kind.value == "novel"


@pytest.mark.parametrize("path", ["../x", "/novel/demo", "C:/x", '"a\\\\b"', "novel/../../x"])
def test_an_unsafe_path_is_refused_and_points_at_nothing(path: str) -> None:
    workspace, found = read(
        {MANIFEST: ORCHESTRATOR, SKILL: skill(), REGISTRY: f"packages:\n- {{name: demo, path: {path}}}\n"}
    )
    assert [d.code.slug for d in found] == ["unsafe-path"]
    assert workspace.registry is not None and workspace.registry[0].package is None


def test_a_row_with_an_error_does_not_hide_the_others() -> None:
    text = "packages:\n- {name: x}\n- {nme: y, path: a}\n- {name: gone, path: novel/gone}\n"
    workspace, found = read({MANIFEST: ORCHESTRATOR, SKILL: skill(), REGISTRY: text})
    assert [d.code.slug for d in found] == ["missing-field", "unknown-field"]
    assert workspace.registry is not None
    assert [(row.name.value, row.package) for row in workspace.registry] == [("gone", None)]
    assert read({MANIFEST: ORCHESTRATOR, SKILL: skill()})[0].registry is None


def test_one_name_in_two_kinds_is_two_packages_in_any_order() -> None:
    files = {
        MANIFEST: ORCHESTRATOR,
        SKILL: skill(),
        "skills/dialogue/demo/orchestrator.md": ORCHESTRATOR,
        "skills/dialogue/demo/workers/write/SKILL.md": skill(),
        "skills/novel/other/orchestrator.md": ORCHESTRATOR.replace("demo", "another"),
    }
    read_files, _ = read_workspace(DictReader(files))
    results = set()
    for packages in permutations(read_files.packages):
        workspace, found = build_workspace(WorkspaceFiles("skills", packages))
        names = tuple(package.path for package in workspace.packages)
        results.add((names, tuple((d.span.path, d.message) for d in in_order(found))))
    assert len(results) == 1
    assert next(iter(results))[0] == ("dialogue/demo", "novel/demo", "novel/other")


def test_a_package_without_a_manifest_keeps_its_workers() -> None:
    workspace, _ = read({SKILL: skill(), f"{PACKAGE}/workers/next/SKILL.md": skill("next")})
    package = workspace.packages[0]
    assert package.manifest is None
    assert [worker.id for worker in package.workers] == ["next", "write"]


def test_templates_are_read_as_workers_are() -> None:
    text = skill("extra").replace("id: extra", "id: other\nstil: kurz").replace("正文.草稿", "正文。草稿")
    made, found = read_package({f"{PACKAGE}/templates/extra/SKILL.md": text})
    assert [template.id for template in made.templates] == ["extra"]
    assert [worker.id for worker in made.workers] == ["write"]
    assert {d.code.slug for d in found} == {"id-mismatch", "unknown-field", "bad-tag"}
    assert {d.span.path for d in found} == {f"{PACKAGE}/templates/extra/SKILL.md"}


def test_the_shared_context_is_part_of_the_package() -> None:
    package, found = read_package({f"{PACKAGE}/shared-context.md": "# 世界\n\n夜班便利店。\n"})
    assert found == ()
    assert package.shared_context is not None and "夜班" in package.shared_context.source.text


@pytest.mark.parametrize("path", ["world.md", "./world.md", "docs/world.md"])
def test_the_manifest_may_name_another_file_as_shared_context(path: str) -> None:
    manifest = ORCHESTRATOR.replace("workers:", f"sharedContext: {path}\nworkers:")
    name = path.removeprefix("./")
    package, found = read_package({MANIFEST: manifest, f"{PACKAGE}/{name}": "# 世界\n"})
    assert found == ()
    assert package.shared_context is not None and package.shared_context.path == f"{PACKAGE}/{name}"
    assert name in dict(package.digests)


def test_a_shared_context_that_is_not_there_is_told_where_it_is_named() -> None:
    for path, slugs in {
        "gone.md": ["misnamed-file"],
        "workers": ["misnamed-file"],
        "../x.md": ["unsafe-path"],
    }.items():
        manifest = ORCHESTRATOR.replace("workers:", f"sharedContext: {path}\nworkers:")
        package, found = read_package({MANIFEST: manifest})
        assert [d.code.slug for d in found] == slugs and package.shared_context is None
        assert found[0].span.text == path
    manifest = ORCHESTRATOR.replace("workers:", "sharedContext: gone.md\nworkers:")
    _, found = read_package({MANIFEST: manifest, f"{PACKAGE}/gone.md": b"\xff"})
    assert [d.code.slug for d in found] == ["not-utf8"]


def test_one_broken_file_never_hides_the_errors_of_another() -> None:
    files = {
        f"{PACKAGE}/workers/a/SKILL.md": "no frontmatter",
        f"{PACKAGE}/workers/b/SKILL.md": skill("c"),
        f"{PACKAGE}/tags.yaml": "labels: []\n",
        BINDINGS: "x: 1\n",
    }
    _, found = read_package(files)
    assert {d.code.slug for d in found} == {
        "frontmatter-missing",
        "id-mismatch",
        "field-type",
        "unknown-field",
    }


ROWS = "packages:\n  - {name: demo, path: novel/demo}\n"


@pytest.mark.parametrize(
    ("registry", "slugs", "broken"),
    [
        (ROWS, [], False),
        (ROWS + "  - {name: demo, path: novel/demo/orchestrator.md}\n", ["name-clash"], False),
        ("packages:\n  - {name: demo, path: ../novel/demo}\n", ["unsafe-path"], False),
        ("packages:\n  - {name: demo}\n", ["missing-field"], True),
        ("packages: [\n", ["yaml-syntax"], True),
    ],
)
def test_what_is_wrong_with_a_registry_is_told_once(registry: str, slugs: list[str], broken: bool) -> None:
    workspace, found = read({MANIFEST: ORCHESTRATOR, SKILL: skill(), "skills/registry.yaml": registry})
    assert [d.code.slug for d in found] == slugs and workspace.registry_broken == broken
    gaps = [
        d
        for rule in all_rules()
        if rule.slug == "registry-gap" and rule.workspace
        for d in rule.workspace(overview(workspace, map(build_graph, workspace.packages)))
    ]
    assert gaps == []


def test_a_role_of_the_bindings_is_one_segment() -> None:
    text = "workers: {write: {byRole: {A.x: fast, 阿离: slow}}}\n"
    _, found = read_package({BINDINGS: text})
    assert [(d.code.slug, d.span.text) for d in found] == [("field-type", "A.x")] and found[0].help
