"""A plan is read as its JSON Schema has it: of whatever is put anywhere, both refuse the same."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from skillc.artifact.codec import PlanError, decode, encode
from skillc.artifact.plan import Acceptance, Input, Startup
from skillc.runtime import RunnablePlan, load_plan
from test_artifact_codec import bytes_of, changed, rich


def loosened(schema: Any) -> Any:
    """The schema without what it says of the words of texts: a reader refuses no word."""
    if isinstance(schema, list):
        return [loosened(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "enum" in schema:
        return {"type": ["string", "null"] if None in schema["enum"] else "string"}
    return {
        key: part if key == "condition" and "anyOf" in part else loosened(part)
        for key, part in schema.items()
        if key != "pattern" or isinstance(part, dict)
    }


with open("docs/schema/plan.schema.json", encoding="utf-8") as _file:
    SCHEMA = jsonschema.Draft202012Validator(loosened(json.load(_file)))
OTHERS: list[Any] = [None, True, 2, "新", [], ["新"], [["新"]], {}, {"新": 0}]


def places(part: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    children = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in children:
        yield (*way, key)
        yield from places(value, (*way, key))


PLACES = list(places(rich()))
PARTS = sorted({*rich()} - {"schema", "labels", "sources", "flows", "play", "orchestrator"})
"""Of the others the schema also says what no runtime asks: that a label has one of two, and who may stand in a flow."""


def holder(data: Any, way: tuple[str | int, ...]) -> Any:
    for key in way[:-1]:
        data = data[key]
    return data


def refusal(data: Any) -> str:
    try:
        decode(bytes_of(data))
    except PlanError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("part", PARTS)
def test_what_the_schema_refuses_is_refused_and_nothing_else(part: str) -> None:
    for way in PLACES:
        for other in OTHERS if way[0] == part else ():
            data = copy.deepcopy(rich())
            holder(data, way)[way[-1]] = other
            refused = refusal(data)
            assert bool(refused) != SCHEMA.is_valid(data), (way, other)
            assert not refused or "the plan should be" in refused or "the plan has no" in refused


@pytest.mark.parametrize("part", PARTS)
def test_what_is_missing_is_named(part: str) -> None:
    for way in PLACES:
        data = copy.deepcopy(rich())
        whole = holder(data, way)
        if way[0] == part and isinstance(whole, dict):
            del whole[way[-1]]
            refused = refusal(data)
            assert bool(refused) != SCHEMA.is_valid(data), way
            assert not refused or f" has no `{way[-1]}`; build" in refused


@pytest.mark.parametrize(
    ("path", "other", "sentence"),
    [
        ("play/segments", {}, "slot `gm` of the plan has no segments"),
        ("orchestrator/acceptance", {}, "template `t` of the plan has no acceptance"),
        (
            "labels/0/except",
            [["新"], [2]],
            "an entry of `except` of entry 1 of `labels` of the plan should be",
        ),
        ("sources/user", {}, "`user` of `sources` of the plan should be a list"),
        ("flows/disclosures", None, "`disclosures` of `flows` of the plan should be a list"),
        ("play/order", [], "`order` of `play` of the plan should be an object or null"),
    ],
)
def test_a_refusal_says_where(path: str, other: Any, sentence: str) -> None:
    assert refusal(changed(path, other)).startswith(sentence)


def test_a_condition_is_refused_when_it_is_nested_too_deeply() -> None:
    condition: Any = ["has", ["a"]]
    for _ in range(700):
        condition = ["not", condition]
    assert "nested too deeply" in refusal(changed("ready/condition", condition))


def test_patterns_of_the_same_parts_are_one_object_and_none_is_taken_from_a_text() -> None:
    one, two = decode(bytes_of(rich())), decode(bytes_of(rich()))
    assert one.asks[0] is two.asks[0]
    assert "should be a list" in refusal(changed("asks", ["项目", ["风格要求"]]))
    for parts in (["项目", ["风格要求"]], ["项目", 1], []):
        assert "an entry of `asks` of the plan should be a list of pattern" in refusal(
            changed("asks", [parts])
        )
        assert "`pattern` of entry 1 of" in refusal(changed("workers/w/inputs/0/pattern", parts))


def test_a_record_is_made_of_all_its_fields_and_of_nothing_else() -> None:
    rule = Acceptance(mode="m", requires_approval=True, reviews=())
    assert rule.but(mode="n") == Acceptance(mode="n", requires_approval=True, reviews=())
    plain: object = ("m", True, ())
    assert rule != plain and plain != rule
    assert rule != Startup(prompt="m", mode="", targets=(), required=(), optional=())
    for fields in ({"pattern": None}, {"pattern": None, "needed": True, "other": 1}):
        with pytest.raises(TypeError, match="Input takes exactly pattern, needed"):
            Input(**fields)
    with pytest.raises(AttributeError):
        rule.other = 1  # type: ignore[attr-defined]


def test_a_plan_that_runs_stays_one_with_other_values() -> None:
    plan = load_plan(bytes_of(rich()))
    plan.memo["kept"] = 1
    other = plan.but(order=("v",))
    assert type(other) is RunnablePlan and other.memo == {} and other.order == ("v",)
    assert encode(other) != encode(plan)
