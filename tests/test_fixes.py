"""Fixes: only their own bytes, one after another, until nothing is left; and never at the cost of a new error."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlling import FRONT, SKILL, skill, workspace
from faults import FAULTS, Fault
from skillc import driver
from skillc.cli.fixing import diff
from skillc.diagnostic import Edit, Fix, finding
from skillc.fixes import Findings, Fixed, apply, fix
from skillc.source.decode import decode
from skillc.source.reader import DictReader, Reader
from skillc.text import Source
from test_seeded_faults import faulty

TAG = '"需求.核心要点"'


def check(reader: Reader) -> Findings:
    checked = driver.check(reader)
    return Findings(checked.diagnostics, driver.reported(checked))


def fixed(files: Mapping[str, str | bytes | None], unsafe: bool = False) -> Fixed:
    return fix(DictReader(workspace(files)), check, unsafe)


def fixed_skill(text: str | bytes, unsafe: bool = False) -> str:
    """The worker after its fixes; running again changes nothing."""
    data = text.encode() if isinstance(text, str) else text
    done = fixed({SKILL: data}, unsafe).new.get(SKILL, data)
    assert fixed({SKILL: done}, unsafe).new == {}
    return done.decode()


CLEAN = FRONT
FIXABLE = {
    "legacy keys": (
        skill("inputTags:", "inputKeys:").replace("outputTags:", "outputKeys:"),
        CLEAN,
    ),
    "id": (skill("id: write", 'id: "wrote"  # x'), skill("id: write", 'id: "write"  # x')),
    "skill": (skill("skill: demo", "skill: dmeo"), CLEAN),
    "full-width dot": (skill(TAG, '"需求．核心要点"'), CLEAN),
    "two full-width dots in one tag": (skill("正文.草稿", "正文。草稿", ""), CLEAN),
    "not NFC": (skill(TAG, '"cafe\u0301.要点?"'), skill(TAG, '"caf\u00e9.要点?"')),
    "invisible": (skill(TAG, '"需求.\u200b核心\u200b要点"'), CLEAN),
    "a run of tag characters": (CLEAN + "x\U000e0041\U000e0042y\n", CLEAN + "xy\n"),
    "star": (skill(TAG, "*"), skill(TAG, '"*"')),
    "second colon": (
        skill("description: write", "description: a: b"),
        skill("description: write", 'description: "a: b"'),
    ),
    "full-width colon": (skill("id: write", "id：write"), CLEAN),
    "tight colon": (skill("id: write", "id:write"), CLEAN),
    "a tight colon before what looks like a comment": (
        skill("description: write", "description:#1 写手"),
        skill("description: write", 'description: "#1 写手"'),
    ),
    "a tight colon before a comment": (
        skill("inputTags:", "inputTags:#必需"),
        skill("inputTags:", "inputTags: #必需"),
    ),
    "repeated in a block": (skill(TAG, f"{TAG}\n  - {TAG}"), CLEAN),
    "repeated plainly": (skill(TAG, f"{TAG}\n  - 需求.核心要点"), CLEAN),
    "repeated in a flow": (
        skill(f'\n  - {TAG}\n  - "用户.修改说明?"', f' [{TAG}, "用户.修改说明?", {TAG}]'),
        skill(f'\n  - {TAG}\n  - "用户.修改说明?"', f' [{TAG}, "用户.修改说明?"]'),
    ),
    "repeated thrice in a plain flow": (
        skill(
            f'\n  - {TAG}\n  - "用户.修改说明?"',
            " [需求.核心要点, 需求.核心要点,需求.核心要点, 用户.修改说明?]",
        ),
        skill(f'\n  - {TAG}\n  - "用户.修改说明?"', " [需求.核心要点, 用户.修改说明?]"),
    ),
    "unused suppression": (skill("version: 1", "version: 1 # skillc: ignore[T023] r"), CLEAN),
    "unused suppression in its own line": (
        CLEAN + "\n<!-- skillc: ignore[T023, G021] r -->\nx\n",
        CLEAN + "\nx\n",
    ),
    "part of a suppression": (
        skill(TAG, f"{TAG}\n  # skillc: ignore[T041, T023] r\n  - {TAG}"),
        skill(TAG, f"{TAG}\n  # skillc: ignore[T023] r\n  - {TAG}"),
    ),
}


@pytest.mark.parametrize("name", FIXABLE)
def test_what_is_safe_is_fixed(name: str) -> None:
    before, after = FIXABLE[name]
    assert fixed_skill(before) == after


@pytest.mark.parametrize("name", FIXABLE)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_file_keeps_its_line_ends_and_its_mark(name: str, ends: str, mark: str) -> None:
    before, after = (mark + text.replace("\n", ends) for text in FIXABLE[name])
    assert fixed_skill(before) == after


def test_all_of_them_at_once() -> None:
    text = skill("id: write\nskill: demo", "id：wrote\nskill: dmeo").replace("inputTags:", "inputKeys:")
    text = text.replace(TAG, f'"需求．核心\u200b要点"\n  - {TAG}')
    assert fixed_skill(text) == CLEAN


def test_mixed_line_ends_stay_as_they_are() -> None:
    text = (
        CLEAN.replace("\n", "\r\n")
        .replace("version: 1\r\n", "version: 1\n")
        .replace("id: write", "id: wrote")
    )
    assert fixed_skill(text) == text.replace("id: wrote", "id: write")


@pytest.mark.parametrize(
    "text",
    [
        skill(TAG, f"{TAG}\n  - {TAG} # 有注释"),
        skill(f"  - {TAG}", f'  - "需求.核心要点?"\n  - {TAG}'),
        skill("inputTags:", "inputKeys: []\ninputTags:"),
        skill("version: 1", "verzion: 1"),
    ],
    ids=["a comment would be lost", "the two differ", "both keys", "unsafe"],
)
def test_what_is_not_sure_is_left_alone(text: str) -> None:
    assert fixed_skill(text) == text


def test_unsafe_fixes_come_when_asked_for() -> None:
    assert fixed_skill(skill("version: 1", "verzion: 1"), unsafe=True) == CLEAN


def test_suppressed_findings_are_not_fixed() -> None:
    text = skill(TAG, f"{TAG}\n  # skillc: ignore[T023] r\n  - {TAG}")
    assert fixed_skill(text) == text


class Offering:
    """A check that offers the same edits while their text is there, and finds what the real one finds."""

    def __init__(self, *fixes: tuple[str, str]) -> None:
        self.fixes = fixes

    def __call__(self, reader: Reader) -> Findings:
        source, _ = decode(SKILL, reader.read(SKILL))
        assert source
        found = []
        for old, new in self.fixes:
            at = source.text.find(old)
            if at >= 0:
                span = source.span(at, at + len(old))
                found.append(finding("duplicate-tag", span, f"`{old}`", fix=Fix("x", (Edit(span, new),))))
        everything = [*driver.check(reader).diagnostics, *found]
        return Findings(everything, found)


def offered(*fixes: tuple[str, str]) -> str:
    return offer(*fixes).new.get(SKILL, CLEAN.encode()).decode()


def offer(*fixes: tuple[str, str], **files: str) -> Fixed:
    """What becomes of the clean package when its worker has `fixes`; `files` are workers more, by id."""
    more = {f"skills/novel/demo/workers/{id}/SKILL.md": text for id, text in files.items()}
    return fix(DictReader(workspace({SKILL: CLEAN, **more})), Offering(*fixes))


def told(done: Fixed) -> list[tuple[str, str]]:
    return [(one.diagnostic.span.text, str(one.reason)) for one in done.refused]


def test_a_fix_that_breaks_the_file_is_left_out_and_the_others_are_not() -> None:
    done = offered(("version: 1", "version: ["), ("name: write", "name: w"), ("# write", "# 写"))
    assert done == CLEAN.replace("name: write", "name: w").replace("# write", "# 写")


def test_a_fix_that_brings_a_new_finding_of_form_is_left_out() -> None:
    assert offered(("id: write", "id: wrote")) == CLEAN


def test_overlapping_fixes_come_one_after_another() -> None:
    assert offered(("# write\n", "# w\n"), ("# w", "# 写")) == CLEAN.replace("# write", "# 写")
    done = fix(
        DictReader(workspace({SKILL: CLEAN})),
        Offering(("name: write", "name: one"), ("write\ndesc", "two\ndesc")),
    )
    assert done.count == 1 and b"name: one\n" in done.new[SKILL]


def test_a_circle_of_fixes_is_left_out_and_told() -> None:
    """However long it is: what only leads back is no fix. Others go on."""
    circle = ("# write", "# 写"), ("# 写", "# 作"), ("# 作", "# write")
    done = offer(*circle)
    assert done.new == {} and done.count == 0
    assert told(done) == [("# write", "other fixes undo it")]
    more = (*circle, ("name: write", "name: w"))
    text = offered(*more)
    assert "name: w\n" in text
    again = fix(DictReader(workspace({SKILL: text})), Offering(*more))
    assert again.new == {} and len(again.refused) == 1


def test_a_fix_after_which_its_finding_is_still_there_is_left_out_and_told() -> None:
    done = offer(("# write", "# write"), ("name: write", "name: w"))
    assert done.new[SKILL].decode() == CLEAN.replace("name: write", "name: w")
    assert told(done) == [("# write", "the finding would still be there")] and done.count == 1
    grown = offer(("# write", "# write!"))
    assert grown.new == {} and grown.count == 0 and len(grown.refused) == 1


READER = (
    CLEAN.replace("id: write", "id: read")
    .replace(TAG, '"正文.确认稿"')
    .replace('- "正文.草稿"', '- "输出.短文"')
    .replace("`需求.核心要点` 写 `正文.草稿`", "`正文.确认稿` 写 `输出.短文`")
)


def test_a_fix_that_brings_an_error_in_another_file_is_left_out_and_told() -> None:
    """Of every family: here a reader would be left without its producer."""
    other = "skills/novel/demo/workers/read/SKILL.md"
    done = offer(('- "正文.草稿"', '- "文.草稿"'), ("name: write", "name: w"), read=READER)
    assert done.new[SKILL].decode() == CLEAN.replace("name: write", "name: w")
    assert told(done) == [('- "正文.草稿"', f"it would bring `unproduced-input` in `{other}`")]


def test_what_a_fix_of_reading_uncovers_does_not_hold_it_back() -> None:
    """While an output cannot be read nobody knows what is produced; then the reader of something else is told."""
    files: dict[str, str | bytes | None] = {
        SKILL: CLEAN.replace('- "正文.草稿"', '- "正文。草稿"'),
        "skills/novel/demo/workers/read/SKILL.md": READER.replace('"正文.确认稿"', '"别的.确认稿"'),
    }
    assert "unproduced-input" not in {d.code.slug for d in check(DictReader(workspace(files))).all}
    done = fixed(files)
    assert done.new[SKILL].decode() == CLEAN and done.refused == []
    assert "unproduced-input" in {d.code.slug for d in done.left.all}


def test_a_refused_fix_is_tried_again_when_others_have_changed_the_files() -> None:
    """So that running again changes nothing: here the second makes the first harmless."""
    both = ("version: 1", "version: 2\nname: write"), ("skill: demo\nname: write\n", "skill: demo\n")
    done = offer(*both)
    assert offer(*both).new == done.new and done.refused == []
    assert b"version: 2\nname: write\n" in done.new[SKILL] and done.new[SKILL].count(b"name: write") == 1


@given(
    st.text(alphabet="a字\n𠮷", max_size=30),
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(0, 3), st.text(alphabet="x\n", max_size=3)), max_size=4
    ),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
)
def test_edits_change_nothing_but_what_they_cover(
    text: str, wanted: list[tuple[int, int, str]], mark: bool, ends: str
) -> None:
    source, edits, last, expected, at = Source("a", text), [], -1, "", 0
    for start, length, new in sorted(wanted):
        end = start + length
        if last < start and end <= len(text):
            edits.append(Edit(source.span(start, end), new))
            expected += text[at:start] + new
            last = at = end
    expected += text[at:]
    prefix = "\ufeff" if mark else ""
    if "\n" not in text and ends == "\r\n":
        expected = expected.replace("\n", "\r\n").replace("\r\n", "\n")
        ends = "\n"
    raw = (prefix + text.replace("\n", ends)).encode()
    assert apply(raw, edits).decode() == prefix + expected.replace("\n", ends)


OLD = CLEAN.replace('- "正文.草稿"', '- "正文.草稿"\n  - "旧.线索"').replace(
    "写 `正文.草稿`", "写 `正文.草稿` 和 `旧.线索`"
)
OWN, SHARED = "skills/novel/demo/tags.yaml", "skills/tags.yaml"
MOVED = 'moved: {"旧.线索": "新.线索"}\n'
OTHER = "skills/dialogue/other/orchestrator.md"


@pytest.mark.parametrize(
    ("more", "is_safe"),
    [
        ({OWN: MOVED + 'deliverables: ["旧.线索"]\n'}, True),
        ({SHARED: MOVED}, True),
        ({SHARED: MOVED + 'deliverables: ["旧.线索"]\n'}, False),
        ({OWN: MOVED, SHARED: 'deliverables: ["旧.线索"]\n'}, False),
        ({OWN: MOVED + 'docs: {"旧.线索": d}\n', SHARED: 'docs: {"旧.线索": d}\n'}, False),
        (
            {
                OWN: MOVED,
                SHARED: "declassify:\n  - {worker: write, tags: [旧.线索], label: hidden, reason: r}\n",
            },
            False,
        ),
        ({OWN: MOVED, SHARED: 'labels: {hidden: [{pattern: "旧.*", except: ["旧.线索"]}]}\n'}, False),
        ({OWN: MOVED, SHARED: 'deliverables: ["别的.线索"]\n', OTHER: "---\nname: other\n---\n"}, True),
        ({OWN: MOVED, OTHER: "---\nname: other\n---\n读 `旧.线索`\n"}, False),
        ({SHARED: MOVED, OTHER: "---\nname: other\n---\n读 `旧.线索`\n"}, True),
    ],
)
@pytest.mark.parametrize("only", [None, frozenset({"novel/demo"})], ids=["all", "one package"])
def test_a_rename_is_safe_where_nobody_else_knows_the_old_name(
    more: dict[str, str], is_safe: bool, only: frozenset[str] | None
) -> None:
    checked = driver.check(DictReader(workspace({SKILL: OLD, **more})), only=only)
    (found,) = (d for d in checked.diagnostics if d.code.slug == "legacy-tag-names")
    assert found.fix and found.fix.safe is is_safe


def test_a_score_keeps_all_its_digits() -> None:
    board = "skills/novel/demo/contexts/a.yaml"
    text = (
        "items:\n  - tag: 设计.实现机制.草稿\n    content:\n      schema: context-fragment.v1\n      brief: b\n"
        "      mount: [gm]\n      正文: {支撑点: [a]}\n      自评:\n        维度:\n          - {名: 必要性, 分数: %s}\n"
    )
    for written, tenth in (
        ("85.12345678%", "8.512345678"),
        ("100", "10"),
        ('"92.5%"', '"9.25"'),
        ("20.50", "2.05"),
    ):
        assert fixed({board: text % written}).new[board].decode() == text % tenth


def test_a_diff_is_one_that_git_applies(tmp_path: Path) -> None:
    name = SKILL
    before = skill("id: write", "id: wrote").replace("\n", "\r\n") + "\u2028 ohne Ende"
    other = "skills/novel/demo/orchestrator.md"
    done = fixed({name: before})
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_bytes(before.encode())
    patch = diff(done).encode()
    assert other.encode() not in patch and b"+id: write\r\n" in patch
    subprocess.run(["git", "apply", "--whitespace=nowarn"], cwd=tmp_path, input=patch, check=True)
    assert path.read_bytes() == done.new[name]


def test_a_diff_at_the_end_of_a_file_without_a_line_end() -> None:
    done = Fixed({"a": b"x\ny"}, {"a": b"x\nz"}, 1, Findings((), ()))
    assert diff(done) == (
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n-y\n\\ No newline at end of file\n+z\n\\ No newline at end of file\n"
    )


def test_a32_values_and_tables_that_no_fix_is_about_keep_their_bytes() -> None:
    text = skill("name: write", 'name: "true"').replace("description: write", "description: '[args]'")
    text += "\n| a \\| b | `x|y` |\n|---|---|\n| 1 | 2 |\t\n"
    broken = text.replace("id: write", "id: wrote").replace("inputTags:", "inputKeys:")
    assert fixed_skill(broken) == text


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
def test_fixing_twice_is_fixing_once(fault: Fault, unsafe: bool) -> None:
    """Whatever is wrong with a package: what could be made was made, and what was left out is left out again."""
    ends = b"\n" if unsafe else b"\r\n"
    made = {path: data.replace(b"\n", ends) for path, data in faulty(fault).items()}
    once = fix(DictReader(made), partial(check_of, fault.package), unsafe)
    assert all(data.count(b"\n") == data.count(ends) for data in once.new.values())
    if once.new:
        again = fix(DictReader({**made, **once.new}), partial(check_of, fault.package), unsafe)
        assert (again.new, again.count) == ({}, 0)
        assert [one.reason for one in again.refused] == [one.reason for one in once.refused]


def check_of(package: str, reader: Reader) -> Findings:
    found = driver.check(reader, only=frozenset({package}))
    return Findings(found.diagnostics, driver.reported(found))
