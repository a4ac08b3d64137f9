"""A small workspace whose package has two cases, for tests of snapshots."""

from __future__ import annotations

import importlib.resources
import os
import subprocess
import sys
from pathlib import Path

from cli import ROOT, Done, write

DEMO = "skills/novel/demo"
KEPT = f"{DEMO}/contexts/__snapshots__"
FIRST = """\
worker: write
items:
  - tag: 需求.核心要点
    content: 夜班便利店，十条规则
    source: user
"""
REWORK = """\
worker: write
items:
  - tag: 需求.核心要点
    content: 夜班便利店，十条规则
  - tag: 用户.修改说明
    content: "结尾改掉\\n第三条删去"
"""
SEGMENTS = """\
contextSegments:
  - {id: brief, tier: static, tags: ["需求.核心要点"], label: 要点}
  - {id: notes, tier: dynamic, tags: ["用户.修改说明"]}
---
# 写正文
"""


def workspace(folder: Path, cases: dict[str, str] | None = None) -> Path:
    """The package `novel/demo` with the boards `cases`, by file name below `contexts`."""
    base = importlib.resources.files("skillc.checks") / "pages" / "base"
    for path in ("skills/registry.yaml", f"{DEMO}/orchestrator.md", f"{DEMO}/workers/write/SKILL.md"):
        write(folder, {path: (base / path).read_text(encoding="utf-8")})
    skill = folder / DEMO / "workers/write/SKILL.md"
    text = skill.read_text(encoding="utf-8").replace("---\n# 写正文\n", SEGMENTS)
    boards = {"first.yaml": FIRST, "rework.yaml": REWORK} if cases is None else cases
    write(folder, {f"{DEMO}/workers/write/SKILL.md": text})
    return write(folder, {f"{DEMO}/contexts/{name}": board for name, board in boards.items()})


def pytested(
    folder: Path, *arguments: str, plugins: tuple[str, ...] = ("syrupy",), **environment: str
) -> Done:
    """pytest in a process of its own in `folder`, with our plugin and `plugins` and no other ones."""
    named = [word for name in (*plugins, "skillc.pytest_plugin") for word in ("-p", name)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *named, "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={
            **{key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "CI"))},
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": str(ROOT / "compiler"),
            "PYTHONIOENCODING": "utf-8",
            "LC_ALL": "C.UTF-8",
            **environment,
        },
    )
    assert "Traceback" not in done.stdout + done.stderr, done.stdout
    assert "INTERNALERROR" not in done.stdout + done.stderr, done.stdout + done.stderr
    return Done(done.stdout, done.stderr, done.returncode)
