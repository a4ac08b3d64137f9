"""What a person types: texts of many lines, and short decisions that nothing typed before may answer."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable

from skillc.wording import say

Prompt = Callable[[str], str]
END = "."
"""A line with only this ends a text: blank lines are part of it, so that whole drafts can be pasted."""
_YES = frozenset(
    [
        "y",
        "yes",
        "yep",
        "ok",
        "okay",
        "sure",
        "accept",
        "accepted",
        "good",
        "好",
        "好的",
        "是",
        "是的",
        "对",
        "行",
        "嗯",
        "可",
        "可以",
        "没问题",
        "确认",
        "确定",
        "接受",
        "通过",
        "同意",
    ]
)
_NO = frozenset(
    [
        "n",
        "no",
        "nope",
        "reject",
        "不",
        "否",
        "不是",
        "不行",
        "不好",
        "不要",
        "不对",
        "不可以",
        "不接受",
        "不通过",
        "不同意",
        "拒绝",
    ]
)
_SHORT = (3, 16)
"""Words and characters up to which an answer may as well have been meant as a decision."""


def read_text(
    prompt: Prompt, what: str, begun: str = "", begin: Callable[[str], str | None] = lambda line: line
) -> str:
    """The lines up to one that is only `.`, or up to the end of input (Ctrl-D); blank ones around it are cut.

    `begun` is a first line that was typed already. `begin` says what a first line is meant for: None when it was
    something else than text. Raises EOFError when input ends before anything was typed.
    """
    question: str = say("{what} (end with a line that is only {end} or with Ctrl-D): ", what=what, end=END)
    lines = [begun] if begun else []
    while True:
        try:
            line = prompt(question)
        except EOFError:
            if not lines:
                raise
            break
        if line.strip() == END:
            break
        first = begin(line) if not any(map(str.strip, lines)) else line
        if first is not None:
            lines.append(first)
            question = ""
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines).lstrip("\n")


def decision_of(said: str) -> bool | None:
    """Whether `said` is a yes or a no; None when it is neither.

    >>> decision_of("ＯＫ。"), decision_of("不"), decision_of("结尾再长一些")
    (True, False, None)
    """
    word = unicodedata.normalize("NFKC", said).strip().strip(".。!~").casefold()
    return True if word in _YES else False if word in _NO else None


def is_short(said: str) -> bool:
    """Whether `said` may be a decision in other words rather than notes."""
    words, characters = _SHORT
    return len(said.split()) <= words and len(said.strip()) <= characters


def forget_typed(descriptor: int | None = None) -> None:
    """Drop what was typed at the terminal and not read yet: a pasted text must not answer a question that was
    not shown when it was pasted. Does nothing where there is no terminal."""
    try:
        import termios

        termios.tcflush(sys.stdin.fileno() if descriptor is None else descriptor, termios.TCIFLUSH)
    except ImportError:
        _forget_keys()
    except (OSError, ValueError, termios.error):
        return


def _forget_keys() -> None:
    """The same at the console of Windows."""
    from importlib import import_module

    try:
        console = import_module("msvcrt")
    except ImportError:
        return
    while console.kbhit():
        console.getwch()
