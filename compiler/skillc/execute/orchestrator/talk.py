"""The conversation with an orchestrator: what it is told, and how much of it is sent again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skillc.artifact.codec import canonical
from skillc.execute.models.protocol import Message
from skillc.execute.orchestrator.looking import may_see, state
from skillc.execute.records import LoopMark, TalkRow
from skillc.execute.work import Work
from skillc.runtime.context import GAP

KEPT = 40
"""Messages that stay; up to twice as many are sent, so that the conversation begins with the same for a while."""
LONGEST = 60_000
"""Characters of the conversation that is sent."""
LONGEST_NEWS = 2_000
"""Characters of what the user said that are told at once; the rest stands on the board."""


def news(work: Work) -> TalkRow:
    """What happened since the orchestrator was last told, and where the session stands: who ran and what that wrote, what
    the user did and said. Texts only under tags that it may see; never a summary, a question or a reason of a worker."""
    mark = work.progress.loop
    ran = [
        {
            "worker": run.worker,
            "role": run.role,
            "asked": run.asked,
            "verdict": run.verdict,
            "wrote": _tags(work, run.items),
        }
        for run in work.runs[mark.runs :]
    ]
    user = [{"did": answer.action, "about": answer.reason} for answer in work.answers[mark.answers :]]
    said = [
        _said(work, item.tag, item.content)
        for item in work.board.items[mark.items :]
        if item.source == "user"
    ]
    told = {"ran": [_given(row) for row in ran], "user": user, "said": said}
    data = {name: rows for name, rows in told.items() if rows}
    return TalkRow(role="user", kind="news", content=_json({**data, "now": state(work)}))


def told(work: Work) -> LoopMark:
    """The mark behind all that happened so far."""
    counts = {"runs": len(work.runs), "answers": len(work.answers), "items": len(work.board.items)}
    return work.progress.loop.model_copy(update=counts)


def _tags(work: Work, ids: Sequence[str]) -> list[str]:
    return [item.tag for item in work.items(ids)]


def _given(row: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in row.items() if value not in (None, False, [])}


def _said(work: Work, tag: str, text: str) -> dict[str, object]:
    if not may_see(work.plan, tag):
        return {"tag": tag, "closed": True}
    return {"tag": tag, "content": text[:LONGEST_NEWS], **({"cut": True} if len(text) > LONGEST_NEWS else {})}


def result(tool: str, data: object) -> TalkRow:
    return TalkRow(role="user", kind="result", content=_json({"tool": tool, "result": data}))


def refusal(message: str) -> TalkRow:
    return TalkRow(role="user", kind="refusal", content=_json({"refused": message}))


def messages_of(system: str, rows: Sequence[TalkRow]) -> tuple[Message, ...]:
    """The messages of the next request: user and assistant in turn, the user last."""
    messages: list[dict[str, str]] = [{"role": "system", "content": system}]
    for row in _window(rows):
        if messages[-1]["role"] == row.role:
            messages[-1]["content"] += GAP + row.content
        else:
            messages.append({"role": row.role, "content": row.content})
    return tuple(messages)


def _window(rows: Sequence[TalkRow]) -> Sequence[TalkRow]:
    """The last of the conversation, from a message on in which news are told. Never fewer than the last such message."""
    first = max((len(rows) - KEPT) // KEPT * KEPT, 0)
    while sum(len(row.content) for row in rows[first:]) > LONGEST and first < len(rows):
        first += max((len(rows) - first) // 2, 1)
    starts = [at for at, row in enumerate(rows) if row.kind == "news"]
    start = next((at for at in starts if at >= first), starts[-1])
    return rows[start:]


def _json(data: object) -> str:
    return canonical(data).decode("utf-8", "replace")
