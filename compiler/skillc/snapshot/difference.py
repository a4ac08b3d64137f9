"""Where two snapshots of one case differ: part by part, in lines that can be read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from skillc.snapshot.parts import HEAD, Part, parts_of
from skillc.snapshot.shown import numbered
from skillc.value import value
from skillc.wording import say, series

CONTEXT = 2
"""Unchanged lines shown around a change."""
MOST = 80
"""Lines shown of one part; a difference is read, not stored."""
WIDE = 100
"""Characters from which of a changed line only the surroundings of the change are shown."""
_AROUND = 30
WELL_MATCHED, MATCHED = 100_000, 10_000_000
"""Pairs of lines up to which all lines, and up to which lines that are not frequent, are matched: more would take
minutes."""
_DERIVED = ("- conversation: ", "- sha256: ", "- fixed prefix: ", "- static part: ")
"""Facts of the head that follow from the other parts."""


@value
class Change:
    """What happened to one part: `where` it is and what it is, in words; then lines with the mark `-` (kept), `+`
    (now), ` ` (both), `?` (a note on the lines before)."""

    where: str
    lines: tuple[tuple[str, str], ...]


def difference(kept: str, now: str) -> tuple[Change, ...]:
    """The changes from `kept` to `now`, in the order of `now`; what went away stands last. At least one where the
    texts differ."""
    old, new = _keyed(kept), _keyed(now)
    changes = [_changed(old[key], part) if key in old else _whole(part, "+") for key, part in new.items()]
    changes += [_whole(part, "-") for key, part in old.items() if key not in new]
    found = [change for change in changes if change is not None]
    found += _moved([key for key in old if key in new], [key for key in new if key in old], new)
    if not found and kept != now:
        found = [_rest(kept, now)]
    return tuple(found)


def _keyed(text: str) -> dict[str, Part]:
    return {part.key: part for part in parts_of(text)}


def _where(part: Part) -> str:
    if part.segment:
        return say("segment `{segment}` of message {message}", segment=part.segment, message=part.message)
    if part.key == HEAD:
        return say("the head")
    if part.key.startswith("message"):
        return say("message {message}", message=part.message)
    return say("text of message {message} that belongs to no segment", message=part.message)


def _whole(part: Part, mark: str) -> Change:
    """A part that only one of the two has."""
    word = (
        say("{where} is new", where=_where(part))
        if mark == "+"
        else say("{where} is gone", where=_where(part))
    )
    return Change(word, _cut([(mark, line) for line in part.lines]))


def _changed(old: Part, new: Part) -> Change | None:
    if new.key == HEAD:
        return _changed_head(old, new)
    where = _where(new)
    if old.lines != new.lines:
        titles = _line_diff([old.title], [new.title]) if old.title != new.title else []
        return Change(where, _cut([*titles, *_line_diff(old.lines, new.lines)]))
    if old.facts != new.facts:
        told = say("{where} looks the same and has other bytes", where=where)
        return Change(told, tuple(_line_diff(old.facts, new.facts)))
    if old.title != new.title:
        return Change(where, tuple(_line_diff([old.title], [new.title])))
    return None


def _changed_head(old: Part, new: Part) -> Change | None:
    """The head without what follows from other parts, since those tell it themselves."""
    before, after = (
        [part.title, *(f for f in part.facts if not f.startswith(_DERIVED))] for part in (old, new)
    )
    return Change(_where(new), tuple(_line_diff(before, after))) if before != after else None


def _moved(before: Sequence[str], after: Sequence[str], parts: dict[str, Part]) -> list[Change]:
    if before == after:
        return []
    names = [series(f"`{parts[key].segment or key}`" for key in keys) for keys in (before, after)]
    return [Change(say("the parts stand in another order"), (("-", names[0]), ("+", names[1])))]


def _rest(kept: str, now: str) -> Change:
    """A difference in no part: the bytes between segments, which only the digest tells, or a snapshot edited by hand."""
    lines = _cut(_line_diff(kept.split("\n"), now.split("\n")))
    return Change(say("the bytes differ where nothing is to be seen, or the snapshot was edited"), lines)


def _cut(lines: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    if len(lines) <= MOST:
        return tuple(lines)
    return (*lines[:MOST], ("?", say("and {n} lines more", n=len(lines) - MOST)))


def _line_diff(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, str]]:
    """The changed lines with some around them."""
    low, high = _common(old, new)
    start, end = max(0, low - CONTEXT), max(0, high - CONTEXT)
    before, after = old[start : len(old) - end], new[start : len(new) - end]
    lines = [(" ", "…")] if start else []
    pairs = len(before) * len(after)
    if pairs > MATCHED:
        return lines + list(_replaced(before, after))
    matcher = SequenceMatcher(None, before, after, autojunk=pairs > WELL_MATCHED)
    for number, group in enumerate(matcher.get_grouped_opcodes(CONTEXT)):
        if number:
            lines.append((" ", "…"))
        for kind, first, last, onto, until in group:
            if kind == "equal":
                lines += [(" ", _clipped(line)) for line in before[first:last]]
            else:
                lines += _replaced(before[first:last], after[onto:until])
    return lines


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    if len(old) != len(new):
        yield from (("-", _clipped(line)) for line in old)
        yield from (("+", _clipped(line)) for line in new)
        return
    for before, after in zip(old, new, strict=True):
        low, high = _common(before, after)
        yield "-", _around(before, low, len(before) - high)
        yield "+", _around(after, low, len(after) - high)
        if _look(before) == _look(after):
            yield "?", _numbers(before[low : len(before) - high], after[low : len(after) - high])


def _common(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """How many lines (of a text: characters) are the same at the beginning and at the end."""
    most = min(len(one), len(other))
    low = next((at for at in range(most) if one[at] != other[at]), most)
    high = next((at for at in range(most - low) if one[-1 - at] != other[-1 - at]), most - low)
    return low, high


def _around(line: str, low: int, high: int) -> str:
    """`line`, of which the characters from `low` to `high` changed, cut to what can be taken in."""
    if len(line) <= WIDE:
        return line
    start, end = max(0, low - _AROUND), min(len(line), max(low + WIDE, high) + _AROUND)
    return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")


def _clipped(line: str) -> str:
    return line if len(line) <= 2 * WIDE else line[: 2 * WIDE] + "…"


def _look(line: str) -> str:
    """What an eye takes two lines by: composed or not, wide or not, joined or not, however blank."""
    folded = unicodedata.normalize("NFKC", line)
    return "".join(c for c in folded if not c.isspace() and unicodedata.category(c) not in ("Cf", "Mn"))


def _numbers(before: str, after: str) -> str:
    named = ["".join(map(numbered, text)) or say("nothing") for text in (before[:8], after[:8])]
    return say("here {before} became {after}", before=named[0], after=named[1])
