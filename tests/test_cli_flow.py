"""`skillc knows`, `skillc leak`, `flow` in the settings, and the flows in force in plans."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from building import package, worker
from cli import examples, replace, skillc
from skillc.graph import build_graph
from skillc.graph.knowledge import Known, knowledge_of, reaching
from skillc.tags import Pattern

RULES = "novel/weird-rules-short"
GAME = "dialogue/roleplay-game-theory"
INFER = "weird-rules-short:review-infer"
DECIDE = "roleplay-game-theory:role-decide"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return examples(tmp_path_factory.mktemp("flows"))


def test_knows_tells_what_comes_directly_and_through_whom(workspace: Path) -> None:
    done = skillc("knows", INFER, cwd=workspace)
    assert done.code == 0
    assert done.out.startswith(
        f"review-infer of {RULES}, contextIsolation blind_review, may learn\n\ndirectly\n"
    )
    direct, through = done.out.split("\nthrough write-rules\n")
    assert (
        "  规则.草稿  (from write-rules)  skills/novel/weird-rules-short/workers/write-rules/SKILL.md:18:6"
        in direct
    )
    assert "核心.危险.隐藏" not in direct
    assert "核心.危险.隐藏  (from write-rules)" in through
    assert "hidden declassified in `规则.草稿` of write-rules: 规则是危险露出水面的那一部分" in through


def test_knows_of_a_role_tells_its_own_and_how_the_others_are_kept_away(workspace: Path) -> None:
    data = json.loads(skillc("knows", f"{DECIDE}@A", "--format", "json", cwd=workspace).out)
    known = {(entry["tag"], entry["how"]): entry for entry in data["knows"]}
    assert (data["package"], data["worker"], data["role"]) == (GAME, "role-decide", "A")
    own = known["角色.A.信念.当前", "reads"]
    assert (own["own"], own["labels"], own["open"]) == (True, ["role_private"], True)
    others = known["角色.{id}.信念.当前", "through"]
    assert others["through"] == ["role-decide", "world-engine"]
    assert [cut["kind"] for cut in others["cuts"]] == ["public"]
    assert not others["open"]
    ledger = known["世界.隐藏设定", "through"]
    assert [cut["kind"] for cut in ledger["cuts"]] == ["acceptance"]
    assert not any("角色.B" in tag for tag, _ in known)


def test_json_is_short_for_the_format_json(workspace: Path) -> None:
    for words in (["knows", INFER], ["leak", "核心.危险.隐藏", "--to", INFER], ["show", "basic:outline"]):
        short, long = (
            skillc(*words, "--json", cwd=workspace),
            skillc(*words, "--format", "json", cwd=workspace),
        )
        assert json.loads(short.out) and (short.code, short.out) == (long.code, long.out)


def test_a_leak_that_is_meant_is_shown_and_is_no_failure(workspace: Path) -> None:
    done = skillc("leak", "核心.危险.隐藏", "--to", INFER, cwd=workspace)
    assert (done.code, done.err) == (0, "")
    assert (
        done.out.splitlines()[0]
        == "no open path: `核心.危险.隐藏` comes to review-infer only where that is meant"
    )
    assert "hidden declassified in `规则.草稿` of write-rules" in done.out


def test_a_leak_is_shown_step_by_step_with_places(tmp_path: Path) -> None:
    folder = examples(tmp_path, RULES)
    skill = folder / "skills" / RULES / "workers/review-infer/SKILL.md"
    replace(skill, '  - "规则.说明.草稿"\noutputTags', '  - "规则.说明.草稿"\n  - "验收.*"\noutputTags')
    done = skillc("leak", "核心.危险.隐藏", "--to", INFER, cwd=folder)
    base = f"skills/{RULES}/workers"
    assert done.code == 1
    assert done.out.splitlines() == [
        "`核心.危险.隐藏` comes to review-infer through review-author",
        f"  write-rules writes `核心.危险.隐藏`  {base}/write-rules/SKILL.md:17:6",
        f"  review-author reads `核心.危险.隐藏`  {base}/review-author/SKILL.md:10:6",
        f"  review-author writes `验收.作者视角.记录`  {base}/review-author/SKILL.md:14:6",
        f"  review-infer reads `验收.*`  {base}/review-infer/SKILL.md:13:6",
    ]
    data = json.loads(skillc("leak", "核心.危险.隐藏", "--to", INFER, "--format", "json", cwd=folder).out)
    assert data["leaks"] is True
    assert [(hop["from"], hop["to"]) for hop in data["path"]["way"]] == [
        ("write-rules", "review-author"),
        ("review-author", "review-infer"),
    ]


def test_no_path_and_a_direct_one(workspace: Path) -> None:
    none = skillc("leak", "世界.隐藏状态", "--to", "roleplay-game-theory:setup-scenario", cwd=workspace)
    assert (none.code, none.out) == (0, "no path: nothing of `世界.隐藏状态` comes to setup-scenario\n")
    direct = skillc("leak", "核心.危险.隐藏", "--to", "weird-rules-short:review-author", cwd=workspace)
    assert (direct.code, direct.out.splitlines()[0]) == (
        1,
        "`核心.危险.隐藏` is read by review-author itself",
    )
    empty = skillc(
        "leak",
        "世界.隐藏状态",
        "--to",
        "roleplay-game-theory:setup-scenario",
        "--format",
        "json",
        cwd=workspace,
    )
    assert json.loads(empty.out)["path"] is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("knows", "weird-rules-short"), "names no worker: write PACKAGE:WORKER"),
        (("knows", f"{INFER}@"), "names no worker"),
        (
            ("knows", "weird-rules-short:review-infre"),
            "it has `write-rules`, `review-infer`, `review-author`",
        ),
        (("knows", f"{INFER}@A"), "`review-infer` does not run as a role"),
        (
            ("knows", "roleplay-game-theory:role-decide@Z"),
            "`dialogue/roleplay-game-theory` has no role `Z`; it has `A`, `B` and `C`",
        ),
        (("leak", "核心.危险.隐蔽", "--to", INFER), "did you mean `核心.危险.隐藏`?"),
        (("leak", "核心..隐藏", "--to", INFER), "`核心..隐藏` is no tag"),
    ],
)
def test_what_does_not_exist_is_refused_by_name(
    workspace: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = skillc(*arguments, cwd=workspace)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_help_says_what_the_exit_codes_mean(workspace: Path) -> None:
    assert "0 no way that is open, 1 there is one" in skillc("leak", "--help", cwd=workspace).out
    assert "declassify" in skillc("knows", "--help", cwd=workspace).out


def test_strict_flow_in_the_settings_fails_a_disclosure(tmp_path: Path) -> None:
    folder = examples(tmp_path, RULES)
    tags = folder / "skills" / RULES / "tags.yaml"
    content = tags.read_text(encoding="utf-8")
    tags.write_text(content[: content.index("declassify:")], encoding="utf-8")
    assert skillc("check", cwd=folder).code == 0
    (folder / "skillc.toml").write_text('flow = "strict"\n', encoding="utf-8")
    done = skillc("check", "--format", "concise", cwd=folder)
    assert done.code == 1
    assert "I041 error disclosure" in done.out
    (folder / "skillc.toml").write_text('flow = "tight"\n', encoding="utf-8")
    wrong = skillc("check", cwd=folder)
    assert wrong.code == 2
    assert '`flow` must be "normal" or "strict", not \'tight\'' in wrong.err


def test_a_new_disclosure_shows_in_the_plan(tmp_path: Path) -> None:
    folder = examples(tmp_path, RULES)

    def flows() -> dict[str, list[dict[str, object]]]:
        assert skillc("build", cwd=folder).code == 0
        plan = json.loads((folder / "build" / RULES / "plan.json").read_text(encoding="utf-8"))
        found: dict[str, list[dict[str, object]]] = plan["flows"]
        return found

    before = flows()
    assert before["disclosures"] == []
    assert [row["tags"] for row in before["declassified"]] == [["规则.草稿", "规则.说明.草稿"]]
    replace(folder / "skills" / RULES / "tags.yaml", '["规则.草稿", "规则.说明.草稿"]', '["规则.草稿"]')
    after = flows()
    assert after["disclosures"] == [
        {
            "label": "hidden",
            "secret": "核心.危险.隐藏",
            "kind": "created",
            "worker": "write-rules",
            "writes": "规则.说明.草稿",
            "to": "review-infer",
            "reads": "规则.说明.草稿",
        }
    ]
    assert flows() == after


def known(made: dict[str, object], id: str, tag: str, **more: object) -> Known | None:
    graph = build_graph(package(made, **more))  # type: ignore[arg-type]
    return reaching(graph, id, Pattern(tuple(tag.split("."))))


def test_an_open_way_is_preferred_to_a_shorter_one_that_is_cut() -> None:
    made = {
        "think": worker([], ["核心.隐藏"]),
        "short": worker(["核心.隐藏"], ["摘要.一"]),
        "long": worker(["核心.隐藏"], ["摘要.二"]),
        "longer": worker(["摘要.二"], ["摘要.三"]),
        "act": worker(["摘要.一", "摘要.三"], ["角色.{id}.行动"], isolation="role_pov"),
    }
    accept = {**dict.fromkeys(made, "no_confirmation"), "short": "user_confirmed"}
    way = known(made, "act", "核心.隐藏", accept=accept)
    assert way is not None
    assert (way.through, way.open) == (("long", "longer"), True)
    cut = known(made, "act", "核心.隐藏", accept=dict.fromkeys(made, "user_confirmed"))
    assert cut is not None
    assert (cut.through, cut.open, cut.cuts[0].kind) == (("short",), False, "acceptance")


def test_a_worker_knows_what_its_writers_make_beside() -> None:
    made = {
        "write": worker([], ["核心.隐藏", "正文.草稿"]),
        "review": worker(["正文.草稿"], [], isolation="blind_review"),
    }
    way = known(made, "review", "核心.隐藏")
    assert way is not None
    assert (way.beside, way.through, way.open) == (True, ("write",), True)


def test_loops_end_and_nobody_knows_what_nobody_passes_on() -> None:
    ring = {f"w{n}": worker([f"环.{(n - 1) % 3}"], [f"环.{n}"]) for n in range(3)}
    graph = build_graph(package({**ring, "apart": worker([], ["别处.一"])}))
    assert {entry.pattern.text for entry in knowledge_of(graph, "w0")} == {"环.0", "环.1", "环.2"}
    assert knowledge_of(graph, "apart") == ()
