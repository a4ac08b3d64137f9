"""One run over a workspace: what is as it was stays, what is not is made anew, and each decision has its reason.

The unit is the package. What is made of it depends on the bytes below its folder, on what the workspace gives to all
packages, on the options and on the compiler; only a `Trace` reads, so that what was compared is what is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from skillc import driver
from skillc.checks.run import check_together
from skillc.control import Scope
from skillc.control.inline import workspace_directives
from skillc.diagnostic import Severity, in_order
from skillc.driver import Progress
from skillc.engine.around import Findings, Together, around_bytes, together_key
from skillc.engine.look import Look
from skillc.engine.making import New, make_all, taken_from
from skillc.engine.outcome import Outcome, read_brief
from skillc.engine.reasons import Reason
from skillc.engine.setting import Options
from skillc.engine.state import Kept, Known, Record, columns_of
from skillc.engine.survey import Survey, survey
from skillc.graph.brief import Brief, Overview
from skillc.model.workspace import build_frame
from skillc.source.document import WorkspaceFiles
from skillc.store.cache import Cache
from skillc.store.quick import Standing
from skillc.value import replace, value

CACHED = "cached"
RENAME = "legacy-tag-names"
"""The only findings of which a fix depends on other packages."""
UNSEEN = "unsafe-path"
"""The finding of what is refused unread and of what cannot be read."""


@value
class Decision:
    """What was done about one package: `fresh` (nothing of it was opened), `same` (read, and as it was), `made`, or
    `cached` (to be made, and taken from the cache), with the reasons; `changed` are the workers that came out otherwise
    than before."""

    path: str
    did: str
    reasons: tuple[Reason, ...] = ()
    changed: tuple[str, ...] | None = None


@value(slots=False)
class Run:
    """A workspace with what is known of its packages (`outcomes` by path), the bytes of the output of those that were
    made now, and what was decided about each. `kept` is to be saved when all is written."""

    workspace: WorkspaceFiles
    outcomes: Mapping[str, Outcome]
    files: Mapping[str, Mapping[str, bytes]]
    decisions: tuple[Decision, ...]
    kept: Kept
    _around: Findings
    _stands: Survey
    _only: frozenset[str] | None

    @property
    def workers(self) -> int:
        """How many workers the packages have."""
        return sum(outcome.size for outcome in self.outcomes.values())

    @cached_property
    def is_quiet(self) -> bool:
        """Whether nothing louder than an info was found anywhere, and nothing is suppressed."""
        return (
            all(d.severity is Severity.INFO for d in self._around)
            and all(outcome.is_quiet for outcome in self.outcomes.values())
            and not workspace_directives(self.workspace)
        )

    def unseen(self, built: Callable[[], Iterable[str]]) -> frozenset[str]:
        """Of the packages that were `built` those that may be there and cannot be seen. It is asked only where there may be
        any."""
        if self._only is not None or not _refused(self._stands):
            return frozenset()
        return _unseen(self._stands, {*built(), *self.kept.records}) - self.outcomes.keys()

    @property
    def gone(self) -> frozenset[str]:
        """Packages that there were the last time and that are no more."""
        return frozenset(self._stands.old.records.keys() - self.kept.records.keys())

    @cached_property
    def found(self) -> Findings:
        """All findings, in order."""
        inside = (d for outcome in self.outcomes.values() for d in outcome.found)
        return _concerned(in_order([*self._around, *inside]), self.kept.records, self._stands, self._only)

    @cached_property
    def scope(self) -> Scope:
        return _scope(self.workspace, self.outcomes, self._only is None)


def run(
    root: str,
    options: Options,
    compiling: bool = True,
    only: frozenset[str] | None = None,
    progress: Progress | None = None,
    watched: Sequence[str] = (),
    forgetting: bool = False,
    cache: Cache | None = None,
    stood: Standing | None = None,
) -> Run:
    """Look at the workspace at `root` and make of it what is not known already. Writes nothing but its clock, and to
    the `cache`, which is asked only of a run that compiles.

    `watched`, `forgetting` and `stood` are as in `survey`.
    """
    # Of the cache a key is asked, for which a package has to be read.
    stands = survey(root, options, compiling, only, watched, forgetting, stood, postponing=cache is None)
    taken = taken_from(cache, stands) if cache else {}
    made = make_all(stands, root, taken, compiling, progress)
    if cache:
        for new in made.values():
            if new.outcome.is_built:
                cache.put(new.record.key, new.record.outcome, new.files)
    made |= taken
    outcomes = {one.path: stands.outcomes.get(one.path) or made[one.path].outcome for one in stands.looks}
    records = {one.path: _record(one, made, stands) for one in stands.looks}
    together = _together(stands, records, {path: new.brief for path, new in made.items()})
    untouched = _untouched(stands, records, only)
    return Run(
        stands.files,
        outcomes,
        {path: new.files for path, new in made.items()},
        tuple(
            _decision(one, made.get(one.path), records[one.path], one.path in taken) for one in stands.looks
        ),
        Kept(
            (stands.compiler,),
            stands.around.rows,
            {**untouched, **records},
            stands.old.beside,
            around_bytes(stands.around, together if only is None else None),
        ),
        (*stands.found, *together.said, *together.found),
        stands,
        only,
    )


def _untouched(
    stands: Survey, records: Mapping[str, Known], only: frozenset[str] | None
) -> Mapping[str, Known]:
    """What stays known of packages that were not looked at: they are not among those of this run, or cannot be seen."""
    left = {path: known for path, known in stands.old.records.items() if path not in records}
    return left if only is not None else {path: left[path] for path in _unseen(stands, left)}


def _unseen(stands: Survey, paths: Iterable[str]) -> frozenset[str]:
    """Those of the packages `paths` that may stand where something is refused or cannot be opened: what cannot be seen is
    not gone."""
    skills = stands.setting.options.skills
    refused = _refused(stands)
    return frozenset(
        p for p in paths if refused & {skills, f"{skills}/{p.partition('/')[0]}", f"{skills}/{p}"}
    )


def _refused(stands: Survey) -> frozenset[str]:
    """What was refused unread around the packages, or cannot be opened."""
    return frozenset(d.span.path for d in stands.found if d.code.slug == UNSEEN)


def _decision(one: Look, new: New | None, record: Known, is_taken: bool) -> Decision:
    if new is not None:
        return Decision(one.path, CACHED if is_taken else one.did, new.reasons, new.changed)
    return Decision(one.path, one.did, one.reasons, record.changed if isinstance(record, Record) else None)


def _together(stands: Survey, records: Mapping[str, Known], made: Mapping[str, Brief]) -> Together:
    """What is found of how the packages fit together: what was found the last time, where each of them shows to others
    what it showed then. What packages show that were `made` now is known."""
    paths = sorted(records)
    key = together_key(stands.around, ((path, records[path].brief) for path in paths))
    before = stands.around.before
    if before is not None and before.key == key:
        return before
    frame, said = build_frame(stands.files, stands.setting.around, frozenset(paths))
    briefs = tuple(made.get(path) or _brief(records[path], stands) for path in paths)
    view = Overview(briefs, frame.registry, frame.registry_source, frame.registry_broken, frame.profiles)
    return Together(key, tuple(said), tuple(check_together(view)))


def _brief(record: Known, stands: Survey) -> Brief:
    return read_brief(record.outcome, stands.later)


def _concerned(
    found: Findings, records: Mapping[str, Known], stands: Survey, only: frozenset[str] | None
) -> Findings:
    """The findings that are about packages of this run; what fixes of renames do to others is looked at where there are
    any."""
    skills = stands.setting.options.skills
    about = tuple(d for d in found if only is None or driver.concerns(d, skills, only))
    if all(d.code.slug != RENAME for d in about):
        return about
    from skillc.checks.renames import with_others

    briefs = (_brief(records[one.path], stands) for one in sorted(stands.looks, key=lambda one: one.path))
    return with_others(about, briefs, stands.reader, skills)


def _scope(files: WorkspaceFiles, outcomes: Mapping[str, Outcome], whole: bool) -> Scope:
    directives = dict(workspace_directives(files))
    for outcome in outcomes.values():
        directives.update(outcome.directives)
    return Scope(
        files.skills,
        frozenset(outcome.folder for outcome in outcomes.values()),
        frozenset(file.source.path for file in files.own),
        dict(sorted(directives.items())),
        whole,
        frozenset(package.folder for package in files.known),
    )


def _record(one: Look, made: Mapping[str, New], stands: Survey) -> Known:
    """What is to be kept of a package; what was written of it is not known yet."""
    if one.record is not None:
        if one.trace is None:
            return one.record
        return replace(one.record.whole(), seen=columns_of(one.trace.rows(stands.started, one.folder)))
    return made[one.path].record
