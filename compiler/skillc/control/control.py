"""The one place that decides what is reported, and speaks of wishes that nothing answers to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from skillc.control.inline import Directives, directives_of, unsuppressed
from skillc.control.selection import Selection, names, severity_of
from skillc.diagnostic import CODES, Code, Diagnostic, Severity, finding, in_order
from skillc.source.document import WorkspaceFiles
from skillc.text import Span
from skillc.value import field, replace, value
from skillc.wording import say

if TYPE_CHECKING:
    from skillc.control.baseline import Baseline, Entry
    from skillc.control.known import Inside
    from skillc.control.perfile import FileRule

_UNUSED = CODES["unused-suppression"]


@value
class Control:
    """What a user wants to see. The default is everything, less what is suppressed in the files themselves."""

    selection: Selection = field(default_factory=Selection)
    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    file_rules: tuple[FileRule, ...] = ()
    inline: bool = True
    baseline: Baseline | None = None


@value
class Scope:
    """What was read: the folders of the packages that were, the files of the workspace itself, the suppressions in
    all of them by path, and whether that is the whole workspace. `folders` are those of all packages, read or not."""

    skills: str
    read: frozenset[str]
    own: frozenset[str] = frozenset()
    directives: Directives = field(default_factory=dict)
    whole: bool = True
    folders: frozenset[str] = frozenset()


def scope_of(files: WorkspaceFiles, whole: bool = True, folders: frozenset[str] = frozenset()) -> Scope:
    """What was read, of files that are at hand."""
    return Scope(
        files.skills,
        frozenset(package.folder for package in files.packages),
        frozenset(file.source.path for file in files.own),
        directives_of(files),
        whole,
        folders,
    )


def controlled(found: Iterable[Diagnostic], scope: Scope, control: Control) -> tuple[Diagnostic, ...]:
    """The findings to report, in order: of codes that are on, with the severity that is wanted, and not suppressed.

    What suppresses nothing is an unused-suppression, unless the file that could say better is broken.
    """
    raw = tuple(found)
    broken = _broken(raw, scope)
    wanted = list(_weighed(raw, control))
    kept, unused = unsuppressed(wanted, scope.directives) if control.inline else (wanted, [])
    judged = (one.said for one in unused if _is_on(one.code, control) and _is_sure(one.said, scope, broken))
    kept += _weighed(judged, control)
    kept = _without_ignored(kept, scope, control, broken)
    return in_order(_without_known(kept, scope, control, broken))


def _weighed(found: Iterable[Diagnostic], control: Control) -> Iterator[Diagnostic]:
    """Those whose code is on, at the severity that the settings give it."""
    on: dict[Code, bool] = {}
    for diagnostic in found:
        code = diagnostic.code
        if code not in on:
            on[code] = control.selection.has(code)
        severity = severity_of(code, diagnostic.severity, control.severities) if on[code] else None
        if severity is not None:
            yield diagnostic if severity is diagnostic.severity else replace(diagnostic, severity=severity)


def _is_sure(unused: Diagnostic, scope: Scope, broken: tuple[str, ...]) -> bool:
    """Whether all was read that could show what a comment suppresses: its package; the whole workspace for the
    files that belong to no package."""
    path = unused.span.path
    if path.startswith(tuple(f"{folder}/" for folder in scope.read)):
        return not path.startswith(broken)
    return scope.whole and not broken


def _is_on(code: Code, control: Control) -> bool:
    return control.selection.has(code) and severity_of(code, code.severity, control.severities) is not None


def _without_ignored(
    found: Sequence[Diagnostic], scope: Scope, control: Control, broken: tuple[str, ...]
) -> list[Diagnostic]:
    """What the settings do not ignore in its file; in a whole check each rule must have ignored something."""
    rules = control.file_rules
    used: set[FileRule] = set()
    kept = []
    for diagnostic in found:
        answering = [rule for rule in rules if rule.covers(diagnostic.span.path, diagnostic.code)]
        used.update(answering)
        if not answering:
            kept.append(diagnostic)
    judged = [rule for rule in rules if rule not in used and _is_judged(rule, control)]
    unused = judged if scope.whole and not broken else []
    return [*kept, *_weighed((_unused_rule(rule.span, rule.glob) for rule in unused if rule.span), control)]


def _is_judged(rule: FileRule, control: Control) -> bool:
    """Whether all codes of a rule are on: of one that is off, nobody knows whether it would be found."""
    meant = (code for code in CODES.values() if any(names(name, code) for name in rule.codes))
    return all(_is_on(code, control) for code in meant)


def _unused_rule(span: Span, glob: str) -> Diagnostic:
    message = say("`{glob}` in per-file-ignores suppresses nothing", glob=glob)
    return finding(_UNUSED.slug, span, message, say("remove it"))


def _without_known(
    found: Sequence[Diagnostic], scope: Scope, control: Control, broken: tuple[str, ...]
) -> list[Diagnostic]:
    """What the baseline does not know; its entries that stand for nothing any more are findings."""
    if control.baseline is None:
        return list(found)
    from skillc.control.known import unknown

    kept, left = unknown(
        in_order(found), control.baseline.entries, _inside(scope), scope.read | scope.folders
    )
    gone = (_gone(e) for e in left if in_scope(e, scope) and _judged(e, control, broken))
    return [*kept, *_weighed(gone, control)]


def _inside(scope: Scope) -> Inside:
    """Packages stand two levels below the skills folder."""
    depth = scope.skills.count("/") + 3

    def inside(path: str) -> tuple[str, str] | None:
        parts = path.split("/")
        is_below = path.startswith(scope.skills + "/") and len(parts) >= depth
        return ("/".join(parts[:depth]), "/".join(parts[depth:])) if is_below else None

    return inside


def in_scope(entry: Entry, scope: Scope) -> bool:
    """Whether the file of an entry was read."""
    folders = tuple(f"{folder}/" for folder in scope.read)
    return scope.whole or f"{entry.path}/".startswith(folders)


def _judged(entry: Entry, control: Control, broken: tuple[str, ...]) -> bool:
    return is_looked_for(entry, control) and not entry.path.startswith(broken)


def is_looked_for(entry: Entry, control: Control) -> bool:
    """Whether the code of an entry is on: of one that is off, nobody knows whether it would be found."""
    code = next((code for code in CODES.values() if code.id == entry.code), None)
    return code is None or _is_on(code, control)


def _gone(entry: Entry) -> Diagnostic:
    return finding(
        _UNUSED.slug,
        entry.span,
        say("the baseline knows a {code} in `{path}` that is gone", code=entry.code, path=entry.path),
        say("write the baseline anew with `--write-baseline`"),
    )


def _broken(raw: Iterable[Diagnostic], scope: Scope) -> tuple[str, ...]:
    """Folders of packages, and files of the workspace, in which something cannot be read: rules are silent there,
    so nothing is unused."""
    errors = (d for d in raw if d.severity is Severity.ERROR and d.code.slug != "bad-suppression")
    unread = {d.span.path for d in errors if d.code.id[0] in "PT"}
    inside = {"/".join(path.split("/")[:end]) for path in unread for end in range(1, path.count("/") + 2)}
    return (*sorted(f"{folder}/" for folder in scope.read & inside), *sorted(scope.own & unread))
