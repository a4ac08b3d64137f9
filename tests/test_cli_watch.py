"""`--watch` on real files, as editors and people treat them: what it comes to is what a clean build comes to."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from cli import examples, replace, skillc, tree
from watching import Watching

BODY = "skills/novel/basic/workers/outline/SKILL.md"
needs_signals = pytest.mark.skipif(os.name == "nt", reason="ends its process as Ctrl-C does")


def clean(place: Path, folder: Path) -> dict[str, bytes]:
    """What a build makes of the sources of `place` that knows nothing of them."""
    shutil.copytree(place / "skills", folder / "skills")
    skillc("build", cwd=folder)
    return tree(folder / "build")


def built(place: Path) -> dict[str, bytes]:
    """What lies in the build folder; nothing where it changes at this very moment."""
    try:
        return tree(place / "build")
    except FileNotFoundError:
        return {}


@needs_signals
def test_what_a_watched_build_comes_to_is_a_clean_build(tmp_path: Path) -> None:
    place, number = examples(tmp_path / "place", "novel/basic"), iter(range(9))
    body, spare = place / BODY, place / "spare.md"

    def settled() -> None:
        wanted = clean(place, tmp_path / f"clean{next(number)}")
        watching.until(lambda: watching.said[-1].startswith("--- waiting") and built(place) == wanted)

    with Watching("build", cwd=place) as watching:
        text = body.read_text(encoding="utf-8")
        for n in range(100):
            body.write_text(f"{text}\n第{n}稿。\n", encoding="utf-8")
        settled()
        spare.write_text(f"{text}\n换名保存。\n", encoding="utf-8")
        os.replace(spare, body)
        settled()
        assert watching.rounds < 50, "a burst is not a hundred changes"

        body.write_bytes(b"")
        body.write_text(f"{text}\n重写。\n", encoding="utf-8")
        settled()
        watching.until(lambda: f"--- {BODY} changed\n" in watching.said)

        examples(place, "novel/weird-rules-short")
        settled()
        assert (place / "build/novel/weird-rules-short/plan.json").is_file()
        shutil.rmtree(place / "skills/novel/weird-rules-short")
        settled()

        os.rename(place / "skills", place / "away")
        watching.until(lambda: any(line.startswith("skillc: no skills folder") for line in watching.said))
        os.rename(place / "away", place / "skills")
        replace(body, "重写。", "回来了。")
        settled()


@needs_signals
def test_a_watched_check_prints_one_document_per_round(tmp_path: Path) -> None:
    place = examples(tmp_path, "novel/basic")
    with Watching("check", "--format", "json", cwd=place) as watching:
        replace(place / BODY, "需求.核心要点", "需求.核心要占")
        watching.until(lambda: watching.rounds >= 2 and errors(watching.printed) > 0)
        replace(place / BODY, "需求.核心要占", "需求.核心要点")
        watching.until(lambda: errors(watching.printed) == 0)
        watching.until(lambda: len(documents(watching.printed)) == watching.rounds)


@needs_signals
def test_settings_count_from_when_they_change_and_polling_can_be_forced(tmp_path: Path) -> None:
    place = examples(tmp_path, "novel/basic")
    with Watching("check", cwd=place, WATCHFILES_FORCE_POLLING="1") as watching:
        (place / "skillc.toml").write_text("nonsense = 1\n", encoding="utf-8")
        watching.until(lambda: "nonsense" in watching.text)
        (place / "skillc.toml").write_text('lang = "zh"\n', encoding="utf-8")
        watching.until(lambda: "等待改动" in watching.text)


def documents(lines: list[str]) -> list[dict[str, dict[str, int]]]:
    """The documents that have come whole."""
    text, found = "".join(lines).strip(), []
    while text:
        try:
            document, end = json.JSONDecoder().raw_decode(text)
        except json.JSONDecodeError:
            break
        found.append(document)
        text = text[end:].lstrip()
    return found


def errors(lines: list[str]) -> int:
    """How many the last document has; -1 before there is one."""
    found = documents(lines)
    return found[-1]["summary"]["errors"] if found else -1


@pytest.mark.parametrize(
    "arguments",
    [
        ("build", "--dry-run"),
        ("build", "--check"),
        ("build", "--verify-incremental"),
        ("check", "--fix"),
        ("check", "--diff"),
        ("check", "--output-file", "report.txt"),
        ("check", "--write-baseline"),
        ("check", "--show-settings"),
        ("check", "-", "--stdin-filename", BODY),
    ],
    ids=" ".join,
)
def test_what_makes_no_sense_again_and_again_is_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = skillc(*arguments, "--watch", cwd=examples(tmp_path, "novel/basic"))
    assert done.code == 2 and "do not go together: leave one of the two out" in done.err
    assert "`--watch`" in done.err and "report.txt" not in os.listdir(tmp_path)


@pytest.mark.parametrize("form", ["sarif", "junit"])
def test_whole_documents_do_not_follow_one_another(tmp_path: Path, form: str) -> None:
    done = skillc("check", "--watch", cwd=examples(tmp_path, "novel/basic"), SKILLC_FORMAT=form)
    assert done.code == 2 and f"and {form} is for a single one" in done.err


@pytest.mark.parametrize("command", ["build", "check"])
def test_without_watchfiles_the_way_out_is_said(tmp_path: Path, command: str) -> None:
    with patch.dict(sys.modules, {"watchfiles": None}):
        done = skillc(command, "--watch", cwd=examples(tmp_path, "novel/basic"))
    assert (done.code, done.out) == (2, "")
    assert done.err == "skillc: `--watch` needs watchfiles: `pip install 'skillc[watch]'`\n"
