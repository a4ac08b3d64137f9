"""All that is known of one package after it was checked and compiled, as a value that can be kept (SPEC 15.3)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from skillc import driver
from skillc.artifact.codec import canonical, digest
from skillc.control.inline import package_directives
from skillc.diagnostic import Diagnostic, Severity
from skillc.engine.setting import Setting
from skillc.engine.wire import Reader, Sources, Unknown, Writer
from skillc.graph.brief import Brief, brief_of
from skillc.source.directives import Directive
from skillc.source.document import PackageFiles
from skillc.text import Source

FORMAT = "skillc.outcome/1"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`found` is all that is wrong in the package, reported or not; `directives` the suppressions in its files, by
    path. `output` gives the digest of each file of a build by its name; None where there are errors, or where it was
    not compiled. `size` is how many workers there are, `workers` the digests of the compiled ones."""

    path: str
    folder: str
    brief: Brief
    found: tuple[Diagnostic, ...]
    directives: tuple[tuple[str, tuple[Directive, ...]], ...] = ()
    size: int = 0
    output: Mapping[str, str] | None = None
    workers: Mapping[str, str] | None = None

    @property
    def has_errors(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.found)


@dataclass(frozen=True, slots=True)
class Made:
    """An outcome as bytes, and the files of its output."""

    outcome: bytes
    files: Mapping[str, bytes]


def make(files: PackageFiles, form: Iterable[Diagnostic], setting: Setting, compiling: bool) -> Made:
    """Check one package, and compile it when it is wanted and has no error. `form` is what reading its files found."""
    graph, found = driver.check_package(files, setting.around, setting.options.flow)
    found = [*form, *found]
    good = not any(d.severity is Severity.ERROR for d in found)
    plan, output = driver.compile_one(graph) if compiling and good and graph.package.manifest else (None, {})
    outcome = Outcome(
        files.path,
        files.folder,
        brief_of(graph),
        tuple(found),
        tuple(package_directives(files).items()),
        len(graph.package.workers),
        {name: digest(data) for name, data in output.items()} if plan else None,
        {id: worker.digest for id, worker in plan.workers.items()} if plan else None,
    )
    return Made(outcome_bytes(outcome, [*files.sources, *setting.sources]), output)


def made_bytes(made: Made) -> bytes:
    """What one process hands to another."""
    return canonical([made.outcome.decode(), {name: data.decode() for name, data in made.files.items()}])


def read_made(data: bytes) -> tuple[bytes, dict[str, bytes]]:
    outcome, files = json.loads(data)
    return outcome.encode(), {name: text.encode() for name, text in files.items()}


def worker_digests(outcome: bytes) -> Mapping[str, str] | None:
    """The digests of the compiled workers in an outcome; None where there are none."""
    found: Mapping[str, str] | None = json.loads(outcome).get("workers")
    return found


def outcome_bytes(outcome: Outcome, known: Iterable[Source]) -> bytes:
    """Canonical JSON of an outcome; the texts of `known` sources are not kept."""
    writer = Writer(known)
    data = {
        "brief": writer.data(outcome.brief),
        "directives": writer.data(outcome.directives),
        "folder": outcome.folder,
        "format": FORMAT,
        "found": writer.data(outcome.found),
        "output": outcome.output,
        "path": outcome.path,
        "size": outcome.size,
        "workers": outcome.workers,
    }
    return canonical({**data, "sources": writer.sources()})


def read_outcome(data: bytes, sources: Sources) -> Outcome:
    """The outcome that `data` is. Raises Unknown when it is none, OSError when a text that it points into is gone."""
    try:
        kept = json.loads(data)
        if kept["format"] != FORMAT:
            raise Unknown(f"the format is {kept['format']}")
        reader = Reader(kept["sources"], sources)
        return Outcome(
            kept["path"],
            kept["folder"],
            reader.value(kept["brief"]),
            reader.value(kept["found"]),
            reader.value(kept["directives"]),
            kept["size"],
            kept["output"],
            kept["workers"],
        )
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise error if isinstance(error, Unknown) else Unknown("no outcome") from error
