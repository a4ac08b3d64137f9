"""What a model receives for one invocation, and the index of what stands where in it (SPEC 9.8, 17.2)."""

from __future__ import annotations

from skillc.runtime.estimate import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from skillc.runtime.board import Item
    from skillc.runtime.history import Spoken

BREAK = "\n\n---\n\n"
GAP = "\n\n"
_USER = "user"
BAGS = ("before", "history", "after", "turn", "postTurn")


class Piece:
    """One segment that has something to say: its `text`, and its `turns` where it is a dialogue: the user and
    the assistant in turn, the user first."""

    __slots__ = ("_measure", "bag", "id", "items", "tags", "text", "tier", "turns")

    def __init__(
        self,
        id: str,
        tier: str,
        tags: list[str],
        text: str,
        items: list[Item],
        bag: str,
        turns: list[Spoken] | None = None,
    ) -> None:
        self.id = id
        self.tier = tier
        self.tags = tags
        self.text = text
        self.items = items
        self.bag = bag
        self.turns = turns
        self._measure: tuple[int, int] | None = None

    def measure(self) -> tuple[int, int]:
        """Bytes in the conversation, and estimated tokens; counted once."""
        if self._measure is None:
            text = self.text if self.turns is None else "".join([text for _, text in self.turns])
            self._measure = len(text.encode("utf-8")), estimate_tokens(text)
        return self._measure


def merged(said: Iterable[Spoken]) -> list[Spoken]:
    """What one role says in a row as one turn."""
    turns: list[tuple[str, list[str]]] = []
    for role, text in said:
        if turns and turns[-1][0] == role:
            turns[-1][1].append(text)
        else:
            turns.append((role, [text]))
    return [(role, GAP.join(texts)) for role, texts in turns]


class Context:
    """Messages, their segment index, and what was read.

    `messages`: one system message, then the user and the assistant in turn; the last is the user's. `segments`:
    id, tier, tags, number of the (first) message, byte range `start`..`end` of the conversation (the UTF-8 of all
    message contents one after another), estimated tokens. `prefix`: `fixed_bytes` is the system message,
    `static_bytes` ends behind the last text before the first segment that is declared dynamic, whether that one is
    empty on this board or not: what every two contexts of one plan share where nobody rewrites what is static.
    `reads` are the tags that the worker may see on this board, `items` those whose text was placed. What is counted is counted when it is asked for.
    """

    __slots__ = ("_index", "_leading", "_pieces", "messages", "reads")

    def __init__(
        self, system: str, pieces: list[Piece], reads: list[str], instruction: str, leading: int
    ) -> None:
        """`leading`: how many of the `pieces` stand before the first segment that is declared dynamic."""
        self.reads = reads
        self.messages = [{"role": "system", "content": system}, *_messages(pieces, instruction)]
        self._pieces = pieces
        self._leading = leading
        self._index: list[dict[str, Any]] | None = None

    @property
    def segments(self) -> list[dict[str, Any]]:
        """The index of the segments."""
        if self._index is None:
            self._index = _index(self._pieces, self._fixed)
        return self._index

    @property
    def prefix(self) -> dict[str, int]:
        """How many bytes of the conversation never change, and how many are static."""
        static = self.segments[self._leading - 1]["end"] if self._leading else self._fixed
        return {"fixed_bytes": self._fixed, "static_bytes": static}

    @property
    def bags(self) -> dict[str, list[str]]:
        """The texts of the segments, for hosts with preset holes (SPEC 9.7)."""
        return {bag: [piece.text for piece in self._pieces if piece.bag == bag] for bag in BAGS}

    @property
    def items(self) -> list[Item]:
        """What was placed of the board, oldest first, each once."""
        used = {(item.seq, item.id): item for piece in self._pieces for item in piece.items}
        return [used[key] for key in sorted(used)]

    @property
    def text(self) -> str:
        """All segments as one text, the dialogue with the names of its roles: for people."""
        return BREAK.join(piece.text for piece in self._pieces)

    @property
    def _fixed(self) -> int:
        return len(self.messages[0]["content"].encode("utf-8"))

    def to_json(self) -> dict[str, Any]:
        """The context as `skillc show --format json` prints it (SPEC 17.2)."""
        return {
            "messages": self.messages,
            "segments": self.segments,
            "prefix": self.prefix,
            "reads": self.reads,
            "bags": self.bags,
        }


def _messages(pieces: list[Piece], instruction: str) -> list[dict[str, str]]:
    """The messages behind the system message. Pieces in one message are joined by `BREAK`. Where the assistant would have the last word, the user repeats
    the instruction.
    """
    messages: list[dict[str, str]] = []
    texts: list[str] = []
    for piece in pieces:
        for role, text in piece.turns or ((_USER, piece.text),):
            if role == _USER:
                texts.append(text)
            else:
                messages += [_said(texts), {"role": role, "content": text}]
                texts = []
    last = [instruction] if messages and not texts else texts
    return [*messages, _said(last)]


def _said(texts: list[str]) -> dict[str, str]:
    return {"role": _USER, "content": BREAK.join(texts)}


def _index(pieces: list[Piece], start: int) -> list[dict[str, Any]]:
    """Where each piece stands: the same walk as that of the messages, over bytes."""
    rows: list[dict[str, Any]] = []
    message, joins = 1, False
    for piece in pieces:
        size, tokens = piece.measure()
        start += len(BREAK) if joins else 0
        rows.append(
            {
                "id": piece.id,
                "tier": piece.tier,
                "tags": list(piece.tags),
                "message": message,
                "start": start,
                "end": start + size,
                "tokens": tokens,
            }
        )
        start, joins = start + size, True
        if piece.turns is not None:
            message += 2 * sum(role != _USER for role, _ in piece.turns)
            joins = piece.turns[-1][0] == _USER
    return rows
