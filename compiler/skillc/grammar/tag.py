"""Tags and patterns: text to parts, with every wrong character named at its place (SPEC 3.1-3.2)."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from skillc.diagnostic import Diagnostic, Edit, Fix, finding
from skillc.grammar.characters import (
    STRUCTURE,
    character_name,
    invisible,
    is_blank,
    is_invisible,
    may_stand_in_name,
    meant,
    unnormal_part,
)
from skillc.grammar.load import plain
from skillc.later import later
from skillc.tags import ONE, REST, ROLE, WHOLE, Pattern
from skillc.text import Span, Text
from skillc.value import value
from skillc.wording import say

SEGMENT_LIMIT = 32
CHARACTER_LIMIT = 64
_NAME = "[^.*{}#]+"
_COMMON = later(
    r"(?=[A-Za-z0-9_·\u3007\u4e00-\u9fa5.*{}#-]*+\Z)"
    rf"{_NAME}(?:\.(?:{_NAME}|\*|\{{id\}}))*(?:(?<![*}}])#{_NAME})?"
)
"""Tags and patterns of the characters that most are made of, which are named once: a class of so many is slow to compile."""


@value
class _Problem:
    """A finding without a place: offsets are into the value. `instead` replaces what is wrong."""

    slug: str
    start: int
    end: int
    message: str
    help: str = ""
    instead: str | None = None


_Reading = tuple[tuple[str, ...], tuple[_Problem, ...]]


def parse_tag(text: Text) -> tuple[str | None, list[Diagnostic]]:
    """A concrete tag: no wildcard, no `{id}`. Refuses with bad-tag, not-nfc, invisible-character, too-large."""
    pattern, problems = _known(text.value)
    if not problems:
        problems = _wildcards(text.value)
    return (pattern.text if pattern and not problems else None), _placed(text, problems)


def parse_pattern(text: Text) -> tuple[Pattern | None, list[Diagnostic]]:
    """A pattern of an input, an output or a segment; refuses like `parse_tag`.

    >>> from skillc.text import Source
    >>> source = Source("a", "大纲.*")
    >>> parse_pattern(Text(source.text, source.span(0, 4)))
    (Pattern('大纲.*'), [])
    """
    pattern, problems = _known(text.value)
    return pattern, (_placed(text, problems) if problems else [])


def parse_input(text: Text) -> tuple[Pattern | None, bool, list[Diagnostic]]:
    """An input's pattern, and whether a trailing `?` marks it optional (SPEC 5); bad-tag for a full-width `？`."""
    if text.value.endswith(_WIDE_MARK):
        _, problems = _known(text.value[:-1])
        return None, True, _placed(text, (*problems, _wide_mark(len(text.value) - 1)))
    if not text.value.endswith("?"):
        pattern, found = parse_pattern(text)
        return pattern, False, found
    pattern, problems = _known(text.value[:-1])
    return pattern, True, (_placed(_without_mark(text), problems) if problems else [])


_WIDE_MARK = "？"


def _wide_mark(at: int) -> _Problem:
    message = say("a full-width `{char}` stands where `{instead}` belongs", char=_WIDE_MARK, instead="?")
    return _Problem("bad-tag", at, at + 1, message, say("write `{instead}`", instead="?"), "?")


def _without_mark(text: Text) -> Text:
    exact = text.span.text == text.value
    return Text(text.value[:-1], text.span.part(0, len(text.value) - 1) if exact else text.span)


def _placed(text: Text, problems: tuple[_Problem, ...]) -> list[Diagnostic]:
    exact = text.span.text == text.value
    return [_at(problem, _part(text.span, problem) if exact else text.span, exact) for problem in problems]


def _part(span: Span, problem: _Problem) -> Span:
    return span.part(problem.start, problem.end)


def _at(problem: _Problem, span: Span, exact: bool) -> Diagnostic:
    if problem.slug == "invisible-character":
        return invisible(span, problem.message)
    fix = None
    if exact and problem.instead is not None:
        what = say("write `{instead}`", instead=problem.instead) if problem.instead else say("remove it")
        fix = Fix(what, (Edit(span, problem.instead),))
    return finding(problem.slug, span, problem.message, problem.help, fix=fix)


@lru_cache(maxsize=65536)
def _known(value: str) -> tuple[Pattern | None, tuple[_Problem, ...]]:
    """The tag or pattern that a text is, or what is wrong with it; remembered by the text, so that there is one
    pattern for all places that write it."""
    parts, problems = _read(value)
    return (None if problems else Pattern(parts)), problems


def _read(value: str) -> _Reading:
    """The parts of a tag or pattern, or what is wrong with it."""
    if len(value) < CHARACTER_LIMIT and _COMMON.fullmatch(value):
        return tuple(_joined(value.split("."))), ()
    return read_by_grammar(value)


