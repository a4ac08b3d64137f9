"""What a package that nothing is wrong with is read without: what finds out what is wrong is loaded where it is needed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from reading import FRONT, MANIFEST, SKILL

HEAVY = ["lark", "markdown_it", "pydantic", "pydantic_core", "yaml"]
BODY = "# 正文\n\n## 上下文\n\n- `需求.核心要点`：依据\n\n| 项 | 值 |\n|---|---|\n| 一 | `正文.草稿` |\n\n```text\n例\n```\n"
SEGMENTS = (
    'contextSegments:\n  - id: s0\n    tier: dynamic\n    tags: ["需求.*"]\n    policy: tail_lines_80\n'
)
FRONT_OF_MANIFEST = """name: demo
description: 短文
workers: [write]
prerequisiteTags: ["需求.核心要点"]
instanceReadyWhen: startupCompleted and has(需求.核心要点)
acceptance:
  write: {mode: user_confirmed}
"""
READ = """
import json, sys
from skillc.model.workspace import build_workspace
from skillc.source.discover import read_workspace
from skillc.source.reader import DiskReader
files, form = read_workspace(DiskReader(sys.argv[1]))
workspace, meaning = build_workspace(files)
print(json.dumps([len(workspace.packages), [str(d.message) for d in (*form, *meaning)], sorted(sys.modules)]))
"""


def test_a_clean_workspace_is_read_without_the_libraries_that_explain_faults(tmp_path: Path) -> None:
    files = {MANIFEST: f"---\n{FRONT_OF_MANIFEST}---\n{BODY}", SKILL: f"---\n{FRONT}{SEGMENTS}---\n{BODY}"}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
    command = [sys.executable, "-c", READ, str(tmp_path)]
    packages, messages, modules = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert (packages, messages) == (1, [])
    assert [name for name in HEAVY if name in modules] == []
