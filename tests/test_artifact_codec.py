from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from sample_plans import sample_data, segment
from skillc.artifact.codec import PlanError, canonical, decode, digest, encode
from skillc.artifact.encoding import worker_digest
from skillc.runtime import RunnablePlan, load_plan

DIGEST = "sha256:" + "0" * 64


DISCLOSURE = {
    "label": "hidden",
    "secret": "核心.危险.隐藏",
    "kind": "created",
    "worker": "write-rules",
    "writes": "规则.草稿",
    "to": "review-infer",
    "reads": "规则.草稿",
}


def rich() -> dict[str, Any]:
    """A plan that uses every shape there is."""
    worker = {
        "inputs": ["需求.核心要点", "角色.{id}.*"],
        "outputs": ["角色.*.行动"],
        "denied": ["核心.*"],
        "persona": "冷静",
        "role_bound": True,
        "aliases": {"行动": "角色.{id}.行动"},
        "profiles": {"default": "p", "by_role": {"A": "q"}},
        "segments": [
            segment("s", ["需求.核心要点"], tier="static", label="## 需求", policy=("tail_lines", 3))
        ],
        "variants": {"short": [segment("t", [], inline="短", projection="summary", policy=("latest", None))]},
        "variant": "short",
        "digest": DIGEST,
    }
    return sample_data(
        {"w": worker, "v": {"digest": DIGEST}},
        fingerprint=DIGEST,
        startup={
            "prompt": "写什么？",
            "mode": "",
            "targets": ["需求.核心要点"],
            "required": ["题材"],
            "optional": [],
        },
        asks=[["项目", "风格要求"]],
        ready={
            "prerequisites": [["需求", "核心要点"]],
            "condition": [
                "and",
                ["has", ["a"]],
                ["or", ["count", ["a", ".*"], 2], ["not", ["startupCompleted"]]],
                ["accepted", ["b"]],
            ],
        },
        roles={"ids": [], "from": "角色.名册"},
        moved={"core.danger": "核心.危险.隐藏"},
        flows={"disclosures": [DISCLOSURE], "declassified": []},
        play={
            "slots": [{"key": "gm", "worker": "w", "on": True}],
            "order": {"schema": "context-order.v1", "play_slots": {"gm": True}, "slots": []},
            "origin": "package",
            "segments": {"w": [segment("worker.persona", ["worker.persona"], projection="fixed")]},
        },
        orchestrator={
            "system": "总管",
            "task": "# 本次任务\n\n",
            "templates": sample_data({"t": {"outputs": ["设计.场景.草稿"], "digest": DIGEST}})["workers"],
            "acceptance": {"t": {"mode": "no_confirmation", "requires_approval": True, "reviews": ["w"]}},
        },
    )


