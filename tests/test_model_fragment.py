"""The two forms and the bodies as models and schemas: what is right is right by both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from artifact_samples import BODIES, BY_ID, sample
from skillc.model.artifact_body import read_body
from skillc.model.artifact_schema import body_schema
from skillc.model.fragment import ContextFragment, FlatArtifact, form_schema
from skillc.runtime.flat import FLAT, FRAGMENT, to_flat

SCHEMAS = Path(__file__).resolve().parent.parent / "docs" / "schema"


def load(name: str) -> Any:
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))


def test_the_published_schemas_are_those_of_the_models() -> None:
    assert load("context-fragment.schema.json") == form_schema(FRAGMENT)
    assert load("artifact-flat.schema.json") == form_schema(FLAT)
    assert {path.name for path in (SCHEMAS / "artifacts").iterdir()} == {f"{id}.schema.json" for id in BY_ID}
    for id, artifact in BY_ID.items():
        assert load(f"artifacts/{id}.schema.json") == body_schema(artifact)
        jsonschema.Draft202012Validator.check_schema(body_schema(artifact))


@pytest.mark.parametrize("id", BODIES)
def test_a_sound_fragment_is_sound_by_everything(id: str) -> None:
    fragment = sample(id)
    ContextFragment.model_validate(fragment)
    FlatArtifact.model_validate(to_flat(fragment))
    jsonschema.validate(fragment, form_schema(FRAGMENT))
    jsonschema.validate(to_flat(fragment), form_schema(FLAT))
    jsonschema.validate(fragment["正文"], body_schema(BY_ID[id]))
    assert read_body(BY_ID[id], fragment["正文"], ()) == (fragment["正文"], [])


WRONG: list[dict[str, Any]] = [
    {"order": 3},
    {"brief": " "},
    {"brief": None},
    {"mount": "gm"},
    {"稳变": "偶尔"},
    {"正文": "散文"},
    {"正文": {"数量": 3}},
    {"正文": {"": "x"}},
    {"自评": {"维度": [{"名": "必要性", "分数": 85}]}},
    {"自评": {"维度": [{"名": "必要性", "分数": "8"}]}},
    {"自评": [{"名": "必要性", "分数": 8}]},
    {"追问": {"题目": ["几条？"]}},
    {"追问": {"题目": [{"问": "几条？", "选项": ["一"]}]}},
    {"schema": "context-fragment.v2"},
    {"别的": 1},
]


@pytest.mark.parametrize("change", WRONG)
def test_what_is_wrong_is_wrong_by_both(change: dict[str, Any]) -> None:
    fragment = {**sample("mechanism"), **change}
    with pytest.raises(ValidationError):
        ContextFragment.model_validate(fragment)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(fragment, form_schema(FRAGMENT))


def test_own_keys_are_free() -> None:
    fragment = sample("mechanism", **{"x-author": {"a": 1}})
    ContextFragment.model_validate(fragment)
    jsonschema.validate(fragment, form_schema(FRAGMENT))
