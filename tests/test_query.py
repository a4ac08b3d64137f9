"""Queries: every function and operator, names and selectors, and what must hold of all of them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import answer, arrows, ask, fault, graphs
from building import package, pattern, text, worker
from cli import ROOT
from skillc import driver
from skillc.cli.graph import edges as graph_edges
from skillc.graph import TagGraph, build_graph
from skillc.model.package import Acceptance, Package
from skillc.query import Answer, Fault, Network, build_network, evaluate, parse_query
from skillc.query.edges import nodes
from skillc.source.reader import DiskReader
from skillc.value import replace

Graphs = Mapping[str, TagGraph]


def story() -> Package:
    """Rules from a demand, reviewed by a reader who must not know, then a text from the confirmed rules."""
    manifest = {
        "acceptance": (
            Acceptance(text("review"), "programmatic_review", text("review").span, reviews=(text("rules"),)),
        )
    }
    return package(
        {
            "rules": worker(
                ["需求.核心要点", "用户.修改说明?"], ["规则.草稿", "核心.危险.隐藏"], stage="design"
            ),
            "review": worker(["规则.草稿"], ["验收.读者.记录"], isolation="blind_review"),
            "write": worker(["规则.确认稿", "正文.*?"], ["正文.草稿"]),
            "alone": worker(["运行.事件流"], ["杂记.当前"]),
        },
        targets=["需求.核心要点"],
        manifest=manifest,
    )


@pytest.fixture(scope="module")
def found() -> Graphs:
    return graphs(story())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("deps(review, 0)", ["review"]),
        ("deps(review, 1)", ["review", "rules", "规则.草稿"]),
        ("deps(alone)", ["(runtime)", "alone", "运行.*", "运行.事件流"]),
        ("deps(rules)", ["(startup)", "(user)", "rules", "用户.*", "用户.修改说明", "需求.核心要点"]),
        ("rdeps(..., alone)", ["alone", "杂记.当前"]),
        ("rdeps(review, rules)", ["review", "rules", "规则.草稿"]),
        ("rdeps(review, write)", []),
        ("rdeps(..., 规则.草稿, 1)", ["(user)", "review", "规则.确认稿", "规则.草稿"]),
        ("somepath(write, rules)", ["write", "规则.确认稿", "规则.草稿", "rules"]),
        ("somepath(rules, write)", []),
        ("somepath(rules, rules)", ["rules"]),
        (
            "allpaths(write, 规则.草稿)",
            ["write", "正文.*", "正文.确认稿", "正文.草稿", "规则.确认稿", "规则.草稿"],
        ),
        ("allpaths(rules, write)", []),
        ("producers(规则.确认稿)", ["rules"]),
        ("producers(运行.事件流)", ["(runtime)"]),
        ("producers(需求.核心要点)", ["(startup)"]),
        ("producers(write)", ["rules", "write"]),
        ("consumers(规则.草稿)", ["(user)", "review", "write"]),
        ("consumers(核心.危险.隐藏)", []),
        ("consumers(rules)", ["(user)", "review", "write"]),
        ("kind(worker, deps(write))", ["rules", "write"]),
        ("kind(user, ...)", ["(user)"]),
        ("attr(stage, design, ...)", ["rules"]),
        ("attr(label, hidden, deps(核心.*))", ["核心.危险.隐藏"]),
        ("attr(isolation, none, kind(worker, +review))", ["rules"]),
    ],
)
def test_functions(found: Graphs, query: str, expected: list[str]) -> None:
    assert answer(found, query) == expected


@pytest.mark.parametrize(
    ("query", "same"),
    [
        ("rules + review", "rules union review"),
        ("rules+review", "rules union review"),
        ("deps(write) ^ deps(review)", "deps(write) intersect deps(review)"),
        ("deps(write) - deps(review)", "deps(write) except deps(review)"),
        ("rules + review - rules", "(rules + review) - rules"),
        ("write + review ^ review", "(write + review) ^ review"),
        ("+write", "deps(write)"),
        ("write+", "rdeps(..., write)"),
        ("+review+", "deps(review) + rdeps(..., review)"),
        ("2+write", "deps(write, 2)"),
        ("rules+1", "rdeps(..., rules, 1)"),
        ("1+(rules + review)+1", "1+rules+1 + 1+review+1"),
        ("(rules)", "rules"),
        ('"rules"', "'rules'"),
        ("worker:rules", "rules"),
        ("tag:规则.*", "规则.*"),
        ("source:user", "(user)"),
        ("(user)", "demo:(user)"),
        ("user", "novel/demo:user"),
        ("package:demo", "..."),
        ("novel/...", "novel/demo"),
        ("novel/d*", "demo"),
        ("*", "kind(worker, ...)"),
        ("re*", "review"),
        ("*:rules", "demo:rules"),
        ("kind:tag", "kind(tag, ...)"),
        ("stage:play", "attr(stage, play, ...)"),
        ("isolation:blind_review", "review"),
        ("acceptance:programmatic_review", "review"),
        ("actor:llm", "*"),
        ("origin:runtime", "source:runtime"),
        ("label:hidden", "核心.危险.隐藏"),
        ("**", "kind(tag, ...)"),
        (" deps( rules ,1 ) ", "deps(rules,1)"),
    ],
)
def test_two_ways_to_say_one_thing(found: Graphs, query: str, same: str) -> None:
    got = answer(found, query)
    assert got == answer(found, same)
    assert got


def test_edges_say_how_nodes_are_joined(found: Graphs) -> None:
    assert arrows(found, "novel/demo") >= {
        ("(user)", "gives", "(startup)"),
        ("(startup)", "gives", "需求.核心要点"),
        ("需求.核心要点", "reads", "rules"),
        ("rules", "writes", "规则.草稿"),
        ("规则.草稿", "promotes", "规则.确认稿"),
        ("规则.草稿", "shows", "(user)"),
        ("(user)", "accepts", "规则.确认稿"),
        ("rules", "reviews", "review"),
        ("正文.草稿", "matches", "正文.*"),
    }


def test_what_is_not_confirmed_is_not_promoted() -> None:
    made = graphs(package({"a": worker([], ["规则.草稿"])}, accept={"a": "no_confirmation"}))
    assert answer(made, "...") == ["a", "规则.草稿"]


def test_deliveries_and_questions_come_to_the_user() -> None:
    made = graphs(
        package(
            {"tell": worker(["用户.worker答复"], ["输出.正文", "笔记.当前"])},
            accept={"tell": "no_confirmation"},
            catalogue={"deliverables": (pattern("输出.*"),)},
        )
    )
    assert arrows(made, "...") >= {("tell", "asks", "(user)"), ("输出.正文", "shows", "(user)")}
    assert answer(made, "consumers(笔记.当前)") == []


def test_what_the_user_gives_does_not_follow_from_what_the_user_sees(found: Graphs) -> None:
    assert "write" not in answer(found, "deps(rules)")
    assert answer(found, "somepath(需求.核心要点, 规则.草稿)") == []


def test_no_way_leads_through_a_pattern_to_another_tag() -> None:
    """`规则.*` as one reads it holds `规则.草稿`; as another writes it, it need not be that."""
    made = graphs(
        package(
            {
                "one": worker([], ["规则.甲"]),
                "all": worker(["规则.*"], []),
                "any": worker([], ["规则.*"]),
                "two": worker(["规则.乙"], []),
            }
        )
    )
    assert answer(made, "kind(worker, deps(all))") == ["all", "any", "one"]
    assert answer(made, "kind(worker, deps(two))") == ["any", "two"]
    assert answer(made, "deps(deps(two))") == answer(made, "deps(two)")
    assert answer(made, "kind(worker, rdeps(..., one))") == ["all", "one"]


def test_a_tag_that_nobody_declares_is_part_of_patterns() -> None:
    made = graphs(package({"write": worker([], ["正文.*"]), "read": worker(["正文.*"], [])}))
    assert answer(made, "producers(正文.第一章)") == ["write"]
    assert answer(made, "consumers(正文.第一章)") == ["read"]
    assert answer(made, "正文.第一章") == ["正文.第一章"]
    assert answer(made, "somepath(read, 正文.第一章)") == ["read", "正文.*", "正文.第一章"]
    assert answer(made, "rdeps(..., write) ^ 正文.第一章") == ["正文.第一章"]
    assert answer(made, "正文.第一章 - 正文.第一章") == []
    assert answer(made, "正文.*") == ["正文.*"]


def test_slots_and_roles() -> None:
    made = graphs(
        package(
            {
                "make": worker([], ["设计.规则#天气", "角色.{id}.行动"]),
                "use": worker(["设计.规则", "角色.A.行动"], []),
            }
        )
    )
    assert answer(made, "deps(use)") == [
        "make", "use", "角色.A.行动", "角色.{id}.行动", "设计.规则", "设计.规则#天气",
    ]  # fmt: skip
    assert answer(made, "设计.规则") == ["设计.规则", "设计.规则#天气"]
    assert answer(made, "角色.{id}.*") == ["角色.A.行动", "角色.{id}.行动"]


def test_what_cannot_be_known_may_give_what_nobody_gives() -> None:
    made = graphs(
        package(
            {"broken": worker([], [], broken=True), "read": worker(["规则.草稿"], [])},
            registered=["broken", "read", "gone"],
        )
    )
    assert answer(made, "producers(规则.草稿)") == ["broken", "gone"]
    assert answer(made, "kind:missing") == ["gone"]


def test_templates_read_and_write() -> None:
    template = package({"made": worker(["规则.草稿"], ["正文.*"])}).workers[0]
    base = package({"rules": worker([], ["规则.草稿"]), "read": worker(["正文.草稿"], [])})
    made = graphs(replace(base, templates=(template,)))
    assert answer(made, "kind(template, deps(read))") == ["made"]
    assert answer(made, "somepath(read, rules)") == [
        "read",
        "正文.草稿",
        "正文.*",
        "made",
        "规则.草稿",
        "rules",
    ]


def test_packages_share_no_board() -> None:
    two = graphs(one=story(), two=story())
    assert answer(two, "kind(worker, deps(one:write))") == ["novel/one:rules", "novel/one:write"]
    assert answer(two, "kind(worker, producers(规则.草稿))") == ["novel/one:rules", "novel/two:rules"]
    assert answer(two, "*:rules") == ["novel/one:rules", "novel/two:rules"]
    got = ask(two, "deps(one:write) + label:hidden ^ two")
    assert isinstance(got, Answer) and got.packages == {"novel/two"}


def test_a_name_of_two_things_is_refused() -> None:
    two = graphs(one=story(), two=story())
    assert fault(two, "deps(rules)") == (
        "rules", "`rules` is ambiguous", "say which one: `novel/one:rules`, `novel/two:rules`",
    )  # fmt: skip
    both = graphs(rules=story())
    assert fault(both, "rules")[2] == "say which one: `novel/rules`, `novel/rules:rules`"
    assert answer(both, "worker:rules") == ["rules"]


def test_a_tag_that_looks_like_an_id_has_a_label_that_can_be_asked_for() -> None:
    made = graphs(package({"draft": worker(["draft", "user"], [])}))
    labels = answer(made, "deps(draft)")
    assert labels == ["draft", "tag:draft", "tag:user"]
    assert answer(made, "novel/demo:tag:draft") == ["tag:draft"]


@pytest.mark.parametrize(
    ("query", "at", "message", "help"),
    [
        ("deps(writ)", "writ", "nothing is named `writ`: no package, worker, source or tag", "did you mean `write`?"),
        ("规则.草搞", "规则.草搞", "nothing is named `规则.草搞`: no package, worker, source or tag", "did you mean `规则.草稿`?"),
        ("dmo:rules", "dmo:rules", "no package is named `dmo`", "did you mean `demo:rules`?"),
        ("sage:play", "sage:play", "no package is named `sage`", "did you mean `stage:play`?"),
        ("novle/demo", "novle/demo", "no package is named `novle/demo`", "did you mean `novel/demo`?"),
        ("demo:writ", "demo:writ", "nothing is named `writ`: no package, worker, source or tag", "did you mean `write`?"),
        ("worker:rule", "worker:rule", "no worker is named `rule`", "did you mean `rules`?"),
        ("stage:paly", "stage:paly", "`paly` is no stage", "did you mean `play`?"),
        ("label:secret", "label:secret", "`secret` is no label", "known are `hidden`, `role_private`, `user_only`"),
        ("source:usr", "source:usr", "`usr` is no source", "did you mean `user`?"),
        ("dep(rules)", "dep", "there is no function `dep`", "did you mean `deps`?"),
        (
            "rdeps(basic:outline)",
            "rdeps",
            "`rdeps` cannot be called with 1 arguments",
            "write `rdeps(universe, x[, depth])`, as in `rdeps(..., 大纲.草稿)`",
        ),
        ("deps()", "deps", "`deps` cannot be called with 0 arguments", "write `deps(x[, depth])`"),
        ("deps(rules, x)", "x", "`x` is no depth: a depth is a number of steps, from 0 on", "write `deps(x[, depth])`"),
        ("deps(rules, -1)", "-1", "`-1` is no depth: a depth is a number of steps, from 0 on", "write `deps(x[, depth])`"),
        ("deps(rules, (x))", "x", "`x` is no depth: a depth is a number of steps, from 0 on", "write `deps(x[, depth])`"),
        ("deps(rules, deps(x))", "deps", "`deps` takes a single word here", "write `deps(x[, depth])`"),
        ("kind(workr, rules)", "workr", "`workr` is no kind", "did you mean `worker`?"),
        ("attr(stge, play, rules)", "stge", "`stge` is no attribute", "did you mean `stage`?"),
        ("attr(stage, pla, rules)", "pla", "`pla` is no stage", "did you mean `play`?"),
        ("规则..草稿", "..", "`规则..草稿` has an empty segment", "write one dot"),
        ("state:modified", "state:modified", "`state:modified` has nothing to compare with", "name an earlier build folder or workspace with `--state DIR`, or a revision with `--changed-since REV`"),
        ("state:modifed", "state:modifed", "`modifed` is no state", "did you mean `modified`?"),
        ("nothing + writ", "nothing", "nothing is named `nothing`: no package, worker, source or tag", "`...` stands for everything: `skillc query ...` lists all names"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_words(found: Graphs, query: str, at: str, message: str, help: str) -> None:
    assert fault(found, query) == (at, message, help)


OPERATOR = "expected is an operator (`union`, `intersect`, `except`), or the end"
OPERAND = "expected is a name, a tag, a selector such as `stage:play`, a function or `(`"


@pytest.mark.parametrize(
    ("query", "at", "message", "help"),
    [
        ("", "", "the query is empty", OPERAND),
        ("rules +", "", "the query ends too early", OPERAND),
        ("deps(rules", "", "the query ends too early", "expected is `,`, `)`, or an operator: `union`, `intersect`, `except`"),
        ("(rules", "", "the query ends too early", "expected is `)`, or an operator: `union`, `intersect`, `except`"),
        ("rules)", ")", "`)` is not expected here", OPERATOR),
        ("deps(,)", ",", "`,` is not expected here", OPERAND),
        ("rules review", "review", "`review` is not expected here", "join sets with `union`, `intersect` or `except`"),
        ("rules intersec review", "intersec", "`intersec` is not expected here", "did you mean `intersect`?"),
        ("rules,review", ",", "`,` is not expected here", "a comma stands between the arguments of a function alone: join sets with `union` or `intersect`"),
        ("rules +review", "+", "`+` is not expected here", "`a + b` joins two sets; `+a` takes what leads to `a`, and `a+` what follows from it"),
        ("rules -review", "-", "`-` is not expected here", "`-` needs a blank on both sides: a name may hold one"),
        ("deps（rules）", "（", "`（` is not expected here", "write `(`"),
        ("rules | review", "|", "`|` is not expected here", "write `union`"),
        ("rules & review", "&", "`&` is not expected here", "write `intersect`"),
        ('"rules', '"', '`"` is not expected here', "close the quotes"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_form(found: Graphs, query: str, at: str, message: str, help: str) -> None:
    assert fault(found, query) == (at, message, help)


def test_the_first_fault_is_told(found: Graphs) -> None:
    assert fault(found, "deps(rules, 1) + wrte + dep(x)")[0] == "wrte"


def test_limits(found: Graphs) -> None:
    assert fault(found, "(" * 20 + "rules" + ")" * 19)[1] == "the query ends too early"
    assert answer(found, "(" * 500 + "rules" + ")" * 500) == ["rules"]
    nested = "deps(" * 100 + "rules" + ")" * 100
    assert fault(found, nested)[1] == "the query is nested more than 64 deep"
    assert fault(found, "rules + " * 4000 + "rules")[1].startswith("the query has 32,005 characters")
    assert answer(found, " + ".join(["rules"] * 1000)) == ["rules"]


TAGS = [
    "甲.草稿",
    "甲.确认稿",
    "甲.*",
    "乙.草稿",
    "乙.{id}.丙",
    "乙.*",
    "乙.A.丙",
    "丁",
    "丁#一",
    "**",
    "用户.言",
]
LISTS = st.lists(st.sampled_from(TAGS), max_size=3, unique=True)
PACKAGES = st.lists(st.tuples(LISTS, LISTS), min_size=1, max_size=5).map(
    lambda rows: package(
        {f"w{number}": worker(inputs, outputs) for number, (inputs, outputs) in enumerate(rows)},
        targets=["丁"],
    )
)
TARGETS = st.sampled_from(
    ["w0", "w1", "甲.草稿", "甲.*", "乙.A.丙", "乙.B.丙", "丁", "(user)", "w0 + 甲.草稿"]
)


def labels(found: Graphs, query: str) -> set[str] | None:
    got = ask(found, query)
    return {vertex.label for vertex in nodes(got)} if isinstance(got, Answer) else None


def is_empty(found: Graphs, query: str) -> bool | None:
    got = ask(found, query)
    return not got.vertices if isinstance(got, Answer) else None


@settings(max_examples=40, deadline=None)
@given(PACKAGES, TARGETS, TARGETS)
def test_deps_and_rdeps_are_inverse(made: Package, a: str, b: str) -> None:
    found = graphs(made)
    assert is_empty(found, f"deps({a}) ^ ({b})") == is_empty(found, f"rdeps(..., {b}) ^ ({a})")


@settings(max_examples=40, deadline=None)
@given(PACKAGES, TARGETS, TARGETS)
def test_all_paths_hold_each_path(made: Package, a: str, b: str) -> None:
    found = graphs(made)
    some, every = labels(found, f"somepath({a}, {b})"), labels(found, f"allpaths({a}, {b})")
    assert some is None or every is None or some <= every
    assert is_empty(found, f"somepath({a}, {b})") == is_empty(found, f"allpaths({a}, {b})")
    assert is_empty(found, f"allpaths({a}, {b})") == is_empty(found, f"deps({a}) ^ ({b})")


@settings(max_examples=40, deadline=None)
@given(PACKAGES, TARGETS)
def test_deps_are_closed_and_grow_with_depth(made: Package, a: str) -> None:
    found = graphs(made)
    whole = labels(found, f"deps({a})")
    assert whole == labels(found, f"deps(deps({a}))")
    steps = [labels(found, f"deps({a}, {depth})") for depth in range(8)]
    assert whole is None or all(
        (x or set()) <= (y or set()) for x, y in zip(steps, [*steps[1:], whole], strict=True)
    )
    assert steps[0] == labels(found, a)


@settings(max_examples=40, deadline=None)
@given(PACKAGES)
def test_workers_depend_on_whom_the_graph_says(made: Package) -> None:
    """Another way to the same: the producers of all inputs, again and again."""
    graph = build_graph(made)
    for start in graph.workers:
        seen, queue = {start}, [start]
        for id in queue:
            for number in range(len(graph.workers[id].inputs)):
                for producer in graph.producers[id, number]:
                    if producer.worker and producer.worker not in seen:
                        seen.add(producer.worker)
                        queue.append(producer.worker)
        assert answer({made.path: graph}, f"kind(worker, deps({start}))") == sorted(seen)


@settings(max_examples=40, deadline=None)
@given(PACKAGES, TARGETS, TARGETS)
def test_sets_are_sets(made: Package, a: str, b: str) -> None:
    """What the operators give, of the vertices of one network."""
    found = graphs(made)
    whole = ask(found, f"deps({a}) + ({b}) + rdeps(..., {b})")
    if not isinstance(whole, Answer):
        return
    one, other = f"deps({a})", f"rdeps(..., {b})"
    everything = f"({one} + {other} + ({b}))"
    assert is_empty(found, f"({one} ^ {other}) - {one}") and is_empty(found, f"({one} ^ {other}) - {other}")
    assert is_empty(found, f"({one} - {other}) ^ {other}")
    parts = f"({one} - {other}) + ({one} ^ {other}) + ({other} - {one})"
    assert is_empty(found, f"({parts}) - ({one} + {other})") and is_empty(
        found, f"({one} + {other}) - ({parts})"
    )
    assert is_empty(found, f"({parts}) - {everything}")


@settings(max_examples=40, deadline=None)
@given(PACKAGES)
def test_every_label_can_be_asked_for(made: Package) -> None:
    found = graphs(made)
    for label in labels(found, "...") or ():
        assert label in (labels(found, f'"{label}"') or ())


def test_long_chains_need_no_recursion() -> None:
    size = 1_000
    rows = {
        f"w{n}": worker([f"链.{n}"], [f"链.{n + 1}", *(f"叶.{n}.{i}" for i in range(4))]) for n in range(size)
    }
    found = graphs(package(rows))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    try:
        assert len(answer(found, f"deps(w{size - 1})")) == 2 * size
        assert len(answer(found, f"somepath(w{size - 1}, w0)")) == 2 * size - 1
        assert len(answer(found, f"allpaths(w{size - 1}, w0) ^ kind(tag, ...)")) == size - 1
        assert len(answer(found, "w0+")) == 2 * size + 4 * size
    finally:
        sys.setrecursionlimit(limit)


PACKAGES_OF_OUR_OWN = sorted(
    (folder, manifest.parent.relative_to(folder / "skills").as_posix())
    for folder in (ROOT, ROOT / "tests" / "honest")
    for manifest in folder.glob("skills/*/*/orchestrator.md")
)


@pytest.mark.parametrize(
    ("folder", "path"), PACKAGES_OF_OUR_OWN, ids=lambda value: getattr(value, "name", value)
)
def test_honest_packages(folder: Path, path: str) -> None:
    """Each label stands for its node alone, and whoever reads depends on whoever writes, as `skillc graph` has it."""
    graph = driver.check(DiskReader(str(folder)), only=frozenset({path})).graphs[path]
    network = build_network({path: graph})
    everything = evaluate_text("...", network)
    for vertex in nodes(everything):
        assert vertex.label in [each.label for each in nodes(evaluate_text(f'"{vertex.label}"', network))]
    leading = {
        id: {v.label for v in nodes(evaluate_text(f"deps({path}:{id})", network))} for id in graph.workers
    }
    for edge in graph_edges(graph):
        assert f"{path}:{edge.writer}" in leading[edge.reader]


def evaluate_text(query: str, network: Network) -> Answer:
    expression = parse_query(query)
    assert not isinstance(expression, Fault)
    got = evaluate(expression, network)
    assert isinstance(got, Answer), got
    return got
