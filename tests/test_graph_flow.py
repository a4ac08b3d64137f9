"""Where secrets come: every way and no other, by a shortest path, one leak a cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from building import package, pattern, ref, text, worker
from counting import calls
from skillc.graph import TagGraph, build_graph
from skillc.graph.flow import flows_of
from skillc.graph.flow_types import USER, Leak
from skillc.model.package import Declassify, Package

NONE = "no_confirmation"


def made(
    workers: Mapping[str, dict[str, Any]], accept: Mapping[str, str] | None = None, **more: Any
) -> Package:
    """A package in which nobody confirms anything, unless `accept` says so."""
    modes = {**dict.fromkeys(workers, NONE), **(accept or {})}
    return package(dict(workers), accept=modes, **more)


def declassify(*entries: tuple[str, list[str], str]) -> dict[str, Any]:
    rows = [
        Declassify(text(w), tuple(ref(t) for t in tags), label, "因为", text(w).span)
        for w, tags, label in entries
    ]
    return {"declassify": tuple(rows)}


def leaks(package: Package) -> tuple[Leak, ...]:
    return flows_of(build_graph(package)).leaks


def told(package: Package) -> list[str]:
    """Each leak in a line: its kind, the secret, the workers on the way, the reader and what it reads."""
    return [
        f"{leak.slug}: {leak.secret.pattern.text} > {' '.join(step.worker for step in leak.steps)} > "
        f"{leak.end.arrival.reader} {leak.end.arrival.pattern.text}"
        for leak in leaks(package)
    ]


def blind(*inputs: str, outputs: tuple[str, ...] = ("验收.记录",)) -> dict[str, Any]:
    return worker(list(inputs), list(outputs), isolation="blind_review")


def role(inputs: list[str], outputs: list[str]) -> dict[str, Any]:
    return worker(inputs, outputs, isolation="role_pov")


SECRET = {"think": worker([], ["核心.隐藏"])}


def test_two_hops_away_is_found_with_every_hop() -> None:
    chain = {"a": worker(["核心.隐藏"], ["摘要.一"]), "b": worker(["摘要.一"], ["摘要.二"])}
    (leak,) = leaks(made({**SECRET, **chain, "review": blind("摘要.*")}))
    assert [(s.worker, s.read and s.read.text, s.wrote and s.wrote.text) for s in leak.steps] == [
        ("a", "核心.隐藏", "摘要.一")
    ]
    (leak,) = leaks(made({**SECRET, **chain, "review": blind("摘要.二")}))
    assert [step.worker for step in leak.steps] == ["a", "b"]
    assert (leak.end.arrival.reader, leak.end.arrival.pattern.text) == ("review", "摘要.二")


def test_one_cause_is_one_leak_however_many_read_on() -> None:
    many = {f"r{n}": blind("摘要.一", "摘要.二", outputs=(f"验收.{n}",)) for n in range(4)}
    (leak,) = leaks(made({**SECRET, "a": worker(["核心.*"], ["摘要.一", "摘要.二"]), **many}))
    assert {end.arrival.reader for end in leak.ends} == {"r0", "r1", "r2", "r3"}
    assert len(leak.ends) == 8


def test_a_wildcard_that_catches_many_secrets_is_one_cause() -> None:
    secrets = worker([], [f"核心.{n}.隐藏" for n in range(9)])
    made_of = {"think": secrets, "a": worker(["核心.*"], ["摘要.一"]), "review": blind("摘要.一")}
    assert told(made(made_of)) == ["hidden-flow: 核心.0.隐藏 > a > review 摘要.一"]


def test_two_causes_are_two_leaks() -> None:
    two = {"a": worker(["核心.隐藏"], ["摘要.一"]), "b": worker(["核心.隐藏"], ["摘要.二"])}
    assert told(made({**SECRET, **two, "review": blind("摘要.一", "摘要.二")})) == [
        "hidden-flow: 核心.隐藏 > a > review 摘要.一",
        "hidden-flow: 核心.隐藏 > b > review 摘要.二",
    ]


def test_nothing_goes_on_from_the_first_who_must_not_know() -> None:
    later = {"second": blind("验收.记录", outputs=("验收.终审",))}
    found = told(
        made({**SECRET, "a": worker(["核心.隐藏"], ["摘要.一"]), "review": blind("摘要.一"), **later})
    )
    assert found == ["hidden-flow: 核心.隐藏 > a > review 摘要.一"]


def test_what_a_blind_worker_may_not_read_it_does_not_pass_on() -> None:
    """The runtime filters it; the direct read has its own finding."""
    assert (
        told(made({**SECRET, "one": blind("核心.*"), "two": blind("验收.记录", outputs=("验收.二",))})) == []
    )


def test_the_creator_writes_beside_and_learns_nothing_by_reading_again() -> None:
    write = worker(["核心.隐藏?", "验收.作者.记录?"], ["核心.隐藏", "正文.草稿"])
    author = worker(["核心.隐藏", "正文.草稿"], ["验收.作者.记录"])
    found = told(made({"write": write, "author": author, "review": blind("正文.草稿")}))
    assert found == ["disclosure: 核心.隐藏 > write > review 正文.草稿"]


def test_what_comes_by_reading_is_not_told_again_as_beside() -> None:
    write = worker([], ["核心.隐藏", "正文.草稿"])
    relay = worker(["核心.隐藏", "正文.草稿"], ["摘要.一"])
    assert told(made({"write": write, "relay": relay, "review": blind("摘要.一")})) == [
        "hidden-flow: 核心.隐藏 > relay > review 摘要.一"
    ]


def test_a_declassify_entry_cuts_what_it_names_and_nothing_else() -> None:
    chain = {
        **SECRET,
        "a": worker(["核心.隐藏"], ["摘要.一", "摘要.二"]),
        "review": blind("摘要.一", "摘要.二"),
    }
    entry = declassify(("a", ["摘要.一"], "hidden"))
    assert told(made(chain, catalogue=entry)) == ["hidden-flow: 核心.隐藏 > a > review 摘要.二"]
    assert told(made(chain, catalogue=declassify(("a", ["摘要.*"], "hidden")))) == []
    assert len(told(made(chain, catalogue=declassify(("a", ["摘要.*"], "user_only"))))) == 1


def test_an_entry_for_a_draft_speaks_of_what_it_becomes() -> None:
    chain = {**SECRET, "a": worker(["核心.隐藏"], ["摘要.草稿"]), "review": blind("摘要.确认稿")}
    accept = {"a": "programmatic_review"}
    assert told(made(chain, accept)) == ["hidden-flow: 核心.隐藏 > a > review 摘要.确认稿"]
    assert told(made(chain, accept, catalogue=declassify(("a", ["摘要.草稿"], "hidden")))) == []


def test_acceptance_by_the_user_cuts_but_never_towards_the_blind() -> None:
    chain = {**SECRET, "a": worker(["核心.隐藏"], ["摘要.草稿"])}
    accept = {"a": "user_confirmed"}
    assert told(made({**chain, "act": role(["摘要.确认稿"], ["角色.{id}.行动"])}, accept)) == []
    assert (
        told(made({**chain, "show": worker(["摘要.草稿"], ["输出.叙述"])}, accept, catalogue=DELIVERED)) == []
    )
    assert len(told(made({**chain, "review": blind("摘要.确认稿")}, accept))) == 1
    through = {"mid": role(["摘要.草稿"], ["角色.{id}.行动"]), "review": blind("角色.*.行动")}
    assert len(told(made({**chain, **through}, accept))) == 1


DELIVERED = {"deliverables": (pattern("输出.*"),)}


def test_the_user_may_know_thoughts_and_not_what_is_hidden() -> None:
    show = worker(["角色.*", "世界.*"], ["输出.叙述"])
    act = role([], ["角色.{id}.思考", "角色.{id}.记忆"])
    world = worker([], ["世界.隐藏"])
    assert told(made({"act": act, "show": show}, catalogue=DELIVERED)) == []
    found = told(made({"act": act, "world": world, "show": show}, catalogue=DELIVERED))
    assert found == [f"hidden-to-user: 世界.隐藏 > show > {USER} 输出.叙述"]


def test_what_the_user_gave_is_no_secret_from_the_user() -> None:
    show = {"show": worker(["设定.隐藏"], ["输出.叙述", "摘要.一"])}
    assert told(made(show, catalogue=DELIVERED, sources=[("user", "设定.隐藏")])) == []
    assert len(told(made(show, catalogue=DELIVERED, sources=[("rag", "设定.隐藏")]))) == 1
    both = {**show, "review": blind("摘要.一")}
    assert len(told(made(both, catalogue=DELIVERED, sources=[("user", "设定.隐藏")]))) == 1


def test_one_cause_is_told_of_workers_and_of_the_user_by_a_code_each() -> None:
    show = {**SECRET, "show": worker(["核心.隐藏"], ["输出.叙述", "摘要.一"]), "review": blind("摘要.一")}
    assert told(made(show, catalogue=DELIVERED)) == [
        f"hidden-to-user: 核心.隐藏 > show > {USER} 输出.叙述",
        "hidden-flow: 核心.隐藏 > show > review 摘要.一",
    ]
    same = {**SECRET, "show": worker(["核心.隐藏"], ["输出.叙述"]), "review": blind("输出.叙述")}
    assert {leak.slug for leak in leaks(made(same, catalogue=DELIVERED))} == {"hidden-flow", "hidden-to-user"}
    assert len(told(made(show))) == 1, "nothing is delivered"


def test_a_package_too_large_to_follow_all_ways_still_tells_of_the_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("skillc.graph.spread.STEPS", 0)
    far = {
        **SECRET,
        "a": worker(["核心.隐藏"], ["摘要.一"]),
        "review": blind("摘要.一"),
        "b": worker(["摘要.一"], ["摘要.二"]),
        "show": worker(["摘要.二"], ["输出.叙述"]),
    }
    assert [leak.slug for leak in leaks(made(far, catalogue=DELIVERED))] == ["hidden-to-user", "hidden-flow"]


def test_questions_reach_the_user_unless_the_worker_may_speak_of_it() -> None:
    asks = {**SECRET, "gm": worker(["核心.隐藏", "用户.worker答复?"], ["摘要.一"])}
    assert told(made(asks)) == [f"hidden-to-user: 核心.隐藏 > gm > {USER} 用户.worker答复"]
    assert told(made(asks, catalogue=declassify(("gm", ["用户.worker答复"], "hidden")))) == []
    assert len(told(made(asks, catalogue=declassify(("gm", ["摘要.一"], "hidden"))))) == 1


def test_roles_keep_their_own_and_must_not_know_the_others() -> None:
    act = role(["世界.当前", "角色.{id}.见闻"], ["角色.{id}.记忆", "角色.{id}.行动"])
    engine = worker(["角色.*.记忆"], ["世界.当前", "角色.*.见闻"])
    (leak,) = leaks(made({"act": act, "engine": engine}))
    assert (leak.slug, leak.labels) == ("hidden-flow", ("role_private",))
    assert {end.arrival.pattern.text for end in leak.ends} == {"世界.当前", "角色.{id}.见闻"}
    assert (
        told(made({"act": role(["角色.{id}.记忆"], ["角色.{id}.记忆", "角色.{id}.见闻", "角色.{id}.行动"])}))
        == []
    )


def test_what_is_a_roles_own_is_somebodys_as_soon_as_it_leaves_the_roles_tags() -> None:
    card = worker([], ["角色.*.记忆"])
    act = role(["角色.{id}.记忆", "场景.台词"], ["场景.台词", "角色.{id}.行动"])
    assert told(made({"card": card, "act": act})) == ["hidden-flow: 角色.*.记忆 > act > act 场景.台词"]
    diary = role(["角色.{id}.记忆", "角色.{id}.日记"], ["角色.{id}.日记", "角色.{id}.行动"])
    assert told(made({"card": card, "act": diary})) == []


def test_a_gm_that_is_widened_to_all_of_the_roles_is_one_finding() -> None:
    act = role(["世界.当前", "角色.{id}.见闻"], ["角色.{id}.思考", "角色.{id}.行动", "角色.{id}.记忆"])
    public = declassify(("act", ["角色.{id}.行动"], "user_only"), ("gm", ["世界.当前"], "role_private"))

    def played(read: str) -> list[str]:
        return told(made({"act": act, "gm": worker([read], ["世界.当前", "角色.*.见闻"])}, catalogue=public))

    assert played("角色.*.行动") == []
    assert played("角色.*") == ["user-only-leak: 角色.{id}.思考 > gm > act 世界.当前"]


def test_a_secret_of_a_named_role_may_come_back_to_it() -> None:
    engine = worker(["角色.甲.记忆"], ["角色.甲.见闻", "角色.乙.见闻"])
    card = worker([], ["角色.甲.记忆"])
    act = role(["角色.{id}.见闻"], ["角色.{id}.行动"])
    (leak,) = leaks(made({"card": card, "engine": engine, "act": act}))
    assert {end.wrote.text for end in leak.ends if end.wrote} == {"角色.乙.见闻"}


def test_the_history_tells_roles_what_the_user_was_shown() -> None:
    act = role(["对话.历史"], ["角色.{id}.思考"])
    show = {"act": act, "show": worker(["角色.*.思考"], ["输出.叙述"])}
    assert told(made(show, catalogue=DELIVERED)) == [
        "user-only-leak: 角色.{id}.思考 > show (history) > act 对话.历史"
    ]
    deaf = {**show, "act": role([], ["角色.{id}.思考"])}
    assert told(made(deaf, catalogue=DELIVERED)) == []


def test_what_a_manifest_forbids_to_the_blind_must_not_come_round() -> None:
    chain = {
        "plan": worker([], ["设定.真相"]),
        "a": worker(["设定.真相"], ["摘要.一"]),
        "review": blind("摘要.一"),
    }
    forbidden = {"forbidden": ((text("review"), ref("设定.真相")),)}
    assert told(made(chain)) == []
    (leak,) = leaks(made(chain, manifest=forbidden))
    assert leak.labels == ("denied",)


def test_notes_on_a_text_make_no_secret_of_the_text() -> None:
    """Author's notes, forbidden to the blind reviewer, send the writer back to the text that it reviews."""
    flow = {
        "write": worker(["验收.作者.记录?"], ["正文.草稿"]),
        "author": worker(["正文.草稿"], ["验收.作者.记录"]),
        "review": blind("正文.草稿", outputs=("验收.读者.记录",)),
    }
    assert told(made(flow, manifest={"forbidden": ((text("review"), ref("验收.作者.记录")),)})) == []


