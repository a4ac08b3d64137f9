"""All that is known of one package after it was checked and compiled, as a value that can be kept (SPEC 15.3)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

from skillc import driver
from skillc.artifact.encoding import canonical, digest
from skillc.control.inline import package_directives
from skillc.diagnostic import Diagnostic, Severity
from skillc.engine.setting import Setting
from skillc.engine.state import BUILT, FAILS, SPEAKS, SUPPRESSES, TELLS, worker_digests
from skillc.engine.wire import Reader, Sources, Unknown, Writer
from skillc.graph.brief import Brief, brief_of
from skillc.once import forget
from skillc.source.directives import Directive
from skillc.source.document import PackageFiles
from skillc.text import Source
from skillc.value import value

FORMAT = "skillc.outcome/3"


class Holder(Protocol):
    """What has the bytes of an outcome."""

    @property
    def outcome(self) -> bytes: ...


class Outcome:
    """What is known of one package. `size` is how many workers there are; `marks` tell of it without reading its
    bytes: whether it is built (it is not where there are errors, or where it was not compiled), whether
    there are errors, warnings, suppressions, findings at all."""

    def __init__(self, path: str, folder: str, size: int, marks: int, kept: Holder, sources: Sources) -> None:
        self.path = path
        self.folder = folder
        self.size = size
        self.marks = marks
        self._kept = kept
        self._sources = sources

    @property
    def is_built(self) -> bool:
        return bool(self.marks & BUILT)

    @property
    def has_errors(self) -> bool:
        return bool(self.marks & FAILS)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing louder than an info is found in it, and nothing is suppressed."""
        return not self.marks & (SPEAKS | SUPPRESSES)

    def read(self) -> None:
        """Have what it says ready for who asks: a report will."""
        if self.marks & (TELLS | SUPPRESSES):
            _ = self._read

    @property
    def found(self) -> tuple[Diagnostic, ...]:
        """All that is wrong in it, reported or not."""
        return self._read[0] if self.marks & TELLS else ()

    @property
    def directives(self) -> tuple[tuple[str, tuple[Directive, ...]], ...]:
        """The suppressions in its files, by path."""
        return self._read[1] if self.marks & SUPPRESSES else ()

    def is_whole(self) -> bool:
        """Whether what the marks tell is what is in it. Raises Unknown where that cannot be read."""
        found, directives = self._read
        return self.marks == _marks(found, self.is_built, bool(directives))

    @cached_property
    def _read(self) -> tuple[tuple[Diagnostic, ...], tuple[tuple[str, tuple[Directive, ...]], ...]]:
        kept = _kept(self._kept.outcome)
        reader = Reader(kept["sources"], self._sources)
        return reader.value(kept["found"]), reader.value(kept["directives"])


@value
class Made:
    """An outcome as bytes, what is known of it without reading them, and the files of its output."""

    outcome: bytes
    files: Mapping[str, bytes]
    size: int = 0
    marks: int = 0


def make(files: PackageFiles, form: Iterable[Diagnostic], setting: Setting, compiling: bool) -> Made:
    """Check one package, and compile it when it is wanted and has no error. `form` is what reading its files found."""
    graph, found = driver.check_package(files, setting.around, setting.options.flow)
    found = [*form, *found]
    good = not any(d.severity is Severity.ERROR for d in found)
    plan, output = driver.compile_one(graph) if compiling and good and graph.package.manifest else (None, {})
    sources = [*files.sources, *setting.sources]
    writer = Writer(sources, showing=True)
    directives = tuple(package_directives(files).items())
    size, marks = len(graph.package.workers), _marks(found, plan is not None, bool(directives))
    rest = {
        "directives": writer.data(directives),
        "folder": files.folder,
        "format": FORMAT,
        "found": writer.data(tuple(found)),
        "marks": marks,
        "output": {name: digest(data) for name, data in output.items()} if plan else None,
        "path": files.path,
        "size": size,
        "workers": {id: worker.digest for id, worker in plan.workers.items()} if plan else None,
    }
    outcome = canonical({**rest, "sources": writer.sources()})
    brief = _brief_bytes(brief_of(graph), sources)
    forget(graph)
    return Made(brief + b"\n" + outcome, output, size, marks)


def _marks(found: Sequence[Diagnostic], is_built: bool, has_directives: bool) -> int:
    loudest = max((d.severity for d in found), default=Severity.INFO)
    return (
        (BUILT if is_built else 0)
        | (FAILS if loudest is Severity.ERROR else 0)
        | (SPEAKS if loudest is not Severity.INFO else 0)
        | (SUPPRESSES if has_directives else 0)
        | (TELLS if found else 0)
    )


def _brief_bytes(brief: Brief, known: Iterable[Source]) -> bytes:
    writer = Writer(known)
    data = writer.data(brief)
    return canonical([data, writer.sources()])


def changed_workers(was: Mapping[str, str] | None, now: bytes) -> tuple[str, ...] | None:
    """The workers that came out of an outcome otherwise than they `was`, those that are gone included; None where it or
    what was before was not compiled."""
    present = worker_digests(now) if was is not None else None
    if was is None or present is None:
        return None
    return tuple(sorted(id for id in {*was, *present} if was.get(id) != present.get(id)))


def read_outcome(holder: Holder, sources: Sources) -> tuple[Outcome, Mapping[str, str] | None]:
    """The outcome that `holder` has, and the digests of the files of its output by name, None where it has none.

    Raises Unknown when it is none. `sources` are asked when somebody looks at what is found.
    """
    try:
        kept = _kept(holder.outcome)
        outcome = Outcome(kept["path"], kept["folder"], kept["size"], kept["marks"], holder, sources)
        return outcome, kept["output"]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise error if isinstance(error, Unknown) else Unknown("no outcome") from error


def _kept(data: bytes) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(data.partition(b"\n")[2])
    if kept["format"] != FORMAT:
        raise Unknown(f"the format is {kept['format']}")
    return kept


def read_brief(outcome: bytes, sources: Sources) -> Brief:
    """What others see of the package of an outcome. Raises Unknown when there is none."""
    try:
        data, written = json.loads(outcome.partition(b"\n")[0])
        brief: Brief = Reader(written, sources).value(data)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise error if isinstance(error, Unknown) else Unknown("no brief") from error
    return brief
