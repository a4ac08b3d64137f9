"""Quick looks that spare a closer one: they miss nothing that the closer look would find."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from skillc.checks import asking, mentions
from skillc.checks.lookalikes import is_clear, simplified, skeleton
from skillc.checks.rules import b002_secret_in_package as secret
from skillc.once import once
from skillc.source.markdown import read_document
from skillc.text import Source

NAMES = (
    "甲.乙",
    "a.b",
    "`",
    "。",
    ".",
    "．",
    "\n",
    " ",
    "{id}",
    "#天气",
    "*",
    "…",
    "<!--",
    "-->",
    "丙",
    "/",
    "\\",
    "-",
)
ASKING = (
    "用户",
    "问",
    "请",
    "向",
    "对",
    "追问",
    "提问",
    "回答",
    "askUser",
    "ASK_user",
    "as\u212a_user",
    "用",
    "，",
    "\n",
    ' "',
    '":["',
)
KEYS = (
    "sk-",
    "gh",
    "p_",
    "AKIA",
    "1x",
    "-----BEGIN ",
    "PRIVATE KEY-----",
    "api_key",
    "API_\u212aEY",
    ": ",
    "钥",
    "\n",
    "z9Q",
    "eyJ",
    ".",
)


def texts(*pieces: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), max_size=40).map("".join)


@given(texts(*NAMES))
def test_names_are_found_line_by_line_as_in_the_whole_body(text: str) -> None:
    document, _ = read_document(Source("a.md", text), head=False)
    body = document.body
    found = mentions._found(document.source.text, body)
    names = [m.span() for m in mentions._NAME.finditer(document.source.text, body.start, body.end)]
    stopped = re.compile(r"(?<=`)\w[\w·\-]*+(?:[.．｡。]\w[\w·\-]*+)++(?=`)")
    wide = [
        m.span() for m in stopped.finditer(document.source.text, body.start, body.end) if "。" in m.group()
    ]
    assert found == sorted([*names, *wide])


@given(texts(*ASKING))
def test_who_asks_has_the_words_for_it(text: str) -> None:
    document, _ = read_document(Source("a.md", text), head=False)
    asks = asking._ASKS.search(text) or asking._FILLED.search(text)
    hinted = any(hint in text for hint in asking.HINTS)
    assert asking._may_ask(document) or not (asks and hinted)


@given(texts(*KEYS), st.text(alphabet="aZ09_-钥", max_size=60))
def test_a_secret_is_seen_without_the_chinese_around_it(text: str, run: str) -> None:
    assert secret._may_hold_one(text + run) or not list(secret._secrets(text + run))


def test_clear_characters_look_like_no_other_clear_one() -> None:
    clear = [char for char in map(chr, range(0xA000)) if is_clear(char)]
    assert len(clear) > 6000
    assert {len(skeleton(char)) for char in clear} == {1}
    assert len({skeleton(char) for char in clear}) == len(clear)
    assert all(simplified(char) == char for char in clear)
    assert not any(map(is_clear, ("確認", "О", "l", "m", "囗", "ａ", "A", "a.b")))


class Thing:
    def __init__(self) -> None:
        self.answers: dict[object, object] = {}


def test_each_thing_is_asked_once() -> None:
    asked: list[Thing] = []

    @once
    def work(thing: Thing) -> int:
        asked.append(thing)
        return len(asked)

    one, two = Thing(), Thing()
    assert (work(one), work(two), work(one)) == (1, 2, 1)
    assert asked == [one, two]
