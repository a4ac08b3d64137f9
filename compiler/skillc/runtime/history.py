"""对话.历史: the log of role blocks, and how much of it a worker sees (SPEC 11.4)."""

from __future__ import annotations

from skillc.runtime.policy import choose, cut, window_drop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from skillc.artifact.plan import SegmentPolicy

HISTORY = "对话.历史"
KEPT = {"fields": 5, "summary": 20, "full": 80}
"""Blocks that each projection keeps at least, and twice as many at most."""
NAMES = {
    "zh": {"user": "用户：", "assistant": "助手：", "system": "系统："},
    "en": {"user": "User: ", "assistant": "Assistant: ", "system": "System: "},
}
ROLES = ("user", "assistant", "system")
_ANSWER = "assistant"


def history_texts(
    blocks: Sequence[Mapping[str, str]],
    policy: SegmentPolicy | None,
    projection: str | None,
    language: str,
) -> list[str]:
    """The blocks that are shown, each with the name of its role before it, verbatim otherwise.

    Without a policy the projection says how many (`summary` when it is silent, none for `fixed`).
    """
    kept = _kept(blocks, policy, projection)
    names = NAMES.get(language, NAMES["zh"])
    texts = [names[block["role"]] + block["content"] for block in kept]
    return list(cut(texts, policy.kind, policy.n or 1)) if policy else texts


def _kept(
    blocks: Sequence[Mapping[str, str]], policy: SegmentPolicy | None, projection: str | None
) -> Sequence[Mapping[str, str]]:
    if projection == "fixed":
        return ()
    if policy is None or policy.kind == "latest":
        return window_blocks(blocks, KEPT.get(projection or "summary", KEPT["summary"]))
    if policy.kind == "window_turns":
        return window_blocks(blocks, policy.n or 1)
    return choose(blocks, policy.kind, policy.n or 1)


def window_blocks(blocks: Sequence[Mapping[str, str]], n: int) -> Sequence[Mapping[str, str]]:
    """The window of `n` over the blocks; the cut moves on to where a question begins, so that an
    answer never stands without it."""
    drop = window_drop(len(blocks), n)
    if drop == 0:
        return blocks
    first = next((at for at, block in enumerate(blocks) if block["role"] != _ANSWER), len(blocks))
    later = range(drop, len(blocks))
    earlier = range(drop - 1, -1, -1)
    return blocks[next(at for at in (*later, *earlier) if _begins_group(blocks[at], at, first)) :]


def _begins_group(block: Mapping[str, str], at: int, first: int) -> bool:
    """A question begins a group; so does an answer before the `first` question: it answers none."""
    return block["role"] != _ANSWER or at < first
