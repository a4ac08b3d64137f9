"""Manifest, folders and registry name the same workers and packages."""

from __future__ import annotations

import pytest

from building import findings, package, text, underlined, worker
from counting import calls
from reading import MANIFEST, ORCHESTRATOR, SKILL, read_package, skill
from skillc.checks.run import all_rules
from skillc.diagnostic import Diagnostic
from skillc.graph import build_graph
from skillc.graph.brief import overview
from skillc.model.package import Acceptance, Package, Registered, RegistryRow, Workspace
from skillc.text import Source, Text
from skillc.value import replace

W = worker([], [])


def at(source: Source, value: str, nth: int = 0) -> Text:
    start = -1
    for _ in range(nth + 1):
        start = source.text.index(value, start + 1)
    return Text(value, source.span(start, start + len(value)))


def test_an_unregistered_worker() -> None:
    assert underlined("unregistered-worker", package({"a": W, "b": W}, registered=["a"])) == ["b: b"]
    assert findings("unregistered-worker", package({"a": W, "b": W}, registered=[])) == []
    assert findings("unregistered-worker", package({"a": W}, registered=[], manifest={"broken": True})) == []
    assert findings("unregistered-worker", package({"a": W, "b": W})) == []


def test_an_empty_list_registers_nobody_and_no_list_is_no_matter() -> None:
    empty = package({"outline": W, "write": W}, registered=[], manifest={"has_list": True})
    assert underlined("unregistered-worker", empty) == ["outline: outline", "write: write"]
    assert findings("unregistered-worker", package({"outline": W}, registered=[])) == []


def test_a_folder_that_was_refused_is_not_unregistered_too() -> None:
    made = package({"outline": W, "write": W}, registered=["write"])
    outline = made.workers[0]
    refused = replace(outline, broken=True, files=replace(outline.files, skill=None, blocked=True))
    assert findings("unregistered-worker", replace(made, workers=(refused, made.workers[1]))) == []


def test_a_missing_worker_is_told_once_with_the_nearest() -> None:
    source = Source("orchestrator.md", "outline polish polish")
    manifest = {
        "registered": (Registered(at(source, "outline")), Registered(at(source, "polish"))),
        "named": (at(source, "polish", 1),),
    }
    (found,) = findings("missing-worker", package({"outline": W, "publish": W}, manifest=manifest))
    assert (
        found.message
        == "the manifest names worker `polish`, but there is no skills/novel/demo/workers/polish/SKILL.md"
    )
    assert "did you mean `publish`" in found.help and len(found.related) == 1


def test_a_mistyped_worker_is_one_finding() -> None:
    made = package({"outline": W}, registered=["outlin"])
    assert len(findings("missing-worker", made)) == 1
    assert findings("unregistered-worker", made) == []


def test_every_worker_with_a_folder_is_there() -> None:
    assert findings("missing-worker", package({"a": W, "b": worker(broken=True)})) == []
    assert findings("missing-worker", package({"a": W}, registered=[])) == []
    named = package({"a": W}, manifest={"named": (text("a"),)})
    assert findings("missing-worker", named) == []


def test_acceptance_of_nobody() -> None:
    source = Source("orchestrator.md", "writ write ghost")
    entry = Acceptance(at(source, "writ"), "user_confirmed", at(source, "writ").span)
    review = Acceptance(
        at(source, "write"), "programmatic_review", entry.span, reviews=(at(source, "ghost"),)
    )
    made = package(
        {"write": W}, manifest={"acceptance": (entry, review), "named": (entry.worker, at(source, "ghost"))}
    )
    assert [d.message for d in findings("unknown-acceptance", made)] == [
        "an acceptance names `writ`, which is no worker of `demo`",
        "`reviews` names `ghost`, which is no worker of `demo`",
    ]
    assert "did you mean `write`" in findings("unknown-acceptance", made)[0].help
    assert findings("missing-worker", made) == []


def test_acceptance_of_a_missing_worker_has_one_finding() -> None:
    source = Source("orchestrator.md", "ghost ghost")
    entry = Acceptance(at(source, "ghost", 1), "user_confirmed", at(source, "ghost", 1).span)
    made = package({}, manifest={"registered": (Registered(at(source, "ghost")),), "acceptance": (entry,)})
    assert findings("unknown-acceptance", made) == []
    assert len(findings("missing-worker", made)) == 1


def test_acceptance_of_workers_that_exist() -> None:
    assert findings("unknown-acceptance", package({"a": W}, accept={"a": "no_confirmation"})) == []
    assert findings("unknown-acceptance", package({"a": W})) == []
    assert (
        findings("unknown-acceptance", package({"a": worker(broken=True)}, accept={"a": "user_confirmed"}))
        == []
    )


def reviewer(body: str, **more: object) -> Package:
    return package(
        {"review": worker([], ["验收.记录"], body=body, **more)}, accept={"review": "programmatic_review"}
    )


