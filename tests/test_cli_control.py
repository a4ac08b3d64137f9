"""Selection, suppression, baselines, fixes and formats as a user, an editor and CI meet them."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from cli import ROOT, examples, skillc, tree, write
from controlling import FRONT, SKILL, skill
from skillc.report import FORMATS

TAG = '"需求.核心要点"'
DOUBLE = skill(TAG, f"{TAG}\n  - {TAG}")
WRONG = skill("id: write", "id: wrote")
MANIFEST = """---
name: demo
description: 把需求写成一篇短文
category: novel
bookKind: novel
version: 1
workers: ["write"]
demandTag: "需求.核心要点"
prerequisiteTags: ["需求.核心要点"]
---
# 短文
"""


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A workspace with one package; its worker repeats an input (T023)."""
    return write(tmp_path, {"skills/novel/demo/orchestrator.md": MANIFEST, SKILL: DOUBLE, "skillc.toml": ""})


def codes(folder: Path, *options: str, **environment: str) -> list[str]:
    """The slugs that `skillc check` reports."""
    done = skillc("check", "--format", "concise", *options, cwd=folder, **environment)
    assert done.code in (0, 1), done.err
    return [line.split(": ")[1].split(" ")[2] for line in done.out.splitlines()]


def settings(folder: Path, text: str) -> Path:
    return write(folder, {"skillc.toml": text})


def test_codes_are_selected_by_every_name(demo: Path) -> None:
    assert "duplicate-tag" in codes(demo)
    for option in ("--select=T023", "--select=duplicate-tag", "--select=G,T", "--select=ALL"):
        assert "duplicate-tag" in codes(demo, option)
    for option in ("--ignore=t023", "--ignore=T", "--select=G", "--select=T041", "--select=G,I"):
        assert "duplicate-tag" not in codes(demo, option)
    assert codes(demo, "--select=G041", "--select", "P010, T023") == ["duplicate-tag"]
    assert "duplicate-tag" in codes(demo, "--ignore=T", "--extend-select=T023")


def test_unknown_names_end_with_usage(demo: Path) -> None:
    for option in ("--select", "--ignore", "--extend-select"):
        done = skillc("check", option, "duplicat-tag", cwd=demo)
        assert done.code == 2 and "did you mean `duplicate-tag`?" in done.err
    for text in (
        'select = ["X"]',
        '[severity]\n"duplicat-tag" = "off"',
        '[per-file-ignores]\n"**" = ["T999"]',
    ):
        done = skillc("check", cwd=settings(demo, text))
        assert done.code == 2 and done.err.startswith("skillc: skillc.toml: no finding is called")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('select = "G"', "`select` must be a list of codes"),
        ("ignore = [1]", "`ignore` must be a list of codes"),
        ("severity = 1", "`severity` must be a table"),
        (
            '[severity]\nG001 = "fatal"',
            "skillc.toml: `G001` in `severity` is `fatal`; it must be one of error, warning, info, off\n",
        ),
        ('[severity]\nG001 = "eror"', "off; did you mean `error`?"),
        ("[severity]\nG001 = 3", "`G001` in `severity` is no text"),
        (
            '[per-file-ignores]\n"a\\\\b" = ["G"]',
            "the glob `a\\b` in `per-file-ignores` has a backslash: write `a/b`",
        ),
        ('[per-file-ignores]\n"" = ["G"]', "has an empty glob"),
        (
            '[per-file-ignores]\n"../x" = ["G"]',
            "the glob `../x` in `per-file-ignores` leads out of the workspace",
        ),
        ('[per-file-ignores]\n"a" = ["G"]\n"b" = "G"', "`b` in `per-file-ignores` must have a list"),
        ('[per-file-ignores]\n"a" = []', "`a` in `per-file-ignores` must have a list"),
        ("per-file-ignores = 1", "`per-file-ignores` must be a table"),
        ('[severity]\nT023 = "off"\nduplicate-tag = "error"', "as `T023` and as `duplicate-tag`: keep one"),
        ('[severity]\nt023 = "off"\nT023 = "off"', "as `t023` and as `T023`: keep one"),
        ('baseline = "../b.json"', "relative path inside the workspace"),
        ('extend_select = ["G"]', "did you mean `extend-select`?"),
    ],
)
def test_settings_that_would_do_nothing_are_refused(demo: Path, text: str, said: str) -> None:
    done = skillc("check", cwd=settings(demo, text))
    assert done.code == 2 and said in done.err


