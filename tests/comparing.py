"""Two states of a workspace in memory, and git repositories on disk, for tests of comparisons.

>>> before = workspace("novel/basic")
>>> after = edited(before, OUTLINE, "你说话直接", "你说话很直接")
>>> compare(side(before), side(after)).packages[0].workers[0].kinds
('fixed_prefix', 'prose')
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli import SKILLS
from sample_plans import sample_data
from skillc.artifact.codec import decode
from skillc.artifact.encoding import worker_data, worker_digest
from skillc.artifact.plan import Plan
from skillc.cli.place import Place
from skillc.cli.sides import compiled
from skillc.compare import Bundle, Side
from skillc.config import Config
from skillc.source.reader import DictReader

BASIC = "skills/novel/basic"
OUTLINE = f"{BASIC}/workers/outline/SKILL.md"
RULES = "skills/novel/weird-rules-short"
REVIEW = f"{RULES}/workers/review-infer/SKILL.md"
Files = Mapping[str, bytes]


def workspace(*packages: str) -> Files:
    """The files of our own example packages, by path in the workspace."""
    return {
        f"skills/{path.relative_to(SKILLS).as_posix()}": path.read_bytes()
        for package in packages
        for path in sorted((SKILLS / package).rglob("*"))
        if path.is_file() and "contexts" not in path.parts
    }


def edited(files: Files, path: str, old: str, new: str, times: int = -1) -> Files:
    """The same files with a text changed in one of them; it must be there."""
    text = files[path].decode()
    assert old in text, f"{old!r} is not in {path}"
    return {**files, path: text.replace(old, new, times).encode()}


def moved(files: Files, old: str, new: str) -> Files:
    """The same files with the folder `old` called `new`."""
    return {
        new + path[len(old) :] if path.startswith(old + "/") else path: data for path, data in files.items()
    }


def side(files: Files, name: str = "x", config: Config | None = None) -> Side:
    """A workspace of these files as one side."""
    place = Place("/nowhere", config or Config())
    return compiled(place, DictReader(files), Side(name, "workspace", {}))


def plan(workers: Mapping[str, Mapping[str, Any]], **more: Any) -> Plan:
    """A plan by hand, with digests as the compiler makes them."""
    return plan_of(sample_data(workers, **more))


def plan_of(data: Mapping[str, Any]) -> Plan:
    """The plan that is `data`, with the digests that its workers must have."""
    first = decode(json.dumps(data).encode())
    workers = {
        id: {**worker, "digest": worker_digest(worker_data(first.workers[id]))}
        for id, worker in data["workers"].items()
    }
    return decode(json.dumps({**data, "workers": workers}).encode())


def plans(*found: Plan, name: str = "x") -> Side:
    """A side of plans made by hand."""
    return Side(name, "build", {one.package.path: Bundle(lambda one=one: one) for one in found})  # type: ignore[misc]


class Git:
    """A repository in a folder. Its commits depend on nothing outside of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self("init", "-q", "-b", "main")

    def __call__(self, *arguments: str) -> str:
        who = ("-c", "user.name=Author", "-c", "user.email=author@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ["git", "-C", str(self.folder), *who, *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def commit(self, message: str = "change") -> str:
        """Commit everything that is there; gives the id."""
        self("add", "-A")
        self("commit", "-q", "--allow-empty", "-m", message)
        return self("rev-parse", "HEAD")

    def status(self) -> str:
        return self("status", "--porcelain", "--ignored")
