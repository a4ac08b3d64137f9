"""Who writes what whom reads; which loops there are; what a worker waits for and what can run."""

from __future__ import annotations

import random

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from building import findings, package, worker
from counting import calls
from skillc.graph import PatternIndex, TagGraph, build_graph
from skillc.graph.loops import Hubs, components, components_of, direct, shortest_loop
from skillc.model.package import Package
from skillc.tags import Pattern, overlaps
from skillc.value import replace


def kinds(graph: TagGraph, worker_id: str, number: int = 0) -> list[tuple[str, str | None]]:
    return [(p.kind, p.worker or p.origin) for p in graph.producers[worker_id, number]]


def rules_package(**more: object) -> Package:
    return package(
        {
            "write-rules": worker(
                ["需求.核心要点", "验收.读者视角.记录", "用户.修改说明"], ["核心.危险.隐藏", "规则.草稿"]
            ),
            "review-infer": worker(["需求.核心要点", "规则.草稿"], ["验收.读者视角.记录"]),
        },
        targets=["需求.核心要点"],
        **more,  # type: ignore[arg-type]
    )


def test_producers_are_workers_and_sources() -> None:
    graph = build_graph(rules_package())
    assert kinds(graph, "write-rules", 0) == [("source", "startup")]
    assert kinds(graph, "write-rules", 1) == [("worker", "review-infer")]
    assert kinds(graph, "write-rules", 2) == [("source", "user")]
    assert graph.consumers["write-rules", 1] == (("review-infer", 1),)
    assert graph.consumers["write-rules", 0] == ()


def test_what_a_feedback_loop_brings_later_is_optional() -> None:
    graph = build_graph(rules_package())
    assert graph.needed == {("write-rules", 0), ("review-infer", 0), ("review-infer", 1)}
    assert graph.loops == (("review-infer", "write-rules"),)
    assert graph.deadlocked == ()
    assert graph.reachable == {"write-rules", "review-infer"}


def test_asked_and_startup_tags_are_user_sources() -> None:
    graph = build_graph(
        package({"a": worker(["用户.输入", "项目.风格要求"], [])}, ["用户.输入"], ["项目.风格要求"])
    )
    assert kinds(graph, "a", 0) == [("source", "user"), ("source", "startup")]
    assert kinds(graph, "a", 1) == [("source", "ask")]
    assert graph.needed == {("a", 0), ("a", 1)}


def test_runtime_and_persona_are_never_awaited() -> None:
    inputs = ["对话.历史", "运行.事件流", "worker.persona", "运行.*", "用户.最新输入"]
    graph = build_graph(package({"a": worker(inputs, [])}))
    assert graph.needed == frozenset()


def test_a_wildcard_that_holds_a_runtime_tag_among_others_is_awaited() -> None:
    graph = build_graph(package({"engine": worker([], ["世界.规则"]), "a": worker(["世界.*"], [])}))
    assert graph.needed == {("a", 0)}


def test_accepting_a_draft_produces_the_confirmed_text() -> None:
    workers = {"a": worker([], ["角色.{id}.卡.草稿"]), "b": worker(["角色.*.卡.确认稿"], [])}
    graph = build_graph(package(workers))
    assert kinds(graph, "b") == [("promotion", "a")]
    assert graph.consumers["a", 0] == (("b", 0),)
    reviewed = build_graph(package(workers, accept={"a": "programmatic_review"}))
    assert kinds(reviewed, "b") == [("promotion", "a")]
    unaccepted = build_graph(package(workers, accept={"a": "no_confirmation"}))
    assert kinds(unaccepted, "b") == []


def test_a_family_is_produced_by_its_slots_and_the_reverse() -> None:
    graph = build_graph(
        package(
            {
                "a": worker([], ["设计.生成规则"]),
                "b": worker(["设计.生成规则#天气"], ["设计.骨架#一"]),
                "c": worker(["设计.骨架"], []),
            }
        )
    )
    assert kinds(graph, "b") == [("worker", "a")]
    assert kinds(graph, "c") == [("worker", "b")]


def test_updating_in_place_is_no_loop_and_waits_for_nobody() -> None:
    graph = build_graph(package({"a": worker(["大纲.当前"], ["大纲.当前"])}))
    assert graph.loops == () and graph.needed == frozenset() and graph.reachable == {"a"}