def test_settings_select_weigh_and_ignore(demo: Path) -> None:
    assert "duplicate-tag" not in codes(settings(demo, 'ignore = ["T"]'))
    assert "duplicate-tag" in codes(settings(demo, 'ignore = ["T"]\nextend-select = ["T023"]'))
    assert skillc("check", cwd=settings(demo, '[severity]\nduplicate-tag = "error"')).code == 1
    assert "duplicate-tag" not in codes(settings(demo, '[severity]\nT = "off"'))
    assert "duplicate-tag" not in codes(settings(demo, '[per-file-ignores]\n"skills/**/write" = ["T023"]'))
    found = skillc("check", "--format=concise", cwd=settings(demo, '[per-file-ignores]\n"old" = ["T023"]'))
    assert "skillc.toml:2:2: P034 warning unused-suppression: `old`" in found.out


def test_settings_are_shown_as_they_are_in_force(demo: Path) -> None:
    settings(demo, 'strict = true\nignore = ["T"]\n[severity]\nG001 = "off"\n')
    shown = skillc("check", "--show-settings", cwd=demo)
    assert shown.code == 0
    for line in (
        "# settings: skillc.toml",
        "strict = true",
        'ignore = ["T"]',
        "[severity]",
        '"G001" = "off"',
    ):
        assert line in shown.out.splitlines()
    assert str(demo) not in shown.out
    again = settings(demo, shown.out)
    assert skillc("check", "--show-settings", cwd=again).out == shown.out


def test_a_suppressed_error_is_not_reported_but_stops_a_build(demo: Path) -> None:
    write(demo, {SKILL: skill(TAG, '"没人.写" # skillc: ignore[unproduced-input] 由主机写')})
    assert skillc("check", cwd=demo).code == 0
    done = skillc("build", "--format=concise", "--ignore=ALL", cwd=demo)
    assert done.code == 1 and "unproduced-input" in done.out and "1 with errors" in done.err
    assert not (demo / "build/novel/demo").exists()


def test_ci_can_look_behind_inline_suppressions(demo: Path) -> None:
    write(demo, {SKILL: skill(TAG, f"{TAG}\n  # skillc: ignore[T023] r\n  - {TAG}")})
    assert "duplicate-tag" not in codes(demo)
    assert "duplicate-tag" in codes(demo, "--ignore-inline-suppressions")


def test_a_baseline_from_writing_it_to_its_end(demo: Path) -> None:
    done = skillc("check", "--baseline", "known.json", "--write-baseline", cwd=demo)
    assert done.code == 0 and "written to known.json" in done.err
    assert codes(demo, "--baseline", "known.json") == []
    settings(demo, 'baseline = "known.json"')
    assert codes(demo) == []
    write(demo, {SKILL: FRONT})
    found = skillc("check", "--format=concise", cwd=demo).out
    assert "known.json:" in found and "unused-suppression" in found
    assert skillc("check", "--write-baseline", cwd=demo).code == 0
    assert codes(demo) == []


def test_a_baseline_of_one_package_leaves_the_others_known(tmp_path: Path) -> None:
    examples(tmp_path)
    skillc("check", "--baseline=b.json", "--write-baseline", cwd=tmp_path)
    everything = (tmp_path / "b.json").read_bytes()
    skillc("check", "basic", "--baseline=b.json", "--write-baseline", cwd=tmp_path)
    assert (tmp_path / "b.json").read_bytes() == everything
    assert codes(tmp_path, "basic", "--baseline=b.json") == []


def test_baselines_that_cannot_be_used_end_with_usage(demo: Path) -> None:
    assert skillc("check", "--write-baseline", cwd=demo).code == 2
    assert skillc("check", "--baseline", "missing.json", cwd=demo).code == 2
    write(demo, {"b.json": "[]"})
    done = skillc("check", "--baseline", "b.json", cwd=demo)
    assert done.code == 2 and "`b.json` is no baseline" in done.err


