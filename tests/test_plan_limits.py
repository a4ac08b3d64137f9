"""Contexts against models: what cannot fit is an error with both numbers, what nobody knows is no finding."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playing_package import PACKAGE as PLAYING
from playing_package import YAML_ORDER
from playing_package import files as playing_files
from reading import FRONT, ORCHESTRATOR, PACKAGE, SKILL
from skillc import driver
from skillc.diagnostic import Diagnostic
from skillc.graph import build_graph
from skillc.model.profiles import Profile
from skillc.plan import compile_package
from skillc.plan.budget import Layout, layouts
from skillc.plan.providers import _rows, caching_of
from skillc.runtime import Board, assemble
from skillc.runtime.estimate import estimate_tokens
from skillc.source.reader import DictReader
from skillc.text import Source
from skillc.tokens import counter_for


def profile(id: str = "main", model: str = "deepseek-chat", **more: Any) -> dict[str, Any]:
    return {"id": id, "model": model, **more}


def check(
    profiles: list[dict[str, Any]] | dict[str, Any] | None,
    body: str = "# 正文\n",
    front: str = "",
    files: dict[str, str] | None = None,
    manifest: str = ORCHESTRATOR,
) -> list[Diagnostic]:
    """The findings of this family about a package with one worker."""
    all_files = {
        f"{PACKAGE}/orchestrator.md": manifest,
        SKILL: f"---\n{FRONT}{front}---\n{body}",
        **(files or {}),
    }
    if profiles is not None:
        all_files["profiles.json"] = json.dumps(profiles)
    found = driver.check(DictReader(all_files)).diagnostics
    return [d for d in found if d.code.slug in ("over-budget", "below-cache-minimum")]


def test_constant_text_larger_than_the_window_is_an_error_with_both_numbers() -> None:
    """9k tokens of body, a window of 8k: refused before anything is sent, never cut."""
    (found,) = check([profile(contextWindow=8000)], body="静" * 9000)
    assert found.code.slug == "over-budget" and found.severity.word == "error"
    assert "the constant text of `write` is 9," in found.message and "`main`, 8,000" in found.message
    assert found.span.text == "write"
    assert [label.span.text for label in found.related] == ["8000"]
    assert "estimate" in found.help


def test_the_reply_needs_room_too() -> None:
    body = "静" * 7000
    assert check([profile(contextWindow=8000, maxOutputTokens=100)], body=body) == []
    (found,) = check([profile(contextWindow=8000, maxOutputTokens=900)], body=body)
    assert "with 900 for the reply" in found.message
    (found,) = check([profile(contextWindow=8000)], body=body)
    assert "with 1,024 for the reply" in found.message


def test_a_small_window_keeps_a_quarter_for_the_reply() -> None:
    assert check([profile(contextWindow=1200)], body="静" * 300) == []
    (found,) = check([profile(contextWindow=1200)], body="静" * 700)
    assert "with 300 for the reply" in found.message


def test_the_vocabulary_of_the_model_is_used_where_it_is_there() -> None:
    """The estimate says 9k, the vocabulary of the family about 4k: it fits, and nothing is said."""
    body = "我们可以在这里看到" * 1000
    assert check([profile(model="gpt-4o", contextWindow=8000)], body=body) == []
    (found,) = check([profile(model="gpt-4o", contextWindow=3000)], body=body)
    assert "counted with o200k_base" in found.message and "estimate" not in found.help


SEGMENTS = (
    'contextSegments:\n  - id: log\n    tier: dynamic\n    tags: ["需求.核心要点"]\n    policy: {policy}\n'
)


@pytest.mark.parametrize(
    ("policy", "fits"),
    [
        ("tail_tokens_6000", True),
        ("tail_tokens_7900", False),
        ("window_tokens_3000", True),
        ("window_tokens_4000", False),
        ("tail_lines_9000", True),
        ("last_900_turns", True),
        ("concat", True),
    ],
)
def test_policies_that_bound_tokens_bound_the_context(policy: str, fits: bool) -> None:
    found = check([profile(contextWindow=8000, maxOutputTokens=500)], front=SEGMENTS.format(policy=policy))
    assert [d.span.text for d in found] == ([] if fits else [policy])


def test_a_variant_is_judged_as_well() -> None:
    front = SEGMENTS.format(policy="latest") + (
        "contextVariants:\n  long:\n    policies:\n      log: window_tokens_4000\n"
    )
    (found,) = check([profile(contextWindow=8000)], front=front)
    assert found.span.text == "window_tokens_4000"


def test_the_profile_is_the_one_that_the_worker_runs_on() -> None:
    body = "静" * 9000
    two = [profile("small", contextWindow=8000), profile("large", contextWindow=64000)]
    assert check(two, body=body) == []
    assert len(check({"profiles": two, "defaultProfileId": "small"}, body=body)) == 1
    assert (
        check({"profiles": two, "defaultProfileId": "small"}, body=body, front="llmProfileId: large\n") == []
    )
    assert len(check(two, body=body, front="llmProfileId: small\n")) == 1
    roles = "defaultProfileId: large\nworkers:\n  write:\n    byRole:\n      甲: small\n"
    assert len(check(two, body=body, files={f"{PACKAGE}/llm-bindings.yaml": roles})) == 1


def test_nothing_is_said_of_what_nobody_knows() -> None:
    body = "静" * 900_000
    assert check(None, body=body) == []
    assert check([], body=body) == []
    assert check([profile()], body=body) == []
    assert check([profile(contextWindow=8000)], body=body, front="llmProfileId: other\n") == []
    assert check([profile(contextWindow=8000)], body="静" * 9000, front="actor: program\n") == []


def test_a_prefix_below_the_minimum_is_noted_once() -> None:
    (found,) = check([profile(model="gpt-4o")])
    assert found.code.slug == "below-cache-minimum" and found.severity.word == "info"
    assert "OpenAI caches `gpt-4o` from 1,024 on" in found.message
    assert check([profile(model="gpt-4o")], body="规则与怪谈不同。" * 900) == []
    assert check([profile(model="gpt-4o")], front="stage: design\n") == []


def known(model: str, base_url: str | None = None) -> int | None:
    caching = caching_of(Profile("p", Source("p", "p").span(), model=model, base_url=base_url))
    return caching.minimum if caching else None


def test_minimums_go_by_the_longest_name_and_the_vendors_own_server() -> None:
    assert known("claude-opus-4-7") == 2048
    assert known("claude-opus-4-20250514") == 1024
    assert known("anthropic/claude-haiku-4-5-20251001") == 4096
    assert known("gpt-4o", "https://api.openai.com/v1") == 1024
    assert known("gpt-4o", "http://127.0.0.1:8080/v1") is None
    assert known("gpt-oss-20b") is None
    assert known("deepseek-chat") is None


def test_the_data_of_providers_is_dated_and_sourced() -> None:
    rows = _rows()
    assert len({model for model, _, _ in rows}) == len(rows)
    for _, hosts, caching in rows:
        assert hosts and caching.source and caching.minimum > 0 and caching.step > 0
        assert len(caching.as_of) == 7


def first_layout(front: str, body: str = "# 正文\n") -> tuple[Any, Layout]:
    files = {f"{PACKAGE}/orchestrator.md": ORCHESTRATOR, SKILL: f"---\n{FRONT}{front}---\n{body}"}
    (package,) = driver.check(DictReader(files)).workspace.packages
    plan, _ = compile_package(build_graph(package))
    return plan, next(layouts(plan.workers["write"]))


@pytest.mark.parametrize("policy", ["tail_tokens_40", "window_tokens_40"])
def test_no_context_is_larger_than_its_bound(policy: str) -> None:
    """But for the blank lines between items, which policies do not count."""
    plan, layout = first_layout(SEGMENTS.format(policy=policy) + '    label: "## 日志"\n')
    board = Board()
    for number in range(60):
        board.write("需求.核心要点", f"第{number}回，有人敲门。", source="user")
        context = assemble(plan, "write", board)
        sent = "".join(message["content"] for message in context.messages)
        gaps = 2 * len(context.items)
        assert estimate_tokens(sent) <= layout.worst(counter_for(None)) + gaps


def test_the_word_that_a_json_mode_asks_for_stands_in_every_prompt() -> None:
    """Servers refuse `json_object` when no message holds the word: the protocol always does, in both languages."""
    workers = {"write": "", "idle": "outputTags: []\n", "design-step": "outputTags: []\n"}
    for language in ("zh", "en"):
        manifest = (
            f"---\nname: demo\ndescription: d\nworkers: [{', '.join(workers)}]\nlanguage: {language}\n---\n"
        )
        files = {f"{PACKAGE}/orchestrator.md": manifest}
        for id, outputs in workers.items():
            front = FRONT.replace("id: write", f"id: {id}")
            front = front.replace('outputTags: ["正文.草稿"]\n', outputs) if outputs else front
            files[f"{PACKAGE}/workers/{id}/SKILL.md"] = f"---\n{front}---\n正文\n"
        (package,) = driver.check(DictReader(files)).workspace.packages
        plan, _ = compile_package(build_graph(package))
        assert set(plan.workers) == set(workers)
        assert all("json" in worker.system.lower() for worker in plan.workers.values())


def test_what_an_order_replaces_is_not_counted() -> None:
    """A policy of a segment that the order's rows replace lets nothing grow: it is not sent."""
    files = playing_files(YAML_ORDER)
    skill = f"{PLAYING}/workers/world-simulator/SKILL.md"
    declared = (
        'contextSegments:\n  - id: latest\n    tier: dynamic\n    tags: ["用户.最新输入"]\n'
        "    policy: tail_tokens_50000\n"
    )
    files[skill] = files[skill].replace("inputTags:", f"{declared}inputTags:", 1)
    files["profiles.json"] = json.dumps([profile(contextWindow=8000, default=True)])

    def told() -> list[str]:
        found = driver.check(DictReader(files)).diagnostics
        return [d.message for d in found if d.code.slug == "over-budget"]

    assert told() == []
    label = "字" * 9000
    files[f"{PLAYING}/context-order.yaml"] = YAML_ORDER.replace("## 机制", label)
    (message,) = told()
    assert "the constant text of `world-simulator`" in message
    del files[f"{PLAYING}/context-order.yaml"]
    (message,) = told()
    assert "the policies let the context of `world-simulator` grow" in message
