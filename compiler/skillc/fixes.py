"""Findings with fixes -> the bytes of files without them. Nothing but what an edit covers changes.

Edits are places in canonical text (SPEC 2.1); files keep their byte order mark and their line ends. Fixes
are applied in passes, since one may meet another or uncover the next, until none is left.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from skillc.diagnostic import Diagnostic, Edit, Severity
from skillc.source.reader import OverlayReader, Reader

PASSES = 20
"""More than any chain of fixes needs; a pair that undid each other would end here."""
_UNREADABLE = frozenset(
    ("not-utf8", "frontmatter-missing", "frontmatter-unclosed", "yaml-syntax", "duplicate-key", "too-large")
)

Edits = tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """What a check finds: `all` of it, and what of it is `reported` and so may be fixed."""

    all: Sequence[Diagnostic]
    reported: Sequence[Diagnostic]


@dataclass(frozen=True, slots=True)
class Fixed:
    """New bytes by path, beside the old ones; how many findings were fixed; what is found now."""

    old: Mapping[str, bytes]
    new: Mapping[str, bytes]
    count: int
    left: Findings


def fix(
    reader: Reader, check: Callable[[Reader], Findings], unsafe: bool = False, only: str | None = None
) -> Fixed:
    """Fix what can be fixed in the files of `reader`, or in the file `only`. Writes nothing.

    A fix that would make a file of the format unreadable, or bring a finding of form or of tags that
    was not there, is left out. Running again on the result changes nothing.
    """
    work = _Work(reader)
    found = check(reader)
    refused: set[Edits] = set()
    for _ in range(PASSES):
        chosen = _chosen(found.reported, unsafe, only, refused)
        if not chosen:
            break
        found = _pass(work, check, found, chosen, refused)
    changed = {path: data for path, data in sorted(work.now.items()) if data != work.old[path]}
    return Fixed({path: work.old[path] for path in changed}, changed, work.count, found)


@dataclass(slots=True)
class _Work:
    """The files as they are and as they have become, and how many findings are gone for it."""

    reader: Reader
    old: dict[str, bytes] = field(default_factory=dict)
    now: dict[str, bytes] = field(default_factory=dict)
    count: int = 0

    def data(self, path: str) -> bytes:
        if path not in self.now:
            self.old[path] = self.now[path] = self.reader.read(path)
        return self.now[path]

    def with_edits(self, edits: Iterable[Edit]) -> dict[str, bytes]:
        by_path: dict[str, list[Edit]] = {}
        for edit in edits:
            by_path.setdefault(edit.span.path, []).append(edit)
        return {path: apply(self.data(path), group) for path, group in by_path.items()}


def _chosen(found: Iterable[Diagnostic], unsafe: bool, only: str | None, refused: set[Edits]) -> list[Edits]:
    """The fixes of one pass, in order of their places; one that meets an earlier one waits for the next pass."""
    fixes = [d.fix for d in found if d.fix and d.fix.edits and (unsafe or d.fix.safe)]
    taken: dict[str, list[Edit]] = {}
    chosen: list[Edits] = []
    for each in fixes:
        edits = tuple(sorted(each.edits, key=lambda edit: (edit.span.path, edit.span.start)))
        elsewhere = only is not None and any(edit.span.path != only for edit in edits)
        if edits in refused or elsewhere or any(_meets(edit, taken) for edit in edits):
            continue
        for edit in edits:
            taken.setdefault(edit.span.path, []).append(edit)
        chosen.append(edits)
    return chosen


def _meets(edit: Edit, taken: Mapping[str, Sequence[Edit]]) -> bool:
    """Whether an edit touches one that is taken; touching ends count, since their order would matter."""
    return any(
        edit.span.start <= other.span.end and other.span.start <= edit.span.end
        for other in taken.get(edit.span.path, ())
    )


@dataclass(slots=True)
class _Pass:
    """The fixes of one pass: all their places are in the text as it was `before`."""

    work: _Work
    check: Callable[[Reader], Findings]
    before: Findings
    refused: set[Edits]
    taken: list[Edits] = field(default_factory=list)
    after: Findings | None = None

    def take(self, group: Sequence[Edits]) -> None:
        """Take `group` as a whole; when that does harm, its halves, and refuse what does harm alone."""
        new = self.work.with_edits(edit for edits in (*self.taken, *group) for edit in edits)
        after = self.check(OverlayReader(self.work.reader, {**self.work.now, **new}))
        if not any(_harmed(path, self.before.all, after.all) for path in new):
            self.taken += group
            self.after = after
        elif len(group) == 1:
            self.refused.update(group)
        else:
            self.take(group[: len(group) // 2])
            self.take(group[len(group) // 2 :])


def _pass(
    work: _Work,
    check: Callable[[Reader], Findings],
    before: Findings,
    chosen: Sequence[Edits],
    refused: set[Edits],
) -> Findings:
    """Apply those of `chosen` that do no harm; gives what is found then."""
    one = _Pass(work, check, before, refused)
    one.take(chosen)
    work.now.update(work.with_edits(edit for edits in one.taken for edit in edits))
    work.count += len(one.taken)
    return one.after or before


def _harmed(path: str, before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> bool:
    """Whether a file has an error of form or tags that it had not. One that could not be read before may
    show what was hidden in it, but not more of what makes it unreadable."""
    old, new = _errors(path, before), _errors(path, after)
    if old.keys() & _UNREADABLE:
        return sum(new[slug] for slug in _UNREADABLE) > sum(old[slug] for slug in _UNREADABLE)
    return any(new[slug] > old[slug] for slug in new)


def _errors(path: str, found: Iterable[Diagnostic]) -> Counter[str]:
    return Counter(
        d.code.slug
        for d in found
        if d.span.path == path and d.code.severity is Severity.ERROR and d.code.id[0] in "PT"
    )


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    r"""The bytes with `edits`, which must not overlap. New lines end as the file's lines do.

    >>> from skillc.text import Source
    >>> apply(b"\xef\xbb\xbfa\r\nb", [Edit(Source("x", "a\nb").span(2, 3), "c\nd")])
    b'\xef\xbb\xbfa\r\nc\r\nd'
    """
    text = data.decode("utf-8")
    mark = 1 if text.startswith("\ufeff") else 0
    pairs = list(_pairs(text, mark))
    windows = len(pairs) * 2 > text.count("\n")
    parts, at = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        start = mark + edit.span.start + bisect_left(pairs, edit.span.start)
        end = mark + edit.span.end + bisect_left(pairs, edit.span.end)
        parts += [text[at:start], edit.text.replace("\n", "\r\n") if windows else edit.text]
        at = end
    return "".join([*parts, text[at:]]).encode("utf-8")


def _pairs(text: str, mark: int) -> Iterator[int]:
    """The canonical offset of each line end that is written as CR LF."""
    at = text.find("\r\n")
    before = 0
    while at >= 0:
        yield at - mark - before
        before += 1
        at = text.find("\r\n", at + 2)
