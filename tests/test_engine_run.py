"""A run does what has changed and nothing else, and what it says is what a run without any memory says."""

from __future__ import annotations

import gc
import os
from itertools import count
from pathlib import Path

import pytest

from faults import FAULTS
from skillc import driver
from skillc.diagnostic import Diagnostic
from skillc.engine.run import Run, run
from skillc.engine.saving import save
from skillc.engine.setting import Options
from skillc.engine.state import Stored, load
from skillc.source.reader import DictReader, DiskReader
from test_seeded_faults import faulty, originals

OLD = 10**18
"""A time long ago, in nanoseconds: what changed then is told apart by its time."""
TIMES = count(OLD)


def write(root: Path, files: dict[str, bytes]) -> None:
    """Make `root` hold these files and no other, and touch none that is right already."""
    there = {p.relative_to(root).as_posix(): p for p in root.rglob("*") if p.is_file()}
    for name, path in there.items():
        if name not in files and not name.startswith(".skillc/"):
            path.unlink()
            for parent in path.parents:
                if parent != root and not any(parent.iterdir()):
                    parent.rmdir()
    for name, data in files.items():
        path = root / name
        if name not in there or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            os.utime(path, ns=(OLD, next(TIMES)))


def settle(root: Path) -> None:
    """Folders as if nothing in them had changed for long."""
    for folder in [root, *(p for p in root.rglob("*") if p.is_dir())]:
        os.utime(folder, ns=(OLD, OLD))


def said(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[object, ...]]:
    return [
        (
            *(
                d.code.id,
                d.severity,
                d.span.path,
                d.span.start,
                d.span.end,
                d.span.text,
                str(d.message),
                str(d.help),
            ),
            [(label.span.path, label.span.start, label.span.end, str(label.message)) for label in d.related],
            d.fix and [(edit.span.path, edit.span.start, edit.span.end, edit.text) for edit in d.fix.edits],
        )
        for d in diagnostics
    ]


def done(one: Run) -> dict[str, str]:
    return {decision.path: decision.did for decision in one.decisions}


def look(root: Path, compiling: bool = False) -> Run:
    one = run(str(root), Options(), compiling)
    save(str(root), one.kept)
    return one


def test_edit_after_edit_the_findings_are_those_of_a_run_without_memory(tmp_path: Path) -> None:
    write(tmp_path, originals())
    look(tmp_path)
    for fault in FAULTS[::12]:
        write(tmp_path, faulty(fault))
        again = look(tmp_path)
        assert said(again.found) == said(driver.check(DiskReader(str(tmp_path))).diagnostics), fault.name
    write(tmp_path, originals())
    assert said(look(tmp_path).found) == said(driver.check(DiskReader(str(tmp_path))).diagnostics)


def test_nothing_is_opened_where_nothing_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, originals())
    settle(tmp_path)
    first = look(tmp_path)
    assert set(done(first).values()) == {"made"}
    settle(tmp_path)
    look(tmp_path)
    second = look(tmp_path)
    assert set(done(second).values()) == {"fresh"} and said(second.found) == said(first.found)


def test_only_the_edited_package_is_made_and_the_reason_names_the_text(tmp_path: Path) -> None:
    write(tmp_path, originals())
    look(tmp_path)
    skill = tmp_path / "skills/novel/basic/workers/outline/SKILL.md"
    skill.write_text(skill.read_text(encoding="utf-8") + "\n再补一句。\n", encoding="utf-8")
    again = look(tmp_path)
    made = [decision for decision in again.decisions if decision.did == "made"]
    assert [d.path for d in made] == ["novel/basic"]
    assert [(r.part, r.name, r.change) for r in made[0].reasons] == [
        ("body", "workers/outline/SKILL.md", "changed")
    ]


def test_a_touched_file_is_read_and_found_to_be_as_it_was(tmp_path: Path) -> None:
    write(tmp_path, originals())
    settle(tmp_path)
    look(tmp_path)
    os.utime(tmp_path / "skills/novel/basic/orchestrator.md")
    again = look(tmp_path)
    assert done(again)["novel/basic"] == "same"


@pytest.mark.parametrize(
    ("path", "part", "name"),
    [
        ("skills/novel/basic/workers/outline/SKILL.md", "contract", "workers/outline/SKILL.md"),
        ("skills/novel/basic/orchestrator.md", "contract", "orchestrator.md"),
    ],
)
def test_a_change_of_a_head_is_one_of_the_contract(tmp_path: Path, path: str, part: str, name: str) -> None:
    write(tmp_path, originals())
    look(tmp_path)
    file = tmp_path / path
    file.write_text(file.read_text(encoding="utf-8").replace("version: 1", "version: 2", 1), encoding="utf-8")
    reasons = next(d.reasons for d in look(tmp_path).decisions if d.path == "novel/basic")
    assert [(r.part, r.name, r.change) for r in reasons] == [(part, name, "changed")]


