"""Generated pages are fresh, and every local link in the documentation leads somewhere."""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def generated() -> dict[str, str]:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pages: dict[str, str] = module.pages()
    return pages


def test_generated_pages_are_fresh() -> None:
    """`make docs` was run after the last change of a page or a command."""
    for path, text in generated().items():
        written = (ROOT / "docs" / path).read_text(encoding="utf-8")
        assert written.split() == text.split(), f"docs/{path} is out of date: run `make docs`"


def test_no_page_of_a_finding_is_left_over() -> None:
    written = {f"reference/findings/{path.name}" for path in (ROOT / "docs/reference/findings").iterdir()}
    assert written == {path for path in generated() if path.startswith("reference/findings/")}


def markdown_files() -> list[Path]:
    own = [ROOT / "README.md", ROOT / "README.zh-CN.md", ROOT / "CHANGELOG.md"]
    return own + sorted((ROOT / "docs").rglob("*.md"))


@pytest.mark.parametrize("path", markdown_files(), ids=lambda path: os.path.relpath(path, ROOT))
def test_local_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{path.name} links to {target}"
