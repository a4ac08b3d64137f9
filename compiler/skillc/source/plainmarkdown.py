"""The Markdown that nearly all files are written in, read in one pass in which prose is skipped at once (SPEC 2.5).

What is read here gives the blocks that the parser of `commonmark` gives; a test compares the two on generated texts.
Everything else (quotes, HTML, underlined headings, code that is only indented, blocks of code or tables in lists,
references, anything odd) is left to that parser, which takes thirty times as long and more.
"""

from __future__ import annotations

import re

from skillc.later import later
from skillc.source.body import Body
from skillc.text import Span, Text

_WORDS = (
    r"(?:[^ \n#|`~<>\-*_=:+0-9]|`(?!``)"
    r"|(?!(?:[-+*]|[0-9]{1,9}[.)])(?: |$))(?=[-*_=:+| ]*+[^-*_=:+| \n])[-*_=:+0-9])"
)
"""What a line begins with that is nothing but text: no mark of a block, nor what underlines or divides."""
_PARAGRAPH = rf"(?=\S){_WORDS}.*+(?:\n{_WORDS}.*+)*+(?<=\S)(?:\n\n++|\n?\Z)"
_PROSE = re.compile(rf"\n*+((?:{_PARAGRAPH})*+)", re.MULTILINE)
"""Blank lines, then paragraphs of the plainest kind with blank lines behind each."""
_SAYS = re.compile(_WORDS, re.MULTILINE)
_ITEM = re.compile(r"( *)(?:[-+*]|([0-9]{1,9})[.)]) {1,4}(?! )")
_NO_TABLE = r"(?![^|\n]*+\|.*\n *[-:|][-:| ]*$)"
"""A line that has a border is the header of a table, whatever else it may be, if the line below divides."""
_HEADING = re.compile(rf"{_NO_TABLE}(#{{1,6}}) +([^\s#](?:.*[^\s#])?) *$", re.MULTILINE)
_HASHES = later(r"#{1,6}(?: |$)", re.MULTILINE)
_FENCE = re.compile(rf"{_NO_TABLE}(`{{3,}}(?=[^`\n]*$)|~{{3,}})(.*)$", re.MULTILINE)
_BREAK = later(r"(?:-{3,}|\*{3,}|_{3,}) *$", re.MULTILINE)
_BETWEEN = later(r"\|(?: *:?-+:? *\|)+ *")
"""The line between the header of a table and its rows."""
_RULES = "-*_=:+| "
"""What a line may be made of that underlines, divides or begins an empty entry."""
_OTHER_BLANK = later("[\t\v\f\r]")
_BRACKET = later(r"^ *(?:(?:[-+*]|[0-9]{1,9}[.)]) +)*\[", re.MULTILINE)
"""The beginning of a line that may be a reference, if `]:` stands somewhere."""
_CELLS = 50_000


class _Other(Exception):
    """The text is not of the plain kind."""


def read_plain_blocks(body: Body) -> bool:
    """Give `body` its blocks and tell so; or tell that the text is not plain enough to be read here, when `body` may
    have got some of them and is of no use any more."""
    text, start, end = body.source.text, body.span.start, body.span.end
    if _OTHER_BLANK.search(text, start, end):
        return False
    if text.find("]:", start, end) >= 0 and _BRACKET.search(text, start, end):
        return False
    try:
        _Reading(body).read()
    except _Other:
        return False
    return True