def test_a_closed_ring_is_deadlocked_and_so_is_who_waits_for_it() -> None:
    graph = build_graph(
        package(
            {
                "b": worker(["甲.文"], ["乙.文"]),
                "a": worker(["乙.文"], ["甲.文"]),
                "c": worker(["甲.文"], ["丙.文"]),
                "d": worker(["用户.最新输入"], ["丁.文"]),
            }
        )
    )
    assert graph.deadlocked == (("a", "b"),)
    assert graph.reachable == {"d"}
    assert {("a", 0), ("b", 0)} <= graph.needed


def test_an_optional_mark_or_a_source_starts_a_ring() -> None:
    for inputs in (["乙.文?"], ["乙.文", "用户.最新输入"], ["乙.文", "没有.人写"]):
        graph = build_graph(package({"a": worker(inputs, ["甲.文"]), "b": worker(["甲.文"], ["乙.文"])}))
        assert graph.loops == (("a", "b"),)
        assert graph.deadlocked == ()
        assert graph.reachable == {"a", "b"}, inputs


def test_a_broken_worker_leaves_producers_unknown() -> None:
    graph = build_graph(package({"a": worker([], [], broken=True), "b": worker(["甲.文"], ["乙.文"])}))
    assert kinds(graph, "b") == [("unknown", "a")]
    assert graph.needed == {("b", 0)}
    assert graph.unknowns.writers == ("a",) and graph.unknowns.readers == ("a",)


def test_a_registered_worker_without_folder_is_unknown_too() -> None:
    graph = build_graph(package({"b": worker(["甲.文"], [])}, registered=["a", "b"]))
    assert kinds(graph, "b") == [("unknown", "a")]


def test_without_a_manifest_the_user_may_give_anything_but_drafts() -> None:
    graph = build_graph(package({"a": worker(["需求.核心要点", "规则.草稿"], [])}, manifest={"broken": True}))
    assert kinds(graph, "a", 0) == [("unknown", "manifest")]
    assert kinds(graph, "a", 1) == []


def test_an_injected_worker_writes_under_the_first_segments_of_the_package() -> None:
    workers = {
        "design-step": worker(["用户.输入"], [], injected=True),
        "a": worker(["设计.机制", "大纲.当前", "规则.草稿"], ["大纲.草稿"]),
    }
    graph = build_graph(package(workers))
    assert kinds(graph, "a", 0) == kinds(graph, "a", 1) == [("unknown", "design-step")]
    assert kinds(graph, "a", 2) == []


def test_role_bound_workers() -> None:
    graph = build_graph(
        package(
            {
                "pov": worker(["场景.可见"], [], isolation="role_pov"),
                "id": worker([], ["角色.{id}.行动"]),
                "current": worker(["世界.当前角色.id"], []),
                "narrator": worker(["世界.*", "角色.*"], []),
                "models": worker(["世界.*"], []),
            },
            by_role=["models"],
        )
    )
    assert {id for id in graph.workers if graph.role_bound(id)} == {"pov", "id", "current", "models"}


def test_acceptance_and_stage_have_defaults() -> None:
    graph = build_graph(
        package({"a": worker([], []), "b": worker([], [], stage="design")}, accept={"b": "no_confirmation"})
    )
    assert graph.acceptance_of("a").mode == "user_confirmed"
    assert graph.acceptance_of("b").mode == "no_confirmation"
    assert (graph.stage_of("a"), graph.stage_of("b")) == ("play", "design")


def ring(size: int) -> Package:
    return package(
        {f"w{n:05}": worker([f"环.节{(n - 1) % size}"], [f"环.节{n}"]) for n in range(size)},
    )


def test_a_ring_of_the_largest_package_is_one_loop() -> None:
    graph = build_graph(ring(2000))
    assert len(graph.loops) == 1
    assert graph.loops[0][:2] == ("w00000", "w00001") and len(graph.loops[0]) == 2000


