"""Which packages an error keeps from being built."""

from __future__ import annotations

from skillc import driver
from skillc.source.reader import DictReader

MANIFEST = """---
name: {name}
description: 短文
workers: [write]
demandTag: "需求.核心要点"
prerequisiteTags: ["需求.核心要点"]
---
"""
SKILL = """---
id: write
skill: {name}
name: 写正文
description: 按需求写出正文
inputTags: ["需求.核心要点"]
outputTags: ["正文.草稿"]
---
按 `需求.核心要点` 写 `正文.草稿`。
"""


def package(folder: str) -> dict[str, str]:
    name = folder.rpartition("/")[2]
    return {
        f"{folder}/orchestrator.md": MANIFEST.format(name=name),
        f"{folder}/workers/write/SKILL.md": SKILL.format(name=name),
    }


def failed(files: dict[str, str]) -> frozenset[str]:
    return driver.failed(driver.check(DictReader(files)))


def test_a_clean_package_is_built() -> None:
    assert failed(package("skills/novel/a")) == frozenset()


def test_an_error_in_a_file_keeps_its_package_only() -> None:
    files = {**package("skills/novel/a"), **package("skills/novel/ab")}
    assert failed({**files, "skills/novel/a/workers/write/SKILL.md": ""}) == {"novel/a"}


def test_an_error_of_the_folder_itself_keeps_the_package() -> None:
    assert failed(package("skills/novel/My_Book")) == {"novel/My_Book"}


def test_an_error_of_the_folder_above_keeps_its_packages() -> None:
    assert failed({**package("skills/novels/a"), **package("skills/novel/b")}) == {"novels/a"}


def test_a_broken_catalogue_of_the_workspace_keeps_all_since_its_labels_are_lost() -> None:
    files = {**package("skills/novel/a"), **package("skills/dialogue/b")}
    assert failed({**files, "skills/tags.yaml": "labels: a: b\n"}) == {"novel/a", "dialogue/b"}
    assert failed({**files, "skills/tags.yaml": "docs: {}\n"}) == frozenset()
