"""What is said of an artifact: a note is never a refusal to show it."""

from __future__ import annotations

from typing import Literal

from skillc.value import value
from skillc.wording import say

Path = tuple[str | int, ...]


@value
class ArtifactNote:
    """`kind` tells cases apart; `path` leads to the part by the keys as written, () is the whole.

    `level`: a warning means that something is lost, missing or not as agreed; a note that it was read anyway.
    """

    level: Literal["warning", "note"]
    kind: str
    path: Path
    message: str
    help: str = ""


def place_of(path: Path) -> str:
    """The path as people read it.

    >>> place_of(("正文", "rules", 0, "配方"))
    '正文.rules[0].配方'
    """
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def kind_of(value: object) -> str:
    """How a sentence speaks of a value: by its shape."""
    if isinstance(value, str):
        return say("a text")
    if isinstance(value, bool):
        return say("a yes or no")
    if isinstance(value, int | float):
        return say("a number")
    if isinstance(value, list):
        return say("a list")
    return say("a mapping") if isinstance(value, dict) else say("nothing")
