"""What a worker writes into the table of variables is what every reader of the table may come to know."""

from __future__ import annotations

import pytest

from building import findings, package, worker
from skillc.graph import build_graph
from skillc.graph.flow import flows_of
from skillc.graph.knowledge import knowledge_of
from skillc.graph.stability import Cut, cuts
from skillc.tags import literal
from test_graph_flow import SECRET, blind, declassify, leaks, made, role, told

KEEPER = worker(["核心.隐藏"], ["变量.更新"])


def test_a_secret_put_into_a_cell_comes_to_whoever_reads_the_table() -> None:
    (leak,) = leaks(made({**SECRET, "keep": KEEPER, "review": blind("变量.当前")}))
    assert (leak.slug, leak.secret.pattern.text) == ("hidden-flow", "核心.隐藏")
    assert [(s.worker, s.read and s.read.text, s.wrote and s.wrote.text) for s in leak.steps] == [
        ("keep", "核心.隐藏", "变量.更新")
    ]
    assert (leak.end.arrival.reader, leak.end.arrival.pattern.text) == ("review", "变量.当前")


@pytest.mark.parametrize("tag", ["变量.更新", "变量.用户", "变量.更新#血量"])
def test_all_that_changes_the_table_counts(tag: str) -> None:
    keep = worker(["核心.隐藏"], [tag])
    assert told(made({**SECRET, "keep": keep, "act": role(["变量.当前"], ["角色.{id}.行动"])})) == [
        "hidden-flow: 核心.隐藏 > keep > act 变量.当前"
    ]


def test_it_goes_on_through_who_reads_the_table() -> None:
    tell = worker(["变量.当前"], ["世界.传闻"])
    assert told(made({**SECRET, "keep": KEEPER, "tell": tell, "review": blind("世界.传闻")})) == [
        "hidden-flow: 核心.隐藏 > keep tell > review 世界.传闻"
    ]


def test_acceptance_comes_too_late_for_a_change() -> None:
    asked = {"keep": "user_confirmed"}
    act = {"act": role(["变量.当前"], ["角色.{id}.行动"])}
    assert told(made({**SECRET, "keep": KEEPER, **act}, asked)) != []
    plain = {"keep": worker(["核心.隐藏"], ["世界.数"]), "act": role(["世界.数"], ["角色.{id}.行动"])}
    assert told(made({**SECRET, **plain}, asked)) == []


@pytest.mark.parametrize("tag", ["变量.更新", "变量.当前"])
def test_an_entry_may_speak_of_the_change_or_of_the_table(tag: str) -> None:
    workers = {**SECRET, "keep": KEEPER, "review": blind("变量.当前")}
    graph = build_graph(made(workers, catalogue=declassify(("keep", [tag], "hidden"))))
    assert (flows_of(graph).leaks, flows_of(graph).idle) == ((), ())


def test_a_table_that_nobody_tells_anything_hidden_is_no_finding() -> None:
    keep = worker(["用户.最新输入", "变量.当前"], ["变量.更新"])
    workers = {**SECRET, "use": worker(["核心.隐藏"], ["世界.裁决.隐藏"]), "keep": keep}
    assert told(made({**workers, "review": blind("变量.当前"), "act": role(["变量.当前"], [])})) == []


def test_who_writes_the_table_is_told_with_the_place_of_its_output() -> None:
    graph = build_graph(made({**SECRET, "keep": KEEPER, "review": blind("变量.当前")}))
    found = [(k.pattern.text, k.producer.worker, k.through) for k in knowledge_of(graph, "review")]
    assert ("变量.当前", "keep", ()) in found
    assert ("核心.隐藏", "think", ("keep",)) in found
    (update,) = [p for p in graph.producers["review", 0] if p.kind == "update"]
    assert update.ref is not None and update.ref.text == "变量.更新"


def test_nobody_waits_for_a_change_and_no_loop_goes_through_the_table() -> None:
    graph = build_graph(
        package(
            {
                "world": worker(["变量.当前", "世界.备料"], ["世界.裁决"]),
                "stock": worker(["变量.当前"], ["世界.备料"]),
                "keep": worker(["世界.裁决", "变量.用户"], ["变量.更新"]),
            }
        )
    )
    assert graph.loops == () and graph.reachable == {"world", "stock", "keep"}
    assert graph.needed == {("world", 1), ("keep", 0)}


def test_a_change_invalidates_what_shows_the_table_and_all_behind_it() -> None:
    graph = build_graph(
        package(
            {
                "keep": worker(["世界.裁决?"], ["变量.更新"]),
                "world": worker(
                    ["设计.规则", "变量.当前", "用户.最新输入"],
                    ["世界.裁决"],
                    segments=[
                        ("rules", "static", ["设计.规则"]),
                        ("table", "dynamic", ["变量.当前"]),
                        ("turn", "dynamic", ["用户.最新输入"]),
                    ],
                ),
            },
            sources=[("user", "设计.规则")],
        )
    )
    assert Cut("world", None, "keep", "update", "play", 1, "变量.当前") in list(cuts(graph))


def test_users_edits_come_from_the_user_and_are_read_by_the_runtime() -> None:
    made = package(
        {"dice": worker(["变量.用户"], ["变量.更新"]), "hand": worker(["变量.当前"], ["变量.用户"])}
    )
    assert findings("unproduced-input", made) == [] and findings("unread-output", made) == []
    assert literal("变量.用户") in [p.pattern for p in build_graph(made).producers["dice", 0]]


def test_two_keepers_of_the_books_are_not_two_writers_of_one_text() -> None:
    keepers = {name: worker(["世界.裁决"], ["变量.更新"]) for name in ("a", "b")}
    made = package({"world": worker(["变量.当前?"], ["世界.裁决"]), **keepers})
    assert findings("ambiguous-producer", made) == []
