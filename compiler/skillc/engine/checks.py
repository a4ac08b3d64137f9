"""Checks of states of a workspace that have most of their packages in common: of equal bytes, nothing is checked twice."""

from __future__ import annotations

from skillc import driver
from skillc.diagnostic import Diagnostic
from skillc.engine.reasons import inputs_of, key_of
from skillc.engine.setting import Options, setting_of
from skillc.engine.trace import Trace
from skillc.graph import TagGraph
from skillc.model.workspace import Surroundings, read_surroundings
from skillc.source.discover import read_one, read_workspace
from skillc.source.document import PackageFiles, PackageFolder
from skillc.source.reader import Reader
from skillc.value import replace, value


@value
class _Seen:
    """A package as it was checked: its files, its graph, and all that was found in it."""

    files: PackageFiles
    graph: TagGraph
    found: tuple[Diagnostic, ...]


class Checks:
    """Remembers each package that it has checked by all that its check depends on."""

    def __init__(self) -> None:
        self._seen: dict[bytes, _Seen] = {}

    def check(
        self,
        reader: Reader,
        skills: str = "skills",
        only: frozenset[str] | None = None,
        profiles: str = "profiles.json",
        flow: str = "normal",
    ) -> driver.Checked:
        """What `driver.check` gives."""
        options = Options(skills, profiles, flow)
        files, found = read_workspace(reader, skills, frozenset(), profiles)
        around, said = read_surroundings(files)
        found += said
        setting = setting_of(options, files, around, "")
        packages = []
        graphs = {}
        for package in files.known:
            if only is None or package.path in only:
                one = self._one(reader, package, around, options, setting.digest)
                packages.append(one.files)
                graphs[package.path] = one.graph
                found += one.found
        files = replace(files, packages=tuple(packages))
        return driver.assembled(reader, files, around, graphs, found, only)

    def _one(
        self, reader: Reader, package: PackageFolder, around: Surroundings, options: Options, setting: bytes
    ) -> _Seen:
        trace = Trace(reader)
        trace.walk(package.folder)
        inputs = inputs_of(package.folder, trace.files, trace.listed(package.folder), {"": setting.hex()}, {})
        key = key_of(package.path, inputs)
        if key not in self._seen:
            files, form = read_one(trace, package)
            graph, found = driver.check_package(files, around, options.flow)
            self._seen[key] = _Seen(files, graph, (*form, *found))
        return self._seen[key]
