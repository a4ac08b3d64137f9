"""Which findings a baseline knows: the same code about the same words in the same file, the lines around it deciding
between equal ones. A package whose folder was renamed is known by its files, where only one can be meant."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from skillc.control.baseline import Entry, content_of, context_of
from skillc.diagnostic import Diagnostic, fingerprints

Inside = Callable[[str], tuple[str, str] | None]
"""From a path to the folder of its package and the path in it; None for what lies in none."""
_ROUNDS: tuple[tuple[int, ...], ...] = ((0, 1, 2, 3, 4), (1, 2, 3), (1, 2), (2, 3), (2,), ())
"""Which lines have to be the same, of two above a finding, its own and two below: fewer each time."""


def unknown(
    found: Sequence[Diagnostic], entries: Iterable[Entry], inside: Inside, there: frozenset[str]
) -> tuple[list[Diagnostic], list[Entry]]:
    """The findings that no entry stands for, and the entries that stand for none; each stands for one at most.

    `found` are in order. `there` are the folders of all packages that exist, whether read or not.
    """
    pairs = _Pairs(found, sorted(entries, key=lambda entry: entry.fingerprint))
    marks = {mark: at for at, mark in enumerate(fingerprints(found))}
    for number, entry in enumerate(pairs.entries):
        if not entry.content and entry.fingerprint in marks:
            pairs.pair(marks[entry.fingerprint], number)
    pairs.match(lambda path: path, lambda path: path)
    renamed = _renamed(pairs, inside, there)
    if renamed:

        def new_path(path: str) -> str | None:
            place = inside(path)
            return f"{renamed[place[0]]}/{place[1]}" if place and place[0] in renamed else None

        pairs.match(lambda path: path, new_path)
    return (
        [d for at, d in enumerate(found) if at not in pairs.known],
        [entry for number, entry in enumerate(pairs.entries) if number not in pairs.used],
    )


class _Pairs:
    """Findings and entries, by number; which findings are `known` and which entries `used`."""

    def __init__(self, found: Sequence[Diagnostic], entries: Sequence[Entry]) -> None:
        self.found, self.entries = found, entries
        self.contents = [content_of(diagnostic) for diagnostic in found]
        self.known: set[int] = set()
        self.used: set[int] = set()

    def pair(self, at: int, number: int) -> None:
        self.known.add(at)
        self.used.add(number)

    def match(self, place: Callable[[str], str | None], place_of_entry: Callable[[str], str | None]) -> None:
        """Pair what says the same at the same place, the one with most lines around it in common first."""
        groups: dict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for number, entry in enumerate(self.entries):
            path = place_of_entry(entry.path)
            if number not in self.used and entry.content and path is not None:
                groups[path, entry.code, entry.content][1].append(number)
        for at, diagnostic in enumerate(self.found):
            key = (place(diagnostic.span.path), diagnostic.code.id, self.contents[at])
            if at not in self.known and key in groups:
                groups[key][0].append(at)
        for findings, entries in groups.values():
            if len(findings) == len(entries):
                self.known.update(findings)
                self.used.update(entries)
            elif findings:
                self._closest(findings, entries)

    def _closest(self, findings: Sequence[int], entries: Sequence[int]) -> None:
        around = {at: context_of(self.found[at].span).split() for at in findings}
        noted = {number: self.entries[number].context.split() for number in entries}
        for lines in _ROUNDS:
            waiting: dict[Hashable, list[int]] = defaultdict(list)
            for number in entries:
                if number not in self.used:
                    waiting[_part(noted[number], lines)].append(number)
            for at in findings:
                same = waiting.get(_part(around[at], lines)) if at not in self.known else None
                if same:
                    self.pair(at, same.pop(0))


def _part(context: Sequence[str], lines: Iterable[int]) -> tuple[str, ...]:
    return tuple(context[line] for line in lines if line < len(context))


def _renamed(pairs: _Pairs, inside: Inside, there: frozenset[str]) -> Mapping[str, str]:
    """The new folders of packages that are gone, by the old ones: where one package that the baseline knows nothing
    of has more of the same findings than any other."""
    known = {place[0] for entry in pairs.entries if (place := inside(entry.path))}
    looking: dict[Hashable, set[str]] = defaultdict(set)
    for at, diagnostic in enumerate(pairs.found):
        place = inside(diagnostic.span.path)
        if at not in pairs.known and place and place[0] not in known:
            looking[place[1], diagnostic.code.id, pairs.contents[at]].add(place[0])
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for number, entry in enumerate(pairs.entries):
        place = inside(entry.path)
        if number not in pairs.used and place and place[0] not in there:
            votes[place[0]].update(looking.get((place[1], entry.code, entry.content), ()))
    chosen = {old: new for old, count in sorted(votes.items()) if (new := _first(count))}
    taken = Counter(chosen.values())
    return {old: new for old, new in chosen.items() if taken[new] == 1}


def _first(votes: Counter[str]) -> str | None:
    """Who has most votes, when nobody else has as many."""
    ranked = votes.most_common(2)
    return ranked[0][0] if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]) else None
