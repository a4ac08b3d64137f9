"""Findings and reports in Chinese: one catalogue, from the English template of a sentence to the Chinese one.

Codes, slugs and what authors wrote stay as they are; so do words of the format, such as `inputTags`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from skillc.diagnostic import Diagnostic
from skillc.later import later
from skillc.value import replace
from skillc.wording import Said, rephrased, said_in

Words = Mapping[str, str]
"""Templates of one language by the English ones; none for English itself."""
ENGLISH: Words = {}
_FILE = os.path.join(os.path.dirname(__file__), "messages.zh.json")


@lru_cache(maxsize=1)
def _chinese() -> Words:
    with open(_FILE, encoding="utf-8") as file:
        words: dict[str, str] = json.load(file)
    return words


def words_of(language: str) -> Words:
    """The catalogue of one language, `en` or `zh`."""
    return _chinese() if language == "zh" else ENGLISH


def of_locale(environment: Mapping[str, str]) -> str:
    """The language that the locale asks for: the first of its variables that is set decides.

    >>> of_locale({"LANG": "zh_CN.UTF-8"}), of_locale({"LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8"})
    ('zh', 'en')
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    chosen = next((environment[name] for name in names if environment.get(name)), "")
    return "zh" if chosen.lower().startswith("zh") else "en"


_CODE = later("(`` .*? ``|`[^`]*`)")
_JOINT = later("(?<=[\u4e00-\u9fff])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[\u4e00-\u9fff])")


def spaced(text: str) -> str:
    """A blank between Chinese and Latin words; what stands in backticks is a word, and stays as it is.

    >>> spaced("不能作为worker的`名a`")
    '不能作为 worker 的 `名a`'
    """
    words = [part if at % 2 else _JOINT.sub(" ", part) for at, part in enumerate(_CODE.split(text))]
    for at in range(1, len(words), 2):
        if "\u4e00" <= words[at - 1][-1:] <= "\u9fff":
            words[at - 1] += " "
        if "\u4e00" <= words[at + 1][:1] <= "\u9fff":
            words[at + 1] = " " + words[at + 1]
    return "".join(words)


def _told(words: Words, text: str) -> str:
    said = said_in(words, text)
    return rephrased(said, spaced(said)) if isinstance(said, Said) else said


def translated(diagnostics: Sequence[Diagnostic], words: Words) -> tuple[Diagnostic, ...]:
    """The findings with every sentence in the language of `words`."""
    return (
        tuple(_translated(diagnostic, words) for diagnostic in diagnostics) if words else tuple(diagnostics)
    )


def _translated(diagnostic: Diagnostic, words: Words) -> Diagnostic:
    fix = diagnostic.fix
    return replace(
        diagnostic,
        message=_told(words, diagnostic.message),
        help=_told(words, diagnostic.help),
        related=tuple(replace(label, message=_told(words, label.message)) for label in diagnostic.related),
        fix=replace(fix, message=_told(words, fix.message)) if fix else None,
    )


def retold(words: Words, text: str) -> str:
    """`text` in the language of `words`: as it was said, or, where it comes from a room that knows no catalogue, by
    the template that it fits. Such templates number what fills them: `{0}`.

    What stands in backticks is a name, whatever else it may mean.

    >>> retold({"no worker `{0}`; {1}": "没有 worker `{0}`；{1}", "it has none": "一个也没有", "a": "甲"},
    ...        "no worker `a`; it has none")
    '没有 worker `a`；一个也没有'
    """
    if isinstance(text, Said) or not words:
        return said_in(words, text)
    if text in words:
        return words[text]
    for template, pattern, quoted in _numbered(tuple(words)):
        found = pattern.fullmatch(text)
        if found:
            parts = enumerate(found.groups())
            return words[template].format(
                *(part if at in quoted else retold(words, part) for at, part in parts)
            )
    return text


@lru_cache(maxsize=2)
def _numbered(templates: tuple[str, ...]) -> Sequence[tuple[str, re.Pattern[str], frozenset[int]]]:
    """The templates with numbers, those that begin with a value last, else those with the most
    text of their own first; and which of their values stand in backticks."""
    found = [template for template in templates if "{0}" in template]
    found.sort(key=lambda template: (template.startswith("{"), -len(re.sub(r"\{\d+\}", "", template))))
    return [(template, _pattern(template), _quoted(template)) for template in found]


def _quoted(template: str) -> frozenset[int]:
    return frozenset(int(number) for number in re.findall(r"`\{(\d+)\}`", template))


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{\d+\}", template)
    texts = (re.escape(part.replace("{{", "{").replace("}}", "}")) for part in parts)
    return re.compile("(.*?)".join(texts), re.DOTALL)
