"""Which sentences forbid, deny or describe an absence: the tags that they name are no mentions (SPEC 16.5).

The words are chosen to err on one side. A sentence that is taken for a prohibition and is none costs a finding; one
that is not recognised costs an author's trust.
"""

from __future__ import annotations

import re

_NEGATIVE = re.compile(
    r"不|勿|禁(?!忌)|无(?!论)|(?<![因])未|(?<!除)非(?!常)|(?<![分特性个级类差区识辨告])别|避免|拒绝|杜绝|忽略|跳过|切忌|忌讳|没有?"
    r"|除外|以外|之外|反例|误区|错误|停止|屏蔽|剔除|排除|越权"
    r"|\b(?:no|not|never|none|without|forbid\w*|avoid\w*|except|don't|mustn't|cannot)\b|n't\b|✗|✘|×|❌|🚫",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    r"不(?:读|看|写|用|碰|引|参考|输出|提|收|要|得|能|可|许|准|应|该|给|是|归|属|在|存在|需)|[看读写碰用]不|(?<![与是能可])否|禁(?!忌)|勿|无关|无权|无需|无须"
    r"|(?<![分特性个级类差区识辨告])别(?!的)|避免|拒绝|杜绝|忽略|跳过|切忌|忌讳|除外|反例|误区|错误|停止|屏蔽|剔除|排除|越权|废弃|作废|已删"
    r"|\b(?:no|not|never|none|without|forbid\w*|avoid\w*|except|don't|mustn't|cannot)\b|n't\b|✗|✘|×|❌|🚫",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[。！？!?；;\n]")


def denies(text: str) -> bool:
    """Whether a heading, a cell or a sentence says no in any form.

    >>> denies("不得读取 `世界.隐藏设定`"), denies("分别写入两个标签")
    (True, False)
    """
    return _NEGATIVE.search(text) is not None


def forbids(explanation: str) -> bool:
    """Whether what is said of a tag that heads its item or its row keeps the worker from it. Narrower than `denies`:
    an explanation may say no of other things.

    >>> forbids("别席的底牌，你看不到"), forbids("同时生效，不分先后")
    (True, False)
    """
    return _FORBIDS.search(explanation) is not None


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence that holds `text[start:end]` begins and ends. A line end is one: callers join the lines
    of a paragraph with blanks."""
    begin = 0
    for mark in _SENTENCE_END.finditer(text, 0, start):
        begin = mark.end()
    after = _SENTENCE_END.search(text, end)
    return begin, after.start() if after else len(text)