def read_by_grammar(value: str) -> _Reading:
    """As `_read`, of any text: what is common is read there without the parser, which takes long to load."""
    problems = _character_problems(value)
    if problems:
        return (), problems
    from lark.exceptions import UnexpectedInput

    try:
        tree = plain("tag").parse(value)
    except UnexpectedInput:
        return (), (_structure_problem(value),)
    if tree.data == "whole":
        return (WHOLE,), ()
    parts = [str(part) if not hasattr(part, "children") else f"#{part.children[0]}" for part in tree.children]
    problems = _part_problems(value, parts)
    return (() if problems else tuple(_joined(parts))), problems


def _joined(parts: list[str]) -> list[str]:
    """Parts in the form of `tags`: the slot on the last segment, a final `*` as REST."""
    if parts[-1].startswith("#"):
        parts = [*parts[:-2], parts[-2] + parts[-1]]
    if parts[-1] == ONE:
        parts[-1] = REST
    return parts


def _character_problems(value: str) -> tuple[_Problem, ...]:
    found: list[_Problem] = []
    for at, char in enumerate(value):
        if char in STRUCTURE or may_stand_in_name(char):
            continue
        if is_blank(char) and found and found[-1].message == _BLANK and found[-1].end == at:
            found[-1] = _blank(value, found[-1].start, at + 1)
        elif char in _QUOTES and any(problem.help == _QUOTE_HELP for problem in found):
            continue
        else:
            found.append(_wrong_character(value, at, char))
    part = unnormal_part(value)
    if part:
        found.append(_not_nfc(value, *part))
    return tuple(sorted(found, key=lambda problem: (problem.start, problem.slug)))


_BLANK = say("a blank stands in the tag")


def _wrong_character(value: str, at: int, char: str) -> _Problem:
    if is_invisible(char):
        return _Problem("invisible-character", at, at + 1, char)
    if is_blank(char):
        return _blank(value, at, at + 1)
    instead = meant(char)
    if instead is not None:
        message = say(
            "`{char}` (U+{code:04X}) stands where `{instead}` belongs",
            char=char,
            code=ord(char),
            instead=instead,
        )
        return _Problem("bad-tag", at, at + 1, message, say("write `{instead}`", instead=instead), instead)
    if char in "?？":
        return _Problem("bad-tag", at, at + 1, say("`{char}` stands in the tag", char=char), _MARK_HELP)
    shown = character_name(char) if unicodedata.category(char)[0] == "C" else f"`{char}` (U+{ord(char):04X})"
    return _Problem(
        "bad-tag", at, at + 1, say("{shown} may not stand in a tag", shown=shown), _character_help(char)
    )


def _character_help(char: str) -> str:
    if char in _QUOTES:
        return _QUOTE_HELP
    return _JOINT_HELP if char in _JOINTS else _CHARACTER_HELP


_MARK_HELP = say("an ASCII `?` as the last character of an input marks it optional; nothing else takes one")
_QUOTES = "“”‘’„‟「」『』《》\"'`"
_QUOTE_HELP = say("use straight quotes around the whole tag, or none")
_JOINTS = ",，、;；"
_JOINT_HELP = say("write one tag an entry; in `[…]` entries are separated by `,`")
_CHARACTER_HELP = say("a segment is letters, digits, `_`, `-` and `·`; segments are joined by `.`")


def _blank(value: str, start: int, end: int) -> _Problem:
    if start == 0 or end == len(value):
        return _Problem("bad-tag", start, end, _BLANK, say("remove it"), "")
    if "#" in value[:start] or value[end : end + 1] == "#":
        help = say("a comment needs a blank before its `#`, and stands outside the quotes")
    else:
        help = say("remove it, or write one tag an entry")
    return _Problem("bad-tag", start, end, _BLANK, help)


def _not_nfc(value: str, start: int, end: int, normal: str) -> _Problem:
    written = " ".join(f"U+{ord(char):04X}" for char in value[start:end])
    composed = " ".join(f"U+{ord(char):04X}" for char in normal)
    return _Problem(
        "not-nfc",
        start,
        end,
        say(
            "`{part}` is written as {written}, its normal form is `{normal}` ({composed})",
            part=value[start:end],
            written=written,
            normal=normal,
            composed=composed,
        ),
        say("write the normal form (NFC): `{normal}`", normal=unicodedata.normalize("NFC", value)),
        normal,
    )


def _structure_problem(value: str) -> _Problem:
    """What breaks the grammar first, from left to right, in the author's terms."""
    if not value:
        return _Problem("bad-tag", 0, 0, say("the tag is empty"), say("write a tag, or remove the entry"))
    at = 0
    for number, segment in enumerate(value.split(".")):
        problem = _segment_problem(value, segment, at, number)
        if problem:
            return problem
        at += len(segment) + 1
    return _Problem("bad-tag", 0, len(value), say("`{value}` is no tag", value=value), _CHARACTER_HELP)