def test_a_tag_that_the_manifest_keeps_from_a_worker_does_not_flow_through_it() -> None:
    chain = {**SECRET, "a": worker(["核心.*"], ["摘要.一"]), "review": blind("摘要.一")}
    assert len(told(made(chain))) == 1
    assert told(made(chain, manifest={"forbidden": ((text("a"), ref("核心.隐藏")),)})) == []


def test_a_loop_is_followed_to_its_end() -> None:
    ring = {f"w{n}": worker([f"环.{(n - 1) % 5}"], [f"环.{n}"]) for n in range(5)}
    inside = {**ring, "w2": worker(["环.1", "核心.隐藏"], ["环.2"])}
    (leak,) = leaks(made({**SECRET, **inside, "review": blind("环.1")}))
    assert [step.worker for step in leak.steps] == ["w2", "w3", "w4", "w0", "w1"]


def test_a_broken_catalogue_proves_nothing() -> None:
    chain = {**SECRET, "a": worker(["核心.隐藏"], ["摘要.一"]), "review": blind("摘要.一")}
    assert told(made(chain, catalogue={"labels_broken": True})) == []


def test_a_very_long_chain_needs_no_recursion() -> None:
    count = 1_500
    chain = {f"w{n:04}": worker([f"摘要.{n}" if n else "核心.隐藏"], [f"摘要.{n + 1}"]) for n in range(count)}
    (leak,) = leaks(made({**SECRET, **chain, "review": blind(f"摘要.{count}")}))
    assert len(leak.steps) == count


