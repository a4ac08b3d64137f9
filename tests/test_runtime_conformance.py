"""The vectors of tests/conformance: fresh, valid, and true by a reading that the runtime has no part in."""

from __future__ import annotations

import json
from itertools import accumulate
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from conformance.vectors import encoded, vectors

NAMES = {"user": "用户", "assistant": "助手", "system": "系统"}
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


ANSWERED = [p for p in FILES if not p.stem.startswith("refused-")]


@pytest.mark.parametrize("path", ANSWERED, ids=lambda path: path.stem)
def test_segments_breaks_and_nothing_else_make_up_the_messages(path: Path) -> None:
    """Between two segments stands a break, or a new message begins; behind the last one, where the assistant spoke
    last, the instruction."""
    vector = load(path)
    worker, expect = vector["plan"]["workers"]["w"], vector["expect"]
    messages = expect["messages"]
    conversation = "".join(message["content"] for message in messages).encode()
    starts = list(accumulate((len(message["content"].encode()) for message in messages), initial=0))
    assert messages[0] == {"role": "system", "content": worker["system"]}
    end = starts[1]
    for at, row in enumerate(expect["segments"]):
        between = conversation[end : row["start"]].decode()
        assert between == ("" if at == 0 or row["start"] in starts[1:] else "\n\n---\n\n")
        assert starts[row["message"]] <= row["start"] < starts[row["message"] + 1]
        end = row["end"]
    assert conversation[end:].decode() in ("", worker["instruction"])
    if "对话.历史" not in [tag for row in expect["segments"] for tag in row["tags"]]:
        assert len(messages) == 2


@pytest.mark.parametrize("path", ANSWERED, ids=lambda path: path.stem)
def test_user_and_assistant_speak_in_turn_and_the_user_begins_and_ends(path: Path) -> None:
    messages = load(path)["expect"]["messages"]
    roles = [message["role"] for message in messages]
    assert roles == ["system", *["user", "assistant"] * (len(roles) // 2 - 1), "user"]
    assert len(messages) == 2 or all(message["content"] for message in messages)


@pytest.mark.parametrize("path", ANSWERED, ids=lambda path: path.stem)
def test_the_bags_hold_the_texts_of_the_segments(path: Path) -> None:
    expect = load(path)["expect"]
    conversation = "".join(message["content"] for message in expect["messages"]).encode()
    slices = [conversation[row["start"] : row["end"]].decode() for row in expect["segments"]]
    bags = expect["bags"]
    texts = [text for bag in ("before", "history", "after", "turn", "postTurn") for text in bags[bag]]
    assert len(texts) == len(slices)
    assert set(texts) - set(slices) <= set(bags["history"])


def test_what_is_kept_of_a_dialogue_is_an_end_of_it_that_a_question_begins() -> None:
    """By the answers alone: the kept blocks are the last ones, in order, and n to 2n, less at most one."""
    sizes = {
        "history-fields": 5,
        "history-cut-at-a-question": 5,
        "history-summary-cut": 20,
        "history-full-cut": 80,
    }
    for name, n in sizes.items():
        vector = load(FOLDER / f"{name}.json")
        (text,) = vector["expect"]["bags"]["history"]
        kept = text.split("\n\n")
        log = [f"{NAMES[b['role']]}：{b['content']}" for b in vector["board"]["history"]]
        assert log[len(log) - len(kept) :] == kept
        assert n - 1 <= len(kept) <= 2 * n < len(log)
        assert kept[0].startswith("用户：")


@pytest.mark.parametrize(
    "path", [p for p in FILES if p.stem.startswith("isolation-")], ids=lambda path: path.stem
)
def test_no_answer_places_what_its_worker_must_not_see(path: Path) -> None:
    vector = load(path)
    if vector["plan"]["workers"]["w"]["isolation"] != "none":
        text = vector["expect"]["messages"][1]["content"]
        assert "密" not in text
        assert "禁" not in text