def bytes_of(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()


def test_a_plan_survives_its_bytes_and_the_bytes_are_stable() -> None:
    data = rich()
    plan = decode(bytes_of(data))
    written = encode(plan)
    assert json.loads(written) == data
    assert decode(written) == plan
    assert encode(decode(written)) == written


def test_key_order_is_that_of_the_format() -> None:
    written = json.loads(encode(decode(bytes_of(dict(sorted(rich().items()))))))
    assert list(written) == list(rich())
    assert list(written["workers"]["w"])[:9] == [
        "id", "name", "description", "version", "stage", "actor", "isolation", "role_bound", "inputs",
    ]  # fmt: skip
    assert encode(decode(bytes_of(rich()))).endswith(b"}\n")
    assert "核心要点".encode() in encode(decode(bytes_of(rich())))


def test_unknown_keys_load_and_keys_that_came_later_may_be_missing() -> None:
    data = rich()
    plan = decode(bytes_of(data))
    data["later"] = {"x": 1}
    data["workers"]["w"]["later"] = [1]
    data["workers"]["w"]["segments"][0]["later"] = None
    assert decode(bytes_of(data)) == plan
    del data["workers"]["v"]["denied"], data["workers"]["v"]["variant"]
    assert decode(bytes_of(data)) == plan
    del data["play"]
    assert decode(bytes_of(data)).play is None


def test_the_schema_describes_what_is_written() -> None:
    with open("docs/schema/plan.schema.json", encoding="utf-8") as file:
        schema = json.load(file)
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    assert not list(validator.iter_errors(json.loads(encode(decode(bytes_of(rich()))))))
    broken = rich()
    broken["workers"]["w"]["segments"][0]["policy"] = {"kind": "tail_lines", "n": None}
    assert list(validator.iter_errors(broken))


def without(key: str) -> dict[str, Any]:
    data = rich()
    del data[key]
    return data


def changed(path: str, value: Any) -> dict[str, Any]:
    data = rich()
    *way, last = path.split("/")
    part: Any = data
    for key in way:
        part = part[int(key) if key.isdigit() else key]
    part[last] = value
    return data


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the plan is cut off or no JSON (line 1, column 1)"),
        (bytes_of(rich())[:200], "the plan is cut off or no JSON"),
        (b"\xff\xfe", "the plan is not UTF-8 at byte 0"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "the plan should be an object"),
        (b'{"schema": "\\uD83d"}', "the plan holds half a surrogate pair, which is no character"),
        (b"{}", "the plan has no `schema`"),
        (
            bytes_of(changed("schema", "skillc.plan/9")),
            "schema `skillc.plan/9`, and this runtime reads `skillc.plan/1`",
        ),
        (bytes_of(without("workers")), "the plan has no `workers`"),
        (bytes_of(changed("workers/w", [])), "`w` of `workers` of the plan should be an object"),
        (bytes_of(changed("workers/w/system", 3)), "`system` of `w` of `workers` of the plan should be text"),
        (bytes_of(changed("asks", [[]])), "an entry of `asks` of the plan should be a list of pattern parts"),
        (bytes_of(changed("ready/condition", ["maybe"])), "should be a condition"),
        (
            bytes_of(changed("workers/w/segments/0/policy", {"kind": "tail_lines", "n": 0})),
            "should be a positive number",
        ),
        (bytes_of(changed("workers/w/role_bound", "no")), "should be true or false"),
    ],
)
def test_what_is_no_plan_is_refused_in_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(PlanError) as refusal:
        decode(data)
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_missing_plan_is_named_by_its_whole_path(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PlanError) as refusal:
        load_plan("build/plan.json")
    assert f"`{tmp_path / 'build' / 'plan.json'}`" in str(refusal.value)


def test_a_refusal_names_the_file(tmp_path: Any) -> None:
    missing = tmp_path / "plan.json"
    with pytest.raises(PlanError, match=r"there is no plan `.*plan\.json`; `skillc build` writes it"):
        load_plan(missing)
    with pytest.raises(PlanError, match="cannot be read"):
        load_plan(tmp_path)
    missing.write_bytes(bytes_of(rich())[:-3])
    with pytest.raises(PlanError, match=r"plan\.json`: the plan is cut off"):
        load_plan(str(missing))
    missing.write_bytes(bytes_of(rich()))
    plan = load_plan(missing)
    assert isinstance(plan, RunnablePlan)
    assert plan.order == ("w", "v")


def test_records_are_frozen_and_compare_by_value() -> None:
    plan = decode(bytes_of(rich()))
    with pytest.raises(AttributeError):
        plan.compiler = "2"  # type: ignore[misc]
    assert plan.workers["w"] != plan.workers["v"]
    assert plan.package == decode(bytes_of(rich())).package


def test_canonical_bytes_do_not_depend_on_key_order() -> None:
    assert (
        canonical({"b": 1, "a": ["好"]}) == canonical({"a": ["好"], "b": 1}) == '{"a":["好"],"b":1}'.encode()
    )
    assert digest(b"") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_workers_digest_leaves_itself_out() -> None:
    data = rich()["workers"]["w"]
    assert worker_digest(data) == worker_digest({**data, "digest": "other"})
    assert worker_digest(data) != worker_digest({**data, "merge": "concat"})
