"""Leaks as an author sees them: seeded into our own examples, each gives one finding at the right place; and what
is promised in prose, owned by nobody, or permitted for nothing."""

from __future__ import annotations

from typing import Any

import pytest

from building import findings, package, pattern, ref, text, underlined, worker
from cli import ROOT
from skillc import driver
from skillc.diagnostic import CODES, Diagnostic, Severity
from skillc.model.package import Declassify, LabelRule, Package
from skillc.report.concise import line
from skillc.source.reader import DictReader, DiskReader, OverlayReader

RULES = "skills/novel/weird-rules-short"
GAME = "skills/dialogue/roleplay-game-theory"
INFER = f"{RULES}/workers/review-infer/SKILL.md"
ENGINE = f"{GAME}/workers/world-engine/SKILL.md"
SUMMARY = """---
id: summarize
skill: weird-rules-short
name: 摘要
description: 写一份摘要
version: 1
inputTags: ["核心.危险.隐藏"]
outputTags: ["摘要.当前"]
---
# 摘要

读 `核心.危险.隐藏`，写 `摘要.当前`。
"""


def edited(path: str, *changes: tuple[str, str]) -> dict[str, bytes]:
    content = (ROOT / path).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in content, (path, old)
        content = content.replace(old, new, 1)
    return {path: content.encode()}


def isolation(files: dict[str, bytes], flow: str = "normal") -> list[Diagnostic]:
    """The findings of the family I about the workspace of the examples with these files changed."""
    found = driver.check(OverlayReader(DiskReader(str(ROOT)), files), flow=flow).diagnostics
    return [d for d in found if d.code.id.startswith("I")]


def without_entries(path: str) -> dict[str, bytes]:
    content = (ROOT / path).read_text(encoding="utf-8")
    return {path: content[: content.index("declassify:")].encode()}


def test_the_examples_hold_what_they_promise_even_strictly() -> None:
    assert isolation({}, "strict") == []


def test_a_summary_two_hops_away() -> None:
    files = {
        f"{RULES}/workers/summarize/SKILL.md": SUMMARY.encode(),
        **edited(f"{RULES}/orchestrator.md", ('"review-author"]', '"review-author", "summarize"]')),
        **edited(
            INFER, ('  - "规则.说明.草稿"\noutputTags', '  - "规则.说明.草稿"\n  - "摘要.当前"\noutputTags')
        ),
    }
    (found,) = isolation(files)
    assert line(found) == (
        f"{INFER}:13:6: I022 warning hidden-flow: `核心.危险.隐藏` is hidden from `review-infer` and reaches it in "
        "`摘要.当前` through `summarize`"
    )
    assert [(label.span.text, label.message) for label in found.related] == [
        ("核心.危险.隐藏", "`write-rules` writes `核心.危险.隐藏` here"),
        ("核心.危险.隐藏", "`summarize` reads `核心.危险.隐藏`"),
        ("摘要.当前", "`summarize` writes `摘要.当前`"),
    ]
    assert "worker `summarize`, tags `摘要.当前`, label `hidden`" in found.help


def test_a_wildcard_that_picks_up_the_authors_notes() -> None:
    widened = edited(
        INFER, ('  - "规则.说明.草稿"\noutputTags', '  - "规则.说明.草稿"\n  - "验收.*"\noutputTags')
    )
    (found,) = isolation(widened)
    assert (found.code.slug, found.span.text) == ("hidden-flow", "验收.*")
    assert "in `验收.作者视角.记录` through `review-author`" in found.message


def test_an_engine_that_reads_all_of_the_roles() -> None:
    (found,) = isolation(edited(ENGINE, ('  - "角色.*.行动"\noutputTags', '  - "角色.*"\noutputTags')))
    assert found.code.slug == "user-only-leak"
    assert found.message == (
        "`角色.{id}.思考` is for the user only and reaches `role-decide` in `世界.当前状态` through `world-engine`"
    )
    assert found.span.path.endswith("role-decide/SKILL.md")


def test_without_its_entries_an_author_discloses_by_design() -> None:
    (found,) = isolation(without_entries(f"{RULES}/tags.yaml"))
    assert (found.code.slug, found.severity) == ("disclosure", Severity.INFO)
    assert found.span.text == "规则.草稿"
    assert "tags `规则.草稿` and `规则.说明.草稿`, label `hidden`" in found.help
    (found,) = isolation(without_entries(f"{RULES}/tags.yaml"), "strict")
    assert found.severity is Severity.ERROR


