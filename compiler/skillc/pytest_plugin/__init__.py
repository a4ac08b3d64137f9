"""Under pytest: the boards `contexts/<case>.yaml` of packages are tests, each held against its snapshot (SPEC 15.4).

Loaded at every start of pytest where skillc is installed, so it imports nothing: what follows is loaded when the
first such board is met. `pytest -p no:skillc` does without. Needs the extra `skillc[snapshot]`, for syrupy.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    import pytest

# The names of the format, once more: to import them would cost every start of pytest. A test keeps them equal.
KINDS = ("dialogue", "novel")
CASE_SUFFIXES = (".yaml", ".yml", ".json")
SNAPSHOT_SUFFIX = ".md"
CONTEXTS = "contexts"
SNAPSHOTS = "__snapshots__"
PROPERTY = "skillc_snapshot"
"""Under this name the report of a test says what became of its snapshot."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A collector for a board of a package, or for a snapshot; None for every other file."""
    contexts = _contexts(file_path)
    if contexts is None or not _is_package(contexts.parent):
        return None
    from skillc.pytest_plugin.collecting import collector

    return collector(file_path, contexts, parent)


def _contexts(path: Path) -> Path | None:
    """The folder `contexts` that a file would belong to by its name and place."""
    if path.suffix in CASE_SUFFIXES and path.parent.name == CONTEXTS:
        return path.parent
    if path.suffix == SNAPSHOT_SUFFIX and path.parent.name == SNAPSHOTS:
        return path.parent.parent if path.parent.parent.name == CONTEXTS else None
    return None


def _is_package(folder: Path) -> bool:
    """Whether a folder stands where packages stand and has what makes one."""
    return folder.parent.name in KINDS and any(
        (folder / name).exists() for name in ("orchestrator.md", "workers")
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says which snapshots an update wrote and removed, also those of other processes of pytest-xdist."""
    passed = terminalreporter.stats.get("passed", ())
    properties = (pair for report in passed for pair in getattr(report, "user_properties", ()))
    kinds = [value for name, value in properties if name == PROPERTY]
    if set(kinds) - {"same"}:
        from skillc.pytest_plugin.collecting import told_summary

        terminalreporter.write_line(told_summary(kinds))
