"""Discovery: every file below the skills folder is used, ignored by a named rule, or a finding."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.diagnostic import Diagnostic, Severity
from skillc.source.discover import read_workspace
from skillc.source.document import PackageFiles, WorkspaceFiles
from skillc.source.names import edit_distance, is_device, is_ignored, near
from skillc.source.package import WORKER_LIMIT
from skillc.source.reader import DictReader, DiskReader, Entry

FM = "---\nid: w\nskill: s\nname: n\ndescription: d\ninputTags: []\noutputTags: []\n---\n"
P = "skills/novel/demo"
BASE = {f"{P}/orchestrator.md": FM, f"{P}/workers/write/SKILL.md": FM}


def read(
    files: Mapping[str, str | bytes], links: Mapping[str, str] | None = None
) -> tuple[WorkspaceFiles, list[Diagnostic]]:
    return read_workspace(DictReader(files, links))


def lines(found: list[Diagnostic]) -> list[str]:
    return sorted(f"{d.span.path.removeprefix(P + '/')} {d.code.slug}" for d in found)


def with_base(
    files: Mapping[str, str | bytes], links: Mapping[str, str] | None = None
) -> tuple[PackageFiles, list[str]]:
    """The package demo with these files more (paths inside it), and the findings."""
    added = {f"{P}/{path}": data for path, data in files.items()}
    linked = {f"{P}/{path}": target for path, target in (links or {}).items()}
    workspace, found = read({**BASE, **added}, linked)
    return next(package for package in workspace.packages if package.path == "novel/demo"), lines(found)


def workers(package: PackageFiles) -> dict[str, bool]:
    """Worker ids, and whether each is blocked."""
    return {worker.id: worker.blocked for worker in package.workers}


def test_a_clean_package_is_read_without_findings() -> None:
    more = {
        "shared-context.md": "# 上下文\n",
        "llm-bindings.yaml": "workers: {}\n",
        "tags.yaml": "docs: {}\n",
        "context-order.json": "{}",
        "templates/scene/SKILL.md": FM,
        "contexts/one.yaml": "items: []\n",
        "scripts/one.yaml": "replies: []\n",
    }
    package, found = with_base(more)
    assert found == []
    assert (package.path, package.folder, workers(package)) == ("novel/demo", P, {"write": False})
    assert (
        package.manifest
        and package.shared_context
        and package.bindings
        and package.catalogue
        and package.order
    )
    assert [template.id for template in package.templates] == ["scene"]
    assert [path for path, _ in package.digests] == [
        "context-order.json",
        "llm-bindings.yaml",
        "orchestrator.md",
        "shared-context.md",
        "tags.yaml",
        "templates/scene/SKILL.md",
        "workers/write/SKILL.md",
    ]


def test_a1_a2_digests_are_over_the_canonical_text() -> None:
    plain = with_base({})[0].digests
    crlf = FM.replace("\n", "\r\n").encode()
    assert with_base({"orchestrator.md": crlf})[0].digests == plain
    assert with_base({"orchestrator.md": b"\xef\xbb\xbf" + crlf})[0].digests == plain
    assert with_base({"orchestrator.md": FM + " "})[0].digests != plain


def test_a5_an_empty_skill_is_an_error_and_its_worker_is_listed() -> None:
    package, found = with_base({"workers/x/SKILL.md": ""})
    assert found == ["workers/x/SKILL.md frontmatter-missing"]
    assert [worker.id for worker in package.workers] == ["write", "x"]
    skill = package.workers[1].skill
    assert skill is not None and skill.broken


@pytest.mark.parametrize(
    "name",
    ["skill.md", "SKILL.MD", "Skill.md", "SKILLS.md", "SKIL.md", "SKILL.markdown", "SKILL.md.txt", "SKILL"],
)
def test_a22_a_misnamed_skill_is_an_error_and_read_all_the_same(name: str) -> None:
    package, found = with_base({f"workers/a/{name}": FM})
    assert found == [f"workers/a/{name} misnamed-file"]
    assert workers(package) == {"a": False, "write": False}
    diagnostics = read({**BASE, f"{P}/workers/a/{name}": FM})[1]
    assert "did you mean `SKILL.md`?" in diagnostics[0].help


@pytest.mark.parametrize(
    "name", ["Orchestrator.md", "orchestrator.MD", "orchestrater.md", "orchestrators.md"]
)
def test_a22_a_misnamed_manifest_makes_a_package_all_the_same(name: str) -> None:
    workspace, found = read({f"{P}/{name}": FM, f"{P}/workers/write/SKILL.md": FM})
    assert lines(found) == [f"{name} misnamed-file"]
    assert workspace.packages[0].manifest is not None


@pytest.mark.parametrize("name", ["worker", "Workers", "workers ", "wokers", "worekrs"])
def test_a22_a_misnamed_workers_folder_is_read(name: str) -> None:
    workspace, found = read({f"{P}/orchestrator.md": FM, f"{P}/{name}/write/SKILL.md": FM})
    assert [d.code.slug for d in found] == ["misnamed-file"]
    assert workers(workspace.packages[0]) == {"write": False}


def test_a22_a_second_workers_folder_is_an_error_and_not_read() -> None:
    package, found = with_base({"worker/other/SKILL.md": FM})
    assert found == ["worker misnamed-file"]
    assert workers(package) == {"write": False}


@pytest.mark.parametrize(
    "name",
    [
        "tags.yml",
        "tag.yaml",
        "Tags.yaml",
        "shared_context.md",
        "llm-binding.yaml",
        "context-order.yml",
        "context/a.yaml",
        "template/a/SKILL.md",
    ],
)
def test_a_near_miss_of_an_optional_name_is_a_warning(name: str) -> None:
    _, found = with_base({name: FM})
    assert found == [f"{name.split('/')[0]} near-miss-name"]


@pytest.mark.parametrize(
    "name",
    [
        "notes.md",
        "data/x.json",
        "agents/a.md",
        "tasks.yaml",
        "workers/outline.md",
        "workers/write/notes.md",
        "contexts/x.md",
    ],
)
def test_an_unknown_file_or_folder_is_one_info(name: str) -> None:
    _, found = with_base({name: "x"})
    first = name if name.count("/") and name.split("/")[0] in ("workers", "contexts") else name.split("/")[0]
    assert found == [f"{first} stray-file"]


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "readme",
        "README.zh-CN.md",
        "LICENSE",
        "CHANGELOG.md",
        ".gitkeep",
        ".git/config",
        "workers/README.md",
        "workers/.keep",
        "workers/write/README.md",
        "tags.yaml~",
        "Thumbs.db",
        "__pycache__/x.pyc",
    ],
)
def test_what_a_named_rule_ignores_is_no_finding(name: str) -> None:
    assert with_base({name: "x"})[1] == []


def test_a_worker_folder_without_a_skill_is_an_error_and_blocked() -> None:
    package, found = with_base({"workers/plot/notes.txt": "x"})
    assert found == ["workers/plot misnamed-file", "workers/plot/notes.txt stray-file"]
    assert workers(package) == {"plot": True, "write": False}


def test_a_package_without_a_manifest_is_an_error() -> None:
    workspace, found = read({f"{P}/workers/write/SKILL.md": FM})
    assert [(d.span.path, d.code.slug) for d in found] == [(P, "misnamed-file")]
    assert workspace.packages[0].manifest is None


def test_a_folder_in_the_place_of_a_file_is_an_error() -> None:
    package, found = with_base({"workers/a/SKILL.md/x": "x"})
    assert found == ["workers/a misnamed-file", "workers/a/SKILL.md stray-file"]
    assert workers(package)["a"]


@pytest.mark.parametrize(
    "path", ["skills/novel/later/README.md", "skills/other/README.md", "skills/README.md", "skills/.hidden/x"]
)
def test_a_folder_with_a_readme_only_is_no_package_and_no_finding(path: str) -> None:
    workspace, found = read({**BASE, path: "x"})
    assert found == [] and len(workspace.packages) == 1


@pytest.mark.parametrize(
    ("path", "place", "slug"),
    [
        ("skills/novels/x/orchestrator.md", "skills/novels", "misnamed-file"),
        ("skills/Novel/x/orchestrator.md", "skills/Novel", "misnamed-file"),
        ("skills/game/x/orchestrator.md", "skills/game", "misnamed-file"),
        ("skills/x/orchestrator.md", "skills/x", "misnamed-file"),
        ("skills/novel/group/x/orchestrator.md", "skills/novel/group", "misnamed-file"),
        ("skills/novel/orchestrator.md", "skills/novel/orchestrator.md", "misnamed-file"),
        ("skills/other/x.md", "skills/other", "stray-file"),
        ("skills/novel/drafts/x.txt", "skills/novel/drafts", "stray-file"),
        ("skills/notes.md", "skills/notes.md", "stray-file"),
        ("skills/registry.yml", "skills/registry.yml", "near-miss-name"),
    ],
)
def test_what_stands_in_the_wrong_place_is_named(path: str, place: str, slug: str) -> None:
    found = read({**BASE, path: FM})[1]
    assert [(d.span.path, d.code.slug) for d in found] == [(place, slug)]


def test_packages_of_a_misnamed_kind_are_read() -> None:
    workspace, _ = read({"skills/novels/x/orchestrator.md": FM})
    assert [package.path for package in workspace.packages] == ["novels/x"]


def test_the_files_of_the_workspace_are_read() -> None:
    workspace, found = read(
        {**BASE, "skills/registry.yaml": "packages: []\n", "skills/tags.yaml": "docs: {}\n"}
    )
    assert found == [] and workspace.registry and workspace.catalogue


@pytest.mark.parametrize(
    "name",
    ["Write", "write_rules", "-a", "a-", "a--b", "写", "a.b", "a b", "x" * 65, "write.", "write ", "a'b"],
)
def test_a_worker_folder_that_is_no_id_is_an_error(name: str) -> None:
    package, found = with_base({f"workers/{name}/SKILL.md": FM})
    assert f"workers/{name} bad-id" in found
    assert name in workers(package)


@pytest.mark.parametrize(
    "name", ["a", "a-b", "2", "write-2-rules", "x" * 64, "auxiliary", "com", "com10", "console"]
)
def test_a_worker_folder_that_is_an_id_is_none(name: str) -> None:
    assert with_base({f"workers/{name}/SKILL.md": FM})[1] == []


@pytest.mark.parametrize("name", ["aux", "con", "nul", "prn", "com1", "lpt9", "AUX", "aux.txt", "con.x.y"])
def test_e101_device_names_are_refused_on_every_system(name: str) -> None:
    assert f"workers/{name} bad-id" in with_base({f"workers/{name}/SKILL.md": FM})[1]
    assert is_device(name)


def test_e101_no_file_of_a_package_may_be_a_device() -> None:
    assert with_base({"nul.txt": "x", "workers/write/aux.md": "x"})[1] == [
        "nul.txt bad-id",
        "workers/write/aux.md bad-id",
    ]


def test_e101_package_names_are_checked_too() -> None:
    found = read({"skills/novel/con/orchestrator.md": FM, "skills/novel/My_Book/orchestrator.md": FM})[1]
    assert [(d.span.path, d.code.slug) for d in found] == [
        ("skills/novel/My_Book", "bad-id"),
        ("skills/novel/con", "bad-id"),
    ]
    assert "`my-book`" in found[0].help


def test_d79_invisible_characters_in_folder_names_are_named() -> None:
    assert with_base({"workers/wri\u200bte/SKILL.md": FM})[1] == ["workers/wri\u200bte invisible-character"]


def test_b49_worker_names_that_differ_in_case_clash() -> None:
    package, found = with_base({"workers/Plot/SKILL.md": FM, "workers/plot/SKILL.md": FM})
    assert [line for line in found if "clash" in line] == ["workers/plot name-clash"]
    assert workers(package).keys() == {"Plot", "plot", "write"}


def test_b49_worker_names_that_differ_in_normal_form_clash() -> None:
    found = with_base({"workers/caf\u00e9/SKILL.md": FM, "workers/cafe\u0301/SKILL.md": FM})[1]
    assert [line.split()[-1] for line in found].count("name-clash") == 1


def test_b49_package_names_clash_within_a_kind_only() -> None:
    files = {"skills/novel/Demo/orchestrator.md": FM, "skills/dialogue/demo/orchestrator.md": FM, **BASE}
    found = [d for d in read(files)[1] if d.code.slug == "name-clash"]
    assert [d.span.path for d in found] == [P]
    assert [label.span.path for label in found[0].related] == ["skills/novel/Demo"]


def test_the_same_worker_id_in_two_packages_is_no_finding() -> None:
    other = {path.replace("demo", "other"): data for path, data in BASE.items()}
    assert read({**BASE, **other})[1] == []


def test_a23_two_worker_folders_that_are_one_clash() -> None:
    package, found = with_base({}, {"workers/a": f"{P}/workers/write"})
    assert found == ["workers/a name-clash"]
    assert workers(package) == {"a": True, "write": False}


def test_a23_links_inside_the_package_are_followed() -> None:
    files = {"shared/SKILL.md": FM}
    package, found = with_base(files, {"workers/b/SKILL.md": f"{P}/shared/SKILL.md"})
    assert found == ["shared stray-file"]
    assert workers(package) == {"b": False, "write": False}


@pytest.mark.parametrize(
    "target", ["outside", "loop", "special", "broken", "skills/novel/other/workers/x", "elsewhere"]
)
def test_a23_other_links_are_refused_and_the_worker_is_blocked(target: str) -> None:
    others = {
        "skills/novel/other/workers/x/SKILL.md": FM,
        "skills/novel/other/orchestrator.md": FM,
        "elsewhere/SKILL.md": FM,
    }
    workspace, found = read({**BASE, **others}, {f"{P}/workers/a": target})
    assert lines(found) == ["workers/a unsafe-path"]
    assert workers(workspace.packages[0]) == {"a": True, "write": False}


def test_a23_a_refused_file_is_not_reported_missing_too() -> None:
    package, found = with_base({"workers/a/README.md": ""}, {"workers/a/SKILL.md": "outside"})
    assert found == ["workers/a/SKILL.md unsafe-path"]
    assert workers(package)["a"]
    workspace, problems = read({f"{P}/workers/write/SKILL.md": FM}, {f"{P}/orchestrator.md": "loop"})
    assert lines(problems) == ["orchestrator.md unsafe-path"]
    manifest = workspace.packages[0].manifest
    assert manifest is not None and manifest.broken


def test_a23_a_link_checked_out_as_text_is_recognised() -> None:
    assert with_base({"workers/a": "../workers/write"})[1] == ["workers/a misnamed-file"]
    found = read({**BASE, f"{P}/workers/b/SKILL.md": "../x/SKILL.md"})[1]
    assert [d.code.slug for d in found] == ["frontmatter-missing"] and "symlink" in found[0].help


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a23_links_on_a_real_disk(tmp_path: Path) -> None:
    for path, text in BASE.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    outside = tmp_path.parent / f"{tmp_path.name}-outside.md"
    outside.write_text(FM, encoding="utf-8")
    folder = tmp_path / P
    (folder / "workers" / "a").symlink_to("../workers/write")
    (folder / "shared-context.md").symlink_to(outside)
    os.mkfifo(folder / "tags.yaml")
    workspace, found = read_workspace(DiskReader(str(tmp_path)))
    assert lines(found) == ["shared-context.md unsafe-path", "tags.yaml unsafe-path", "workers/a name-clash"]
    assert workers(workspace.packages[0]) == {"a": True, "write": False}


class Failing(DictReader):
    """Refuses some paths as a system does."""

    def __init__(self, files: Mapping[str, str], broken: Mapping[str, OSError]) -> None:
        super().__init__(files)
        self.broken = broken

    def entries(self, path: str) -> tuple[Entry, ...]:
        if path in self.broken:
            raise self.broken[path]
        return super().entries(path)

    def read(self, path: str) -> bytes:
        if path in self.broken:
            raise self.broken[path]
        return super().read(path)


@pytest.mark.parametrize("error", [PermissionError(13, "x"), FileNotFoundError(2, "x"), OSError(5, "x")])
@pytest.mark.parametrize("path", ["orchestrator.md", "workers/write/SKILL.md", "workers/write", "workers"])
def test_what_cannot_be_read_is_a_finding_and_the_rest_goes_on(error: OSError, path: str) -> None:
    files = {**BASE, "skills/novel/other/orchestrator.md": FM}
    workspace, found = read_workspace(Failing(files, {f"{P}/{path}": error}))
    assert lines(found) == [f"{path} unsafe-path"]
    assert [package.path for package in workspace.packages] == ["novel/demo", "novel/other"]
    assert workspace.packages[0].manifest is not None


def test_a_name_of_the_format_on_the_wrong_kind_of_thing_is_told_once_and_as_such() -> None:
    without = {path: text for path, text in BASE.items() if not path.endswith("orchestrator.md")}
    _, found = read_workspace(DictReader({**without, f"{P}/orchestrator.md/notes.md": "x"}))
    assert lines(found) == ["orchestrator.md misnamed-file"]
    assert found[0].message == "`orchestrator.md` is a folder, but the format knows a file of this name"
    manifest = {path: text for path, text in BASE.items() if path.endswith("orchestrator.md")}
    _, found = read_workspace(DictReader({**manifest, f"{P}/workers": "x", f"{P}/tags.yaml/a": "x"}))
    assert [(d.code.slug, d.message) for d in found] == [
        ("near-miss-name", "`tags.yaml` is a folder, but the format knows a file of this name"),
        ("misnamed-file", "`workers` is a file, but the format knows a folder of this name"),
    ]


def test_only_the_named_packages_are_opened() -> None:
    opened: list[str] = []

    class Recording(DictReader):
        def read(self, path: str) -> bytes:
            opened.append(path)
            return super().read(path)

    other = {path.replace("demo", "other"): data for path, data in BASE.items()}
    workspace, _ = read_workspace(Recording({**BASE, **other}), only=frozenset({"novel/other"}))
    assert [package.path for package in workspace.packages] == ["novel/other"]
    assert opened and not [path for path in opened if path.startswith(P)]


def test_two_orders_clash() -> None:
    _, found = with_base({"context-order.json": "{}", "context-order.yaml": "a: 1\n"})
    assert found == ["context-order.yaml name-clash"]


def test_a_package_has_a_largest_number_of_workers() -> None:
    many = {f"workers/w{n}/SKILL.md": FM for n in range(WORKER_LIMIT)}
    package, found = with_base(many)
    assert found == ["workers too-large"]
    assert len(package.workers) == WORKER_LIMIT + 1
    assert [worker.id for worker in package.workers if worker.blocked] == ["write"]


def test_a_missing_skills_folder_is_an_empty_workspace() -> None:
    workspace, found = read({"README.md": "x"})
    assert workspace.packages == () and found == []


NAMES = [
    "orchestrator.md",
    "Orchestrator.md",
    "workers",
    "worker",
    "SKILL.md",
    "skill.md",
    "README.md",
    "x.txt",
    "aux",
    "tags.yaml",
    "tags.yml",
    "novel",
    "dialogue",
    "novels",
    "demo",
    "write",
    "Write",
    "registry.yaml",
    "templates",
    ".git",
    "写",
]


@given(
    st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5).map("/".join), max_size=6, unique=True)
)
def test_every_file_is_used_ignored_or_below_a_finding(paths: list[str]) -> None:
    files = {
        f"skills/{path}": FM for path in paths if not any(other.startswith(path + "/") for other in paths)
    }
    workspace, found = read(files)
    used = {f"{package.folder}/{path}" for package in workspace.packages for path, _ in package.digests}
    used |= {"skills/registry.yaml", "skills/tags.yaml"}
    places = [d.span.path for d in found]
    for path in files:
        parts = path.split("/")
        ignored = any(is_ignored(part) for part in parts[1:])
        told = any(path == place or path.startswith(place + "/") for place in places)
        assert path in used or ignored or told, path
    for package in workspace.packages:
        assert package.manifest is not None or any(d.severity is Severity.ERROR for d in found)


@given(st.text(alphabet="abc", max_size=6), st.text(alphabet="abc", max_size=6))
def test_edit_distance_is_small_exactly_for_small_edits(a: str, b: str) -> None:
    distance = edit_distance(a, b, 2)
    assert distance == edit_distance(b, a, 2) <= 3
    assert (distance == 0) == (a == b)
    if a:
        assert edit_distance(a, a[1:], 2) == 1
    if len(a) > 1:
        assert edit_distance(a, a[1] + a[0] + a[2:], 2) <= 1


def test_near_names_are_near_and_others_are_not() -> None:
    assert near("Skill.md", ["SKILL.md"]) == "SKILL.md"
    assert near("context-order.yml", ["context-order.json", "context-order.yaml"]) == "context-order.yaml"
    for name in ("notes.md", "map.yaml", "a", "work", "tests", "tasks.yaml"):
        assert near(name, ["SKILL.md", "tags.yaml", "workers", "contexts", "templates"]) is None


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("skills/novel/write/SKILL.md", "skills/novel/write"),
        ("skills/write/SKILL.md", "skills/write"),
        ("skills/SKILL.md", "skills/SKILL.md"),
        (f"{P}/SKILL.md", "SKILL.md"),
        (f"{P}/skill.md", "skill.md"),
        (f"{P}/write2/SKILL.md", "write2"),
    ],
)
def test_a_skill_where_no_worker_is_read_is_an_error(path: str, told: str) -> None:
    _, found = read({**BASE, path: FM})
    assert lines(found) == [f"{told} misnamed-file"]
    assert path in found[0].message and "workers/<id>/SKILL.md" in found[0].help


@pytest.mark.parametrize("name", ["README.md", ".shared.md", "docs/README.md"])
def test_a_shared_context_that_is_named_is_read_whatever_its_name(name: str) -> None:
    manifest = FM.replace("id: w\n", f"id: w\nsharedContext: {name}\n")
    package, found = with_base({"orchestrator.md": manifest, name: "约定\n"})
    assert found == [] and package.shared_context and package.shared_context.body.text == "约定\n"


@pytest.mark.skipif(os.name == "nt", reason="names are UTF-16 there")
def test_a_name_that_is_not_utf8_is_told_with_its_bytes(tmp_path: Path) -> None:
    for path, text in BASE.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    folders = [os.fsencode(tmp_path / P / "workers") + b"/" + name for name in (b"\xb2\xe2", b"\xca\xd4")]
    try:
        for folder in folders:
            os.mkdir(folder)
    except OSError:
        pytest.skip("the file system holds UTF-8 names only")
    workspace, found = read_workspace(DiskReader(str(tmp_path)))
    assert [(d.code.slug, d.message) for d in found] == [
        ("unsafe-path", "`\\xb2\\xe2` has a name that is not UTF-8"),
        ("unsafe-path", "`\\xca\\xd4` has a name that is not UTF-8"),
    ]
    assert {d.help for d in found} == {"rename it"}
    assert [worker.id for worker in workspace.packages[0].workers if not worker.blocked] == ["write"]
