"""Bytes to canonical text: strict UTF-8, no byte order mark, LF line ends (SPEC 2.1, 2.7)."""

from __future__ import annotations

import re

from skillc.diagnostic import Diagnostic, finding
from skillc.source.characters import hidden_characters, is_plain
from skillc.text import Source, Span
from skillc.wording import say

FILE_LIMIT = 1024 * 1024
_BOM = b"\xef\xbb\xbf"


def decode(path: str, data: bytes) -> tuple[Source | None, list[Diagnostic]]:
    """The file's text in canonical form, and what is wrong with its bytes and characters.

    Refuses (no Source): not-utf8, too-large. Goes on after lone-cr, reading each as a line end, so
    that other findings of the file are still true.

    >>> decode("a.md", b"x\\r\\ny")[0].text
    'x\\ny'
    """
    if len(data) > FILE_LIMIT:
        return None, [_too_large(path)]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, [_not_utf8(path, data, error.start)]
    if b"\0" in data:
        return None, [_no_text(path, data)]
    marked = data.startswith(_BOM)
    source, found = _line_ends(path, text[1:] if marked else text, is_plain(text, data))
    if marked:
        found.append(_byte_order_mark(source))
    found.extend(hidden_characters(source))
    return source, found


def _too_large(path: str) -> Diagnostic:
    return finding(
        "too-large",
        Source(path, "").span(),
        say("the file is larger than {limit:,} bytes, the most that a file may have", limit=FILE_LIMIT),
        say("split the text, or keep what no worker reads out of the package"),
    )


def _no_text(path: str, data: bytes) -> Diagnostic:
    offset = data.index(0)
    guess = _looks_like_utf16(data)
    return finding(
        "not-utf8",
        _place(path, data, offset),
        say("the file holds a NUL character at byte {offset}: it is no text", offset=offset),
        say("{guess}save the file as UTF-8", guess=guess)
        if guess
        else say("take the character out; what is no text does not belong here"),
    )


def _not_utf8(path: str, data: bytes, offset: int) -> Diagnostic:
    return finding(
        "not-utf8",
        _place(path, data, offset),
        say("the file is not UTF-8 at byte {offset}: `0x{byte:02X}`", offset=offset, byte=data[offset]),
        say("{guess}save the file as UTF-8", guess=_looks_like(data)),
    )


def _place(path: str, data: bytes, offset: int) -> Span:
    """Where the byte at `offset` stands, before which all is UTF-8."""
    before = Source(path, data[:offset].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n"))
    return before.span(len(before.text))


def _looks_like_utf16(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or data[:512].count(0) * 4 > max(12, len(data[:512])):
        return say("it looks like UTF-16: ")
    return ""


def _looks_like(data: bytes) -> str:
    utf16 = _looks_like_utf16(data)
    if utf16:
        return utf16
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return ""
    return say("it looks like GBK: ") if re.search("[\u4e00-\u9fff]{2}", text) else ""


def _line_ends(path: str, text: str, is_plain: bool) -> tuple[Source, list[Diagnostic]]:
    if "\r" not in text:
        return Source(path, text, is_plain), []
    text = text.replace("\r\n", "\n")
    at = text.find("\r")
    source = Source(path, text.replace("\r", "\n") if at >= 0 else text, is_plain)
    if at < 0:
        return source, []
    line, count = source.position(at)[0], text.count("\r")
    more = say(", the first of {count:,}", count=count) if count > 1 else ""
    return source, [
        finding(
            "lone-cr",
            source.span(at, at + 1),
            say("line {line} ends with a carriage return alone{more}", line=line, more=more),
            say("save the file with LF or CRLF line ends"),
        )
    ]


def _byte_order_mark(source: Source) -> Diagnostic:
    return finding(
        "byte-order-mark",
        source.span(),
        say("the file begins with a byte order mark, which is read over"),
        say("save the file as UTF-8 without a byte order mark"),
    )