def test_strictness_raises_what_is_indirect_and_nothing_else() -> None:
    files = {**without_entries(f"{GAME}/tags.yaml"), **without_entries(f"{RULES}/tags.yaml")}
    normal, strict = isolation(files), isolation(files, "strict")
    assert {d.code.slug for d in normal} == {"hidden-flow", "hidden-to-user", "disclosure"}
    assert [d.message for d in normal] == [d.message for d in strict]
    assert {d.severity for d in strict} == {Severity.ERROR}
    assert {d.severity for d in normal} == {Severity.WARNING, Severity.INFO}


def test_a_broken_entry_brings_no_cascade() -> None:
    broken = edited(f"{RULES}/tags.yaml", ("    label: hidden\n", "    label: hiden\n"))
    assert isolation(broken) == []


def test_a_role_that_reads_what_is_hidden_is_as_blind_as_a_reviewer() -> None:
    world = worker([], ["世界.隐藏状态", "世界.当前"])
    for read, hit in (("世界.隐藏状态", True), ("世界.*", True), ("世界.当前", False), ("角色.*", False)):
        act = worker([read], ["角色.{id}.隐藏动机"], isolation="role_pov")
        found = findings("blind-reads-hidden", package({"world": world, "act": act}))
        assert [d.span.text for d in found] == ([read] if hit else []), read
        assert all("has role_pov" in d.message for d in found)


def test_a_role_that_reads_a_thought_is_an_error_and_all_of_its_own_is_none() -> None:
    def act(read: str) -> Package:
        return package({"act": worker([read], ["角色.{id}.思考"], isolation="role_pov")})

    (found,) = findings("user-only-leak", act("角色.{id}.思考"))
    assert found.severity is Severity.ERROR
    assert underlined("user-only-leak", act("角色.*.思考")) == ["act: 角色.*.思考"]
    assert findings("user-only-leak", act("角色.{id}.*")) == []
    narrator = package(
        {"act": worker([], ["角色.{id}.思考"]), "show": worker(["角色.*.思考"], ["输出.叙述"])}
    )
    assert findings("user-only-leak", narrator) == []


@pytest.mark.parametrize("tag", ["角色.{id}.思考", "角色.甲.思考", "角色.{id}.*", "旁白.思考"])
def test_a_users_turn_writes_no_thought(tag: str) -> None:
    assert underlined("user-turn-writes-thought", package({"me": worker([], [tag], actor="user")})) == [
        f"me: {tag}"
    ]
    assert findings("user-turn-writes-thought", package({"me": worker([], [tag])})) == []


def test_a_users_turn_writes_what_it_does() -> None:
    tags = ["角色.{id}.行动", "角色.{id}.台词.候选", "角色.{id}.记忆", "思考题.当前"]
    assert findings("user-turn-writes-thought", package({"me": worker([], tags, actor="user")})) == []


def test_one_role_that_writes_for_all() -> None:
    for tag in ("角色.*.记忆", "角色.*", "角色.*.行动"):
        made = package({"act": worker(["世界.当前角色.id"], [tag])})
        assert underlined("role-writes-others", made) == [f"act: {tag}"]
    for honest in (
        worker(["世界.当前角色.id"], ["角色.{id}.记忆", "场景.当前"]),
        worker(["世界.当前角色.id"], ["角色.*.记忆"], isolation="role_pov"),
        worker(["世界.*"], ["角色.*.记忆"]),
    ):
        assert findings("role-writes-others", package({"act": honest})) == []


ROLES = {"roles": (text("warrior"), text("mage"), text("thief"))}


@pytest.mark.parametrize("isolation", ["none", "role_pov"])
def test_a_role_by_name_in_the_runs_of_all(isolation: str) -> None:
    def told(inputs: list[str], outputs: list[str], roles: dict[str, Any] = ROLES) -> list[str]:
        act = worker(["世界.当前角色.id", *inputs], outputs, isolation=isolation)
        made = package({"act": act}, manifest=roles)
        return [
            text for slug in ("role-reads-others", "role-writes-others") for text in underlined(slug, made)
        ]

    own = "角色.{id}.记忆"
    assert told([own], ["角色.mage.行动"]) == ["act: 角色.mage.行动"]
    assert told(["角色.mage.卡.确认稿"], [own]) == ["act: 角色.mage.卡.确认稿"]
    assert told(["角色.mage.卡"], ["角色.thief.记忆"]) == ["act: 角色.mage.卡", "act: 角色.thief.记忆"]
    assert told(["角色.mage.行动"], [own]) == [], "what a role does is for all"
    assert told(["角色.mage.卡"], ["角色.mage.行动"]) == [], "it plays one role"
    assert told([own], ["角色.众人.行动"]) == [], "nobody says that this is a role"
    assert told([own], ["角色.mage.行动"], {"roles": ROLES["roles"][1:2]}) == [], "there is no other role"
    assert told([own], ["角色.mage.行动"], {}) == []


