"""Comments that were meant to suppress findings and are typed so that they do not: each with the right form."""

from __future__ import annotations

import re

from skillc.diagnostic import Diagnostic, find_code, finding
from skillc.later import later
from skillc.text import Span
from skillc.wording import say

_SAID = later(
    r"skillc\s*(?P<colon>[:：]?)\s*(?P<word>[^\W\d]+(?:[- ]file)?)\s*(?P<open>[\[【［〔(（]?)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_CLOSING = later("[\\]】］〕)）]")
_BETWEEN = later(r"[,，、;；\s]+")
_NUMBER = later(r"[A-Za-z]\d{3}")
_IGNORE = frozenset(
    ("ignore", "ignore-file", "ignore_file", "ignorefile", "ignore file", "ignored", "ignores")
)
_LIKE_IGNORE = frozenset(
    ("disable", "suppress", "noqa", "skip", "allow", "off", "忽略", "屏蔽", "抑制", "禁用", "跳过", "关闭")
)


def slip(span: Span, said: str) -> Diagnostic | None:
    """bad-suppression for a comment that is nearly a directive: full-width `：` or `【】`, another case, no colon.

    Prose that begins with our name is none: only a word for ignoring with a code counts, or `ignore[`.
    """
    form = _meant(said)
    return _no_directive(span, said, say("write `{form} reason`", form=form)) if form else None


def heading_slip(span: Span, said: str) -> Diagnostic | None:
    """bad-suppression for a directive in the form of YAML in the body of a Markdown file."""
    form = _meant(said)
    if form is None:
        return None
    message = say("`{said}` is a heading here, and the model reads it", said=short(span.text))
    return finding("bad-suppression", span, message, say("write `<!-- {form} reason -->`", form=form))


def no_directive(span: Span, said: str, usual: str) -> Diagnostic:
    """bad-suppression for what begins with `skillc:` and goes on as no directive does; `usual` is the usual form."""
    form = _meant(said)
    return _no_directive(span, said, say("write `{form} reason`", form=form) if form else usual)


def _no_directive(span: Span, said: str, help: str) -> Diagnostic:
    word = short(re.split(r"[\[【［〔(（]", said)[0]) or "…"
    return finding("bad-suppression", span, say("`{word}` is no directive", word=word), help)


def _meant(said: str) -> str | None:
    """The directive that `said` was meant to be, without its reason.

    >>> _meant("Skillc：忽略【t023】 r"), _meant("skillc 会检查这一行")
    ('skillc: ignore[T023]', None)
    """
    match = _SAID.match(said)
    word = match["word"].lower() if match else ""
    if not match or not (word in _IGNORE or word in _LIKE_IGNORE):
        return None
    closing = _CLOSING.search(match["rest"])
    inside = match["rest"][: closing.start()] if match["open"] and closing else match["rest"].split("\n")[0]
    names = [name for name in _BETWEEN.split(inside.strip()) if name]
    codes = [
        name for name in (names if match["open"] else names[:1]) if find_code(name) or _NUMBER.fullmatch(name)
    ]
    brackets = word in _IGNORE and match["open"] not in ("", "(", "（")
    if not codes and not brackets:
        return None
    shown = ", ".join(code.upper() if _NUMBER.fullmatch(code) else code for code in codes) or "CODE"
    return f"skillc: ignore{'-file' if 'file' in word else ''}[{shown}]"


def short(word: str, limit: int = 40) -> str:
    """`word` in one line, without backticks, cut where it is long."""
    word = " ".join(word.replace("`", "").split())
    return word if len(word) <= limit else word[: limit - 1] + "…"
