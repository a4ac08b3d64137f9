"""What is reported: selection, severities, suppressions, baseline; and that none of it hides an error from a build."""

from __future__ import annotations

import json

import pytest

from controlling import SKILL, lines, reported, skill, slugs, workspace
from counting import calls
from skillc import driver
from skillc.control import Control, Layer, Selection, controlled, names, scope_of, unknown_name
from skillc.control.baseline import read_baseline, write_baseline
from skillc.control.perfile import FileRule, matches
from skillc.diagnostic import CODES, Severity, finding
from skillc.source.document import WorkspaceFiles, YamlFile
from skillc.source.reader import DictReader
from skillc.text import Source

TWICE = '"需求.核心要点"\n  - "需求.核心要点"'
DOUBLE = skill('"需求.核心要点"', TWICE)
"""A worker with one warning: duplicate-tag in line 9."""
WRONG = skill("id: write", "id: wrote")
"""A worker with one error: id-mismatch."""


def on(slug: str, *layers: Layer) -> bool:
    return Selection(layers).has(CODES[slug])


def test_everything_is_on_unless_something_is_selected() -> None:
    assert on("unread-output") and on("unread-output", Layer())
    assert not on("unread-output", Layer(("I",)))
    assert not on("unread-output", Layer(()))


def test_the_most_specific_name_decides_and_ignore_wins_a_draw() -> None:
    assert not on("unread-output", Layer(("G",), ignore=("G021",)))
    assert on("unread-output", Layer(None, ("unread-output",), ("G",)))
    assert on("unread-output", Layer(("ALL",), ignore=("I",)))
    assert not on("unread-output", Layer(("G021",), ignore=("unread-output",)))


def test_the_command_line_decides_over_the_settings() -> None:
    settings = Layer(("I",), (), ("G021",))
    assert not on("blind-reads-hidden", settings, Layer(("G",)))
    assert on("unproduced-input", settings, Layer(("G",)))
    assert not on("unread-output", settings, Layer(("G",)))
    assert on("unread-output", settings, Layer(("G021",)))
    assert on("unread-output", settings, Layer(None, ("G021",)))
    assert on("blind-reads-hidden", settings, Layer(None, ("G",)))


@pytest.mark.parametrize("name", ["G021", "g021", "unread-output", "G", "ALL"])
def test_a_code_goes_by_number_slug_family_and_all(name: str) -> None:
    assert unknown_name(name) is None
    assert names(name, CODES["unread-output"])
    assert names(name, CODES["hidden-flow"]) == (name == "ALL")


def test_unknown_names_are_refused_with_the_nearest() -> None:
    assert (
        unknown_name("unred-output") == "no finding is called `unred-output`: did you mean `unread-output`?"
    )
    assert "did you mean `G0" in str(unknown_name("G0211"))
    assert "skillc explain" in str(unknown_name("nonsense!"))
    assert unknown_name("") and unknown_name("Q")


def test_severities_of_the_settings_count_for_reports_only() -> None:
    lower = Control(severities={"P": Severity.WARNING, "id-mismatch": Severity.INFO})
    (found,) = reported({SKILL: WRONG}, lower)
    assert (found.code.slug, found.severity) == ("id-mismatch", Severity.INFO)
    assert slugs({SKILL: DOUBLE}, Control(severities={"duplicate-tag": None})) == []
    (found,) = reported({SKILL: DOUBLE}, Control(severities={"ALL": Severity.ERROR}))
    assert found.severity is Severity.ERROR


@pytest.mark.parametrize(
    "control",
    [
        Control(Selection((Layer(("I",)),))),
        Control(severities={"ALL": None}),
        Control(file_rules=(FileRule("**", ("ALL",)),)),
    ],
    ids=["select", "severity", "per-file"],
)
def test_what_is_not_reported_still_keeps_a_broken_package_from_being_built(control: Control) -> None:
    checked = driver.check(DictReader(workspace({SKILL: WRONG})))
    assert driver.reported(checked, control) == ()
    assert driver.failed(checked) == {"novel/demo"}