def _segment_problem(value: str, segment: str, at: int, number: int) -> _Problem | None:
    end = at + len(segment)
    if not segment:
        return _empty_segment(value, at)
    if "*" in segment and segment != ONE:
        return _star_problem(value, segment, at)
    if number == 0 and segment[0] in "*{":
        return _Problem(
            "bad-tag", at, end, say("a pattern begins with `{segment}`", segment=segment), _FIRST_HELP
        )
    name, mark, slot = segment.partition("#")
    if mark and (not name or not slot or "#" in slot or end < len(value)):
        return _slot_problem(value, segment, at)
    if ("{" in segment or "}" in segment) and not _is_braced(name):
        return _Problem(
            "bad-tag", at, end, say("`{segment}` is more than a placeholder", segment=segment), _ROLE_HELP
        )
    return None


_FIRST_HELP = say("the first segment is literal: `角色.*`, or `**` alone for the whole board")
_ROLE_HELP = say("`{{id}}` stands for one whole segment, as in `角色.{{id}}.行动`")


def _is_braced(name: str) -> bool:
    return name.startswith("{") and name.endswith("}") and not set(name[1:-1]) & set("{}")


def _empty_segment(value: str, at: int) -> _Problem:
    if at == 0:
        return _Problem(
            "bad-tag", 0, 1, say("`{value}` begins with a dot", value=value), say("remove the dot")
        )
    if at == len(value):
        return _Problem(
            "bad-tag",
            at - 1,
            at,
            say("`{value}` ends with a dot", value=value),
            say("remove the dot, or end with `.*`"),
        )
    return _Problem(
        "bad-tag",
        at - 1,
        at + 1,
        say("`{value}` has an empty segment", value=value),
        say("write one dot"),
        ".",
    )


def _star_problem(value: str, segment: str, at: int) -> _Problem:
    end = at + len(segment)
    if not segment.strip("*"):
        help = say("`**` stands alone and is the whole board; `.*` at the end is everything below")
        return _Problem("bad-tag", at, end, say("`{segment}` is no segment", segment=segment), help)
    star = at + segment.index("*")
    bare = segment.replace("*", "")
    help = (
        say("write `{before}{bare}.*` for everything below it", before=value[:at], bare=bare)
        if end == len(value)
        else _STAR_HELP
    )
    return _Problem(
        "bad-tag", star, star + segment.count("*"), say("`*` is glued to `{bare}`", bare=bare), help
    )


_STAR_HELP = say("`*` is one whole segment, as in `大纲.*.草稿`")


def _slot_problem(value: str, segment: str, at: int) -> _Problem:
    name, _, slot = segment.partition("#")
    mark, end = at + len(name), at + len(segment)
    if not name:
        return _Problem(
            "bad-tag", mark, end, say("`{segment}` has no name before `#`", segment=segment), _SLOT_HELP
        )
    if not slot:
        return _Problem(
            "bad-tag", mark, mark + 1, say("`{value}` has a `#` without a slot", value=value), _SLOT_HELP
        )
    if "#" in slot:
        second = mark + 1 + slot.index("#")
        return _Problem(
            "bad-tag",
            second,
            end,
            say("`{value}` has two `#`", value=value),
            say("a tag has one slot at most"),
        )
    return _Problem(
        "bad-tag",
        mark,
        end,
        say("the slot `#{slot}` stands in the middle of `{value}`", slot=slot, value=value),
        _SLOT_HELP,
    )


_SLOT_HELP = say("a slot ends the last segment, as in `设计.生成规则#天气`")


def _part_problems(value: str, parts: list[str]) -> tuple[_Problem, ...]:
    """What the grammar lets through: other names in braces, slots of wildcards, sizes."""
    found: list[_Problem] = []
    at = 0
    for part in parts:
        end = at + len(part)
        if part.startswith("{") and part != ROLE:
            message = say("`{part}` is no placeholder; the only one is `{{id}}`", part=part)
            found.append(_Problem("bad-tag", at, end, message, _ROLE_HELP))
        if len(part) > CHARACTER_LIMIT:
            message = say(
                "the segment has {size} characters, more than {limit}", size=len(part), limit=CHARACTER_LIMIT
            )
            found.append(_Problem("too-large", at, end, message, say("choose a shorter name")))
        at = end + (value[end : end + 1] == ".")
    if parts[-1].startswith("#") and parts[-2] in (ONE, ROLE):
        start = len(value) - len(parts[-1])
        found.append(
            _Problem("bad-tag", start, len(value), say("`{part}` has a slot", part=parts[-2]), _SLOT_HELP)
        )
    if len(parts) > SEGMENT_LIMIT:
        message = say("the tag has {size} segments, more than {limit}", size=len(parts), limit=SEGMENT_LIMIT)
        found.append(_Problem("too-large", 0, len(value), message, say("choose a flatter name")))
    return tuple(found)


def _wildcards(value: str) -> tuple[_Problem, ...]:
    """bad-tag for the first wildcard or placeholder of what must be one concrete tag."""
    at = min((value.index(mark) for mark in "*{" if mark in value), default=-1)
    if at < 0:
        return ()
    end = value.index("}", at) + 1 if value[at] == "{" else at + (2 if value[at:] == WHOLE else 1)
    message = say("`{value}` is a pattern, and one concrete tag belongs here", value=value)
    return (_Problem("bad-tag", at, end, message, say("name one tag in full")),)
