"""The wheel alone, in an empty environment without the checkout and without a network, compiles packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli import PACKAGES, ROOT, SKILLS, skillc, tree
from snapshotting import KEPT, workspace

WHEELHOUSE = ROOT / ".cache" / "wheelhouse"


@pytest.mark.skipif(not WHEELHOUSE.is_dir(), reason="no wheelhouse: `make setup` fills .cache/wheelhouse")
def test_a_wheel_in_an_empty_environment_is_all_that_is_needed(tmp_path: Path) -> None:
    """One environment for all of it, since making one takes longer than what is asked of it."""
    python = installed(tmp_path)
    it_compiles_the_examples(python, tmp_path)
    it_upgrades_old_stores(python, tmp_path)
    snapshots_need_neither_pytest_nor_syrupy(python, workspace(tmp_path / "demo"))
    install(python, tmp_path, f"{wheel_in(tmp_path)}[snapshot]")
    the_plugin_comes_with_its_extra(python, tmp_path / "demo")


def run(*command: str, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    hidden = ("PIP_", "PYTHON", "PYTEST", "CI")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(hidden)}
    return subprocess.run(command, cwd=cwd, check=check, capture_output=True, text=True, env=environment)


def installed(home: Path) -> str:
    """The interpreter of an environment that holds our wheel and what it needs."""
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
        "--wheel-dir", str(home / "wheels"), str(ROOT), cwd=home)  # fmt: skip
    run(sys.executable, "-m", "venv", str(home / "venv"), cwd=home)
    python = str(home / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python")
    install(python, home, str(wheel_in(home)))
    return python


def wheel_in(home: Path) -> Path:
    (wheel,) = (home / "wheels").glob("skillc-*.whl")
    return wheel


def install(python: str, home: Path, what: str) -> None:
    run(
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--find-links",
        str(WHEELHOUSE),
        what,
        cwd=home,
    )


def it_compiles_the_examples(python: str, home: Path) -> None:
    for folder in ("work", "own"):
        (home / folder).mkdir()
        os.symlink(SKILLS, home / folder / "skills", target_is_directory=True)
    work, own = home / "work", home / "own"
    done = run(python, "-m", "skillc", "build", cwd=work)
    assert f"{len(PACKAGES)} packages compiled" in done.stderr
    skillc("build", cwd=own)
    assert tree(work / "build") == tree(own / "build") != {}
    where = run(python, "-c", "import skillc; print(skillc.__file__)", cwd=work).stdout
    assert where.startswith(str(home / "venv"))


def it_upgrades_old_stores(python: str, home: Path) -> None:
    """The steps from older versions are in the wheel."""
    shutil.copy(ROOT / "tests" / "data" / "sessions.v1.sqlite3", home / "old.db")
    script = "from skillc.execute.store import open_store; print(len(open_store('old.db').sessions()))"
    assert run(python, "-c", script, cwd=home).stdout == "3\n"


def snapshots_need_neither_pytest_nor_syrupy(python: str, demo: Path) -> None:
    assert run(python, "-c", "import pytest", cwd=demo, check=False).returncode
    assert "2 new" in run(python, "-m", "skillc", "snapshot", "--update", cwd=demo).stderr


def the_plugin_comes_with_its_extra(python: str, demo: Path) -> None:
    """As an entry point that pytest finds by itself."""
    assert "2 passed" in run(python, "-m", "pytest", "-q", cwd=demo).stdout
    (demo / KEPT / "first.md").unlink()
    done = run(python, "-m", "pytest", "-q", cwd=demo, check=False)
    assert done.returncode == 1 and "first.yaml: has no snapshot yet" in done.stdout
    without = run(python, "-m", "pytest", "-q", "-p", "no:skillc", cwd=demo, check=False)
    assert "no tests ran" in without.stdout
