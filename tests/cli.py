"""The real command in a real process, and workspaces on disk to run it in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SKILLS = ROOT / "skills"


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit code. No traceback may ever be in it."""

    out: str
    err: str
    code: int


def skillc(*arguments: str, cwd: Path, stdin: str = "", **environment: str) -> Done:
    """Run `skillc` in `cwd`."""
    done = subprocess.run(
        [sys.executable, "-m", "skillc", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "compiler"),
            "PYTHONIOENCODING": "utf-8",
            "LC_ALL": "C.UTF-8",
            **environment,
        },
    )
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    assert "internal error" not in done.stderr, done.stderr
    return Done(done.stdout, done.stderr, done.returncode)


def examples(folder: Path, *packages: str) -> Path:
    """A workspace with copies of our own example packages (all of them unless some are named)."""
    if not packages:
        shutil.copytree(SKILLS, folder / "skills")
    for package in packages:
        shutil.copytree(SKILLS / package, folder / "skills" / package)
    return folder


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write text files below `folder`."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return folder


def replace(path: Path, old: str, new: str, times: int = -1) -> None:
    """Change a text everywhere in a file, or the first `times` times; it must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {path}"
    path.write_text(text.replace(old, new, times), encoding="utf-8", newline="")


def tree(folder: Path) -> dict[str, bytes]:
    """All files below `folder` by POSIX path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
