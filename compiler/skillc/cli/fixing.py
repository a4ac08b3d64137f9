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
from skillc.report.reasons import reason
from skillc.store.files import write_atomic
from skillc.wording import Said, said_in, say


def tell_refused(fixed: Fixed, words: Words) -> None:
    """A line for each finding whose fix is left out, with the reason."""
    for one in fixed.refused:
        line, column = one.diagnostic.span.position
        place = f"{one.diagnostic.span.path}:{line}:{column}"
        slug = one.diagnostic.code.slug
        _tell(
            words,
            say(
                "{place}: the fix of `{slug}` is left out: {reason}",
                place=place,
                slug=slug,
                reason=one.reason,
            ),
        )


def write(place: Place, fixed: Fixed, words: Words) -> None:
    """Write all changed files. One that somebody changed meanwhile, or that is read-only, is left alone, and said;
    what cannot be written stops the command when all others are."""
    written: dict[str, bytes] = {}
    failed: Stop | None = None
    for path, data in fixed.new.items():
        target = os.path.realpath(place.path(path))
        try:
            why = None if written.get(target) == data else _unwritable(target, path, fixed.old[path])
            if why:
                _tell(words, why)
            elif target not in written:
                mode = stat.S_IMODE(os.stat(target).st_mode)
                write_atomic(target, data)
                os.chmod(target, mode)
                written[target] = data
        except OSError as error:
            refused = say("cannot write `{path}`: {reason}", path=path, reason=reason(error))
            if failed:
                _tell(words, refused)
            failed = failed or Stop(refused, INTERNAL)
    if written:
        _say_written(len(written), len(fixed.new), fixed.count, words)
    if failed:
        raise failed


def _unwritable(target: str, path: str, old: bytes) -> Said | None:
    """Why a file is left as it is."""
    with open(target, "rb") as file:
        if file.read() != old:
            return say("`{path}` changed while it was being fixed, and is left as it is", path=path)
    if not os.stat(target).st_mode & 0o222 or not os.access(target, os.W_OK):
        return say("`{path}` is read-only, and is left as it is", path=path)
    return None


def _say_written(written: int, wanted: int, count: int, words: Words) -> None:
    files = plural(written, "file")
    if written == wanted:
        said = say("fixed {findings} in {files}", findings=plural(count, "finding"), files=files)
    else:
        said = say("wrote {files}", files=files)
    sys.stderr.write(said_in(words, said) + "\n")


def _tell(words: Words, text: Said) -> None:
    sys.stderr.write("skillc: " + said_in(words, text) + "\n")


def diff(fixed: Fixed) -> str:
    """A unified diff that `patch -p1` and `git apply` take, in the characters of the files."""
    return "".join(line for path in fixed.new for line in _file(path, fixed.old[path], fixed.new[path]))


def _file(path: str, old: bytes, new: bytes) -> Iterator[str]:
    before, after = (_lines(data.decode("utf-8")) for data in (old, new))
    for line in difflib.unified_diff(before, after, f"a/{path}", f"b/{path}"):
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """Lines as patches count them: only LF ends one."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
