"""What has to hold whatever the machine does: one result under any hash seed, locale and order of directories; whole files
after a fault at any call; one result of many builds at once.

SKILLC_PROOF=1 takes the whole of it, which takes minutes; without, a part of each.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from hashlib import sha256
from itertools import count, product
from pathlib import Path

import pytest

import skillc.engine.state
import skillc.store.files
import skillc.store.output
from breaking import Disk, broken
from cli import ROOT, tree
from skillc.engine.run import run
from skillc.engine.setting import Options
from skillc.engine.state import load
from skillc.engine.writing import write
from skillc.store.log import open_log
from test_engine_build import NAMES, build, made, package, put, skill

WHOLE = bool(os.environ.get("SKILLC_PROOF"))
SEEDS = range(20)
LOCALES = ("C", "zh_CN.UTF-8")
BACKWARDS = '''
import os
_scandir, _listdir = os.scandir, os.listdir

class Backwards:
    """What a folder holds, the last name first."""

    def __init__(self, path="."):
        with _scandir(path) as found:
            self._rest = iter(sorted(found, key=lambda entry: entry.name, reverse=True))

    def __iter__(self):
        return self._rest

    def __next__(self):
        return next(self._rest)

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        pass

    def close(self):
        pass

os.scandir = Backwards
os.listdir = lambda path=".": sorted(_listdir(path), reverse=True)
'''
BOTH = """
import sys
from skillc.__main__ import main
for words in (["build", "--lang", "en"], ["check", "--format", "json"]):
    sys.argv = ["skillc", *words]
    main()
"""


def python(*arguments: str, cwd: Path, path: str = "", **variables: str) -> subprocess.Popen[bytes]:
    folders = os.pathsep.join([*([path] if path else []), str(ROOT / "compiler")])
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": folders, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def workspace(root: Path) -> Path:
    """Packages without a finding, with warnings, and with an error."""
    for name in NAMES:
        package(root, name)
    put(root, "skills/novel/b/workers/write/SKILL.md", skill("b", "再读 `设定.世界.草稿`。"))
    put(root, "skills/novel/c/workers/write/SKILL.md", skill("c").replace("需求.核心要点", "没有.人写"))
    put(root, "skills/tags.yaml", "sources:\n  user: [读者.*]\n")
    put(root, "skills/registry.yaml", "workers: []\n")
    return root


def told(root: Path, seed: int, locale: str, backwards: str) -> str:
    """A digest of all that a build leaves and all that a check says."""
    for name in (".skillc", "build"):
        shutil.rmtree(root / name, ignore_errors=True)
    process = python("-c", BOTH, cwd=root, path=backwards, PYTHONHASHSEED=str(seed), LC_ALL=locale)
    out, err = process.communicate()
    assert b"Traceback" not in err and b"internal error" not in err, err.decode()
    assert out, "a check tells of the package that has an error"
    total = sha256(out)
    for name, data in sorted(tree(root / "build").items()):
        total.update(name.encode() + b"\0" + sha256(data).digest())
    return total.hexdigest()


def test_one_digest_under_any_hash_seed_locale_and_order_of_directories(tmp_path: Path) -> None:
    root = workspace(tmp_path / "here")
    (tmp_path / "backwards").mkdir()
    (tmp_path / "backwards/sitecustomize.py").write_text(BACKWARDS, encoding="utf-8")
    ways = list(product(SEEDS, LOCALES, ("", str(tmp_path / "backwards"))))
    chosen = ways if WHOLE else ways[:: len(ways) // 7]
    assert len({told(root, *way) for way in chosen}) == 1


def test_the_order_of_directories_is_really_another(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(BACKWARDS, encoding="utf-8")
    for name in "ab":
        (tmp_path / "in" / name).mkdir(parents=True)
    program = "import os; print(*os.listdir('in'), *(entry.name for entry in os.scandir('in')))"
    out, _ = python("-c", program, cwd=tmp_path, path=str(tmp_path)).communicate()
    assert out.split() == [b"b", b"a", b"b", b"a"]


def keys(root: Path) -> dict[str, bytes] | None:
    """The packages that the log knows, by their keys; None where there is no log."""
    opened = open_log(str(root / ".skillc/log"))
    if opened is None:
        return None
    opened.close()
    return {path: known.key for path, known in load(str(root)).records.items()}


@pytest.mark.parametrize("how", ["fail", "crash", "short"])
def test_after_a_fault_at_any_call_the_log_and_each_file_are_the_old_or_the_new_ones(
    tmp_path: Path, how: str
) -> None:
    root = tmp_path / "here"
    for name in NAMES[:2]:
        package(root, name)
    build(root)
    before, old = tree(root / "build"), keys(root)
    saved = tmp_path / "saved"
    shutil.copytree(root, saved)
    put(root, "skills/novel/a/workers/write/SKILL.md", skill("a", "改"))
    shutil.rmtree(root / "skills/novel/b")
    shutil.copytree(root / "skills", tmp_path / "edited")
    build(root)
    after, new = tree(root / "build"), keys(root)
    assert old != new and before != after

    for at in count(1):
        shutil.rmtree(root)
        shutil.copytree(saved, root)
        shutil.rmtree(root / "skills")
        shutil.copytree(tmp_path / "edited", root / "skills")
        done = run(str(root), Options(), True)
        disk = Disk(at, how)
        with broken(disk, skillc.store.files, skillc.store.output, skillc.engine.state):
            try:
                write(str(root), str(root / "build"), done, (), True)
            except OSError:
                assert how != "crash"
        assert keys(root) in (old, new), disk.calls
        for name, data in tree(root / "build").items():
            if not name.rpartition("/")[2].startswith(".skillc-"):
                assert data in (before.get(name), after.get(name)), (at, name)
        build(root)
        assert {n: d for n, d in tree(root / "build").items() if ".skillc-" not in n} == after, disk.calls
        if len(disk.calls) < at:
            break
    assert at > 10


TURNS = """
import os, sys
from skillc.__main__ import main
name, rounds = sys.argv[1], int(sys.argv[2])
path = f"skills/novel/{name}/workers/write/SKILL.md"
with open(path, encoding="utf-8") as file:
    text = file.read()
for number in range(rounds):
    with open(name, "w", encoding="utf-8") as file:
        file.write(f"{text}\\n第 {number} 次。\\n")
    os.replace(name, path)
    sys.argv = ["skillc", "build"]
    if main():
        sys.exit(1)
"""


def test_many_builds_at_once_on_one_store_leave_what_one_build_leaves(tmp_path: Path) -> None:
    processes, rounds = (8, 50) if WHOLE else (3, 3)
    names = [f"p{number}" for number in range(processes)]
    for name in names:
        package(tmp_path, name)
    build(tmp_path)
    running = [python("-c", TURNS, name, str(rounds), cwd=tmp_path) for name in names]
    for process in running:
        out, err = process.communicate()
        assert process.returncode == 0 and b"internal" not in err, (out + err).decode()
    build(tmp_path)
    assert made(build(tmp_path)) == []
    left = tree(tmp_path / "build")
    shutil.rmtree(tmp_path / "build")
    build(tmp_path, forgetting=True)
    assert left == tree(tmp_path / "build")
