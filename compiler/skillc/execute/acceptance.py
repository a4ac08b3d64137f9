"""What acceptance does to the items of an invocation, and what a reviewer's verdict is (SPEC 7.2 - 7.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from skillc.artifact.labels import name_of
from skillc.execute.envelope import FENCE, ReplyError, find_object, object_start
from skillc.runtime import Board, Item
from skillc.runtime.verdict import NAMES, is_name, word_of, words_in
from skillc.tags import ONE, Pattern, family, matches

USER_CONFIRMED = "user_confirmed"
PROGRAMMATIC = "programmatic_review"
_RECORD = Pattern(("验收", ONE, "记录"))
_DRAFT, CONFIRMED = "草稿", "确认稿"


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
        words, unclear = _verdict_words(item.content)
        if unclear is not None:
            return Verdict(False, f"the verdict in `{item.tag}` is neither pass nor fail: `{unclear[:40]}`")
        if len(words) == 1:
            return Verdict(words.pop() == "pass")
        if words:
            return Verdict(False, f"`{item.tag}` says both pass and fail")
    tags = ", ".join(f"`{item.tag}`" for item in ordered) or "the reply, which wrote nothing"
    return Verdict(False, f"there is no verdict (pass or fail) in {tags}")


def _verdict_words(content: str) -> tuple[set[str], str | None]:
    """The verdicts in `content`, and what stands where one should be and is none.

    What is JSON as a whole must be one object, read as strictly as a reply.
    """
    found = find_object(content)
    if isinstance(found, ReplyError):
        return (set(), found.message) if _is_json(content) else words_in(content)
    named = [value for key, value in found.items() if is_name(key)]
    if not named:
        return (set(), None) if _is_json(content) else words_in(content)
    words = {word for value in named if isinstance(value, str) and (word := word_of(value))}
    unclear = [value for value in named if not isinstance(value, str) or not word_of(value)]
    return words, f"{NAMES[0]}: {unclear[0]}" if unclear else None


def _is_json(content: str) -> bool:
    text = content.strip()
    if text.startswith(FENCE):
        text = text.partition("\n")[2].lstrip()
    return object_start(text, 0) == 0


def confirmed_tag(tag: str, moved: Mapping[str, str]) -> str | None:
    """The tag that accepting `tag` gives: `X.确认稿` of a draft, under its new name; None for others.

    >>> confirmed_tag("设计.规则.草稿#天气", {})
    '设计.规则.确认稿#天气'
    """
    tag = name_of(tag, moved)
    head, dot, last = tag.rpartition(".")
    if family(last) != _DRAFT:
        return None
    return head + dot + CONFIRMED + last[len(_DRAFT) :]


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