def test_an_inline_suppression_of_an_error_does_not_build_it() -> None:
    files = {
        SKILL: skill(
            '"需求.核心要点"', '"没人.写" # skillc: ignore[unproduced-input, undeclared-read] 由主机写'
        )
    }
    checked = driver.check(DictReader(workspace(files)))
    assert "unproduced-input" not in [d.code.slug for d in driver.reported(checked)]
    assert driver.failed(checked) == {"novel/demo"}


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        (skill("id: write", "id: wrote # skillc: ignore[id-mismatch] r"), "id-mismatch"),
        (skill("version: 1", "version: [ # skillc: ignore-file[yaml-syntax] r"), "yaml-syntax"),
        (skill('"正文.草稿"', '"正文。草稿" # skillc: ignore[bad-tag] r'), "bad-tag"),
        (
            skill(body="\n<!-- skillc: ignore-file[P007] r -->\n").replace("version", "verzion"),
            "unknown-field",
        ),
    ],
)
def test_what_is_not_read_is_reported_by_check_as_build_refuses_it(text: str, slug: str) -> None:
    """Check and build agree: no comment makes a package clean that cannot be compiled."""
    checked = driver.check(DictReader(workspace({SKILL: text})))
    said = {d.code.slug for d in driver.reported(checked) if d.severity is Severity.ERROR}
    assert {slug, "bad-suppression"} <= said
    assert driver.failed(checked) == {"novel/demo"}


CATALOGUE = "skills/tags.yaml"
REGISTRY = "skills/registry.yaml"


@pytest.mark.parametrize("only", [None, frozenset({"novel/demo"})], ids=["all", "one package"])
def test_comments_in_the_files_of_the_workspace_hold_in_every_check(only: frozenset[str] | None) -> None:
    """Whatever of these files is shown is suppressed in a check of one package as it is in a check of all."""
    cut = "declassify:\n  - worker: write\n    tags: [甲.隐藏]\n    label: hidden\n    reason: x\n"
    row = "- name: demo\n  description: d，正文 worker 待建\n  category: novel\n  bookKind: novel\n  path: novel/demo\n"
    plain = {CATALOGUE: cut, REGISTRY: row}
    before = [d for d in reported(plain, only=only) if d.span.path in plain]
    assert {d.span.path for d in before} == {CATALOGUE, REGISTRY}
    codes = {path: ", ".join(sorted({d.code.id for d in before if d.span.path == path})) for path in plain}
    noted = {path: f"# skillc: ignore-file[{codes[path]}] r\n{text}" for path, text in plain.items()}
    assert [d for d in reported(noted, only=only) if d.span.path in plain] == []


def test_a_comment_of_the_workspace_is_unused_only_when_all_was_read() -> None:
    files: dict[str, str | bytes | None] = {
        CATALOGUE: "# skillc: ignore-file[I027] r\ndeliverables: [存.档]\n"
    }
    assert slugs(files) == ["unused-suppression"]
    assert reported(files, only=frozenset({"novel/demo"})) == ()
    assert "unused-suppression" not in slugs({**files, SKILL: skill("version: 1", "version: [")})


def test_suppressing_is_linear_in_findings_and_comments() -> None:
    """Not each finding is held against each comment."""

    def steps(count: int) -> int:
        text = "".join(f"x: {at} # skillc: ignore[G021] r\n" for at in range(count))
        source = Source("skills/tags.yaml", text)
        found = [finding("unread-output", source.span(source.line_starts()[at]), "m") for at in range(count)]
        files = WorkspaceFiles("skills", (), None, YamlFile(source, None))
        assert controlled(found, scope_of(files), Control()) == ()
        return calls(lambda: controlled(found, scope_of(files), Control()))

    assert steps(600) < 2.2 * steps(300)


