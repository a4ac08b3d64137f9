"""Packages with the items of their lists in another order, where the order means nothing.

Left alone are segments, whose order is the order of the texts, and the steps of tables.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

_TAGS = re.compile(r"(?m)^(inputTags|outputTags|prerequisiteTags|deliverables|docs):\n((?:  \S.*\n)+)")
_FLOW = re.compile(r"(?m)^(workers|roles|inputTags|outputTags): \[([^\[\]\n]*)\]$")
_ROWS = re.compile(r"(?m)^packages:\n((?:  .*\n)+)")
_REGISTERED = re.compile(r"(?m)^\| worker \| 何时调度 \|\n\|---\|---\|\n((?:\|.*\n)+)")


def reordered(files: Mapping[str, bytes], seed: int) -> dict[str, bytes]:
    """The same workspace: files in another order, and the items of each list of tags, of workers, roles, rows of
    the registry and of the tables that register workers. What is no UTF-8 stays as it is."""
    chance = random.Random(seed)
    names = sorted(files)
    chance.shuffle(names)
    return {name: _reordered(files[name], chance) for name in names}


def _reordered(data: bytes, chance: random.Random) -> bytes:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data

    def lines(match: re.Match[str]) -> str:
        return f"{match[1]}:\n" + _mixed(match[2].splitlines(keepends=True), chance)

    def words(match: re.Match[str]) -> str:
        return f"{match[1]}: [" + ", ".join(_shuffled(match[2].split(", "), chance)) + "]"

    def rows(match: re.Match[str]) -> str:
        return "packages:\n" + _mixed(re.split(r"(?m)^(?=  - )", match[1]), chance)

    def table(match: re.Match[str]) -> str:
        return match[0][: -len(match[1])] + _mixed(match[1].splitlines(keepends=True), chance)

    text = _TAGS.sub(lines, text)
    text = _FLOW.sub(words, text)
    text = _REGISTERED.sub(table, text)
    return _ROWS.sub(rows, text).encode()


def _mixed(parts: list[str], chance: random.Random) -> str:
    return "".join(_shuffled(parts, chance))


def _shuffled(parts: list[str], chance: random.Random) -> list[str]:
    mixed = list(parts)
    chance.shuffle(mixed)
    return mixed
