"""The wheel alone, in an empty environment without the checkout and without a network, compiles packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli import ROOT, SKILLS, skillc, tree
from snapshotting import KEPT, workspace

WHEELHOUSE = ROOT / ".cache" / "wheelhouse"
pytestmark = pytest.mark.skipif(
    not WHEELHOUSE.is_dir(), reason="no wheelhouse: `make setup` fills .cache/wheelhouse"
)


def run(*command: str, cwd: Path, check: bool = True, **more: str) -> subprocess.CompletedProcess[str]:
    hidden = ("PIP_", "PYTHON", "PYTEST", "CI")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(hidden)}
    return subprocess.run(
        command, cwd=cwd, check=check, capture_output=True, text=True, env={**environment, **more}
    )


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The interpreter of an environment that holds our wheel and what it needs."""
    home = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
        "--wheel-dir", str(home / "wheels"), str(ROOT), cwd=home)  # fmt: skip
    run(sys.executable, "-m", "venv", str(home / "venv"), cwd=home)
    python = str(home / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python")
    install(python, str(wheel_in(home)))
    return python


def wheel_in(home: Path) -> Path:
    (wheel,) = (home / "wheels").glob("skillc-*.whl")
    return wheel


def install(python: str, what: str) -> None:
    home = Path(python).parents[2]
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


def test_a_wheel_in_an_empty_environment_compiles_the_examples(python: str, tmp_path: Path) -> None:
    for folder in ("work", "own"):
        (tmp_path / folder).mkdir()
        os.symlink(SKILLS, tmp_path / folder / "skills", target_is_directory=True)
    work, own = tmp_path / "work", tmp_path / "own"
    done = run(python, "-m", "skillc", "build", cwd=work)
    assert "4 packages compiled" in done.stderr
    skillc("build", cwd=own)
    assert tree(work / "build") == tree(own / "build") != {}
    where = run(python, "-c", "import skillc; print(skillc.__file__)", cwd=work).stdout
    assert where.startswith(str(Path(python).parents[1]))


def test_snapshots_need_neither_pytest_nor_syrupy_and_the_plugin_comes_with_its_extra(
    python: str, tmp_path: Path
) -> None:
    """In this order, in one environment: the command, then the plugin as an installed entry point."""
    workspace(tmp_path)
    assert run(python, "-c", "import pytest", cwd=tmp_path, check=False).returncode
    assert "2 new" in run(python, "-m", "skillc", "snapshot", "--update", cwd=tmp_path).stderr
    install(python, f"{wheel_in(Path(python).parents[2])}[snapshot]")
    done = run(python, "-m", "pytest", "-q", cwd=tmp_path)
    assert "2 passed" in done.stdout
    (tmp_path / KEPT / "first.md").unlink()
    done = run(python, "-m", "pytest", "-q", cwd=tmp_path, check=False)
    assert done.returncode == 1 and "first.yaml: has no snapshot yet" in done.stdout
    assert (
        "no tests ran"
        in run(python, "-m", "pytest", "-q", "-p", "no:skillc", cwd=tmp_path, check=False).stdout
    )
