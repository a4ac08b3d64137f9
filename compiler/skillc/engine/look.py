"""What became of a package since the last time: looked at by times, then by content, then made anew, with reasons."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from skillc.engine.output import output_reasons
from skillc.engine.reasons import Inputs, Reason, differences, inputs_of, key_of
from skillc.engine.setting import Setting
from skillc.engine.state import Record, Row
from skillc.engine.trace import Trace
from skillc.source.document import PackageFolder
from skillc.source.reader import Reader
from skillc.store.log import Seen, unchanged

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
    record: Record | None = None

    @property
    def path(self) -> str:
        return self.package.path

    @property
    def folder(self) -> str:
        return self.package.folder


def look(
    reader: Reader, root: str, package: PackageFolder, setting: Setting, old: Record | None, compiling: bool
) -> Look:
    """How a package stands against the record of the last time."""
    path, folder = package.path, package.folder
    output = os.path.join(root, *setting.options.build.split("/"), *path.split("/"))
    frame = {"workspace": dict(setting.workspace), "compiler": dict(setting.compiler)}
    framed = old is not None and all(old.inputs[part] == frame[part] for part in frame)
    if old is not None and framed and package.real == folder and unchanged(_table(old.seen), root):
        reasons = output_reasons(old, output) if compiling else ()
        if not reasons:
            return Look(package, FRESH, old.inputs, old.key, record=old)
    trace = Trace(reader)
    trace.walk(folder)
    inputs = inputs_of(folder, trace.files, trace.listed(folder), setting.workspace, setting.compiler)
    key = key_of(path, inputs)
    if old is None:
        return Look(package, MADE, inputs, key, (Reason("package", path, "added"),), trace)
    reasons = tuple(differences(old.inputs, inputs)) if key != old.key else ()
    if compiling and not reasons:
        reasons = output_reasons(old, output)
    return Look(package, MADE if reasons else SAME, inputs, key, reasons, trace, None if reasons else old)


def _table(rows: Mapping[str, Row]) -> Seen:
    sizes, mtimes, inodes, _ = zip(*rows.values(), strict=True) if rows else ((), (), (), ())
    return Seen(list(rows), sizes, mtimes, inodes)
