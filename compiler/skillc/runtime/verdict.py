"""How a reviewer says pass or fail in plain text: one list of words, for who writes packages and who runs them.

A verdict is a line `verdict: pass`, `**结论**：不通过。`, a heading `## 结论` over a line `通过`, or a first line
`通过`. Nothing but markup stands beside the word: `pass/fail` and `pass, with changes` are no verdict.
"""

from __future__ import annotations

NAMES = ("verdict", "结论", "判定", "裁决", "裁定")
PASS = ("pass", "通过", "合格")
FAIL = ("fail", "不通过", "未通过", "不合格")
_MARKUP = " \t\r*_#>-+`\"'{}[]|【】“”「」~,"
_ENDS = ".。!！;；，、"
_COLONS = ":："
_LONGEST_PREFIX = 4
"""Characters before the name: `验收结论`, `最终裁决`."""


def word_of(text: str) -> str | None:
    """`pass` or `fail` when `text` says just that, markup aside.

    >>> word_of("**不通过**。"), word_of("pass/fail")
    ('fail', None)
    """
    word = text.strip(_MARKUP + _ENDS).casefold()
    return "pass" if word in PASS else "fail" if word in FAIL else None


def is_name(text: str) -> bool:
    """Whether `text` is what a verdict is called, markup aside: `verdict`, `结论`, `验收结论`."""
    name = text.strip(_MARKUP).casefold()
    return any(name.endswith(known) and _is_prefix(name.removesuffix(known)) for known in NAMES)


def words_in(content: str) -> tuple[set[str], str | None]:
    """The verdicts that lines of `content` give, and the first line `verdict: …` that is none of them.

    A line 结论 that holds more than a word is prose, and gives nothing. Linear in the text.

    >>> words_in("逐条可推。\\nverdict: pass")
    ({'pass'}, None)
    """
    lines = [line for line in content.splitlines() if line.strip(_MARKUP)]
    words: set[str | None] = set()
    if lines and _is_bare(lines[0]):
        words = {word_of(line) for line in lines if _is_bare(line)}
    unclear: str | None = None
    titled = False
    for line in lines:
        name, value = _split(line)
        word = word_of(line) if titled else word_of(value) if is_name(name) else None
        if word is not None:
            words.add(word)
        elif value.strip(_MARKUP) and name.strip(_MARKUP).casefold() == NAMES[0]:
            unclear = unclear or line.strip()
        titled = not value.strip(_MARKUP) and is_name(name)
    return {word for word in words if word}, unclear


def _is_bare(line: str) -> bool:
    """Whether the line is nothing but the word; an entry of a list is not."""
    return word_of(line) is not None and line.strip()[0] not in "->+|#"


def _split(line: str) -> tuple[str, str]:
    """What stands before and behind the first colon."""
    at = min((line.find(colon) for colon in _COLONS if colon in line), default=len(line))
    return line[:at], line[at + 1 :]


def _is_prefix(text: str) -> bool:
    return len(text) <= _LONGEST_PREFIX and all("\u4e00" <= char <= "\u9fff" for char in text)