def test_the_catalogue_of_the_workspace_and_the_options_are_inputs_of_every_package(tmp_path: Path) -> None:
    write(tmp_path, originals())
    look(tmp_path)
    (tmp_path / "skills/tags.yaml").write_text("sources: {user: [读者.*]}\n", encoding="utf-8")
    again = look(tmp_path)
    assert set(done(again).values()) == {"made"}
    assert {(r.part, r.name) for d in again.decisions for r in d.reasons} == {("workspace", "tags.yaml")}
    strict = run(str(tmp_path), Options(flow="strict"), False)
    assert {(r.part, r.name) for d in strict.decisions for r in d.reasons} == {("compiler", "option flow")}


def test_a_package_that_comes_or_goes_changes_no_other(tmp_path: Path) -> None:
    files = originals()
    less = {name: data for name, data in files.items() if "/basic/" not in name}
    write(tmp_path, less)
    look(tmp_path)
    write(tmp_path, files)
    more = look(tmp_path)
    assert done(more)["novel/basic"] == "made" and list(done(more).values()).count("made") == 1
    write(tmp_path, less)
    assert "novel/basic" not in done(look(tmp_path)) and "novel/basic" not in load(str(tmp_path)).records


def test_a_damaged_log_costs_a_run_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, originals())
    first = look(tmp_path)
    log = tmp_path / ".skillc/log"
    log.write_bytes(log.read_bytes()[:-3])
    again = look(tmp_path)
    assert set(done(again).values()) == {"made"} and said(again.found) == said(first.found)


def test_a_link_is_followed_each_time(tmp_path: Path) -> None:
    write(tmp_path, originals())
    package = tmp_path / "skills/novel/basic"
    real = package / "shared.real.md"
    (package / "shared-context.md").rename(real)
    (package / "shared-context.md").symlink_to("shared.real.md")
    settle(tmp_path)
    look(tmp_path)
    assert done(look(tmp_path))["novel/basic"] == "same"
    real.write_text("# 背景\n\n改了。\n", encoding="utf-8")
    again = look(tmp_path)
    assert done(again)["novel/basic"] == "made"
    assert said(again.found) == said(driver.check(DiskReader(str(tmp_path))).diagnostics)


def test_how_packages_fit_together_is_told_as_without_memory_edit_after_edit(tmp_path: Path) -> None:
    files = {name: data for name, data in originals().items() if "/novel/" in name}
    skill = "skills/novel/basic/workers/outline/SKILL.md"
    text = files[skill].decode()
    states = [
        files,
        {**files, "skills/registry.yaml": b"workers: []\n"},
        {**files, "skills/registry.yaml": b"workers: []\n", skill: (text + "\n改。\n").encode()},
        {
            **files,
            "skills/registry.yaml": b"workers: []\n",
            skill: text.replace("version: 1", "version: 2").encode(),
        },
        {**files, "skills/registry.yaml": b"workers: [\n", skill: text.encode()},
        {**files, "profiles.json": b'{"profiles": {}}\n'},
        {**files, "skills/novel/other.md": b"x\n"},
        {name: data for name, data in files.items() if "/basic/" not in name},
        files,
    ]
    for state in states:
        write(tmp_path, state)
        clean = said(driver.check(DiskReader(str(tmp_path))).diagnostics)
        for _ in range(2):
            settle(tmp_path)
            assert said(look(tmp_path).found) == clean


def test_after_an_edit_nothing_of_the_other_packages_is_read(tmp_path: Path) -> None:
    write(tmp_path, originals())
    for _ in range(2):
        settle(tmp_path)
        look(tmp_path)
    skill = tmp_path / "skills/novel/basic/workers/outline/SKILL.md"
    skill.write_text(skill.read_text(encoding="utf-8") + "\n再补一句。\n", encoding="utf-8")
    again = look(tmp_path)
    unread = {path for path, record in again.kept.records.items() if isinstance(record, Stored)}
    assert unread == set(again.outcomes) - {"novel/basic"}


def test_a_folder_that_is_no_package_any_more_is_none(tmp_path: Path) -> None:
    files = originals()
    write(tmp_path, files)
    for _ in range(2):
        settle(tmp_path)
        look(tmp_path)
    package = tmp_path / "skills/novel/basic"
    (package / "orchestrator.md").unlink()
    (package / "workers").rename(tmp_path / "workers")
    again = look(tmp_path)
    assert "novel/basic" not in again.outcomes
    assert said(again.found) == said(driver.check(DiskReader(str(tmp_path))).diagnostics)


def test_a_package_that_is_done_with_is_gone_at_once(tmp_path: Path) -> None:
    """Nothing of it waits for a search for circles: of many packages, one is in memory at a time."""
    write(tmp_path, dict(originals()))
    run(str(tmp_path), Options(), compiling=False)
    gc.collect()
    gc.disable()
    try:
        run(str(tmp_path), Options(), compiling=False)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_what_was_found_is_shown_without_another_look_at_the_files(tmp_path: Path) -> None:
    write(tmp_path, dict(originals()))
    found = run(str(tmp_path), Options(), compiling=False).found
    write(tmp_path, {})
    assert found
    for one, whole in zip(found, driver.check(DictReader(originals())).diagnostics, strict=True):
        assert one.span.position == whole.span.position and one.span.end_position == whole.span.end_position
        line = whole.span.position[0]
        assert one.span.source.line(line) == whole.span.source.line(line)
