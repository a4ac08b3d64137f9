"""What the messages of a request consist of: the system message, the segments, the turns of a dialogue.

A part has a digest, so that two requests can be compared without keeping their texts: what they begin with in
common is what a provider may have cached, and where they differ is what makes a recording miss.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from skillc.runtime import Context
from skillc.runtime.estimate import estimate_tokens


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the messages: the id of its segment (or the role of who speaks), its label, the tags in it."""

    id: str
    label: str | None
    tags: tuple[str, ...]
    digest: str
    tokens: int


def parts_of(context: Context, labels: Mapping[str, str | None]) -> tuple[Part, ...]:
    """The parts of a context, cut where messages and segments begin and end; what joins two of them belongs to the
    one behind it."""
    segments = [row for row in context.segments if row["end"] > row["start"]]
    parts: list[Part] = []
    start = 0
    for message in context.messages:
        data = message["content"].encode("utf-8")
        stop = start + len(data)
        ends = [*sorted(row["end"] for row in segments if start < row["end"] < stop), stop]
        for first, last in zip([start, *ends[:-1]], ends, strict=True):
            row = next((row for row in segments if row["start"] < last <= row["end"]), None)
            id = row["id"] if row else message["role"]
            tags = tuple(row["tags"]) if row else ()
            parts.append(_part(message["role"], id, labels.get(id), tags, data[first - start : last - start]))
        start = stop
    return tuple(parts)


def part_of_message(message: Mapping[str, str]) -> Part:
    """A whole message as one part, as those of the retries are."""
    return _part(message["role"], message["role"], None, (), message["content"].encode("utf-8", "replace"))


def _part(role: str, id: str, label: str | None, tags: tuple[str, ...], data: bytes) -> Part:
    digest = sha256(role.encode() + b"\0" + data).hexdigest()[:24]
    return Part(id, label, tags, digest, estimate_tokens(data.decode("utf-8", "replace")))


def shared(parts: Iterable[Part], before: Iterable[tuple[str, int]]) -> int:
    """The estimated tokens of what `parts` begin with in common with the digests of `before`.

    >>> shared([Part("a", None, (), "x", 5), Part("b", None, (), "y", 7)], [("x", 5), ("z", 7)])
    5
    """
    total = 0
    for part, (digest, _) in zip(parts, before, strict=False):
        if part.digest != digest:
            break
        total += part.tokens
    return total
