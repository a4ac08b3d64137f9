"""Faults of neighbouring tools that must be impossible here, from the bytes of a file to its findings."""

from __future__ import annotations

import pytest

from reading import FRONT, MANIFEST, PACKAGE, SKILL, lines, read_package, read_worker, skill, texts


def test_a1_a2_a_mark_and_windows_line_ends_change_no_meaning() -> None:
    plain, _ = read_package({SKILL: skill()})
    marked, found = read_package({SKILL: b"\xef\xbb\xbf" + skill().replace("\n", "\r\n").encode()})
    assert lines(found) == ["1:1 byte-order-mark"]
    assert marked.digests == plain.digests
    assert texts(marked.workers[0].inputs) == texts(plain.workers[0].inputs)


def test_a3_one_finding_for_one_colon() -> None:
    _, found = read_worker(FRONT.replace("description: 按", "description: 用途: 按"))
    assert lines(found) == ["5:16 yaml-syntax"]


def test_a5_an_invalid_worker_stays_listed() -> None:
    package, found = read_package({f"{PACKAGE}/workers/x/SKILL.md": "", MANIFEST: MANIFEST_OF_TWO})
    assert lines(found) == ["1:1 frontmatter-missing"]
    assert [(worker.id, worker.broken) for worker in package.workers] == [("write", False), ("x", True)]


MANIFEST_OF_TWO = "---\nname: demo\ndescription: 短文\nworkers: [write, x]\n---\n"


def test_a14_a17_scalars_reach_the_worker_as_written() -> None:
    worker, found = read_worker(
        FRONT.replace("name: 写正文", "name: 2024-01-01").replace("version: 1", "version: 1.10")
    )
    assert found == () and (worker.name, worker.version) == ("2024-01-01", "1.10")


def test_a17_a_time_is_no_version() -> None:
    worker, found = read_worker(FRONT.replace("version: 1", "version: 10:30"))
    assert all("10:30" in diagnostic.message for diagnostic in found)
    assert found or worker.version == "10:30"


@pytest.mark.parametrize(("length", "expected"), [(1024, []), (1025, ["5:14 too-long-description"])])
def test_a19_a_description_is_counted_in_characters(length: int, expected: list[str]) -> None:
    _, found = read_worker(FRONT.replace("按需求写出正文", "中" * length))
    assert lines(found) == expected
    assert all("1,024" in d.message and "1,025" in d.message for d in found)


def test_a21_an_id_that_is_not_its_folder_shows_both() -> None:
    _, found = read_worker(FRONT.replace("id: write", "id: write_rules"))
    assert lines(found) == ["2:5 id-mismatch"]
    assert "`write_rules`" in found[0].message and "`write`" in found[0].message


def test_a22_a_lower_case_skill_is_one_finding_and_no_missing_worker() -> None:
    package, found = read_package({f"{PACKAGE}/workers/x/skill.md": skill("x"), MANIFEST: MANIFEST_OF_TWO})
    assert lines(found) == ["1:1 misnamed-file"]
    assert [(worker.id, worker.broken) for worker in package.workers] == [("write", False), ("x", False)]


def test_a30_a_misspelt_key_names_the_nearest() -> None:
    _, found = read_worker(FRONT + 'inputTag: ["需求.x"]\n')
    assert lines(found) == ["9:1 unknown-field"]
    assert "did you mean `inputTags`?" in found[0].message + found[0].help


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("规则。A．行动", ["8:17 bad-tag", "8:19 bad-tag"]),
        ("规则\u200b.草稿", ["8:17 invisible-character"]),
        ("规则\ufeff.草稿", ["8:17 invisible-character"]),
        ("规则\u202e.草稿", ["8:17 invisible-character"]),
        ("规则\U000e0041.草稿", ["8:17 invisible-character"]),
        ("cafe\u0301.草稿", ["8:18 not-nfc"]),
        ("*.草稿", ["8:15 bad-tag"]),
        ("角色..行动", ["8:17 bad-tag"]),
    ],
)
def test_d77_to_d83_and_b42_a_wrong_character_of_a_tag_is_one_finding_at_its_column(
    tag: str, expected: list[str]
) -> None:
    _, found = read_worker(FRONT.replace("正文.草稿", tag))
    assert lines(found) == expected
