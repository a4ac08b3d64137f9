"""The artifacts of a design: each has one file of data, complete and without double names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillc.model.artifact_schema import KINDS, kinds
from skillc.runtime.artifacts import FOLDER, Artifact, artifact_named, artifact_of, artifacts
from skillc.runtime.slots import SLOTS

NAMES = (
    "美学纲领与交互范式",
    "实现机制",
    "舞台骨架",
    "生成规则",
    "具体实例",
    "叙事指南与故事推进",
    "叙事指南",
    "故事推进",
    "监控栏",
    "正文组成",
    "变量设计与更新规则",
    "变量控制上下文",
    "开场白与开场变量",
    "worker规格",
    "上下文投影排序",
    "worker集",
)
"""SPEC 10.3."""


def test_every_artifact_of_the_format_has_its_file() -> None:
    assert {artifact.name for artifact in artifacts()} == set(NAMES)
    assert {f"{artifact.id}.json" for artifact in artifacts()} == {
        path.name for path in Path(FOLDER).iterdir()
    }


@pytest.mark.parametrize("artifact", artifacts(), ids=lambda artifact: artifact.id)
def test_a_file_is_complete(artifact: Artifact) -> None:
    data = json.loads((Path(FOLDER) / f"{artifact.id}.json").read_text(encoding="utf-8"))
    assert set(data) - {"prose"} == {
        "artifact",
        "id",
        "names",
        "about",
        "form",
        "mount",
        "scores",
        "view",
        "body",
    }
    assert artifact.form in ("fragment", "order", "document")
    assert set(artifact.mounts) <= {slot.key for slot in SLOTS}
    assert artifact.scores and artifact.about and artifact.body
    assert all(spec["side"] in ("product", "assessment") and spec["about"] for spec in artifact.body.values())
    assert all(
        {"text", "prose"} & set(kinds(spec)) or not {"number", "flag"} & set(kinds(spec))
        for spec in artifact.body.values()
    ), "no scalar stands directly under a body but text: the flat form has none"
    check_specs(artifact.body)


def check_specs(keys: dict[str, dict[str, object]] | object) -> None:
    assert isinstance(keys, dict)
    for spec in keys.values():
        assert set(kinds(spec)) <= set(KINDS)
        assert set(spec) <= {"kind", "needed", "side", "about", "names", "keys", "of", "title", "one_of"}
        if {"list", "map"} & set(kinds(spec)):
            assert spec["of"]
            check_specs({"of": spec["of"]})
        check_specs(spec.get("keys", {}))


def test_no_two_artifacts_share_a_word() -> None:
    words = [word for artifact in artifacts() for word in (artifact.name, artifact.id, *artifact.names)]
    assert len(words) == len(set(words))
    assert all(artifact_named(word) for word in words)


def test_tags() -> None:
    for name in NAMES:
        for tag in (f"设计.{name}", f"设计.{name}.草稿", f"设计.{name}.确认稿#甲", f"设计.{name}#甲"):
            found = artifact_of(tag)
            assert found is not None and found.name == name
    assert artifact_of("设计.状态栏") is artifact_of("设计.监控栏")
    assert artifact_of("设计") is artifact_of("设计.大纲") is artifact_of("大纲.实现机制") is None