TAGS = ["甲.一", "甲.二", "甲.三", "乙.一", "乙.二", "丙.隐藏", "丁.隐藏"]
READS = [*TAGS, "甲.*", "乙.*"]


@st.composite
def packages(draw: st.DrawFn) -> Package:
    workers = {}
    for n in range(draw(st.integers(2, 7))):
        inputs = draw(st.lists(st.sampled_from(READS), max_size=3, unique=True))
        outputs = draw(st.lists(st.sampled_from(TAGS), max_size=3, unique=True))
        workers[f"w{n}"] = worker(
            inputs, outputs, isolation=draw(st.sampled_from(["none", "none", "blind_review"]))
        )
    return made(workers)


@given(packages())
def test_it_finds_what_walking_each_secret_by_hand_finds(package: Package) -> None:
    graph = build_graph(package)
    found = {
        (leak.created, end.arrival.reader, end.arrival.read.span.start)
        for leak in flows_of(graph).leaks
        for end in leak.ends
        if end.arrival.read
    }
    read = {place for key in _secrets(graph) for place in _walked(graph, key, False)}
    beside = {place for key in _secrets(graph) for place in _walked(graph, key, True)} - read
    assert found == {(False, *place) for place in read} | {(True, *place) for place in beside}


def _secrets(graph: TagGraph) -> list[tuple[str, int]]:
    return [key for key in graph.consumers if "隐藏" in graph.output(key).text]