def test_fixes_are_written_and_the_rest_is_reported(demo: Path) -> None:
    write(demo, {SKILL: skill(TAG, f"{TAG}\n  - {TAG}").replace("version: 1", "verzion: 1")})
    before = tree(demo)
    shown = skillc("check", "--diff", cwd=demo)
    assert shown.code == 1 and f"-  - {TAG}\n" in shown.out and tree(demo) == before
    done = skillc("check", "--fix", "--format=concise", cwd=demo)
    assert done.code == 1 and "unknown-field" in done.out and "duplicate-tag" not in done.out
    assert done.err == "fixed 1 finding in 1 file\n"
    assert "--unsafe-fixes" in skillc("check", cwd=demo).out
    assert skillc("check", "--fix", "--unsafe-fixes", cwd=demo).code == 0
    assert (demo / SKILL).read_text(encoding="utf-8") == FRONT
    clean = skillc("check", "--diff", cwd=demo)
    assert (clean.code, clean.out) == (0, "")


def test_only_what_is_selected_is_fixed(demo: Path) -> None:
    assert skillc("check", "--fix", "--select=P", cwd=demo).err == ""
    assert (demo / SKILL).read_text(encoding="utf-8") == DOUBLE


@pytest.mark.skipif(sys.platform == "win32", reason="modes and links of POSIX")
def test_a_fixed_file_keeps_its_mode_and_its_link(demo: Path) -> None:
    path, real = demo / SKILL, demo / "skills/novel/demo/workers/write/real.txt"
    path.rename(real)
    path.symlink_to("real.txt")
    os.chmod(real, 0o640)
    skillc("check", "--fix", cwd=demo)
    assert path.is_symlink() and real.read_text(encoding="utf-8") == FRONT
    assert stat.S_IMODE(os.stat(real).st_mode) == 0o640


def test_unsafe_fixes_alone_are_a_question(demo: Path) -> None:
    assert skillc("check", "--unsafe-fixes", cwd=demo).code == 2


def test_e97_an_editor_checks_what_is_not_saved(demo: Path) -> None:
    """A buffer stands for its file, in every package file that reads it."""
    write(
        demo,
        {
            SKILL: FRONT,
            "skills/novel/demo/orchestrator.md": MANIFEST.replace('["write"]', '["write", "polish"]'),
        },
    )
    polish = (
        FRONT.replace("id: write", "id: polish")
        .replace(TAG, '"正文.草稿"')
        .replace('  - "正文.草稿"\n---', '  - "成文"\n---')
    )
    write(demo, {"skills/novel/demo/workers/polish/SKILL.md": polish})
    assert "unproduced-input" not in codes(demo)
    buffer = FRONT.replace('outputTags:\n  - "正文.草稿"', 'outputTags:\n  - "短文.草稿"')
    done = skillc("check", "-", "--stdin-filename", SKILL, "--format=concise", cwd=demo, stdin=buffer)
    assert "skills/novel/demo/workers/polish/SKILL.md" in done.out and "unproduced-input" in done.out
    assert (demo / SKILL).read_text(encoding="utf-8") == FRONT


def test_a_buffer_may_be_a_file_that_is_not_there_yet(demo: Path) -> None:
    new = "skills/novel/demo/workers/new-one/SKILL.md"
    done = skillc(
        "check", "-", "--stdin-filename", new, "--format=concise", cwd=demo, stdin="---\nid: x\n---\n"
    )
    assert f"{new}:2:5: P010 error id-mismatch" in done.out
    inside = demo / "skills/novel/demo"
    again = skillc(
        "check",
        "-",
        "--stdin-filename",
        "workers/new-one/SKILL.md",
        "--format=concise",
        cwd=inside,
        stdin="---\nid: x\n---\n",
    )
    assert again.out == done.out