@pytest.mark.parametrize(
    "repeated",
    [
        '\n  - "需求.核心要点" # skillc: ignore[duplicate-tag] 原因',
        '\n  # skillc: ignore[T023] 原因\n  - "需求.核心要点"',
        '\n  # skillc: ignore[T041, T023] 原因\n  # note\n  - "需求.核心要点"',
        '\n  # skillc: ignore-file[T023] 原因\n  - "需求.核心要点"',
    ],
)
def test_a_comment_suppresses_at_its_place(repeated: str) -> None:
    found = slugs({SKILL: skill('"需求.核心要点"', '"需求.核心要点"' + repeated)})
    assert found == (["unused-suppression"] if "T041" in repeated else [])


def test_the_whole_file_may_be_meant_from_anywhere_in_it() -> None:
    body = "\n<!-- skillc: ignore-file[duplicate-tag] 原因 -->\n"
    assert slugs({SKILL: skill('"需求.核心要点"', TWICE, body)}) == []


def test_an_elsewhere_comment_suppresses_nothing_and_is_said() -> None:
    body = "\n<!-- skillc: ignore[duplicate-tag] 原因 -->\ntext\n"
    assert slugs({SKILL: skill('"需求.核心要点"', TWICE, body)}) == ["duplicate-tag", "unused-suppression"]


def test_inline_suppressions_can_be_switched_off() -> None:
    body = "\n<!-- skillc: ignore-file[duplicate-tag, whole-board] 原因 -->\n"
    files = {SKILL: skill('"需求.核心要点"', TWICE, body)}
    assert slugs(files, Control(inline=False)) == ["duplicate-tag"]


def test_nothing_is_called_unused_while_it_cannot_be_judged() -> None:
    body = "\n<!-- skillc: ignore-file[duplicate-tag] 原因 -->\n"
    assert slugs({SKILL: skill(body=body)}) == ["unused-suppression"]
    off = Control(Selection((Layer(None, (), ("duplicate-tag",)),)))
    assert slugs({SKILL: skill(body=body)}, off) == []
    broken = skill("version: 1", "version: [", body)
    assert "unused-suppression" not in slugs({SKILL: broken})


def test_a_suppression_that_is_at_fault_is_not_unused_as_well() -> None:
    idle = skill('  - "正文.草稿"\n', '  - "正文.草稿"  # skillc: ignore[T023]\n')
    assert [line.split()[1] for line in lines({SKILL: idle})] == ["P017"]


def test_a_reason_is_asked_for_and_the_suppression_holds_meanwhile() -> None:
    repeated = skill('"需求.核心要点"', '"需求.核心要点"\n  - "需求.核心要点" # skillc: ignore[T023]')
    assert lines({SKILL: repeated}) == ["9:15: P017 error bad-suppression: the suppression gives no reason"]


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("skills/novel/demo", SKILL, True),
        ("skills/novel/demo/**", SKILL, True),
        ("skills/*/SKILL.md", SKILL, False),
        ("skills/**/SKILL.md", SKILL, True),
        ("SKILL.md", SKILL, True),
        ("write", SKILL, True),
        ("*.yaml", "skills/tags.yaml", True),
        ("skills/*", "skills/tags.yaml", True),
        ("tags", "skills/tags.yaml", False),
        ("**", "a", True),
        ("a/**/b", "a/b", True),
        ("a/", "a/b", True),
        ("skills/[n]ovel", SKILL, True),
    ],
)
def test_globs_of_settings(glob: str, path: str, expected: bool) -> None:
    assert matches(glob, path) is expected


def test_a_glob_of_many_stars_is_no_more_work_than_it_is_long() -> None:
    path, glob = "/".join("a" * 16), "**/a/" * 30 + "b"
    assert calls(lambda: matches(glob, path)) < 5_000
    assert not matches(glob, path) and matches("**/" * 30 + "a/" * 3 + "**/a", path)


