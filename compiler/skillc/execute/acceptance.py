"""What acceptance does to the items of an invocation, and what a reviewer's verdict is (SPEC 7.2 - 7.4)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from skillc.runtime import Board, Item
from skillc.tags import ONE, Pattern, family, matches

USER_CONFIRMED = "user_confirmed"
PROGRAMMATIC = "programmatic_review"
_RECORD = Pattern(("验收", ONE, "记录"))
_DRAFT, _CONFIRMED = "草稿", "确认稿"
_VERDICT_LINE = re.compile(
    r"^[\s>*#\-`\"'{]*verdict[\s*`\"']*[:：][\s*`\"']*(pass|fail)\b", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Pass or fail, and for a fail without a verdict the reason why it counts as one."""

    passed: bool
    reason: str = ""

    @property
    def word(self) -> str:
        return "pass" if self.passed else "fail"


@dataclass(frozen=True, slots=True)
class Promotion:
    """A draft that became a confirmed item."""

    draft: str
    confirmed: str
    tag: str


def verdict_of(items: Iterable[Item]) -> Verdict:
    """The verdict in a reviewer's own outputs, `验收.*.记录` first; none is a fail (SPEC 7.3).

    A JSON key `verdict`, or a line `verdict: pass`; the first output that has either decides.
    """
    ordered = sorted(items, key=lambda item: (not matches(_RECORD, item.tag), item.seq))
    for item in ordered:
        words = _verdict_words(item.content)
        if len(words) == 1:
            return Verdict(words.pop() == "pass")
        if words:
            return Verdict(False, f"`{item.tag}` says both pass and fail")
    tags = ", ".join(f"`{item.tag}`" for item in ordered) or "the reply, which wrote nothing"
    return Verdict(False, f"there is no verdict (pass or fail) in {tags}")


def _verdict_words(content: str) -> set[str]:
    data = _json_object(content)
    if data is not None:
        return {str(data.get("verdict")).strip().lower()} & {"pass", "fail"}
    return {word.lower() for word in _VERDICT_LINE.findall(content)}


def _json_object(content: str) -> dict[str, object] | None:
    text = content.strip()
    if text.startswith("```"):
        text = text.partition("\n")[2].removesuffix("```")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def confirmed_tag(tag: str, moved: Mapping[str, str]) -> str | None:
    """The tag that accepting `tag` gives: `X.确认稿` of a draft, under its new name; None for others.

    >>> confirmed_tag("设计.规则.草稿#天气", {})
    '设计.规则.确认稿#天气'
    """
    tag = moved.get(tag, tag)
    head, dot, last = tag.rpartition(".")
    if family(last) != _DRAFT:
        return None
    return head + dot + _CONFIRMED + last[len(_DRAFT) :]


def accept(board: Board, items: Iterable[Item], promoting: bool, moved: Mapping[str, str]) -> list[Promotion]:
    """Accept the live ones of `items`; with `promoting` each draft gives a confirmed item (SPEC 7.2)."""
    promotions: list[Promotion] = []
    for item in items:
        if not item.live:
            continue
        tag = confirmed_tag(item.tag, moved) if promoting else None
        if tag is None:
            _settle(board, item)
            continue
        confirmed = board.write(
            tag,
            item.content,
            item.source,
            dependencies=(item.id,),
            metadata=item.metadata,
            scope=item.scope,
        )
        board.set_status(item.id, "superseded", confirmed.id)
        _settle(board, confirmed)
        promotions.append(Promotion(item.id, confirmed.id, confirmed.tag))
    return promotions


def _settle(board: Board, item: Item) -> None:
    """Accepted; what was sent back under the same tag by the same source is replaced by it."""
    board.set_status(item.id, "accepted")
    for old in board.alive(item.tag):
        if old.source == item.source and old.seq < item.seq and old.status == "revision_requested":
            board.set_status(old.id, "superseded", item.id)


def reject(board: Board, items: Iterable[Item]) -> None:
    """The user refuses `items`: nobody reads them any more."""
    for item in items:
        if item.live:
            board.set_status(item.id, "rejected")


def send_back(board: Board, ids: Iterable[str]) -> list[Item]:
    """A review failed: the products `ids`, or what superseded them, are to be revised. They stay readable."""
    sent: list[Item] = []
    for item_id in ids:
        item = board.get(item_id)
        heir = board.heir(item) if item else None
        if heir is not None and heir not in sent:
            board.set_status(heir.id, "revision_requested")
            sent.append(heir)
    return sent
