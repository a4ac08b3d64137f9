"""Where what a command prints goes: standard output, or the file that `--output-file` names."""

from __future__ import annotations

import os
import sys

from skillc.cli.errors import INTERNAL, Stop
from skillc.cli.place import Place
from skillc.wording import say

MACHINE = ("json", "sarif", "junit", "diff")
"""Formats that are UTF-8 with LF, whatever the terminal is."""


def deliver(place: Place, output_file: str | None, form: str, text: str) -> None:
    """`text` to the file, when one is named, else to standard output. No package is ever replaced by a report."""
    if not output_file:
        emit(form, text)
        return
    skills = os.path.realpath(place.path(place.config.skills))
    if os.path.realpath(output_file).startswith(skills + os.sep):
        raise Stop(say("`{path}` lies among the packages: a report would replace it", path=output_file))
    write_file(output_file, text)


def emit(form: str, text: str) -> None:
    """Print a report; machines get UTF-8 and LF, whatever a terminal would want."""
    if form in MACHINE:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()
    else:
        sys.stdout.write(text)


def write_file(path: str, text: str) -> None:
    """Write `text` whole, or stop with the reason."""
    from skillc.store.files import write_atomic

    try:
        write_atomic(path, text.encode("utf-8"))
    except OSError as error:
        raise Stop(
            say("cannot write `{path}`: {reason}", path=path, reason=error.strerror or error), INTERNAL
        ) from error
