"""Standard streams that are closed or full, and a working folder that is gone: a sentence, never a bug report."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cli import ROOT, examples

FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="there is no device that is full")


def shell(words: str, cwd: Path, before: str = "") -> tuple[int, str, str]:
    """`skillc` with its streams as a shell redirects them."""
    command = f"{before}exec {shlex.quote(sys.executable)} -m skillc {words}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "compiler"), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["sh", "-c", command], cwd=cwd, env=environment, capture_output=True, text=True)
    assert "Traceback" not in done.stderr and "internal error" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("command", ["check", "query ...", "explain G001", "--version", "check --help"])
@pytest.mark.parametrize(
    ("where", "why"),
    [(">/dev/full", "No space left on device"), (">&-", "it is closed")],
    ids=["full", "closed"],
)
def test_a_result_that_cannot_be_written_is_told(tmp_path: Path, command: str, where: str, why: str) -> None:
    place = examples(tmp_path, "novel/basic")
    assert shell(f"{command} {where}", place) == (3, "", f"skillc: cannot write to standard output: {why}\n")


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full", ">&-", "<&- >&- 2>&-"])
def test_a_build_is_done_whoever_hears_of_it(tmp_path: Path, where: str) -> None:
    place = examples(tmp_path, "novel/basic")
    for _ in range(2):
        assert shell(f"build {where}", place)[:2] == (0, "")
        assert (place / "build" / "novel" / "basic" / "plan.json").stat().st_size
    assert shell("build --check", place)[0] == 0


def test_who_reads_no_further_is_told_nothing(tmp_path: Path) -> None:
    place = examples(tmp_path, "novel/basic")
    shut, far = os.pipe()
    os.close(shut)
    done = subprocess.run(
        [sys.executable, "-m", "skillc", "query", "..."],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT / "compiler")},
        stdout=far,
        stderr=subprocess.PIPE,
    )
    os.close(far)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("command", ["build", "check", "query ...", "cache stats", "build {place}"])
def test_a_working_folder_that_is_gone(tmp_path: Path, command: str) -> None:
    place = examples(tmp_path, "novel/basic")
    gone = tmp_path / "gone"
    gone.mkdir()
    code, out, err = shell(command.format(place=place), gone, before="rmdir ../gone; ")
    assert (code, out) == (2, "")
    assert err == (
        "skillc: the folder that you are in no longer exists, or may not be read: go to another one\n"
    )
