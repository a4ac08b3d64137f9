"""The transcripts of the page on Books are what the commands print, in both languages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cli import ROOT, examples
from transcripts import Terminal, transcript

PAGES = {"en": "docs/guide/books.md", "zh": "docs/guide/zh/书.md"}


@pytest.mark.parametrize("lang", PAGES)
def test_the_transcripts_are_what_is_printed(tmp_path: Path, lang: str) -> None:
    examples(tmp_path, "novel/basic")
    for script in (ROOT / "docs/guide/books").iterdir():
        shutil.copy(script, tmp_path)
    terminal = Terminal(tmp_path, lang)
    told = list(transcript((ROOT / PAGES[lang]).read_text(encoding="utf-8")))
    assert len(told) > 15
    for one in told:
        assert terminal.as_told(terminal.run(one.command), one.output) == one.output, one.command


def test_both_pages_show_the_same_commands() -> None:
    commands = [
        [one.command for one in transcript((ROOT / page).read_text(encoding="utf-8"))]
        for page in PAGES.values()
    ]
    assert commands[0] == commands[1]