@pytest.mark.parametrize("slug", sorted({"id-mismatch", "duplicate-tag", "unproduced-input", "stray-file"}))
def test_per_file_ignores_hold_for_every_code(slug: str) -> None:
    """Whoever speaks a finding: source, model, or a rule."""
    files = {
        SKILL: skill("id: write", "id: wrote").replace('"需求.核心要点"', TWICE + '\n  - "没人.写"'),
        "skills/novel/demo/notes.md": "x",
    }
    assert slug in slugs(files)
    rule = FileRule("skills/novel/demo", (slug,))
    assert slug not in slugs(files, Control(file_rules=(rule,)))


def test_a_glob_that_ignores_nothing_is_a_finding_in_the_settings() -> None:
    text = '[per-file-ignores]\n"old/**" = ["T023"]\n'
    at = text.index("old")
    rule = FileRule("old/**", ("T023",), Source("skillc.toml", text).span(at, at + 6))
    control = Control(file_rules=(rule,))
    assert lines({}, control) == [
        "skillc.toml:2:2: P034 warning unused-suppression: `old/**` in per-file-ignores suppresses nothing"
    ]
    assert lines({}, control, only=frozenset({"novel/demo"})) == []


def test_a_baseline_knows_what_was_there_wherever_it_moves() -> None:
    text = write_baseline(reported({SKILL: DOUBLE}))
    baseline = read_baseline("baseline.json", text)
    assert not isinstance(baseline, str)
    known = Control(baseline=baseline)
    assert slugs({SKILL: DOUBLE}, known) == []
    moved = DOUBLE.replace("version: 1\n", "version: 1\n# a\n# b\n")
    assert slugs({SKILL: moved}, known) == []
    thrice = DOUBLE.replace(TWICE, TWICE + '\n  - "需求.核心要点"')
    assert ["T023" in said for said in lines({SKILL: thrice}, known)] == [True]


def baseline_of(files: dict[str, str | bytes | None]) -> Control:
    baseline = read_baseline("baseline.json", write_baseline(reported(files)))
    assert not isinstance(baseline, str)
    return Control(baseline=baseline)


@pytest.mark.parametrize("new", [2, 5, 8], ids=["above", "between", "below"])
def test_of_equal_findings_the_one_that_was_not_there_is_new(new: int) -> None:
    """The lines around a finding decide which of them the baseline means, not their number."""
    tags = [
        "需求.核心要点" if at in (0, 4, 7) else f"用户.{word}?"
        for at, word in enumerate("甲乙丙丁戊己庚辛壬")
    ]
    head, *rest = (f'  - "{tag}"\n' for tag in tags)
    more = [*rest[: new - 1], '  - "用户.癸?"\n', head, '  - "用户.子?"\n', *rest[new - 1 :]]
    known = baseline_of({SKILL: skill(head, head + "".join(rest))})
    found = reported({SKILL: skill(head, head + "".join(more))}, known)
    (one,) = (d for d in found if d.code.slug == "duplicate-tag")
    assert one.span.position[0] == 8 + new + 1


def renamed(files: dict[str, str | bytes | None], old: str, new: str) -> dict[str, bytes]:
    made = {path: data.replace(b"demo", b"other") for path, data in workspace(files).items()}
    return {path.replace(f"/{old}/", f"/{new}/"): data for path, data in made.items()}


def test_a_baseline_outlives_the_new_name_of_a_package() -> None:
    files: dict[str, str | bytes | None] = {SKILL: DOUBLE, "skills/novel/demo/notes.md": "x"}
    known = baseline_of(files)
    for only in (None, frozenset({"novel/other"})):
        checked = driver.check(DictReader(renamed(files, "demo", "other")), only=only)
        assert len(driver.reported(checked)) == 2
        assert driver.reported(checked, known) == ()


