"""`--fix`, `--unsafe-fixes`, `--diff`: fixes worked out, then written whole or shown as a patch."""

from __future__ import annotations

import difflib
import os
import stat
import sys
from collections.abc import Iterator

from skillc.cli.errors import INTERNAL, Stop
from skillc.cli.place import Place
from skillc.fixes import Fixed
from skillc.report.counts import plural
from skillc.report.language import Words
from skillc.store.files import write_atomic
from skillc.wording import said_in, say


def write(place: Place, fixed: Fixed, words: Words) -> None:
    """Write all changed files. A file that somebody changed meanwhile is left alone, and said."""
    written = 0
    for path, data in fixed.new.items():
        target = os.path.realpath(place.path(path))
        try:
            with open(target, "rb") as file:
                unchanged = file.read() == fixed.old[path]
            if not unchanged:
                said = say(
                    "skillc: `{path}` changed while it was being fixed, and is left as it is", path=path
                )
                sys.stderr.write(said_in(words, said) + "\n")
                continue
            mode = stat.S_IMODE(os.stat(target).st_mode)
            write_atomic(target, data)
            os.chmod(target, mode)
        except OSError as error:
            raise Stop(
                say("cannot write `{path}`: {reason}", path=path, reason=error.strerror or error), INTERNAL
            ) from error
        written += 1
    if written:
        said = say(
            "fixed {findings} in {files}",
            findings=plural(fixed.count, "finding"),
            files=plural(written, "file"),
        )
        sys.stderr.write(said_in(words, said) + "\n")


def diff(fixed: Fixed) -> bytes:
    """A unified diff that `patch -p1` and `git apply` take, in the bytes of the files."""
    return "".join(
        line for path in fixed.new for line in _file(path, fixed.old[path], fixed.new[path])
    ).encode("utf-8")


def _file(path: str, old: bytes, new: bytes) -> Iterator[str]:
    before, after = (_lines(data.decode("utf-8")) for data in (old, new))
    for line in difflib.unified_diff(before, after, f"a/{path}", f"b/{path}"):
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """Lines as patches count them: only LF ends one."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
