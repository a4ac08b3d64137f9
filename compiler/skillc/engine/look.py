"""What became of a package since the last time: looked at by times, then by content, then made anew, with reasons."""

from __future__ import annotations

import os
from dataclasses import dataclass

from skillc.engine.output import output_reasons
from skillc.engine.reasons import Inputs, Reason, differences, inputs_of, key_of
from skillc.engine.setting import Setting
from skillc.engine.state import Known, Stored
from skillc.engine.trace import Trace
from skillc.source.document import PackageFolder
from skillc.source.reader import Reader
from skillc.store.output import output_folder

FRESH, SAME, MADE = "fresh", "same", "made"
"""Nothing was opened; all was read and is as it was; something differs, so it is made anew."""


@dataclass(frozen=True, slots=True)
class Look:
    """One package as it stands. `trace` holds its bytes when they were read; `record` what is known of it, when that
    still holds."""

    package: PackageFolder
    did: str
    inputs: Inputs
    key: bytes
    reasons: tuple[Reason, ...] = ()
    trace: Trace | None = None
    record: Known | None = None

    @property
    def path(self) -> str:
        return self.package.path

    @property
    def folder(self) -> str:
        return self.package.folder


def look(
    reader: Reader, root: str, package: PackageFolder, setting: Setting, known: Known | None, compiling: bool
) -> Look:
    """How a package stands against the record of the last time."""
    path, folder = package.path, package.folder
    if (
        isinstance(known, Stored)
        and known.is_source
        and known.setting == setting.digest
        and package.real == folder
    ):
        if not compiling or (known.compiled and known.is_output):
            return Look(package, FRESH, {}, known.key, record=known)
        reasons = output_reasons(known.whole(), _output(root, package, setting))
        if not reasons:
            return Look(package, FRESH, {}, known.key, record=known)
    old = known.whole() if known else None
    trace = Trace(reader)
    trace.walk(folder)
    inputs = inputs_of(folder, trace.files, trace.listed(folder), setting.workspace, setting.compiler)
    key = key_of(path, inputs)
    if old is None:
        return Look(package, MADE, inputs, key, (Reason("package", path, "added"),), trace)
    reasons = tuple(differences(old.inputs, inputs)) if key != old.key else ()
    if compiling and not reasons:
        reasons = output_reasons(old, _output(root, package, setting))
    return Look(package, MADE if reasons else SAME, inputs, key, reasons, trace, None if reasons else old)


def _output(root: str, package: PackageFolder, setting: Setting) -> str:
    return output_folder(os.path.join(root, *setting.options.build.split("/")), package.path)