class _Reading:
    """The reading so far: the paragraph that is open and the lists around it.

    `begun` is where the words of the paragraph begin, -1 without one. Each list is where its marks stand and where
    the text of its last entry begins, counted from the left. The methods read what begins at `at`, the start of a
    line, and return where the reading goes on.
    """

    __slots__ = ("begun", "body", "end", "lists", "text")

    def __init__(self, body: Body) -> None:
        self.body = body
        self.text = body.source.text
        self.end = body.span.end
        self.begun = -1
        self.lists: list[tuple[int, int]] = []

    def read(self) -> None:
        text, at, end = self.text, self.body.span.start, self.end
        prose, kinds = _PROSE.match, _KINDS
        while at < end:
            if self.begun < 0 and (found := prose(text, at, end)):
                start, at = found.span(1)
                if at > start:
                    self.lists.clear()
                    if text.find("`", start, at) >= 0:
                        self.body.words(start, at)
                if at == end:
                    break
            at = kinds.get(text[at], _Reading.line)(self, at)
        self.close(end)

    def below(self, at: int) -> int:
        """The start of the next line."""
        found = self.text.find("\n", at, self.end)
        return self.end if found < 0 else found + 1

    def blank(self, at: int) -> int:
        self.close(at)
        return at + 1

    def line(self, at: int, indent: int = 0) -> int:
        """A line of a paragraph: one more of the open one, wherever it begins, or the first of a new one."""
        if self.begun < 0:
            lists = self.lists
            while lists and indent < lists[-1][1]:
                lists.pop()
            if indent - (lists[-1][1] if lists else 0) > 3:
                raise _Other
            self.begun = at + indent
        return self.below(at)

    def close(self, at: int) -> None:
        """The paragraph, if one is open, ends above `at`."""
        begun = self.begun
        if begun < 0:
            return
        self.begun = -1
        if self.text.find("`", begun, at) >= 0:
            words = self.text[begun:at].strip(" \n")
            if words != words.strip():
                raise _Other
            self.body.words(begun, at, self.lists[-1][1] if self.lists else 0)

    def block(self, at: int) -> None:
        """What begins here is no paragraph, and stands in no list."""
        self.close(at)
        self.lists.clear()

    def indented(self, at: int) -> int:
        text, words = self.text, at
        while words < self.end and text[words] == " ":
            words += 1
        if words == self.end or text[words] == "\n":
            self.close(at)
            return self.below(words)
        if found := _ITEM.match(text, at, self.end):
            return self.item(at, found)
        if _SAYS.match(text, words, self.end):
            return self.line(at, words - at)
        raise _Other

    def perhaps(self, at: int) -> int:
        """A line whose first character may be a mark."""
        if found := _ITEM.match(self.text, at, self.end):
            return self.item(at, found)
        if _SAYS.match(self.text, at, self.end):
            return self.line(at)
        if self.begun < 0 and _BREAK.match(self.text, at, self.end):
            self.block(at)
            return self.below(at)
        raise _Other

    def item(self, at: int, found: re.Match[str]) -> int:
        """An entry of a list: the next one of a list that is open, or the first of a list in the entry above it."""
        mark, inner = found.end(1) - at, found.end() - at
        lists, beside = self.lists, None
        depth = len(lists)
        while depth and mark < lists[depth - 1][1]:
            depth -= 1
            beside = lists[depth][0]
        if beside is None:
            outer = lists[-1][1] if lists else 0
            if mark - outer > 3 or (self.begun >= 0 and found[2] and int(found[2]) != 1):
                raise _Other
        elif mark != beside:
            raise _Other
        self.close(at)
        if not _SAYS.match(self.text, found.end(), self.end):
            raise _Other
        del lists[depth:]
        lists.append((mark, inner))
        self.begun = found.end()
        return self.below(self.begun)

    def heading(self, at: int) -> int:
        found = _HEADING.match(self.text, at, self.end)
        if found is None:
            if _HASHES.match(self.text, at, self.end):
                raise _Other
            return self.line(at)
        self.block(at)
        start, end = found.span(2)
        below = min(found.end() + 1, self.end)
        title = found[2]
        self.body.heading(len(found[1]), Text(title, Span(self.body.source, start, end)), at, below)
        if "`" in title:
            self.body.words(start, end)
        return below

    def fence(self, at: int) -> int:
        found = _FENCE.match(self.text, at, self.end)
        if found is None:
            if self.text.startswith(("```", "~~~"), at):
                raise _Other
            return self.line(at)
        self.block(at)
        start = found.end() + 1
        last = self.end_of_fence(found[1], start)
        info = found[2].split()
        self.body.fence(info[0] if info else "", self.text[start:last], start, last)
        return self.below(last)

    def end_of_fence(self, mark: str, at: int) -> int:
        """The start of the line that ends the block of code."""
        while (at := self.text.find(mark, at, self.end)) >= 0:
            start, below = self.text.rfind("\n", 0, at) + 1, self.below(at)
            line = self.text[start:below].rstrip(" \n")
            words = line.lstrip(" ")
            if len(line) - len(words) < 4 and not words.strip(mark[0]):
                return start
            at = below
        raise _Other

    def table(self, at: int) -> int:
        """A table whose rows all begin with a border, behind a blank line or a paragraph outside lists."""
        below = self.below(at)
        header, between = self.text[at:below].strip(" \n"), self.text[below : self.below(below)].rstrip("\n")
        if self.begun >= 0 and (self.lists or not header.strip(_RULES)):
            raise _Other
        width = header.count("|") - 1
        if not _BETWEEN.fullmatch(between) or between.count("|") - 1 != width:
            raise _Other
        if header[-1] != "|" or "\\" in header:
            raise _Other
        last, rows = self.below(below), 2
        while self.text.startswith("|", last, self.end):
            last, rows = self.below(last), rows + 1
        if rows * width > _CELLS or not self.ends_table(last):
            raise _Other
        self.block(at)
        self.body.table(at, last, False)
        return last

    def ends_table(self, at: int) -> bool:
        line = self.text[at : self.below(at)]
        return not line.strip(" \n") or _HEADING.match(self.text, at, self.end) is not None

    def other(self, at: int) -> int:
        raise _Other


_KINDS = {
    "\n": _Reading.blank,
    " ": _Reading.indented,
    "#": _Reading.heading,
    "|": _Reading.table,
    **dict.fromkeys("`~", _Reading.fence),
    **dict.fromkeys("<>", _Reading.other),
    **dict.fromkeys("-*_=:+0123456789", _Reading.perhaps),
}
"""What the first character of a line calls for; any other begins words."""
