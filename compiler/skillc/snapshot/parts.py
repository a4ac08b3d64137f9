"""A snapshot as text -> its parts, so that a difference can name the one it is in."""

from __future__ import annotations

import re

from skillc.snapshot.rendering import RULE
from skillc.value import field, value

HEAD = "head"
_FENCE = re.compile("(`{3,})text")
_MESSAGE = re.compile(r"## Message (\d+): (.*)")
_SEGMENT = re.compile(r"### Segment `([^`]*)`.*")


@value(frozen=False)
class Part:
    """A heading with what stands under it. `key` is the same in two snapshots for what is meant to be the same part;
    `segment` and `message` say what it is. `facts` are the lines outside the fence, `lines` those inside."""

    key: str
    title: str
    message: str = ""
    segment: str = ""
    facts: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def parts_of(text: str) -> list[Part]:
    """The parts of a snapshot, in order; of a text that is none, whatever looks like some.

    >>> [part.key for part in parts_of("# a\\n\\n## Message 0: system\\n\\n```text\\n## no\\n```\\n")]
    ['head', 'message 0']
    """
    parts: list[Part] = []
    seen: dict[str, int] = {}
    message, fence = "", ""
    for line in text.split("\n"):
        if fence:
            if line == fence:
                fence = ""
            else:
                parts[-1].lines.append(line)
            continue
        opened = _FENCE.fullmatch(line)
        if line.startswith("#"):
            found = _MESSAGE.fullmatch(line)
            message = f"{found[1]} ({found[2]})" if found else message
            parts.append(_part(line, message, seen))
        elif opened and parts:
            fence = opened[1]
        elif line not in ("", RULE):
            if not parts:
                parts.append(_part("", message, seen))
            parts[-1].facts.append(line)
    return parts


def _part(line: str, message: str, seen: dict[str, int]) -> Part:
    segment = _SEGMENT.fullmatch(line)
    name = f"segment {segment[1]}" if segment else f"message {message.split()[0]}" if message else HEAD
    if line.startswith("###") and not segment:
        name = f"{line} in {name}"
    seen[name] = seen.get(name, 0) + 1
    key = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return Part(key, line, message, segment[1] if segment else "")