def test_a_buffer_can_be_diffed_but_not_written(demo: Path) -> None:
    write(demo, {SKILL: FRONT})
    shown = skillc("check", "-", "--stdin-filename", SKILL, "--diff", cwd=demo, stdin=DOUBLE)
    assert shown.code == 1 and f"-  - {TAG}\n" in shown.out
    assert skillc("check", "-", "--stdin-filename", SKILL, "--fix", cwd=demo, stdin=DOUBLE).code == 2
    assert skillc("check", "-", cwd=demo).code == 2
    assert skillc("check", "--stdin-filename", SKILL, cwd=demo).code == 2
    assert skillc("check", "-", "--stdin-filename", "elsewhere/SKILL.md", cwd=demo).code == 2


def test_a_report_goes_to_a_file(demo: Path) -> None:
    done = skillc("check", "--format=sarif", "--output-file", "out/report.sarif", cwd=demo)
    assert done.out == "" and done.code == 0
    log = json.loads((demo / "out/report.sarif").read_text(encoding="utf-8"))
    schema = json.loads((ROOT / "tests/data/sarif-2.1.0.json").read_text(encoding="utf-8"))
    jsonschema.Draft4Validator(schema).validate(log)
    assert str(demo) not in json.dumps(log)
    (demo / "taken").mkdir()
    assert skillc("check", "--output-file", "taken", cwd=demo).code == 3
    (demo / "file").write_text("")
    below = skillc("check", "--output-file", "file/below/report", cwd=demo)
    assert below.code == 2 and "`file` is not a folder" in below.err


def test_the_format_is_the_option_s_then_the_environment_s_then_the_settings_(demo: Path) -> None:
    settings(demo, 'format = "github"')
    assert skillc("check", cwd=demo).out.startswith("::")
    assert skillc("check", cwd=demo, SKILLC_FORMAT="json").out.startswith("{")
    assert skillc("check", "--format=concise", cwd=demo, SKILLC_FORMAT="json").out.startswith("skills/")
    done = skillc("check", cwd=demo, SKILLC_FORMAT="xml")
    assert done.code == 2 and "unknown format `xml` in SKILLC_FORMAT" in done.err


def test_statistics(demo: Path) -> None:
    assert "1  T023  warning  duplicate-tag  (1 fixable)\n" in skillc("check", "--statistics", cwd=demo).out
    data = json.loads(skillc("check", "--statistics", "--format=json", cwd=demo).out)
    assert "T023" in {row["code"] for row in data["statistics"]}
    assert skillc("check", "--statistics", "--format=sarif", cwd=demo).code == 2


def test_the_schema_of_the_report_is_printed_and_published(demo: Path) -> None:
    printed = skillc("check", "--response-schema", cwd=demo.parent).out
    assert printed == (ROOT / "docs/schema/report.schema.json").read_text(encoding="utf-8")
    report = json.loads(skillc("check", "--format=json", cwd=demo).out)
    jsonschema.Draft202012Validator(json.loads(printed)).validate(report)