def test_everybody_reading_what_everybody_writes_is_no_matter_of_pairs() -> None:
    def work(size: int) -> int:
        made = package({f"w{at:04}": worker(["甲.*"], [f"甲.节{at}"]) for at in range(size)})
        graph = build_graph(made)
        assert graph.loops == (("w0000", "w0001"),) and len(graph.producers["w0000", 0]) == size
        assert graph.consumers["w0001", 0] is graph.consumers["w0002", 0]
        assert graph.producers["w0001", 0] is graph.producers["w0002", 0]
        assert findings("mergeable-tags", made) == []
        return calls(lambda: findings("mergeable-tags", made))

    assert work(400) < 3 * work(200)


def test_twenty_thousand_nodes_do_not_recurse() -> None:
    edges = {f"w{n:05}": (f"w{(n + 1) % 20_000:05}",) for n in range(20_000)}
    (members,) = components(edges)
    assert len(shortest_loop(members, direct(edges))) == 20_000


def test_the_shortest_loop_is_shown_whatever_the_order() -> None:
    edges = {"c": ("d",), "d": ("e",), "e": ("c", "b"), "b": ("a",), "a": ("e",)}
    expected = ("a", "e", "b")
    names = list(edges)
    for seed in range(5):
        random.Random(seed).shuffle(names)
        shuffled = {name: tuple(sorted(edges[name])) for name in names}
        (members,) = components(shuffled)
        assert shortest_loop(members, direct(shuffled)) in (expected, ("c", "d", "e"))
        assert shortest_loop(members, direct(shuffled)) == shortest_loop(sorted(members), direct(edges))


PARTS = st.sampled_from(["甲", "乙", "丙#一", "丙", "*", "{id}"])


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    head = draw(st.sampled_from(["甲", "乙"]))
    middle = [part.split("#")[0] for part in draw(st.lists(PARTS, max_size=2))]
    last = draw(st.sampled_from([[], [".*"], ["丙#一"], ["丙"], ["{id}"]]))
    return draw(st.sampled_from([Pattern((head, *middle, *last)), Pattern(("**",))]))


@given(st.lists(patterns(), max_size=12), patterns())
def test_the_index_finds_exactly_the_patterns_that_overlap(filed: list[Pattern], asked: Pattern) -> None:
    index = PatternIndex((pattern, number) for number, pattern in enumerate(filed))
    assert index.overlapping(asked) == [n for n, pattern in enumerate(filed) if overlaps(asked, pattern)]


def test_an_input_that_cannot_be_read_leaves_the_outputs_known() -> None:
    made = package(
        {
            "a": worker(["甲.一"], ["乙.一"], broken=True, outputs_sound=True),
            "b": worker(["丙.一"], ["丁.一"]),
        }
    )
    graph = build_graph(made)
    assert graph.unknowns.writers == () and graph.unknowns.readers == ("a",)
    assert graph.producers["b", 0] == ()
    turned = replace(made.workers[0], outputs_sound=False, inputs_sound=True)
    graph = build_graph(replace(made, workers=(turned, made.workers[1])))
    assert graph.unknowns.writers == ("a",) and graph.unknowns.readers == ()
    assert kinds(graph, "b") == [("unknown", "a")]


def test_a_loop_may_start_over_an_input_that_cannot_be_read() -> None:
    ring = {"a": worker(["乙.一"], ["甲.一"]), "b": worker(["甲.一"], ["乙.一"])}
    assert build_graph(package(ring)).deadlocked == (("a", "b"),)
    ring["a"].update(broken=True, outputs_sound=True)
    assert build_graph(package(ring)).deadlocked == ()


@given(
    st.dictionaries(st.sampled_from("abcdefg"), st.lists(st.integers(0, 4), max_size=3), max_size=7),
    st.data(),
)
def test_components_are_those_of_the_whole_graph(written: dict[str, list[int]], data: st.DataObject) -> None:
    names = sorted(written)
    readers = [tuple(sorted(data.draw(st.sets(st.sampled_from(names))))) if names else () for _ in range(5)]
    hubs = Hubs({node: tuple(sorted(set(into))) for node, into in written.items()}, tuple(readers))
    whole: nx.DiGraph[str] = nx.DiGraph()
    whole.add_nodes_from(names)
    whole.add_edges_from(
        (node, reader) for node in names for hub in hubs.written[node] for reader in readers[hub]
    )
    expected = sorted(tuple(sorted(c)) for c in nx.strongly_connected_components(whole) if len(c) > 1)
    assert components_of(hubs) == expected
