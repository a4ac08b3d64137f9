"""Sentences that can be said in another language: the English template and what fills it stay known.

A rule writes `say("`{worker}` reads `{tag}`", worker=…, tag=…)` and gets text, in English, that a report may
translate by its template. What fills a template may itself be said. Reports own the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce


class Said(str):
    """English text that remembers the template and the values it was made of."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]


def say(template: str, /, **values: object) -> Said:
    """`template` filled with `values`.

    >>> say("`{tag}` is read by nobody", tag="规则.草稿")
    '`规则.草稿` is read by nobody'
    """
    return said_of(template, values)


def said_of(template: str, values: Mapping[str, object]) -> Said:
    """What was said with a template and values that were kept."""
    said = Said(template.format_map(values))
    said.template, said.values = template, values
    return said


def series(parts: Iterable[str]) -> str:
    """`parts` one behind the other, with commas; of no parts, nothing.

    >>> series(["`a`", "`b`"])
    '`a`, `b`'
    """
    told = list(parts)
    return (
        reduce(lambda before, part: say("{before}, {part}", before=before, part=part), told) if told else ""
    )


def clauses(parts: Iterable[str]) -> str:
    """`parts` one behind the other, with semicolons; of no parts, nothing.

    >>> clauses(["it is new", "nobody reads it"])
    'it is new; nobody reads it'
    """
    told = list(parts)
    return (
        reduce(lambda before, part: say("{before}; {part}", before=before, part=part), told) if told else ""
    )


def said_in(catalogue: Mapping[str, str], text: str) -> str:
    """`text` in the language of `catalogue` (English template → template), as far as it was said with `say`.

    >>> said_in({"`{tag}` is read by nobody": "没有人读 `{tag}`"}, say("`{tag}` is read by nobody", tag="规则"))
    '没有人读 `规则`'
    """
    if not isinstance(text, Said) or not catalogue:
        return text
    values = {
        name: said_in(catalogue, value) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return rephrased(text, catalogue.get(text.template, text.template).format_map(values))


def rephrased(said: Said, text: str) -> Said:
    """`text`, which says the same as `said` in other words."""
    told = Said(text)
    told.template, told.values = said.template, said.values
    return told


def english(text: str) -> str:
    """What `text` was before `said_in`."""
    return text.template.format_map(text.values) if isinstance(text, Said) else text