def forbidden(*rows: tuple[str, str]) -> dict[str, Any]:
    return {"forbidden": tuple((text(who), ref(tag)) for who, tag in rows)}


WRITE = worker([], ["核心.隐藏", "正文.草稿", "大纲.草稿"])


def test_a_prohibition_without_blindness() -> None:
    review = worker(["正文.草稿"], ["验收.记录"])
    made = package({"write": WRITE, "review": review}, manifest=forbidden(("review", "核心.隐藏")))
    (found,) = findings("blindness-undeclared", made)
    assert found.related[0].message == "the manifest forbids `核心.隐藏` to it here"
    draft = package({"write": WRITE, "review": review}, manifest=forbidden(("review", "大纲.草稿")))
    assert len(findings("blindness-undeclared", draft)) == 1
    two = forbidden(("review", "大纲.草稿"), ("review", "核心.隐藏"))
    assert (
        len(findings("blindness-undeclared", package({"write": WRITE, "review": review}, manifest=two))) == 1
    )


def test_prohibitions_that_need_no_blindness() -> None:
    blind = worker(["正文.草稿"], ["验收.记录"], isolation="blind_review")
    role = worker(["正文.草稿"], ["角色.{id}.行动"], isolation="role_pov")
    title = worker(["正文.草稿"], ["标题.当前"])
    for id, spec, tag in (
        ("blind", blind, "核心.隐藏"),
        ("role", role, "核心.隐藏"),
        ("title", title, "大纲.草稿"),
        ("title", title, "谜底.隐藏"),
    ):
        made = package({"write": WRITE, id: spec}, manifest=forbidden((id, tag)))
        assert findings("blindness-undeclared", made) == [], (id, tag)


def test_private_to_somebody_who_is_no_role() -> None:
    roles = {"roles": (text("甲"), text("乙"))}

    def named(tag: str, read: str = "角色.*.记忆", **manifest: Any) -> list[str]:
        made = {"write": worker([], [tag]), "read": worker([read], [])}
        return underlined("unowned-private-tag", package(made, manifest={**roles, **manifest}))

    assert named("角色.丙.记忆") == ["write: 角色.丙.记忆"]
    assert named("角色.*.记忆", "角色.丙.记忆") == ["read: 角色.丙.记忆"]
    assert named("角色.丙.记忆", "角色.丙.记忆") == ["write: 角色.丙.记忆"]
    for honest in (
        "角色.甲.记忆",
        "角色.{id}.记忆",
        "角色.*.记忆",
        "角色.丙.行动",
        "角色.名单",
        "NPC.丙.记忆",
    ):
        assert named(honest) == [], honest
    assert named("角色.丙.记忆", roles=()) == []
    assert named("角色.丙.记忆", roles_from=ref("角色.名单")) == []


def test_the_seat_of_the_user_is_no_role_and_no_slip() -> None:
    def seat(tag: str, actor: str = "user") -> list[str]:
        turn = worker([tag, "场景.公开叙述"], ["角色.用户.行动"], actor=actor)
        made = {"deal": worker([], ["角色.*.可见信息", "场景.公开叙述"]), "turn": turn}
        roles = (text("庄家"), text("阿强"))
        return underlined("unowned-private-tag", package(made, manifest={"roles": roles}))

    assert seat("角色.用户.可见信息") == []
    assert seat("角色.用户.可见信息", "llm") == ["turn: 角色.用户.可见信息"]
    assert seat("角色.庄稼.可见信息") == []
    many = worker(["角色.老庄稼.可见信息"], ["角色.用户.行动"], actor="user")
    made = package(
        {"deal": worker([], ["角色.*.可见信息"]), "turn": many}, manifest={"roles": (text("老庄家"),)}
    )
    assert underlined("unowned-private-tag", made) == ["turn: 角色.老庄稼.可见信息"]