def test_a_reviewer_without_a_verdict() -> None:
    (found,) = findings("no-verdict-output", reviewer("# 评审\n\n写下看法。\n"))
    assert "no_confirmation" not in found.message and "verdict" in found.message


def test_what_is_not_put_out_is_no_output_section() -> None:
    front = ORCHESTRATOR.replace("workers:", "acceptance: {write: {mode: programmatic_review}}\nworkers:")
    body = "# 评审\n\n给出 verdict。\n\n## 不输出什么\n\n不写正文。\n"
    for more, count in (("", 0), ("\n## 输出格式\n\n写下看法。\n", 1), ("\n## 输出\n\n- verdict\n", 0)):
        made, _ = read_package({MANIFEST: front, SKILL: skill().replace("# 正文\n", body + more)})
        assert len(findings("no-verdict-output", made)) == count, more


def workspace(row: RegistryRow, made: Package) -> Workspace:
    return Workspace("skills", (made,), (row,), Source("skills/registry.yaml", "x"))


def registry(slug: str, made: Workspace) -> list[Diagnostic]:
    rule = next(rule for rule in all_rules() if rule.slug == slug)
    assert rule.workspace is not None
    return list(rule.workspace(overview(made, map(build_graph, made.packages))))


ROW = RegistryRow(text("demo"), text("novel/demo"), "novel/demo", None, text("短文"), text("novel"))
DEMO = package({"a": W}, manifest={"category": "短文", "kind": "novel"})


def test_a_registry_that_agrees() -> None:
    assert registry("registry-mismatch", workspace(ROW, DEMO)) == []
    assert registry("registry-gap", workspace(ROW, DEMO)) == []
    silent = replace(ROW, category=None, kind=None, description=text("别的话"))
    assert registry("registry-mismatch", workspace(silent, DEMO)) == []


def test_a_registry_that_disagrees() -> None:
    for row, field in (
        (replace(ROW, name=text("other")), "name `other`"),
        (replace(ROW, category=text("长篇")), "category `长篇`"),
        (replace(ROW, kind=text("dialogue")), "bookKind `dialogue`"),
    ):
        (found,) = registry("registry-mismatch", workspace(row, DEMO))
        assert field in found.message and found.related
    misplaced = package({"a": W}, manifest={"kind": "dialogue"})
    (found,) = registry("registry-mismatch", workspace(replace(ROW, kind=text("dialogue")), misplaced))
    assert found.message == "`novel/demo` lies below `novel`, its manifest says bookKind `dialogue`"
    (found,) = registry("registry-mismatch", workspace(ROW, misplaced))
    assert found.message == "`novel/demo` lies below `novel`, its manifest says bookKind `dialogue`"
    (found,) = registry("registry-mismatch", Workspace("skills", (misplaced,)))
    assert "move the package below `dialogue`" in found.help


def test_a_package_on_one_side_only() -> None:
    (gone,) = registry("registry-gap", Workspace("skills", (), (replace(ROW, package=None),)))
    assert gone.message == "the registry lists `demo` at `novel/demo`, where there is no package"
    (new,) = registry("registry-gap", Workspace("skills", (DEMO,), (), Source("skills/registry.yaml", "x")))
    assert new.message == "package `novel/demo` is not listed in registry.yaml"
    assert registry("registry-gap", Workspace("skills", (DEMO,))) == []


@pytest.mark.parametrize(
    "path", ["skills/novel/demo", "Novel/demo", "novel/dema", "demo/orchestrator.md", "demo"]
)
def test_a_row_that_nearly_names_a_package_is_one_finding(path: str) -> None:
    row = replace(ROW, path=text(path), package=None)
    (found,) = registry("registry-gap", workspace(row, DEMO))
    assert found.span.text == path and "did you mean `novel/demo`?" in found.help
    assert registry("registry-gap", workspace(replace(row, refused=True), DEMO)) == []
    assert len(registry("registry-gap", Workspace("skills", (DEMO,), (row, row)))) == 2


def test_a_registry_that_cannot_be_read_lacks_nothing() -> None:
    broken = Workspace("skills", (DEMO,), (), Source("skills/registry.yaml", "x"), registry_broken=True)
    assert registry("registry-gap", broken) == []


def test_many_mistyped_workers_cost_no_more_than_they_are() -> None:
    def work(count: int) -> int:
        ids = {f"writer-{at}-of-rules": worker() for at in range(count)}
        typed = [f"writer-{at}-of-rule" for at in range(count)]
        made = package(ids, registered=typed)
        assert len(findings("missing-worker", made)) == count
        assert findings("unregistered-worker", made) == []
        strangers = package(ids, registered=[f"x{at * 7919}" for at in range(count)])
        return calls(
            lambda: [
                findings(s, m) for m in (made, strangers) for s in ("missing-worker", "unregistered-worker")
            ]
        )

    assert work(400) < 3 * work(200)
