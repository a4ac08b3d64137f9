"""What a model receives for one invocation, and the index of what stands where in it (SPEC 9.8, 17.2)."""

from __future__ import annotations

from skillc.runtime.estimate import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from skillc.runtime.board import Item

BREAK = "\n\n---\n\n"
GAP = "\n\n"
BAGS = ("before", "history", "after", "turn", "postTurn")


class Piece:
    """One segment that has something to say: its text as it stands in the message."""

    __slots__ = ("bag", "id", "items", "tags", "text", "tier")

    def __init__(self, id: str, tier: str, tags: list[str], text: str, items: list[Item], bag: str) -> None:
        self.id = id
        self.tier = tier
        self.tags = tags
        self.text = text
        self.items = items
        self.bag = bag


class Context:
    """Messages, their segment index, and what was read.

    `segments`: id, tier, tags, message number, byte range `start`..`end` of the conversation (the UTF-8
    of all message contents one after another), estimated tokens. `prefix`: `fixed_bytes` is the system
    message, `static_bytes` ends behind the last of the leading static segments. `reads` are the
    tags that the worker may see on this board, `items` those whose text was placed.
    """

    __slots__ = ("bags", "items", "messages", "prefix", "reads", "segments")

    def __init__(self, system: str, pieces: list[Piece], reads: list[str]) -> None:
        self.reads = reads
        user = BREAK.join(piece.text for piece in pieces)
        self.messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        fixed = len(system.encode("utf-8"))
        self.segments = _index(pieces, fixed)
        self.prefix = {"fixed_bytes": fixed, "static_bytes": _static_end(self.segments, fixed)}
        self.bags = {bag: [piece.text for piece in pieces if piece.bag == bag] for bag in BAGS}
        used = {(item.seq, item.id): item for piece in pieces for item in piece.items}
        self.items = [used[key] for key in sorted(used)]

    def to_json(self) -> dict[str, Any]:
        """The context as `skillc show --format json` prints it (SPEC 17.2)."""
        return {
            "messages": self.messages,
            "segments": self.segments,
            "prefix": self.prefix,
            "reads": self.reads,
            "bags": self.bags,
        }


def _index(pieces: list[Piece], start: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for piece in pieces:
        end = start + len(piece.text.encode("utf-8"))
        rows.append(
            {
                "id": piece.id,
                "tier": piece.tier,
                "tags": piece.tags,
                "message": 1,
                "start": start,
                "end": end,
                "tokens": estimate_tokens(piece.text),
            }
        )
        start = end + len(BREAK)
    return rows


def _static_end(segments: list[dict[str, Any]], fixed: int) -> int:
    end = fixed
    for segment in segments:
        if segment["tier"] != "static":
            break
        end = segment["end"]
    return end
