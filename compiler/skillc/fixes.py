"""Findings with fixes -> the bytes of files without them. Nothing but what an edit covers changes.

Edits are places in canonical text (SPEC 2.1); files keep their byte order mark and their line ends. Fixes
are applied in passes, since one may meet another or uncover the next, until none is left.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from skillc.diagnostic import Diagnostic, Edit, Severity, identity
from skillc.source.directives import keeps_from_reading
from skillc.source.reader import OverlayReader, Reader
from skillc.value import field, value
from skillc.wording import say

PASSES = 40
"""More than any chain of fixes needs."""
_UNREADABLE = frozenset(
    ("not-utf8", "frontmatter-missing", "frontmatter-unclosed", "yaml-syntax", "duplicate-key", "too-large")
)

Place = tuple[str, int, int, str]
"""Path, start, end and new text of an edit."""
Key = tuple[str, tuple[Place, ...]]
"""What a fix does to the files as they are: the code of its finding and its edits. Sources are read anew in each pass,
so the edits themselves are never equal."""


@value
class Findings:
    """What a check finds: `all` of it, and what of it is `reported` and so may be fixed."""

    all: Sequence[Diagnostic]
    reported: Sequence[Diagnostic]


@value
class Refused:
    """A finding whose fix is left out, and why."""

    diagnostic: Diagnostic
    reason: str


@value
class Fixed:
    """New bytes by path, beside the old ones; how many findings were fixed; what is found now, and what of it has
    a fix that is left out."""

    old: Mapping[str, bytes]
    new: Mapping[str, bytes]
    count: int
    left: Findings
    refused: Sequence[Refused] = ()


def fix(
    reader: Reader, check: Callable[[Reader], Findings], unsafe: bool = False, only: str | None = None
) -> Fixed:
    """Fix what can be fixed in the files of `reader`, or in the file `only`. Writes nothing.

    A fix that would bring an error anywhere, leave its own finding there, or only be undone by another, is left out
    and told. Running again on the result changes nothing.
    """
    run = _Run(_Work(reader), check, check(reader))
    for _ in range(PASSES):
        chosen = run.offered(unsafe, only) or run.once_more(unsafe, only)
        if not chosen:
            break
        run.take(chosen)
    for diagnostic in run.offered(unsafe, only):
        run.refused[key_of(diagnostic)] = (say("there is no end to what it uncovers"), run.version)
    return run.result(unsafe)


@value(frozen=False)
class _Work:
    """The files as they are and as they have become."""

    reader: Reader
    old: dict[str, bytes] = field(default_factory=dict)
    now: dict[str, bytes] = field(default_factory=dict)

    def data(self, path: str) -> bytes:
        if path not in self.now:
            self.old[path] = self.now[path] = self.reader.read(path)
        return self.now[path]

    def with_edits(self, edits: Iterable[Edit]) -> dict[str, bytes]:
        by_path: dict[str, list[Edit]] = {}
        for edit in edits:
            by_path.setdefault(edit.span.path, []).append(edit)
        return {path: apply(self.data(path), group) for path, group in by_path.items()}

    def changed(self) -> dict[str, bytes]:
        return {path: data for path, data in sorted(self.now.items()) if data != self.old[path]}


class _Run:
    """Passes over the files: what is found now, and which fixes are refused for which reason.

    `refused` holds for one text, `version`; when another fix has changed it they are tried `once_more`. `undone`
    are those that a circle of fixes is made of.
    """

    def __init__(self, work: _Work, check: Callable[[Reader], Findings], found: Findings) -> None:
        self.work, self.check, self.found = work, check, found
        self.refused: dict[Key, tuple[str, int]] = {}
        self.undone: dict[Key, str] = {}
        self.version = 0
        self.passes: list[tuple[dict[str, bytes], list[Key]]] = []

    def offered(self, unsafe: bool, only: str | None) -> list[Diagnostic]:
        """The findings to fix in one pass, in order; a fix that meets an earlier one waits for the next pass.

        What keeps a file from being read comes first, then what keeps an entry from being read: until then, others
        are silent, and nobody could tell what a fix brings from what it uncovers.
        """
        found = [
            d
            for d in self.found.reported
            if d.fix and d.fix.edits and (unsafe or d.fix.safe) and not self._is_refused(d, only)
        ]
        first = min((_step(d) for d in found), default=0)
        taken: dict[str, list[Edit]] = {}
        chosen: list[Diagnostic] = []
        for diagnostic in found:
            edits = edits_of(diagnostic)
            if _step(diagnostic) == first and not any(_meets(edit, taken) for edit in edits):
                for edit in edits:
                    taken.setdefault(edit.span.path, []).append(edit)
                chosen.append(diagnostic)
        return chosen

    def _is_refused(self, diagnostic: Diagnostic, only: str | None) -> bool:
        key = key_of(diagnostic)
        elsewhere = only is not None and any(path != only for path, *_ in key[1])
        return elsewhere or key in self.refused or key in self.undone

    def once_more(self, unsafe: bool, only: str | None) -> list[Diagnostic]:
        """What is offered when the fixes that were refused on an older text are tried again."""
        self.refused = {key: told for key, told in self.refused.items() if told[1] == self.version}
        return self.offered(unsafe, only)

    def take(self, chosen: Sequence[Diagnostic]) -> None:
        """Apply those of `chosen` that do no harm; refuse the others, and all of a circle that this closes."""
        one = _Pass(self.work, self.check, self.found)
        one.take(chosen)
        refused = {key_of(d): (reason, self.version) for d, reason in one.refused}
        self.refused.update(refused)
        if one.taken:
            self.passes.append((self.work.changed(), [key_of(d) for d in one.taken]))
            edits = [edit for diagnostic in one.taken for edit in edits_of(diagnostic)]
            self.work.now.update(self.work.with_edits(edits))
            shift = _Shift(edits)
            self.refused = {shift.key(key): told for key, told in self.refused.items()}
            self.undone = {shift.key(key): told for key, told in self.undone.items()}
            self.version += 1
            self.found = one.after or self.found
            self._close_circle()

    def _close_circle(self) -> None:
        """When the files are again what they were before some pass, its fixes undo themselves in the end."""
        now = self.work.changed()
        for at, (before, keys) in enumerate(self.passes):
            if before == now:
                self.undone.update(dict.fromkeys(keys, say("other fixes undo it")))
                del self.passes[at:]
                return

    def result(self, unsafe: bool) -> Fixed:
        changed = self.work.changed()
        reasons = {**{key: reason for key, (reason, _) in self.refused.items()}, **self.undone}
        refused = [
            Refused(d, reasons[key_of(d)])
            for d in self.found.reported
            if d.fix and (unsafe or d.fix.safe) and key_of(d) in reasons
        ]
        count = sum(len(keys) for _, keys in self.passes)
        return Fixed({path: self.work.old[path] for path in changed}, changed, count, self.found, refused)


def edits_of(diagnostic: Diagnostic) -> list[Edit]:
    """The edits of its fix, by place."""
    edits = diagnostic.fix.edits if diagnostic.fix else ()
    return sorted(edits, key=lambda edit: (edit.span.path, edit.span.start))


def key_of(diagnostic: Diagnostic) -> Key:
    places = ((e.span.path, e.span.start, e.span.end, e.text) for e in edits_of(diagnostic))
    return diagnostic.code.id, tuple(places)


def _step(diagnostic: Diagnostic) -> int:
    if diagnostic.code.slug in _UNREADABLE:
        return 0
    return 1 if keeps_from_reading(diagnostic.code) else 2


def _meets(edit: Edit, taken: Mapping[str, Sequence[Edit]]) -> bool:
    """Whether an edit touches one that is taken; touching ends count, since their order would matter."""
    return any(
        edit.span.start <= other.span.end and other.span.start <= edit.span.end
        for other in taken.get(edit.span.path, ())
    )


class _Shift:
    """Where places of a text are when `edits` were made in it."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._ends: dict[str, list[int]] = {}
        self._sums: dict[str, list[int]] = {}
        for edit in sorted(edits, key=lambda edit: (edit.span.path, edit.span.end)):
            sums = self._sums.setdefault(edit.span.path, [0])
            self._ends.setdefault(edit.span.path, []).append(edit.span.end)
            sums.append(sums[-1] + len(edit.text) - (edit.span.end - edit.span.start))

    def place(self, path: str, at: int) -> int:
        if path not in self._ends:
            return at
        return at + self._sums[path][bisect_right(self._ends[path], at)]

    def key(self, key: Key) -> Key:
        code, places = key
        return code, tuple(
            (p, self.place(p, start), self.place(p, end), text) for p, start, end, text in places
        )


