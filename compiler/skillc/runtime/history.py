"""对话.历史: the log of role blocks, how much of it a worker sees, and how it is spoken (SPEC 11.4)."""

from __future__ import annotations

from skillc.runtime.policy import LINES, TOKENS, cut, window_drop
from skillc.tags import WHOLE, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from skillc.artifact.plan import SegmentPolicy
    from skillc.tags import Pattern

HISTORY = "对话.历史"
FALLBACK = ("运行.事件流", "用户.最新输入")
"""What stands for the dialogue as long as there is none."""
KEPT = {"fields": 5, "summary": 20, "full": 80}
"""Blocks that each projection keeps at least, and twice as many at most."""
NAMES = {
    "zh": {"user": "用户：", "assistant": "助手：", "system": "系统："},
    "en": {"user": "User: ", "assistant": "Assistant: ", "system": "System: "},
}
ROLES = ("user", "assistant", "system")
_USER, _ANSWER, _SYSTEM = ROLES

Spoken = tuple[str, str]
"""A role and what it says."""


def takes_history(patterns: Iterable[Pattern]) -> bool:
    """Whether a segment of these patterns is where the dialogue stands; the whole board (`**`) is not."""
    return any(pattern.parts[0] != WHOLE and matches(pattern, HISTORY) for pattern in patterns)


def kept_blocks(
    blocks: Sequence[Mapping[str, str]], policy: SegmentPolicy | None, projection: str | None
) -> list[Spoken]:
    """The blocks that are shown, verbatim; empty ones are none.

    Without a policy (or with `latest`) the projection says how many: `summary` when it is silent, none for
    `fixed`. A cut moves on to where a group begins (`group_start`), so no answer stands without its question.
    """
    if projection == "fixed":
        return []
    kind, n = amount(policy, projection)
    if kind in LINES or kind in TOKENS:
        kept = _kept_text(blocks, kind, n)
    else:
        kept = _spoken(blocks[group_start(blocks, _drop(len(blocks), kind, n), n) :])
    return [(role, text) for role, text in kept if text]


def amount(policy: SegmentPolicy | None, projection: str | None) -> tuple[str, int]:
    """The policy that says how much is shown: its own, else the window of its projection."""
    if policy is None or policy.kind == "latest":
        return "window_turns", KEPT.get(projection or "summary", KEPT["summary"])
    return policy.kind, policy.n or 1


def _spoken(blocks: Sequence[Mapping[str, str]]) -> list[Spoken]:
    return [(block["role"], block["content"]) for block in blocks]


def _drop(count: int, kind: str, n: int) -> int:
    if kind == "window_turns":
        return window_drop(count, n)
    return max(0, count - n) if kind == "last_turns" else 0


def _kept_text(blocks: Sequence[Mapping[str, str]], kind: str, n: int) -> list[Spoken]:
    """The whole groups that a line or token policy leaves; where it leaves none, the end of the last one."""
    texts = [block["content"] for block in blocks]
    kept = cut(texts, kind, n)
    first = len(texts) - len(kept)
    whole = first + bool(kept and kept[0] != texts[first])
    start = next((at for at in range(whole, len(blocks)) if _begins(blocks, at)), None)
    if whole == 0 or start is None:
        return [(block["role"], text) for block, text in zip(blocks[first:], kept, strict=True)]
    return _spoken(blocks[start:])


def group_start(blocks: Sequence[Mapping[str, str]], drop: int, n: int) -> int:
    """Where the kept part begins when `drop` blocks shall go: at the first group that begins at or behind the
    cut, else at the last one before it.

    A group that goes on for `n` blocks or more may be cut in its course, though not between a question and its
    answer, or a dialogue in which the user falls silent would grow without end.
    """
    if drop == 0:
        return 0
    before = next(at for at in range(drop - 1, -1, -1) if at == 0 or _begins(blocks, at))
    for at in range(drop, len(blocks)):
        answers = blocks[at]["role"] == _ANSWER and blocks[at - 1]["role"] != _ANSWER
        if _begins(blocks, at) or (at - before >= n and not answers):
            return at
    return before


def _begins(blocks: Sequence[Mapping[str, str]], at: int) -> bool:
    """Whether a group begins: with a block of the user's; with one of the system's, unless it stands between a
    question and its answer; with an answer that no question stands before."""
    role = blocks[at]["role"]
    if role == _ANSWER:
        return _last_question(blocks, at) is None
    if role == _SYSTEM:
        before = (blocks[i]["role"] for i in range(at - 1, -1, -1))
        return next((role for role in before if role != _SYSTEM), None) != _USER
    return True


def _last_question(blocks: Sequence[Mapping[str, str]], at: int) -> int | None:
    """The last block before `at` that is no answer."""
    return next((i for i in range(at - 1, -1, -1) if blocks[i]["role"] != _ANSWER), None)


def named(blocks: Iterable[Spoken], language: str) -> list[str]:
    """Each block as text, with the name of its role before it."""
    names = NAMES.get(language, NAMES["zh"])
    return [names[role] + text for role, text in blocks]


def conversation(blocks: Iterable[Spoken], language: str) -> list[Spoken]:
    """The blocks as turns of the user and the assistant. What the system said, and an answer before which no
    question is shown, is the user's with its name before it: no model is told that it spoke unasked.

    >>> conversation([("assistant", "欢迎"), ("user", "你好"), ("assistant", "请坐")], "zh")
    [('user', '助手：欢迎'), ('user', '你好'), ('assistant', '请坐')]
    """
    names = NAMES.get(language, NAMES["zh"])
    turns: list[Spoken] = []
    asked = False
    for role, text in blocks:
        asked = asked or role != _ANSWER
        plain = role == _USER or (role == _ANSWER and asked)
        turns.append((role, text) if plain else (_USER, names[role] + text))
    return turns