def test_a_package_beside_the_old_one_is_not_the_old_one() -> None:
    """A copy has its own findings, whether the original is read or not."""
    files: dict[str, str | bytes | None] = {SKILL: DOUBLE}
    known = baseline_of(files)
    both = {**workspace(files), **renamed(files, "demo", "other")}
    for only in (None, frozenset({"novel/other"})):
        found = driver.reported(driver.check(DictReader(both), only=only), known)
        repeated = [d.span.path for d in found if d.code.slug == "duplicate-tag"]
        assert repeated == ["skills/novel/other/workers/write/SKILL.md"]
    gone_and_two = {**renamed(files, "demo", "other"), **renamed(files, "demo", "another")}
    found = driver.reported(driver.check(DictReader(gone_and_two)), known)
    assert [d.code.slug for d in found].count("duplicate-tag") == 2


def test_a_baseline_of_the_first_format_still_knows() -> None:
    text = write_baseline(reported({SKILL: DOUBLE})).replace('"1.1"', '"1.0"')
    data = json.loads(text)
    for row in data["findings"]:
        del row["content"], row["context"]
    baseline = read_baseline("b.json", json.dumps(data))
    assert not isinstance(baseline, str)
    assert slugs({SKILL: DOUBLE}, Control(baseline=baseline)) == []
    assert json.loads(write_baseline((), baseline.entries))["findings"] == data["findings"]


def test_knowing_is_linear_in_findings_and_entries() -> None:
    def steps(count: int) -> int:
        source = Source("skills/tags.yaml", "a\n" * count)
        found = [finding("unread-output", source.span(2 * at), "m") for at in range(count)]
        baseline = read_baseline("b.json", write_baseline(found[1:]))
        assert not isinstance(baseline, str)
        scope, control = scope_of(WorkspaceFiles("skills", ())), Control(baseline=baseline)
        assert len(controlled(found, scope, control)) == 1
        return calls(
            lambda: [read_baseline("b.json", write_baseline(found)), controlled(found, scope, control)]
        )

    assert steps(600) < 2.2 * steps(300)


def test_an_entry_whose_finding_is_gone_is_a_finding() -> None:
    baseline = read_baseline("baseline.json", write_baseline(reported({SKILL: DOUBLE})))
    assert not isinstance(baseline, str)
    known = Control(baseline=baseline)
    (found,) = reported({}, known)
    assert found.message == f"the baseline knows a T023 in `{SKILL}` that is gone"
    assert found.span.path == "baseline.json" and found.span.position == (4, 22)
    others = Control(Selection((Layer(("G", "P")),)), baseline=baseline)
    assert slugs({}, others) == []
    assert "unused-suppression" not in slugs({SKILL: skill("version: 1", "version: [")}, known)


ODD = '{"format_version": "1.0", "findings": [{"fingerprint": 1, "code": null, "path": [], "message": {}}]}'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format_version": "1.0", "findings": [{}]}',
        "null",
        "[" * 100_000,
        ODD,
        '{"a":' * 50_000,
    ],
)
def test_what_is_no_baseline_is_refused(text: str) -> None:
    assert "is no baseline" in str(read_baseline("b.json", text))


def test_a_baseline_of_another_major_format_is_refused() -> None:
    assert "has the format 2.0" in str(read_baseline("b.json", '{"format_version": "2.0", "findings": []}'))
    assert not isinstance(read_baseline("b.json", '{"format_version": "1.9", "findings": []}'), str)


def test_a_byte_order_mark_makes_no_difference() -> None:
    text = write_baseline(reported({SKILL: DOUBLE}))
    plain, marked = read_baseline("b.json", text), read_baseline("b.json", "\ufeff" + text)
    assert not isinstance(plain, str) and not isinstance(marked, str)
    assert [e.span.position for e in plain.entries] == [e.span.position for e in marked.entries]


def test_a_baseline_is_written_the_same_whatever_the_order_and_keeps_what_was_not_read() -> None:
    found = reported({SKILL: DOUBLE, "skills/novel/demo/notes.md": "x"})
    assert write_baseline(found) == write_baseline(found[::-1])
    old = read_baseline("b.json", write_baseline(found))
    assert not isinstance(old, str)
    assert write_baseline((), old.entries) == write_baseline(found)
    assert write_baseline(()) == '{\n  "format_version": "1.1",\n  "findings": []\n}\n'
