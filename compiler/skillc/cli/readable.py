"""Documents for readers: what they are called, and how the headings of a text stand below those of the document."""

from __future__ import annotations

import re

_HEADING = re.compile(r"( {0,3})(#{1,6})(?=[ \t]|$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CLAUSE = re.compile("[：:，,。；;]")
_DEEPEST = 6


def title_of(description: str) -> str:
    """The first clause of what a package says of itself.

    >>> title_of("交互式长篇：先定设定与大纲，再写")
    '交互式长篇'
    """
    return _CLAUSE.split(" ".join(description.split()), maxsplit=1)[0].strip()


def below(text: str, level: int) -> str:
    """`text` with its headings moved down until the highest stands below one of `level`; code stays as it is.

    >>> below("# 人物\\n\\n## 沈砚\\n", 2)
    '### 人物\\n\\n#### 沈砚\\n'
    """
    lines = text.split("\n")
    headings = _headings(lines)
    down = level + 1 - min((len(marks) for _, marks in headings.values()), default=level + 1)
    for at, (blanks, marks) in headings.items():
        deeper = min(_DEEPEST, len(marks) + max(down, 0))
        lines[at] = blanks + "#" * deeper + lines[at][len(blanks) + len(marks) :]
    return "\n".join(lines)


def _headings(lines: list[str]) -> dict[int, tuple[str, str]]:
    """The lines that are headings, each with the blanks before it and its marks."""
    found = {}
    fence = ""
    for at, line in enumerate(lines):
        edge = _FENCE.match(line)
        if fence:
            closes = edge and edge[1].startswith(fence) and not line.strip().strip(fence[0])
            fence = "" if closes else fence
        elif edge:
            fence = edge[1]
        elif heading := _HEADING.match(line):
            found[at] = (heading[1], heading[2])
    return found
