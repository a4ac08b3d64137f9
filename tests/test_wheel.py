"""The wheel alone, in an empty environment without the checkout and without a network, compiles packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli import ROOT, SKILLS, tree

WHEELHOUSE = ROOT / ".cache" / "wheelhouse"


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "PYTHON"))}
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True, env=environment)


@pytest.mark.skipif(not WHEELHOUSE.is_dir(), reason="no wheelhouse: `make setup` fills .cache/wheelhouse")
def test_a_wheel_in_an_empty_environment_compiles_the_examples(tmp_path: Path) -> None:
    wheels, work = tmp_path / "wheels", tmp_path / "work"
    work.mkdir()
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
        "--wheel-dir", str(wheels), str(ROOT), cwd=work)  # fmt: skip
    (wheel,) = wheels.glob("skillc-*.whl")
    run(sys.executable, "-m", "venv", str(tmp_path / "venv"), cwd=work)
    python = str(tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python")
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", str(WHEELHOUSE),
        str(wheel), cwd=work)  # fmt: skip
    os.symlink(SKILLS, work / "skills", target_is_directory=True)
    done = run(python, "-m", "skillc", "build", cwd=work)
    assert "4 packages compiled" in done.stderr
    own = tmp_path / "own"
    own.mkdir()
    os.symlink(SKILLS, own / "skills", target_is_directory=True)
    run(sys.executable, "-m", "skillc", "build", cwd=own)
    assert tree(work / "build") == tree(own / "build") != {}
    where = run(python, "-c", "import skillc; print(skillc.__file__)", cwd=work).stdout
    assert where.startswith(str(tmp_path / "venv"))
