"""The bar of a long check or build: in a terminal, in the reader's language, for many packages, and nowhere else."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from corpus import write_corpus
from skillc.cli.terminal import PROGRESS_FROM

pty = pytest.importorskip("pty")
MANY = PROGRESS_FROM + 10


def told(root: Path, *arguments: str, **environment: str) -> tuple[str, str]:
    """What a command writes to a terminal as its standard error, without what steers it; and its standard output."""
    ours, theirs = pty.openpty()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "skillc", *arguments],
            cwd=root,
            env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm", "COLUMNS": "100", **environment},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=theirs,
        )
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the other side is closed
            while piece := os.read(ours, 65536):
                shown += piece
        os.close(ours)
        assert process.wait() == 0
        out.seek(0)
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode()), out.read().decode()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("many")
    write_corpus(str(root), MANY)
    return root


def forget(root: Path) -> None:
    for name in (".skillc", "build"):
        shutil.rmtree(root / name, ignore_errors=True)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("command", "language", "text"),
    [("check", "en", "checking"), ("check", "zh", "检查中"), ("build", "en", "compiling")],
)
def test_a_bar_goes_to_the_last_package(
    many: Path, command: str, language: str, text: str, jobs: str
) -> None:
    forget(many)
    shown, out = told(many, command, "--lang", language, SKILLC_JOBS=jobs)
    assert f"{text} " in shown and f"{MANY}/{MANY}" in shown
    assert text not in out
    again, same = told(many, command, "--lang", language, SKILLC_JOBS=jobs)
    assert f"/{MANY}" not in again and same == out, "nothing was to be done"


def test_what_is_short_and_what_no_terminal_sees_has_none(many: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "skillc", "check"], cwd=many, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    package = sorted(path.name for path in (many / "skills" / "novel").iterdir())[0]
    forget(many)
    assert told(many, "check", package)[0] == ""
