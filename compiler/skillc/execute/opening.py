"""What the user is shown before the first turn: the opening of 设计.开场白与开场变量 (SPEC 12.9)."""

from __future__ import annotations

from collections.abc import Mapping

from skillc.artifact.labels import labels_of
from skillc.artifact.plan import Plan
from skillc.execute.variables import OPENING, document_body
from skillc.runtime import Board
from skillc.runtime.boardorder import in_force

OPENING_KEYS = ("开场正文", "开场白", "opening")


def opening_text(plan: Plan, board: Board) -> str:
    """The opening in force, as the dialogue begins with it; "" where there is none.

    A text, or the texts of a group one behind the other. Nothing from a document that carries a label, and of a
    group nothing under a key that would carry one as a tag: `隐藏备注` is not shown.
    """
    item = in_force(board, OPENING)
    if item is None or labels_of(item.tag, plan.labels, plan.moved):
        return ""
    body = document_body(item)
    said = next((body[key] for key in OPENING_KEYS if body.get(key)), None)
    parts = said.items() if isinstance(said, Mapping) else [("", said)]
    texts = [
        text.strip() for key, text in parts if isinstance(text, str) and not labels_of(str(key), plan.labels)
    ]
    return "\n\n".join(text for text in texts if text)
