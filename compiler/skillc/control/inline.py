"""What comments in the files suppress, and which of them suppress nothing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from skillc.diagnostic import Code, Diagnostic, Edit, Fix, finding
from skillc.source.directives import Directive, document_directives, file_directives, removal
from skillc.source.document import Document, PackageFiles, WorkspaceFiles, YamlFile
from skillc.value import value
from skillc.wording import say

Place = tuple[str, Code]
"""A file and a code: what a comment speaks of."""
Directives = Mapping[str, tuple[Directive, ...]]
"""The directives of files by path, in the order of the paths."""
_END = 1 << 62


@value
class Unused:
    """That a directive suppresses nothing of `code`."""

    code: Code
    said: Diagnostic


def unsuppressed(
    found: Sequence[Diagnostic], directives: Directives
) -> tuple[list[Diagnostic], list[Unused]]:
    """The findings that no comment suppresses, and what is to be said of comments that suppress none.

    Each finding and each comment is looked up among the lines of its own file and code, so that the work
    grows with their number and not with the product.
    """
    if not directives:
        return list(found), []
    lines: dict[Place, list[int]] = defaultdict(list)
    for diagnostic in found:
        if diagnostic.span.path in directives:
            lines[diagnostic.span.path, diagnostic.code].append(diagnostic.span.position[0])
    for there in lines.values():
        there.sort()
    covered = _covered(directives)
    return (
        [d for d in found if not _is_in(covered.get((d.span.path, d.code), ()), d)],
        list(_unused(directives, lines)),
    )


def directives_of(files: WorkspaceFiles) -> Directives:
    """The directives of all files that were read, by path in order."""
    found = workspace_directives(files)
    for package in files.packages:
        found |= package_directives(package)
    return dict(sorted(found.items()))


def workspace_directives(files: WorkspaceFiles) -> dict[str, tuple[Directive, ...]]:
    """The directives of the files that belong to no package, by path."""
    return _written((files.registry, files.catalogue, files.profiles))


def package_directives(files: PackageFiles) -> dict[str, tuple[Directive, ...]]:
    """The directives of the files of one package, by path."""
    return _written(_parts(files))


def _written(files: Iterable[Document | YamlFile | None]) -> dict[str, tuple[Directive, ...]]:
    found = {}
    for one in files:
        if one is not None:
            own = file_directives(one) if isinstance(one, YamlFile) else document_directives(one)
            if own:
                found[one.source.path] = own
    return found


def _parts(package: PackageFiles) -> Iterator[Document | YamlFile | None]:
    yield from (package.manifest, package.shared_context)
    yield from (worker.skill for worker in (*package.workers, *package.templates))
    yield from (package.bindings, package.catalogue, package.order, *package.boards)


def _range(directive: Directive) -> tuple[int, int]:
    return directive.first, _END if directive.last is None else directive.last


def _covered(directives: Directives) -> dict[Place, list[tuple[int, int]]]:
    """The lines in which findings of a code are suppressed, as ranges that neither meet nor overlap, sorted."""
    given: dict[Place, list[tuple[int, int]]] = defaultdict(list)
    for path, group in directives.items():
        for directive in group:
            for code, _ in directive.codes:
                given[path, code].append(_range(directive))
    return {place: _joined(ranges) for place, ranges in given.items()}


def _joined(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges that cover the same lines and do not overlap.

    >>> _joined([(5, 6), (1, 3), (2, 4)])
    [(1, 4), (5, 6)]
    """
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined


def _is_in(ranges: Sequence[tuple[int, int]], diagnostic: Diagnostic) -> bool:
    if not ranges:
        return False
    line = diagnostic.span.position[0]
    at = bisect_right(ranges, (line, _END)) - 1
    return at >= 0 and line <= ranges[at][1]


def _unused(directives: Directives, lines: Mapping[Place, Sequence[int]]) -> Iterator[Unused]:
    """What suppresses nothing. A directive that is itself at fault has its finding for that."""
    for path, group in directives.items():
        for directive in group:
            if directive.faults:
                continue
            first, last = _range(directive)
            for at, (code, _) in enumerate(directive.codes):
                there = lines.get((path, code), ())
                after = bisect_left(there, first)
                if after == len(there) or there[after] > last:
                    yield Unused(code, _said(directive, at))


def _said(directive: Directive, at: int) -> Diagnostic:
    code, span = directive.codes[at]
    return finding(
        "unused-suppression",
        span,
        say("nothing here is `{slug}`, so this suppresses nothing", slug=code.slug),
        say("remove it"),
        fix=_removed(directive, at),
    )


def _removed(directive: Directive, at: int) -> Fix:
    """The directive without one of its codes; without the last one there is no directive."""
    spans = [span for _, span in directive.codes]
    source = directive.span.source
    if len(spans) == 1:
        cut = removal(directive)
    elif at == 0:
        cut = source.span(spans[0].start, spans[1].start)
    else:
        cut = source.span(spans[at - 1].end, spans[at].end)
    return Fix(say("remove what suppresses nothing"), (Edit(cut, ""),))