@value(frozen=False)
class _Pass:
    """The fixes of one pass: all their places are in the text as it was `before`."""

    work: _Work
    check: Callable[[Reader], Findings]
    before: Findings
    taken: list[Diagnostic] = field(default_factory=list)
    refused: list[tuple[Diagnostic, str]] = field(default_factory=list)
    after: Findings | None = None

    def take(self, group: Sequence[Diagnostic]) -> None:
        """Take `group` as a whole; when that does harm, its halves, and refuse what does harm alone."""
        edits = [edit for diagnostic in (*self.taken, *group) for edit in edits_of(diagnostic)]
        new = self.work.with_edits(edits)
        after = self.check(OverlayReader(self.work.reader, {**self.work.now, **new}))
        reason = _harm(self.before, after, group) or _remains(self.before, after, group, edits)
        if not reason:
            self.taken += group
            self.after = after
        elif len(group) == 1:
            self.refused.append((group[0], reason))
        else:
            self.take(group[: len(group) // 2])
            self.take(group[len(group) // 2 :])


def _harm(before: Findings, after: Findings, group: Sequence[Diagnostic]) -> str | None:
    """Which error the fixes of `group` bring. Where a file could not be read, all may be uncovered but what makes
    files unreadable; where an entry could not, what is neither of form nor of tags."""
    step = _step(group[0])
    old, new = _errors(before.all, step), _errors(after.all, step)
    more = sorted(place for place in new if new[place] > old[place])
    if step == 0:
        was, now = (Counter(path for path, _ in found.elements()) for found in (old, new))
        more = [(path, slug) for path, slug in more if now[path] > was[path]]
    if not more:
        return None
    path, slug = more[0]
    return say("it would bring `{slug}` in `{path}`", slug=slug, path=path)


def _errors(found: Iterable[Diagnostic], step: int) -> Counter[tuple[str, str]]:
    return Counter(
        (d.span.path, d.code.slug) for d in found if d.severity is Severity.ERROR and _step(d) <= step
    )


def _remains(
    before: Findings, after: Findings, group: Sequence[Diagnostic], edits: Iterable[Edit]
) -> str | None:
    """Whether a finding is still at its place although its fix was made, and fewer of its kind are gone than fixed."""
    missing = Counter((d.span.path, d.code) for d in (*group, *after.all))
    missing.subtract((d.span.path, d.code) for d in before.all)
    there = {(d.span.start, identity(d)) for d in after.all if missing[d.span.path, d.code] > 0}
    shift = _Shift(edits)
    stays = any((shift.place(d.span.path, d.span.start), identity(d)) in there for d in group)
    return say("the finding would still be there") if stays else None


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
