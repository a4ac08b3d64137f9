"""The real command, in this process or in its own, and workspaces on disk to run it in."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from skillc.__main__ import main

ROOT = Path(__file__).resolve().parent.parent
SKILLS = ROOT / "skills"
PACKAGES = tuple(
    path.parent.relative_to(SKILLS).as_posix() for path in sorted(SKILLS.glob("*/*/orchestrator.md"))
)
"""Our own example packages."""


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit code. No traceback may ever be in it."""

    out: str
    err: str
    code: int


def skillc(*arguments: str, cwd: Path, stdin: str = "", **environment: str) -> Done:
    """Run `skillc` in `cwd`: by the same entry, in this process, which costs a tenth of starting one. What only a
    new process takes up (variables of Python itself, how many processes to use) gets one."""
    if any(name.startswith("PYTHON") or name == "SKILLC_JOBS" for name in environment):
        return skillc_process(*arguments, cwd=cwd, stdin=stdin, **environment)
    streams = [io.TextIOWrapper(io.BytesIO(data), "utf-8") for data in (stdin.encode(), b"", b"")]
    names = ("stdin", "stdout", "stderr")
    variables = {"LC_ALL": "C.UTF-8", "SKILLC_JOBS": "1", **environment}
    with ExitStack() as stack:
        stack.enter_context(contextlib.chdir(cwd))
        stack.enter_context(patch.dict(os.environ, variables))
        stack.enter_context(patch.object(sys, "argv", ["skillc", *arguments]))
        for name, stream in zip(names, streams, strict=True):
            stack.enter_context(patch.object(sys, name, stream))
        code = main()
        # The command writes through streams of its own, which a process flushes when it ends.
        sys.stdout.flush()
    return _done(*(_read(stream) for stream in streams[1:]), code)


def _read(stream: io.TextIOWrapper) -> str:
    """What was written, as `subprocess` gives it."""
    stream.flush()
    stream.seek(0)
    return stream.read()


def skillc_process(*arguments: str, cwd: Path, stdin: str = "", **environment: str) -> Done:
    """Run `skillc` in `cwd` in a process of its own, where that is the point."""
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
    return _done(done.stdout, done.stderr, done.returncode)


def _done(out: str, err: str, code: int) -> Done:
    assert "Traceback" not in out + err, err
    assert "internal error" not in err, err
    return Done(out, err, code)


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
    """All files below `folder` by POSIX path, but those that commands keep for themselves."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".skillc" not in path.relative_to(folder).parts
    }