def test_a_private_label_says_whose_it_is() -> None:
    def labelled(entry: LabelRule) -> list[Diagnostic]:
        return findings("unowned-private-tag", package({}, catalogue={"labels": (entry,)}))

    place = text("秘密.*").span
    assert len(labelled(LabelRule("role_private", pattern("秘密.*"), span=place))) == 1
    assert len(labelled(LabelRule("role_private", segment="秘密", span=place))) == 1
    assert labelled(LabelRule("role_private", pattern("秘密.{id}.身世"), span=place)) == []
    assert labelled(LabelRule("hidden", pattern("秘密.*"), span=place)) == []


def entries(*rows: tuple[str, list[str], str]) -> dict[str, Any]:
    own = [
        Declassify(text(w), tuple(ref(t) for t in tags), label, "因为", _in_package(w))
        for w, tags, label in rows
    ]
    return {"declassify": tuple(own)}


def _in_package(worker_id: str) -> Any:
    from skillc.text import Source

    return Source("skills/novel/demo/tags.yaml", worker_id).span()


def test_an_entry_that_cuts_nothing() -> None:
    def unused(
        *rows: tuple[str, list[str], str], outputs: tuple[str, ...] = ("核心.隐藏", "正文.草稿")
    ) -> list[str]:
        made = package(
            {"write": worker([], list(outputs)), "a": worker(["核心.*"], ["摘要.一"])},
            catalogue=entries(*rows),
        )
        return [d.message for d in findings("unused-declassify", made)]

    for used in (["正文.草稿"], ["正文.确认稿"], ["核心.隐藏"], ["正文.*"]):
        assert unused(("write", used, "hidden")) == []
    assert unused(("a", ["摘要.一"], "hidden")) == []
    assert unused(("write", ["正文.草稿"], "user_only"))[0].startswith(
        "the entry cuts nothing: nothing user_only"
    )
    assert "there is no such worker" in unused(("writer", ["正文.草稿"], "hidden"))[0]
    assert unused(("write", ["正文.草稿", "标题.草稿"], "hidden")) == [
        "`write` does not write `标题.草稿`, so nothing is declassified there"
    ]
    assert len(unused(("write", ["正文.草稿"], "hidden"), outputs=("正文.草稿",))) == 1


def test_an_entry_is_not_judged_where_something_is_unknown() -> None:
    made = package(
        {"write": worker([], ["正文.草稿"]), "lost": worker([], [], broken=True)},
        catalogue=entries(("write", ["正文.草稿"], "hidden")),
    )
    assert findings("unused-declassify", made) == []


SKILL = """---
id: {id}
skill: {package}
name: 写
description: 写
version: 1
inputTags: []
outputTags: [{outputs}]
---
# 写
"""


def test_an_entry_of_the_workspace_is_unused_when_no_package_needs_it() -> None:
    def unused(outputs: str) -> list[str]:
        files = {
            "skills/tags.yaml": 'declassify:\n  - {worker: write, tags: ["正文.草稿"], label: hidden, reason: 给人看}\n',
        }
        for name, written in (("one", '"正文.草稿"'), ("two", outputs)):
            files[f"skills/novel/{name}/orchestrator.md"] = (
                f"---\nname: {name}\ndescription: 文\nworkers: [write]\n---\n"
            )
            skill = SKILL.format(id="write", package=name, outputs=written)
            files[f"skills/novel/{name}/workers/write/SKILL.md"] = skill
        found = driver.check(
            DictReader({path: content.encode() for path, content in files.items()})
        ).diagnostics
        return [d.span.path for d in found if d.code.slug == "unused-declassify"]

    assert unused('"正文.草稿", "核心.隐藏"') == []
    assert unused('"正文.草稿"') == ["skills/tags.yaml"]


def test_all_findings_of_flows_have_the_severity_of_the_table() -> None:
    assert {CODES[slug].severity for slug in ("hidden-flow", "user-only-leak", "hidden-to-user")} == {
        Severity.WARNING
    }


def test_who_asks_is_told_from_those_on_the_way() -> None:
    made = package(
        {
            "think": worker([], ["核心.隐藏"]),
            "dm": worker(["核心.隐藏"], ["局面.当前"]),
            "user-turn": worker(["局面.当前", "用户.worker答复?"], ["场景.当前"]),
        },
        accept=dict.fromkeys(("think", "dm", "user-turn"), "no_confirmation"),
    )
    (told,) = findings("hidden-to-user", made)
    assert told.message == (
        "`核心.隐藏` is hidden and may reach the user through `dm`, in what `user-turn` asks"
    )
