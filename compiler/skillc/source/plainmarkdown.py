"""The Markdown that nearly all files are written in, read in one pass over its lines (SPEC 2.5).

What is read here gives the blocks that the parser of `commonmark` gives; a test compares the two on generated texts.
Everything else (quotes, HTML, underlined headings, code that is only indented, blocks of code or tables in lists,
references, anything odd) is left to that parser, which takes thirty times as long.
"""

from __future__ import annotations

import re

from skillc.source.body import Body

_ITEM = re.compile(r" *(?:[-+*]|([0-9]{1,9})[.)]) {1,4}(?! )")
_MARK = re.compile(r"(?:[-+*]|[0-9]{1,9}[.)])(?: |$)")
_HEADING = re.compile(r"(#{1,6}) +([^ ].*)")
_FENCE = re.compile(r"(`{3,}(?=[^`]*$)|~{3,})(.*)")
_BREAK = re.compile(r"(?:-{3,}|\*{3,}|_{3,}) *")
_BETWEEN = re.compile(r"\|(?: *:?-+:? *\|)+ *")
"""The line between the header of a table and its rows."""
_RULES = "-*_=:+| "
"""What a line may be made of that underlines, divides or begins an empty entry."""
_OTHER_BLANK = re.compile("[\t\v\f\r]")
_ODD = frozenset("<>#|`~[")
_PERHAPS = frozenset("-*_=:+0123456789")
_CELLS = 50_000


class _Other(Exception):
    """The text is not of the plain kind."""


def read_plain_blocks(body: Body) -> bool:
    """Give `body` its blocks and tell so; or tell that the text is not plain enough to be read here, when `body` may
    have got some of them and is of no use any more."""
    if _OTHER_BLANK.search(body.source.text, body.span.start, body.span.end):
        return False
    try:
        _Lines(body).read()
    except _Other:
        return False
    return True


