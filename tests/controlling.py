"""A small workspace in memory with findings of every severity, and what is reported of it."""

from __future__ import annotations

from collections.abc import Mapping

from skillc import driver
from skillc.checks.page import base_files
from skillc.control import Control
from skillc.diagnostic import Diagnostic
from skillc.report.concise import line
from skillc.source.reader import DictReader

SKILL = "skills/novel/demo/workers/write/SKILL.md"
FRONT = """---
id: write
skill: demo
name: write
description: write
version: 1
inputTags:
  - "需求.核心要点"
  - "用户.修改说明?"
outputTags:
  - "正文.草稿"
---
# write

按 `需求.核心要点` 写 `正文.草稿`；有 `用户.修改说明` 时照着改。
"""


def skill(old: str = "", new: str = "", body: str = "") -> str:
    """The clean worker of the base package, with a text replaced and more body."""
    assert old in FRONT
    return (FRONT.replace(old, new, 1) if old else FRONT) + body


def workspace(files: Mapping[str, str | bytes | None]) -> dict[str, bytes]:
    """The base package with files replaced, added or (None) removed."""
    made = {**base_files(), SKILL: FRONT.encode()}
    for path, content in files.items():
        if content is None:
            del made[path]
        else:
            made[path] = content.encode() if isinstance(content, str) else content
    return made


def reported(
    files: Mapping[str, str | bytes | None],
    control: Control | None = None,
    only: frozenset[str] | None = None,
) -> tuple[Diagnostic, ...]:
    return driver.reported(driver.check(DictReader(workspace(files)), only=only), control)


def lines(
    files: Mapping[str, str | bytes | None],
    control: Control | None = None,
    only: frozenset[str] | None = None,
) -> list[str]:
    """What is reported, as `line: slug: message` of the worker and `path: …` of other files."""
    said = (line(diagnostic) for diagnostic in reported(files, control, only))
    return [text.removeprefix(f"{SKILL}:") for text in said]


def slugs(files: Mapping[str, str | bytes | None], control: Control | None = None) -> list[str]:
    return [diagnostic.code.slug for diagnostic in reported(files, control)]