def _walked(graph: TagGraph, secret: tuple[str, int], beside: bool) -> Iterator[tuple[str, int]]:
    """The places of blind readers to whom one secret comes: from its readers, or from its maker's other outputs."""
    maker = secret[0]
    if beside:
        others = range(len(graph.workers[maker].outputs))
        edges = [
            e
            for n in others
            if "隐藏" not in graph.output((maker, n)).text
            for e in graph.consumers[maker, n]
        ]
    else:
        edges = [
            e for e in graph.consumers[secret] if graph.workers[e[0]].isolation == "none" and e[0] != maker
        ]
        edges = [edge for id in {e[0] for e in edges} for edge in _out(graph, id)]
    seen: set[str] = set()
    while edges:
        id, number = edges.pop()
        if graph.workers[id].isolation == "blind_review":
            yield id, graph.input((id, number)).span.start
        elif id not in seen and id != maker:
            seen.add(id)
            edges += _out(graph, id)


def _out(graph: TagGraph, id: str) -> list[tuple[str, int]]:
    """What is read of a worker by whom: hidden tags are kept from the blind."""
    return [
        edge
        for n in range(len(graph.workers[id].outputs))
        for edge in graph.consumers[id, n]
        if "隐藏" not in graph.output((id, n)).text or graph.workers[edge[0]].isolation == "none"
    ]