def test_machines_get_utf8_whatever_the_terminal_is(demo: Path) -> None:
    write(demo, {SKILL: DOUBLE.replace(TAG, '"需求.𠮷"')})
    command = [sys.executable, "-m", "skillc", "check", "--format=json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "compiler"), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, cwd=demo, capture_output=True, env=environment)
    assert "需求.𠮷" in json.dumps(json.loads(done.stdout.decode("utf-8")), ensure_ascii=False)


@pytest.mark.parametrize("form", FORMATS)
def test_b48_no_hash_seed_changes_a_byte(demo: Path, form: str) -> None:
    write(demo, {SKILL: WRONG.replace(TAG, f'{TAG}\n  - {TAG}\n  - "没人.写"'), "skills/novel/demo/x.md": ""})
    seeds = ("1", "77")
    assert len({skillc("check", "--format", form, cwd=demo, PYTHONHASHSEED=seed).out for seed in seeds}) == 1


def test_a31_a_path_with_backslashes_means_the_same(demo: Path) -> None:
    done = skillc("check", SKILL.replace("/", "\\"), "--format=json", cwd=demo)
    assert done.code == 0 and "\\\\" not in done.out
    assert done.out == skillc("check", SKILL, "--format=json", cwd=demo).out


def test_explain_as_text_and_as_json(tmp_path: Path) -> None:
    page = skillc("explain", "unproduced-input", cwd=tmp_path).out
    assert page.startswith("# G001 unproduced-input\n") and "## Good" in page
    data = json.loads(skillc("explain", "g001", "--json", cwd=tmp_path).out)
    assert (data["code"], data["family"], data["severity"]) == ("G001", "G", "error")
    assert data["bad"][0]["output"] and data["good"] and data["why"] and data["fix"]
    family = json.loads(skillc("explain", "G", "--json", cwd=tmp_path).out)
    listed = skillc("explain", cwd=tmp_path).out.splitlines()
    assert [row["code"] for row in family] == [line[:4] for line in listed if line.startswith("G")]
    assert skillc("explain", "--all", cwd=tmp_path).out.count("\n## How to fix\n") == len(listed)
    unknown = skillc("explain", "unread-outputs", cwd=tmp_path)
    assert unknown.code == 2 and "did you mean `unread-output`?" in unknown.err


def test_a_baseline_keeps_what_is_not_looked_for(demo: Path) -> None:
    """Writing it with a selection must not forget the findings of the codes that are off."""
    skillc("check", "--baseline=b.json", "--write-baseline", cwd=demo)
    before = json.loads((demo / "b.json").read_text(encoding="utf-8"))
    skillc("check", "--select=G", "--baseline=b.json", "--write-baseline", cwd=demo)
    assert json.loads((demo / "b.json").read_text(encoding="utf-8")) == before


def test_a_report_never_replaces_a_source(demo: Path) -> None:
    before = tree(demo / "skills")
    done = skillc("check", "--output-file", SKILL, cwd=demo)
    assert done.code == 2 and "a report would replace it" in done.err
    assert tree(demo / "skills") == before


def test_a_report_never_replaces_the_settings_or_a_device(demo: Path) -> None:
    settings(demo, "strict = true")
    done = skillc("check", "--output-file", "skillc.toml", cwd=demo)
    assert done.code == 2 and "is a settings file: a report would replace it" in done.err
    if sys.platform != "win32":
        os.mkfifo(demo / "pipe")
        with subprocess.Popen(["cat", "pipe"], cwd=demo, stdout=subprocess.PIPE) as reader:
            skillc("check", "--format=json", "--output-file", "pipe", cwd=demo)
            assert reader.stdout and json.loads(reader.stdout.read())["format_version"]
        assert stat.S_ISFIFO(os.stat(demo / "pipe").st_mode)


def test_a_moved_name_is_renamed_where_it_is_a_tag_and_nowhere_else(tmp_path: Path) -> None:
    """The catalogue follows but for `moved` itself; Latin names glued to Chinese are names; stories are not."""
    skillc("init", "s", cwd=tmp_path)
    folder = tmp_path / "skills/novel/s"
    worker = folder / "workers/write/SKILL.md"
    text = worker.read_text(encoding="utf-8").replace("outputTags:\n", 'outputTags:\n  - "core.danger"\n')
    write(
        tmp_path,
        {
            "skills/novel/s/workers/write/SKILL.md": text + "\n把core.danger写清楚，寄给 a@core.danger。\n",
            "skills/novel/s/tags.yaml": "deliverables: [core.danger]\nmoved:\n  core.danger: 核心.危险.隐藏\n",
            "skills/novel/s/contexts/a.yaml": "worker: write\nitems:\n"
            "  - tag: core.danger\n    content: 他打开 core.danger 文件\n    source: user\n",
        },
    )
    skillc("check", "--fix", cwd=tmp_path)
    fixed = {name: data.decode() for name, data in tree(folder).items()}
    assert '- "核心.危险.隐藏"' in fixed["workers/write/SKILL.md"]
    assert "把核心.危险.隐藏写清楚，寄给 a@core.danger。" in fixed["workers/write/SKILL.md"]
    assert fixed["tags.yaml"] == "deliverables: [核心.危险.隐藏]\nmoved:\n  core.danger: 核心.危险.隐藏\n"
    assert (
        "tag: 核心.危险.隐藏" in fixed["contexts/a.yaml"]
        and "他打开 core.danger 文件" in fixed["contexts/a.yaml"]
    )
    again = skillc("check", "--fix", "--format", "concise", cwd=tmp_path)
    assert "D003" not in again.out and {n: d.decode() for n, d in tree(folder).items()} == fixed


@pytest.mark.parametrize(
    ("options", "pair"),
    [
        ("--diff --format=json", "`--diff` and `--format`"),
        ("--diff --fix", "`--diff` and `--fix`"),
        ("--diff --strict", "`--diff` and `--strict`"),
        ("--diff --statistics", "`--diff` and `--statistics`"),
        ("--explain-ready demo --select=G", "`--explain-ready` and `--select`"),
        ("--explain-ready demo --fix", "`--explain-ready` and `--fix`"),
        ("--explain-ready demo --baseline=b.json", "`--explain-ready` and `--baseline`"),
        ("--show-settings --diff", "`--show-settings` and `--diff`"),
        ("--response-schema skills", "`--response-schema` and a path"),
        ("--write-baseline --baseline=b.json --output-file=x", "`--write-baseline` and `--output-file`"),
    ],
)
def test_no_option_is_ignored_in_silence(demo: Path, options: str, pair: str) -> None:
    before = tree(demo)
    done = skillc("check", *options.split(), cwd=demo)
    assert (done.code, done.out) == (2, "") and f"{pair} do not go together" in done.err
    assert tree(demo) == before


def test_a_patch_and_a_proof_go_to_a_file_too(demo: Path) -> None:
    shown = skillc("check", "--diff", cwd=demo)
    done = skillc("check", "--diff", "--output-file", "out/fix.patch", "--select=T", cwd=demo)
    assert (done.code, done.out) == (1, "")
    assert (demo / "out/fix.patch").read_text(encoding="utf-8") == shown.out != ""
    proof = skillc("check", "--explain-ready", "demo", "--format=json", cwd=demo)
    done = skillc("check", "--explain-ready", "demo", "--format=json", "--output-file", "p.json", cwd=demo)
    assert (done.code, done.out) == (proof.code, "")
    assert (demo / "p.json").read_text(encoding="utf-8") == proof.out
    for mode in (["--diff"], ["--explain-ready", "demo"]):
        assert "a report would replace it" in skillc("check", *mode, "--output-file", SKILL, cwd=demo).err


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_a_read_only_file_is_left_and_the_others_are_fixed(demo: Path) -> None:
    other = "skills/novel/demo/workers/other/SKILL.md"
    write(demo, {other: DOUBLE.replace("id: write", "id: other")})
    os.chmod(demo / SKILL, 0o444)
    before = (demo / SKILL).read_bytes()
    done = skillc("check", "--fix", "--format=concise", cwd=demo)
    assert (demo / SKILL).read_bytes() == before and stat.S_IMODE(os.stat(demo / SKILL).st_mode) == 0o444
    assert f"skillc: `{SKILL}` is read-only, and is left as it is\nwrote 1 file\n" == done.err
    assert "duplicate-tag" in done.out and other not in done.out.split("duplicate-tag")[0].splitlines()[-1]
    assert (demo / other).read_text(encoding="utf-8") == FRONT.replace("id: write", "id: other")


def test_a_fix_that_is_left_out_is_said(demo: Path) -> None:
    """Renaming the tag in the package alone would take a producer from what the catalogue of the workspace delivers."""
    other = "skills/novel/demo/workers/other/SKILL.md"
    write(demo, {other: skill("name: write", "verzion: 1\nname: write").replace("id: write", "id: other")})
    for options in (["--fix"], ["--diff"]):
        done = skillc("check", *options, "--unsafe-fixes", "--select=P", cwd=demo)
        assert (
            f"skillc: {other}:4:1: the fix of `unknown-field` is left out: it would bring `duplicate-key`"
            in done.err
        )


def test_junit_fails_what_the_exit_code_fails(demo: Path) -> None:
    plain = skillc("check", "--format=junit", cwd=demo)
    strict = skillc("check", "--format=junit", "--strict", cwd=demo)
    assert (plain.code, strict.code) == (0, 1)
    assert ('failures="0"' in plain.out.split(">")[1], 'failures="0"' in strict.out.split(">")[1]) == (
        True,
        False,
    )
    assert "<failure" not in plain.out and 'type="duplicate-tag"' in strict.out
    settings(demo, "strict = true")
    assert skillc("check", "--format=junit", cwd=demo).out == strict.out
