"""Workspaces out of texts, read as the compiler reads them, for tests of what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from skillc.diagnostic import Diagnostic, in_order
from skillc.model.package import Manifest, Package, TagRef, Worker, Workspace
from skillc.model.workspace import build_workspace
from skillc.source.discover import read_workspace
from skillc.source.reader import DictReader

PACKAGE = "skills/novel/demo"
MANIFEST = f"{PACKAGE}/orchestrator.md"
SKILL = f"{PACKAGE}/workers/write/SKILL.md"
FRONT = """id: write
skill: demo
name: 写正文
description: 按需求写出正文
version: 1
inputTags: ["需求.核心要点"]
outputTags: ["正文.草稿"]
"""
ORCHESTRATOR = "---\nname: demo\ndescription: 短文\nworkers: [write]\n---\n"


def read(files: Mapping[str, str | bytes]) -> tuple[Workspace, tuple[Diagnostic, ...]]:
    """The workspace of `files` with all findings of reading it, in order."""
    found_files, form = read_workspace(DictReader(files))
    workspace, meaning = build_workspace(found_files)
    return workspace, in_order([*form, *meaning])


def read_package(files: Mapping[str, str | bytes]) -> tuple[Package, tuple[Diagnostic, ...]]:
    """The package `demo` out of `files`, on top of a clean manifest and one clean worker."""
    base = {MANIFEST: ORCHESTRATOR, SKILL: skill()}
    workspace, found = read({**base, **files})
    return next(package for package in workspace.packages if package.name == "demo"), found


def read_worker(front: str, body: str = "") -> tuple[Worker, tuple[Diagnostic, ...]]:
    """The worker `write` with the lines `front` as its frontmatter."""
    package, found = read_package({SKILL: f"---\n{front}---\n{body}"})
    worker = package.worker("write")
    assert worker is not None
    return worker, found


def read_manifest(
    body: str, front: str = "", workers: Mapping[str, str] | None = None
) -> tuple[Manifest, tuple[Diagnostic, ...]]:
    """The manifest with `body` and these lines of frontmatter more, in a package of `workers` (id → outputs)."""
    outputs = workers or {"write": "正文.草稿"}
    files = {f"{PACKAGE}/workers/{id}/SKILL.md": skill(id, out) for id, out in outputs.items()}
    text = f"---\nname: demo\ndescription: 短文\n{front}---\n{body}"
    package, found = read_package({SKILL: skill(), **files, MANIFEST: text})
    assert package.manifest is not None
    return package.manifest, found


def skill(id: str = "write", outputs: str = "正文.草稿") -> str:
    """A clean SKILL.md that writes the tags `outputs`, a comma between two."""
    tags = ", ".join(f'"{tag}"' for tag in outputs.split(","))
    front = FRONT.replace("id: write", f"id: {id}").replace('["正文.草稿"]', f"[{tags}]")
    return f"---\n{front}---\n# 正文\n"


def lines(found: Iterable[Diagnostic]) -> list[str]:
    """`line:column slug` of each finding."""
    return [f"{d.span.position[0]}:{d.span.position[1]} {d.code.slug}" for d in found]


def texts(refs: Iterable[TagRef]) -> list[str]:
    return [ref.text for ref in refs]
