"""The words of sessions: every one that the executor has is told in the reader's language."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

import pytest

from skillc import execute
from skillc.cli.session_words import PHASES, word
from skillc.execute.orchestrator.tools import TOOLS
from skillc.execute.phase import DECISIONS, REASONS, Phase, Stage
from skillc.report.language import words_of
from skillc.wording import Said, said_in

ROOM = Path(str(execute.__file__)).parent
FAULTS = ("ReplyError", "ModelError", "FailedCall", "_Fault", "error")


def told(of_format: str) -> str:
    return said_in(words_of("zh"), word(of_format))


@pytest.mark.parametrize(
    "of_format", [*REASONS, *get_args(Stage), *DECISIONS, "pass", "fail", "idle", "running"]
)
def test_reasons_stages_decisions_and_verdicts_are_told_in_chinese(of_format: str) -> None:
    assert word(of_format) == of_format
    assert re.search("[\u4e00-\u9fff]", told(of_format)), of_format


def test_phases_are_told_in_chinese() -> None:
    assert set(PHASES) == set(get_args(Phase))
    assert all(isinstance(said, Said) for said in PHASES.values())


@pytest.mark.parametrize("tool", [name for name in TOOLS if name != "declare_instance_ready"])
def test_what_a_model_decides_by_is_told_in_chinese(tool: str) -> None:
    assert told(tool) != tool


def test_every_kind_of_fault_has_a_word() -> None:
    assert {kind for kind in kinds() if told(kind) == kind} == set()
    assert {"not-json", "interrupted", "rate-limited", "refused"} <= kinds()


def kinds() -> set[str]:
    """The kinds that the executor gives to what is wrong with a reply or a call."""
    found = set()
    for path in sorted(ROOM.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
                first = node.args[0]
                if (
                    name in FAULTS
                    and isinstance(first, ast.Constant)
                    and re.fullmatch("[a-z-]+", str(first.value))
                ):
                    found.add(str(first.value))
    return found


def test_a_word_that_nobody_knows_is_told_as_it_is() -> None:
    assert told("moved-by-hand") == "moved-by-hand"
