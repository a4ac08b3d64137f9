"""What stands around the packages: which there are, what the workspace gives to all, what is wrong there and in how the
packages fit together; kept from one run to the next as long as none of it changed (SPEC 15.3)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from skillc.artifact.encoding import canonical
from skillc.diagnostic import Diagnostic
from skillc.engine.setting import (
    Options,
    Setting,
    compiler_identity,
    compiler_rows,
    setting_of,
    watched_rows,
)
from skillc.engine.state import Kept, Row, Stored
from skillc.engine.trace import Trace
from skillc.engine.wire import Reader, Sources, Writer
from skillc.model.workspace import read_surroundings
from skillc.source.discover import is_still_package, read_workspace
from skillc.source.document import PackageFolder, WorkspaceFiles
from skillc.source.reader import Entry
from skillc.source.reader import Reader as Files
from skillc.value import asdict, replace, value

Findings = tuple[Diagnostic, ...]


@value
class Together:
    """What was found of how packages fit together: in the registry (`said`) and by the rules (`found`), where the
    packages were those of `key`."""

    key: str
    said: Findings
    found: Findings


@value
class Around:
    """`rows` are those of the log; `found` is what is wrong in the files of the workspace and in the folders between the
    packages; `before` is what was found the last time of how packages fit together, if that is known."""

    files: WorkspaceFiles
    found: Findings
    setting: Setting
    rows: Mapping[str, Row]
    before: Together | None = None


def around(
    trace: Trace, options: Options, watched: Sequence[str], old: Kept, started: int, sources: Sources
) -> Around:
    """What stands around the packages of the workspace that `trace` reads: as it is kept, where all of it is as it was,
    else read."""
    return _kept(trace, options, watched, old, sources) or _read(trace, options, watched, old, started)


def _read(trace: Trace, options: Options, watched: Sequence[str], old: Kept, started: int) -> Around:
    compiler = compiler_rows(started)
    files, found = read_workspace(trace, options.skills, frozenset(), options.profiles)
    given, said = read_surroundings(files)
    setting = setting_of(options, files, given, compiler_identity(old, compiler))
    # The folder of a package is one of its own rows.
    folders = {package.folder for package in files.known}
    own = trace.rows(started, leaving=folders)
    rows = {**compiler, **own, **watched_rows(watched, started)}
    return Around(files, (*found, *said), setting, rows)


def _kept(
    trace: Trace, options: Options, watched: Sequence[str], old: Kept, sources: Sources
) -> Around | None:
    """What is kept of the last time, if that holds: each folder that stood where packages stand is one still or is
    none, and files of the workspace that are read once more are what they were."""
    if not old.is_around or any(path not in old.around for path in watched):
        return None
    try:
        data = json.loads(old.whole)
        if data["options"] != asdict(options):
            return None
        reader = Reader(data["sources"], sources)
        found, said, together = (reader.value(data[name]) for name in ("found", "said", "together"))
    except (KeyError, TypeError, ValueError, RecursionError, OSError):
        return None
    before = Together(data["key"], said, together)
    known = tuple(
        PackageFolder(path, f"{options.skills}/{path}", f"{options.skills}/{path}") for path in data["known"]
    )
    changed = [old.records.get(package.path) for package in known]
    for package, record in zip(known, changed, strict=True):
        is_as_it_was = isinstance(record, Stored) and record.is_source
        if not is_as_it_was and not is_still_package(trace, package.folder):
            return None
    files, _ = read_workspace(_WithoutFolders(trace), options.skills, frozenset(), options.profiles)
    files = replace(files, known=known)
    given, _ = read_surroundings(files)
    setting = setting_of(options, files, given, old.frame[0])
    if _names(setting, files) != data["files"]:
        return None
    return Around(files, found, setting, old.around, before)


def around_bytes(stands: Around, together: Together | None) -> bytes:
    """What is to be kept of it; nothing where it could not be told apart from something else. `together` is what was found
    now, if that was of all packages."""
    known = stands.files.known
    if any(package.real != package.folder for package in known):
        return b""
    together = together or stands.before or Together("", (), ())
    writer = Writer(file.source for file in stands.files.own)
    data = {
        "files": _names(stands.setting, stands.files),
        "found": writer.data(stands.found),
        "key": together.key,
        "known": [package.path for package in known],
        "options": asdict(stands.setting.options),
        "said": writer.data(together.said),
        "together": writer.data(together.found),
    }
    return canonical({**data, "sources": writer.sources()})


def together_key(stands: Around, briefs: Iterable[tuple[str, bytes]]) -> str:
    """The name of all that decides how packages fit together: what each shows to others, and the workspace's files."""
    total = sha256(canonical([asdict(stands.setting.options), _names(stands.setting, stands.files)]))
    for path, digest in briefs:
        total.update(path.encode("utf-8", "surrogateescape") + b"\0" + digest)
    return total.hexdigest()


def _names(setting: Setting, files: WorkspaceFiles) -> list[list[str]]:
    """The files of the workspace by what is in them, and the compiler."""
    texts = ((file.source.path, file.source.text.encode("utf-8", "surrogatepass")) for file in files.own)
    named = [[path, sha256(text).hexdigest()] for path, text in texts]
    return [*named, ["", setting.compiler["version"]]]


class _WithoutFolders:
    """A reader that shows no folder, so that only the files of the workspace itself are read."""

    def __init__(self, base: Files) -> None:
        self._base = base

    def entries(self, path: str) -> tuple[Entry, ...]:
        return tuple(entry for entry in self._base.entries(path) if entry.kind == "file")

    def read(self, path: str) -> bytes:
        return self._base.read(path)
