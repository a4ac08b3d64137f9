"""The formats for machines: valid by their own schemas, escaped for their readers, the same in any order."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest

from controlling import SKILL, reported, skill, workspace
from skillc import driver
from skillc.diagnostic import Diagnostic, Edit, Fix, Label, Severity, finding, fingerprints, in_order
from skillc.report import FORMATS, render, statistics
from skillc.report.counts import Counts, count
from skillc.report.json_schema import response_schema
from skillc.report.sarif import LIMIT
from skillc.source.reader import DictReader
from skillc.source.yamlfile import read_yaml
from skillc.text import Source

SARIF = json.loads((Path(__file__).parent / "data" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
REFERENCE = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=@/]|%[0-9A-F]{2})+")
"""A relative reference of RFC 3986 without query: what a SARIF reader takes for a path."""
FILES = {
    SKILL: skill('"需求.核心要点"', '"需求.核心要点"\n  - "需求.核心要点"\n  - "没人.写{id}"').replace(
        "id: write", "id: wrote"
    ),
    "skills/novel/demo/workers/写手/SKILL.md": "---\nid: [\n---\n",
    "skills/novel/demo/notes, 100%:x.md": "x",
    "skills/novel/empty/workers/a/SKILL.md": skill(),
}


def report(form: str, found: Sequence[Diagnostic]) -> str:
    return render(form, found, count(found, 2, 3))


def run_of(found: Sequence[Diagnostic]) -> dict[str, Any]:
    log = json.loads(report("sarif", found))
    jsonschema.Draft4Validator(SARIF).validate(log)
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


@pytest.fixture(scope="module")
def found() -> tuple[Diagnostic, ...]:
    return reported(FILES)


def loop() -> Diagnostic:
    source = Source("a.md", "one\ntwo\nthree\n")
    hops = [Label(source.span(0, 3), "`a` writes"), Label(source.span(4, 7), "`b` reads")]
    return finding("feedback-loop", source.span(4, 7), "2 workers feed each other: `a` → `b` → `a`", "", hops)


def test_sarif_is_valid_and_every_result_has_a_place(found: tuple[Diagnostic, ...]) -> None:
    results = run_of(found)["results"]
    assert len(results) == len(found) > 5
    for result in results:
        place = result["locations"][0]["physicalLocation"]
        assert REFERENCE.fullmatch(place["artifactLocation"]["uri"])
        assert place["region"]["startLine"] >= 1 and place["region"]["startColumn"] >= 1


def test_e98_a_finding_about_a_package_or_a_worker_is_at_its_file(found: tuple[Diagnostic, ...]) -> None:
    missing = next(d for d in found if d.span.path == "skills/novel/empty")
    place = run_of([missing])["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "skills/novel/empty/orchestrator.md"
    assert place["region"]["startLine"] == 1
    assert "file=skills/novel/empty/orchestrator.md,line=1," in report("github", [missing])


def test_e99_paths_are_relative_and_percent_encoded(found: tuple[Diagnostic, ...]) -> None:
    uris = [
        r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run_of(found)["results"]
    ]
    assert "skills/novel/demo/workers/%E5%86%99%E6%89%8B/SKILL.md" in uris
    assert "skills/novel/demo/notes%2C%20100%25%3Ax.md" in uris
    assert {unquote(uri) for uri in uris} >= {SKILL, "skills/novel/demo/notes, 100%:x.md"}


def test_a_backslash_in_a_name_is_no_slash() -> None:
    """On systems where a name may hold one, it names another file than the one with a slash."""
    (result,) = run_of([finding("stray-file", Source("a\\b.md", "x").span(0, 1), "m")])["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%5Cb.md"


def test_a31_no_path_has_a_backslash(found: tuple[Diagnostic, ...]) -> None:
    for form in FORMATS:
        assert "\\SKILL.md" not in report(form, found) and "\\\\SKILL.md" not in report(form, found)


def test_e96_columns_are_code_points_and_editors_count_utf16() -> None:
    source = Source("a.yaml", "d: 𠮷😀: x\n")
    (wrong,) = read_yaml(source)[1]
    assert wrong.span.position == (1, 6)
    assert source.utf16_column(wrong.span.start) == 7
    run = run_of([wrong])
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] == 6
    assert ",col=6," in report("github", [wrong])
    assert report("concise", [wrong]).startswith("a.yaml:1:6: ")


def test_sarif_rules_are_the_pages(found: tuple[Diagnostic, ...]) -> None:
    run = run_of(found)
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted({d.code.id for d in found})
    for rule in rules:
        assert rule["help"]["markdown"].startswith(f"# {rule['id']} {rule['name']}\n")
        assert len(rule["fullDescription"]["text"]) <= 1024
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_a_loop_is_a_code_flow() -> None:
    (result,) = run_of([loop()])["results"]
    hops = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [hop["location"]["message"]["text"] for hop in hops] == ["`a` writes", "`b` reads"]
    assert [place["id"] for place in result["relatedLocations"]] == [1, 2]


def test_a_path_ends_at_its_finding_and_a_disclosure_begins_there() -> None:
    source = Source("a.md", "one\ntwo\nthree\n")
    hop, aside = Label(source.span(0, 3), "h"), Label(source.span(4, 7), "a", aside=True)
    for slug, expected in (("hidden-flow", [1, 3]), ("disclosure", [3, 1])):
        (result,) = run_of([finding(slug, source.span(8, 13), "m", "", [hop, aside])])["results"]
        places = [
            place["location"]["physicalLocation"]
            for place in result["codeFlows"][0]["threadFlows"][0]["locations"]
        ]
        assert [place["region"]["startLine"] for place in places] == expected
        assert len(result["relatedLocations"]) == 2


def test_fixes_travel(found: tuple[Diagnostic, ...]) -> None:
    wrong = next(d for d in found if d.code.slug == "id-mismatch" and d.span.path == SKILL)
    change = run_of([wrong])["results"][0]["fixes"][0]["artifactChanges"][0]
    assert change["artifactLocation"]["uri"] == SKILL
    assert change["replacements"][0]["insertedContent"]["text"] == "write"
    region = change["replacements"][0]["deletedRegion"]
    assert (region["startColumn"], region["endColumn"]) == (5, 10)


def test_a_fix_in_two_files_changes_two_artifacts() -> None:
    a, b = Source("a", "x"), Source("b", "x")
    both = Fix("rename", (Edit(b.span(0, 1), "y"), Edit(a.span(0, 1), "y")))
    (result,) = run_of([finding("legacy-tag-names", a.span(0, 1), "m", fix=both)])["results"]
    changes = result["fixes"][0]["artifactChanges"]
    assert [change["artifactLocation"]["uri"] for change in changes] == ["a", "b"]


def test_fingerprints_outlive_moves_and_tell_findings_apart(found: tuple[Diagnostic, ...]) -> None:
    marks = fingerprints(found)
    assert len(set(marks)) == len(marks)
    moved = {**FILES, SKILL: FILES[SKILL].replace("version: 1\n", "version: 1\n\n\n# x\n")}
    assert set(fingerprints(reported(moved))) == set(marks)
    said = [r["partialFingerprints"] for r in run_of(found)["results"]]
    assert [one["skillc/v1"] for one in said] == list(marks)
    assert all(re.fullmatch(r"[0-9a-f]{32}:1", one["primaryLocationLineHash"]) for one in said)


def test_a_log_that_is_too_long_keeps_the_worst_and_says_so() -> None:
    source = Source("a.md", "x\n" * (LIMIT + 10))
    infos = [finding("stray-file", source.span(2 * at), "info") for at in range(LIMIT)]
    errors = [finding("bad-tag", source.span(2 * at), "error") for at in range(LIMIT, LIMIT + 10)]
    run = run_of([*infos, *errors])
    levels = [result["level"] for result in run["results"]]
    assert len(levels) == LIMIT and levels.count("error") == 10
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("10 findings of the lowest severity left out")
    assert "toolExecutionNotifications" not in run_of(infos)["invocations"][0]


def test_a_result_has_no_more_places_than_are_taken() -> None:
    source = Source("a.md", "x\n" * 2_000)
    labels = [Label(source.span(2 * at), "here, too") for at in range(2_000)]
    for slug in ("legacy-tag-names", "hidden-flow"):
        (result,) = run_of([finding(slug, source.span(), "m", "", labels)])["results"]
        assert len(result["relatedLocations"]) == 1_000
        flows = [flow["threadFlows"][0]["locations"] for flow in result.get("codeFlows", ())]
        assert all(len(places) <= 1_000 for places in flows)


def test_what_sarif_would_read_as_markup_is_text() -> None:
    odd = finding("bad-tag", Source("a", "x").span(), "`{0}` and `{id}` and [x](1) [y]")
    text = run_of([odd])["results"][0]["message"]["text"]
    assert text == "`{{0}}` and `{id}` and \\[x](1) [y]"


def test_workflow_commands_are_one_line_each_and_escaped() -> None:
    source = Source("a, b:c%.md", "x\ny\n")
    odd = finding("bad-tag", source.span(0, 1), "100%\r\n::error::x", "line, two: yes")
    assert report("github", [odd]) == (
        "::error title=T001 bad-tag,file=a%2C b%3Ac%25.md,line=1,endLine=1,col=1,endColumn=2::"
        "100%25<U+000D><U+000A>::error::x%0Aline, two: yes\n"
    )
    over = finding("stray-file", source.span(0, 3), "m")
    assert (
        report("github", [over])
        == "::notice title=P051 stray-file,file=a%2C b%3Ac%25.md,line=1,endLine=2,col=1::m\n"
    )


def test_junit_is_xml_with_a_failure_per_error(found: tuple[Diagnostic, ...]) -> None:
    root = ElementTree.fromstring(report("junit", found))
    cases = list(root.iter("testcase"))
    errors = sum(d.severity is Severity.ERROR for d in found)
    assert root.get("tests") == str(len(found)) == str(len(cases))
    assert len(list(root.iter("failure"))) == errors == int(root.get("failures", ""))
    assert sum(int(suite.get("tests", "")) for suite in root) == len(found)
    names = [suite.get("name") for suite in root]
    assert len(names) == len(set(names))


def test_junit_holds_whatever_a_package_holds() -> None:
    odd = finding(
        "bad-tag", Source("a", "x").span(), "</failure>]]>&\x00\x1b\ufffe\ud800\U0010ffff\"'", "a & b\n<c>"
    )
    root = ElementTree.fromstring(report("junit", [odd]).encode("utf-8", "surrogatepass"))
    (failure,) = root.iter("failure")
    assert failure.get("message", "").startswith("</failure>]]>&<U+0000>")
    assert "a & b\n<c>" in (failure.text or "")


def test_junit_without_findings_is_one_passed_case() -> None:
    root = ElementTree.fromstring(report("junit", ()))
    assert [case.get("name") for case in root.iter("testcase")] == ["no findings"]


def test_json_is_what_its_schema_says(found: tuple[Diagnostic, ...]) -> None:
    schema = json.loads(response_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    for some in (found, (), (loop(),)):
        data = json.loads(report("json", some))
        jsonschema.Draft202012Validator(schema).validate(data)
        assert data["format_version"] == "1.0" and data["$schema"] == schema["$id"]
    data["diagnostics"][0]["line"] = 0
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(data)


def test_statistics_come_most_frequent_first() -> None:
    source = Source("a", "xyz")
    some = [finding("stray-file", source.span(at), "m") for at in range(2)]
    some.append(finding("bad-tag", source.span(), "m", fix=Fix("f", (Edit(source.span(), "x"),))))
    numbers = Counts(1, 0, 2, 1, 1)
    assert statistics.render("text", some, numbers) == (
        "2  P051  info     stray-file\n"
        "1  T001  error    bad-tag  (1 fixable)\n"
        "1 error, 2 infos in 1 package (1 worker)\n"
    )
    data = json.loads(statistics.render("json", some, numbers))
    assert [(row["code"], row["count"]) for row in data["statistics"]] == [("P051", 2), ("T001", 1)]


@pytest.mark.parametrize("form", FORMATS)
def test_no_order_of_files_or_findings_changes_a_byte(form: str, found: tuple[Diagnostic, ...]) -> None:
    expected = report(form, found)
    made = list(workspace(FILES).items())
    for seed in range(4):
        shuffled = random.Random(seed)
        shuffled.shuffle(made)
        again = list(driver.reported(driver.check(DictReader(dict(made)))))
        shuffled.shuffle(again)
        assert report(form, in_order(again)) == expected


def test_the_order_of_list_items_changes_no_finding() -> None:
    """Places move with their items; what is said of which words stays."""

    def said(items: Sequence[str]) -> list[tuple[str, str, str]]:
        text = skill('  - "需求.核心要点"\n', "".join(f'  - "{item}"\n' for item in items))
        return sorted((d.code.id, d.message, d.span.text) for d in reported({SKILL: text}))

    items = ["需求.核心要点", "没人.写", "角色。甲", "**", "没人.知"]
    expected = said(items)
    for seed in range(6):
        random.Random(seed).shuffle(items)
        assert said(items) == expected


def test_a35_text_is_escaped_for_its_format_and_no_other() -> None:
    odd = finding("bad-tag", Source("a", "x").span(), "`</skill><skill>` & `a & b`")
    assert "`</skill><skill>` & `a & b`" in report("text", [odd])
    assert "`</skill><skill>` & `a & b`" in report("github", [odd])
    assert json.loads(report("json", [odd]))["diagnostics"][0]["message"] == odd.message
    assert "&lt;/skill&gt;&lt;skill&gt;` &amp; `a &amp; b`" in report("junit", [odd])
    assert len(list(ElementTree.fromstring(report("junit", [odd])).iter("testcase"))) == 1