class _Lines:
    """The reading so far: the line that is next, the paragraph that is open, the lists around it.

    `begun` is the first line of the paragraph, -1 without one; `is_item` tells that an entry of a list begins with
    it. Each list is where its marks stand and where the text of its last entry begins, counted from the left.
    """

    __slots__ = ("at", "begun", "body", "is_item", "lines", "lists")

    def __init__(self, body: Body) -> None:
        self.body = body
        self.lines = body.lines
        self.at = 0
        self.begun = -1
        self.is_item = False
        self.lists: list[tuple[int, int]] = []

    def read(self) -> None:
        lines, kinds = self.lines, _KINDS
        while self.at < len(lines):
            line = lines[self.at]
            if not line:
                if self.begun >= 0:
                    self.close()
            elif (kind := kinds.get(line[0])) is None:
                self.words(0)
            else:
                kind(self, line)
            self.at += 1
        self.close()

    def words(self, indent: int) -> None:
        """A line of a paragraph: one more of the open one, wherever it begins, or the first of a new one."""
        if self.begun >= 0:
            return
        lists = self.lists
        while lists and indent < lists[-1][1]:
            lists.pop()
        if indent - (lists[-1][1] if lists else 0) > 3:
            raise _Other
        self.begun = self.at

    def close(self) -> None:
        """The paragraph, if one is open, ends above this line."""
        begun = self.begun
        if begun < 0:
            return
        self.begun = -1
        lines = self.lines[begun : self.at]
        if not self.is_item and "`" not in "".join(lines):
            return
        content = self.content(lines)
        if self.is_item:
            self.is_item = False
            self.body.item(begun, content)
        self.body.text(begun, content)

    def content(self, lines: list[str]) -> str:
        inner = self.lists[-1][1] if self.lists else 0
        if inner:
            first = lines[0][inner:] if self.is_item else lines[0]
            lines = [first, *(line[min(inner, len(line) - len(line.lstrip(" "))) :] for line in lines[1:])]
        content = "\n".join(lines).strip(" ")
        if content != content.strip():
            raise _Other
        return content

    def block(self) -> None:
        """What begins in this line is no paragraph, and stands in no list."""
        self.close()
        self.lists.clear()

    def indented(self, line: str) -> None:
        words = line.lstrip(" ")
        if not words:
            self.close()
        elif _ITEM.match(line):
            self.item(line)
        elif self.is_words(words):
            self.words(len(line) - len(words))
        else:
            raise _Other

    def perhaps(self, line: str) -> None:
        """A line whose first character may be a mark."""
        if _ITEM.match(line):
            self.item(line)
        elif self.is_words(line):
            self.words(0)
        elif self.begun < 0 and _BREAK.fullmatch(line):
            self.block()
        else:
            raise _Other

    def is_words(self, words: str) -> bool:
        """Whether a line, from its first character on, is nothing but text."""
        first = words[0]
        if first in _PERHAPS:
            return bool(words.strip(_RULES)) and not _MARK.match(words)
        if first == "`":
            return not words.startswith("```")
        if first == "[":
            return self.begun >= 0 or "]:" not in self.body.span.text
        return first not in _ODD

    def item(self, line: str) -> None:
        """An entry of a list: the next one of a list that is open, or the first of a list in the entry above it."""
        match = _ITEM.match(line)
        if match is None or _BREAK.fullmatch(line.replace(" ", "")):
            raise _Other
        inner = match.end()
        mark = len(line) - len(line.lstrip(" "))
        lists, beside = self.lists, None
        depth = len(lists)
        while depth and mark < lists[depth - 1][1]:
            depth -= 1
            beside = lists[depth][0]
        if beside is None:
            outer = lists[-1][1] if lists else 0
            if mark - outer > 3 or (self.begun >= 0 and match[1] and int(match[1]) != 1):
                raise _Other
        elif mark != beside:
            raise _Other
        self.close()
        if not line[inner:] or not self.is_words(line[inner:]):
            raise _Other
        del lists[depth:]
        lists.append((mark, inner))
        self.begun, self.is_item = self.at, True

    def heading(self, line: str) -> None:
        match = _HEADING.fullmatch(line)
        if match is None:
            if not line.strip("# "):
                raise _Other
            self.words(0)
            return
        content = match[2].rstrip(" ")
        if content[-1] == "#" or content != content.strip():
            raise _Other
        self.block()
        self.body.heading(self.at, self.at + 1, len(match[1]), content)
        self.body.text(self.at, content)

    def fence(self, line: str) -> None:
        match = _FENCE.fullmatch(line)
        if match is None:
            if line.startswith(("```", "~~~")):
                raise _Other
            self.words(0)
            return
        self.block()
        end = self.end_of_fence(match[1])
        info = match[2].split()
        content = self.body.source.text[self.body.start(self.at + 1) : self.body.start(end)]
        self.body.fence(self.at, info[0] if info else "", content, end)
        self.at = end

    def end_of_fence(self, mark: str) -> int:
        for at in range(self.at + 1, len(self.lines)):
            line = self.lines[at]
            if mark in line:
                words = line.lstrip(" ")
                if len(line) - len(words) < 4 and not words.rstrip(" ").strip(mark[0]):
                    return at
        raise _Other

    def table(self, line: str) -> None:
        """A table whose rows all begin with a border, behind a blank line or a paragraph outside lists."""
        if self.begun >= 0 and (self.lists or not line.strip(_RULES)):
            raise _Other
        if self.at + 1 == len(self.lines):
            raise _Other
        header, between = line.rstrip(" "), self.lines[self.at + 1]
        width = header.count("|") - 1
        if not _BETWEEN.fullmatch(between) or between.count("|") - 1 != width:
            raise _Other
        if header[-1] != "|" or "\\" in header:
            raise _Other
        end = self.at + 2
        while end < len(self.lines) and self.lines[end].startswith("|"):
            end += 1
        if (end - self.at) * width > _CELLS or (
            end < len(self.lines) and not self.ends_table(self.lines[end])
        ):
            raise _Other
        self.block()
        self.body.table(self.at, end, False)
        self.at = end - 1

    def ends_table(self, line: str) -> bool:
        return not line.strip(" ") or _HEADING.fullmatch(line) is not None

    def other(self, line: str) -> None:
        raise _Other

    def bracket(self, line: str) -> None:
        if not self.is_words(line):
            raise _Other
        self.words(0)


_KINDS = {
    " ": _Lines.indented,
    "#": _Lines.heading,
    "|": _Lines.table,
    "[": _Lines.bracket,
    **dict.fromkeys("`~", _Lines.fence),
    **dict.fromkeys("<>", _Lines.other),
    **dict.fromkeys(_PERHAPS, _Lines.perhaps),
}
"""What the first character of a line calls for; any other begins words."""
