"""The vectors of tests/conformance: fresh, valid, and true by a reading that the runtime has no part in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from conformance.vectors import encoded, vectors

FOLDER = Path(__file__).parent / "conformance"
SCHEMAS = Path(__file__).parent.parent / "docs" / "schema"
FILES = sorted(FOLDER.glob("*.json"))


def load(path: Path) -> Any:
    return json.loads(path.read_bytes())


def test_the_files_are_those_of_the_script() -> None:
    written = {f"{name}.json": encoded(vector) for name, vector in vectors().items()}
    there = {path.name: path.read_bytes() for path in FILES}
    assert sorted(there) == sorted(written)
    assert [name for name in written if there[name] != written[name]] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_vector_has_the_published_shapes(path: Path) -> None:
    vector = load(path)
    jsonschema.validate(vector["board"], load(SCHEMAS / "board.schema.json"))
    if "refused" in vector["expect"]:
        assert path.stem.startswith("refused-")
    else:
        jsonschema.validate(vector["expect"], load(SCHEMAS / "context.schema.json"))


@pytest.mark.parametrize(
    "path", [p for p in FILES if not p.stem.startswith("refused-")], ids=lambda path: path.stem
)
def test_slices_of_an_answer_make_up_its_message(path: Path) -> None:
    vector = load(path)
    expect = vector["expect"]
    conversation = "".join(message["content"] for message in expect["messages"]).encode()
    slices = [conversation[row["start"] : row["end"]].decode() for row in expect["segments"]]
    assert "\n\n---\n\n".join(slices) == expect["messages"][1]["content"]
    assert expect["messages"][0] == {"role": "system", "content": vector["plan"]["workers"]["w"]["system"]}
    assert sorted(slices) == sorted(text for bag in expect["bags"].values() for text in bag)


@pytest.mark.parametrize(
    "path", [p for p in FILES if p.stem.startswith("isolation-")], ids=lambda path: path.stem
)
def test_no_answer_places_what_its_worker_must_not_see(path: Path) -> None:
    vector = load(path)
    if vector["plan"]["workers"]["w"]["isolation"] != "none":
        text = vector["expect"]["messages"][1]["content"]
        assert "密" not in text
        assert "禁" not in text
