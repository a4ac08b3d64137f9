"""What is proven of a package before play: a shortest schedule, or the fewest tags that are missing."""

from __future__ import annotations

from typing import Any

from building import package, ref, text, worker
from skillc.grammar import parse_condition
from skillc.graph import build_graph
from skillc.graph.readiness import Proof, prove
from skillc.model.package import Package, Readiness
from skillc.text import Source, Text

ASKED = "需求.核心要点"


def ready(condition: str) -> Readiness:
    written = Text(condition, Source("orchestrator.md", condition).span(0, len(condition)))
    return Readiness(written, parse_condition(written)[0], in_front=True)


def wanting(workers: dict[str, dict[str, Any]], *prerequisites: str, when: str = "", **more: Any) -> Package:
    """A package in which `prerequisites` and the condition `when` must hold before play."""
    manifest = {
        "prerequisites": tuple(ref(tag) for tag in prerequisites),
        "ready": (ready(when),) if when else (),
        **more.pop("manifest", {}),
    }
    return package(workers, targets=[ASKED], manifest=manifest, **more)


def proof(made: Package) -> Proof:
    return prove(build_graph(made))


def design(inputs: list[str], outputs: list[str], **more: Any) -> dict[str, Any]:
    return worker(inputs, outputs, stage="design", **more)


def schedule(made: Package) -> list[str]:
    found = proof(made)
    assert (found.verdict, found.smallest) == ("ready", True)
    return [step.worker for step in found.steps]


def missing(made: Package) -> list[str]:
    found = proof(made)
    assert (found.verdict, found.steps) == ("never", ())
    return [tag.pattern.text for tag in found.missing]


def test_what_the_user_gives_needs_no_worker() -> None:
    found = proof(wanting({"write": worker([ASKED], ["正文.草稿"])}, ASKED, when="startupCompleted"))
    assert (found.verdict, found.steps) == ("ready", ())
    assert [(given.pattern.text, given.origin) for given in found.given] == [(ASKED, "startup")]


def test_a_schedule_runs_each_worker_after_what_it_needs_and_none_that_is_not_needed() -> None:
    workers = {
        "cast": design(["世界.设定.确认稿"], ["角色.设定.草稿"]),
        "map": design([ASKED], ["世界.地图.草稿"]),
        "world": design([ASKED], ["世界.设定.草稿"]),
    }
    made = wanting(workers, "角色.设定.确认稿")
    assert schedule(made) == ["world", "cast"]
    steps = proof(made).steps
    assert [pattern.text for pattern in steps[0].confirms] == ["世界.设定.确认稿"]
    assert [pattern.text for pattern in steps[1].needs] == ["世界.设定.确认稿"]


def test_of_two_ways_the_shorter_is_taken_whatever_comes_first() -> None:
    workers = {
        "long-a": design([ASKED], ["甲.草稿"]),
        "long-b": design(["甲.草稿"], ["设定.草稿"]),
        "short": design([ASKED], ["设定.草稿"]),
    }
    assert schedule(wanting(workers, "设定.草稿")) == ["short"]
    either = wanting(workers, when="has(乙.草稿) or has(甲.草稿) and has(设定.草稿)")
    assert schedule(either) == ["long-a", "long-b"]


def test_what_play_writes_is_missing_before_play() -> None:
    made = wanting({"setup": worker([ASKED], ["设定.草稿"], stage="play")}, "设定.确认稿")
    (tag,) = proof(made).missing
    assert (tag.pattern.text, tag.late) == ("设定.确认稿", ("setup",))


def test_the_root_is_missing_not_all_that_follows_from_it() -> None:
    workers = {
        "a": design(["种子"], ["甲.草稿"]),
        "b": design(["种子", ASKED], ["乙.草稿"]),
        "c": design(["甲.草稿"], ["丙.草稿"]),
    }
    assert missing(wanting(workers, "甲.确认稿", "乙.确认稿", "丙.确认稿")) == ["种子"]
    (tag,) = proof(wanting(workers, "甲.确认稿")).missing
    assert tag.readers == ("a", "b")


def test_two_causes_are_two_missing_tags() -> None:
    workers = {"a": design(["种子"], ["甲.草稿"])}
    assert sorted(missing(wanting(workers, "甲.确认稿", "地图"))) == ["地图", "种子"]


def test_drafts_that_nobody_confirms_never_become_confirmed() -> None:
    made = wanting({"a": design([ASKED], ["甲.草稿"])}, "甲.确认稿", accept={"a": "no_confirmation"})
    assert missing(made) == ["甲.确认稿"]
    assert schedule(wanting({"a": design([ASKED], ["甲.草稿"])}, "甲.确认稿")) == ["a"]


def test_a_circle_gives_nothing() -> None:
    workers = {"a": design(["乙.草稿"], ["甲.草稿"]), "b": design(["甲.草稿"], ["乙.草稿"])}
    assert len(missing(wanting(workers, "甲.确认稿"))) == 1


def test_an_optional_input_holds_nobody_up() -> None:
    workers = {"a": design([ASKED, "种子?", "用户.修改说明"], ["甲.草稿"])}
    assert schedule(wanting(workers, "甲.确认稿")) == ["a"]


def test_conditions_that_hold_on_no_board() -> None:
    for text_ in ("not startupCompleted", "has(需求.核心要点) and not has(需求.核心要点)"):
        found = proof(wanting({}, when=text_))
        assert (found.verdict, [r.text.value for r in found.impossible]) == ("never", [text_])
    assert proof(wanting({}, when="not has(设定.禁用)")).verdict == "ready"
    assert proof(wanting({}, when="count(设定.禁用) >= 0")).verdict == "ready"


def test_nothing_is_proven_where_something_unknown_may_write() -> None:
    workers = {"a": design([ASKED], []), "b": worker(broken=True)}
    found = proof(wanting(workers, "甲.确认稿"))
    assert (found.verdict, found.unknown) == ("ready", ())
    late = {"a": worker([ASKED], ["甲.草稿"]), "b": worker(broken=True)}
    found = proof(wanting(late, "甲.确认稿"))
    assert (found.verdict, found.unknown) == ("unknown", ("b",))
    assert proof(wanting({}, "甲.确认稿", manifest={"broken": True})).verdict == "unknown"


def test_prose_is_told_and_decides_nothing() -> None:
    prose = Readiness(text("用户说够了"), None)
    found = proof(package({}, manifest={"ready": (prose,)}))
    assert (found.verdict, found.prose) == ("ready", (prose,))


def test_two_thousand_workers_in_a_row_are_proven_quickly() -> None:
    size = 2000
    workers = {f"w{n:04}": design([f"环.节{n - 1}"] if n else [ASKED], [f"环.节{n}"]) for n in range(size)}
    assert len(schedule(wanting(workers, f"环.节{size - 1}"))) == size