def test_a_package_full_of_leaks_costs_little_more_than_a_clean_one() -> None:
    """Every secret comes to every blind worker behind it, and is told once: by its first reader."""

    def work(every: int) -> tuple[int, int]:
        made_of: dict[str, dict[str, Any]] = {}
        for n in range(300):
            inputs = [f"卷{m}.节一" for m in (n - 1, n - 7) if m >= 0]
            inputs += [f"卷{n - 2}.核心.隐藏"] if n % 10 == 2 else []
            outputs = [f"卷{n}.节一", f"卷{n}.节二", f"卷{n}.核心.隐藏" if n % 10 == 0 else f"卷{n}.小结"]
            is_blind = n % every == every - 1
            made_of[f"w{n}"] = worker(inputs, outputs, isolation="blind_review" if is_blind else "none")
        graph = build_graph(made(made_of, dict.fromkeys(made_of, "no_confirmation")))
        count = calls(lambda: flows_of(graph))
        return count, len(flows_of(graph).leaks)

    clean, none = work(301)
    leaking, found = work(25)
    assert not none and found > 20
    assert leaking < 4 * clean


def test_what_lies_beside_a_secret_is_told_only_where_nothing_comes_by_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However little of a large package is followed: what comes by reading is known before."""
    far = {
        "plan": worker([], ["核心.隐藏", "摘要.零"]),
        "a": worker(["核心.隐藏", "摘要.零"], ["摘要.一"]),
        **{f"b{n}": worker([f"摘要.{n}" if n else "摘要.一"], [f"摘要.{n + 1}"]) for n in range(4)},
        **{f"review{n}": blind(f"摘要.{n}" if n else "摘要.一") for n in range(5)},
    }
    accept = dict.fromkeys(far, "no_confirmation")
    whole = [leak.slug for leak in leaks(made(far, accept))]
    monkeypatch.setattr("skillc.graph.spread.STEPS", 0)
    assert [leak.slug for leak in leaks(made(far, accept))] == whole == ["hidden-flow"]
