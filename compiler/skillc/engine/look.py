"""What became of a package since the last time: looked at by times, then by content, then made anew, with reasons."""

from __future__ import annotations

import os

from skillc.engine.output import output_reasons
from skillc.engine.reasons import Inputs, Reason, differences, inputs_of, key_of
from skillc.engine.setting import Setting
from skillc.engine.state import Known, Stored
from skillc.engine.trace import Trace
from skillc.source.document import PackageFolder
from skillc.source.reader import Reader
from skillc.store.output import output_folder
from skillc.value import value

FRESH, SAME, MADE = "fresh", "same", "made"
"""Nothing was opened; all was read and is as it was; something differs, so it is made anew."""


@value
class Look:
    """One package as it stands. `trace` holds its bytes when they were read; `record` is what is known of it, when that
    still holds. With neither it is certain to be made, and read when it is."""

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
    reader: Reader,
    root: str,
    package: PackageFolder,
    setting: Setting,
    known: Known | None,
    compiling: bool,
    postponing: bool = False,
) -> Look:
    """How a package stands against the record of the last time. With `postponing`, one that is certain to be made is not
    read yet."""
    is_framed = known is not None and known.setting == setting.digest
    if isinstance(known, Stored) and known.is_source and is_framed and package.real == package.folder:
        if not compiling or (known.compiled and known.is_output):
            return Look(package, FRESH, {}, known.key, record=known)
        if not output_reasons(known.whole(), _output(root, package, setting)):
            return Look(package, FRESH, {}, known.key, record=known)
    if postponing and not is_framed:
        return Look(package, MADE, {}, b"")
    return deep_look(reader, root, package, setting, known, compiling)


def deep_look(
    reader: Reader, root: str, package: PackageFolder, setting: Setting, known: Known | None, compiling: bool
) -> Look:
    """How it stands when all of it is read."""
    trace = Trace(reader)
    trace.walk(package.folder)
    listed = trace.listed(package.folder)
    inputs = inputs_of(package.folder, trace.files, listed, setting.workspace, setting.compiler)
    key = key_of(package.path, inputs)
    if known is None:
        return Look(package, MADE, inputs, key, (_new(package),), trace)
    old = known.whole()
    since = old.built if compiling and not old.compiled else old
    if since is None:
        reasons: tuple[Reason, ...] = (_new(package),)
    else:
        reasons = () if since is old and key == old.key else tuple(differences(since.inputs, inputs))
    if compiling and not reasons:
        reasons = output_reasons(old, _output(root, package, setting))
    return Look(package, MADE if reasons else SAME, inputs, key, reasons, trace, None if reasons else old)


def _new(package: PackageFolder) -> Reason:
    return Reason("package", package.path, "added")


def _output(root: str, package: PackageFolder, setting: Setting) -> str:
    return output_folder(os.path.join(root, *setting.options.build.split("/")), package.path)
