"""Where what a command prints goes: standard output, or the file that `--output-file` names."""

from __future__ import annotations

import os
import stat
import sys

from skillc.cli.errors import INTERNAL, Stop
from skillc.cli.place import Place
from skillc.config import FILE, PYPROJECT
from skillc.report.reasons import reason
from skillc.wording import say

MACHINE = ("json", "sarif", "junit", "diff", "markdown")
"""Formats that are UTF-8 with LF, whatever the terminal is."""


def deliver(place: Place, output_file: str | None, form: str, text: str) -> None:
    """`text` to the file, when one is named, else to standard output. No package is ever replaced by a report."""
    if not output_file:
        emit(form, text)
        return
    target = os.path.realpath(output_file)
    if target.startswith(os.path.realpath(place.path(place.config.skills)) + os.sep):
        raise Stop(say("`{path}` lies among the packages: a report would replace it", path=output_file))
    if target in (os.path.realpath(place.path(name)) for name in (FILE, PYPROJECT)):
        raise Stop(say("`{path}` is a settings file: a report would replace it", path=output_file))
    write_file(output_file, text)


def emit(form: str, text: str) -> None:
    """Print a report; machines get UTF-8 and LF, whatever a terminal would want."""
    if form in MACHINE:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    else:
        sys.stdout.write(text)


def write_file(path: str, text: str) -> None:
    """Write `text` whole, or stop with the reason. Devices and pipes are written to and never replaced."""
    from skillc.store.files import write_atomic

    data = text.encode("utf-8", "backslashreplace")
    above = _file_above(path)
    if above:
        raise Stop(say("cannot write `{path}`: `{above}` is not a folder", path=path, above=above))
    try:
        if _is_device(path):
            with open(path, "wb") as file:
                file.write(data)
        else:
            write_atomic(path, data)
    except OSError as error:
        raise Stop(
            say("cannot write `{path}`: {reason}", path=path, reason=reason(error)), INTERNAL
        ) from error


def _file_above(path: str) -> str | None:
    """The file that stands where `path` needs a folder."""
    folder = os.path.dirname(path)
    while folder and not os.path.lexists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder if folder and not os.path.isdir(folder) and os.path.exists(folder) else None


def _is_device(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return os.path.abspath(path).startswith("/dev/") or not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
