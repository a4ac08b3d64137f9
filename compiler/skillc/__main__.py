"""The `skillc` command. Whatever goes wrong, a user sees a sentence and an exit code, never a traceback."""

from __future__ import annotations

import gc
import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

    from skillc.store.quick import Standing


def main() -> int:
    """Run the command line of this process; returns the exit code (SPEC 16.3)."""
    try:
        _hold_streams()
        if _is_nowhere():
            return _nowhere()
        said, stood = _looked(sys.argv[2:]) if sys.argv[1:2] == ["build"] else (None, None)
        if said:
            sys.stderr.write(said)
            return 0
        # Most of what a command makes, it keeps: looking for what is thrown away after every 700 values costs a fifth.
        gc.set_threshold(100_000, 20, 100)
        from skillc.cli.main import run

        code = run(sys.argv[1:], stood)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return _stopped()
    except _UnwrittenError as unwritten:
        return _unwritten(unwritten.why)
    except Exception as error:  # noqa: BLE001 - the last border: a bug is reported, not dumped
        return _internal(error)
    finally:
        sys.stderr.flush()


class _UnwrittenError(Exception):
    """Standard output takes no more. No `OSError`: nobody on the way is to take it for one of his files."""

    def __init__(self, why: OSError) -> None:
        super().__init__(str(why))
        self.why = why


class _Stream(io.RawIOBase):
    """A standard stream that fails once at most, and one that tells what is done beside its result never does."""

    def __init__(self, raw: io.RawIOBase, is_result: bool) -> None:
        self._raw, self._is_result, self._is_lost = raw, is_result, False

    def write(self, data: Any) -> int | None:
        if self._is_lost:
            return len(data)
        try:
            return self._raw.write(data)
        except OSError as error:
            self._is_lost = True
            if self._is_result:
                raise _UnwrittenError(error) from error
            return len(data)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._raw.fileno()

    def isatty(self) -> bool:
        return self._raw.isatty()


def _hold_streams() -> None:
    """Standard streams that can be relied on: one that was closed is there, one that cannot be written to fails by a
    name of its own or not at all, and a character that a terminal cannot show is an escape."""
    # What stands at a closed number is opened first: else the next file would, and be written to. Standard output
    # is opened for reading, so that what is written to it is known to be lost.
    for name, way in (("stdin", os.O_RDONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            stream = os.fdopen(os.open(os.devnull, way), "r" if name == "stdin" else "w", encoding="utf-8")
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
    sys.stdout, sys.stderr = _held(sys.stdout, True), _held(sys.stderr, False)


def _held(stream: TextIO, is_result: bool) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    raw: Any = getattr(stream.buffer, "raw", stream.buffer)
    if isinstance(raw, _Stream):
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(_Stream(raw, is_result)),
        stream.encoding,
        "backslashreplace",
        line_buffering=bool(stream.line_buffering),
        write_through=stream.write_through,
    )


def _looked(words: list[str]) -> tuple[str | None, Standing | None]:
    """What a build says that finds everything as it was: by far the most frequent one, and it shall cost nothing. Where
    it does not, how things stand. Of the `words` behind the command one folder is understood."""
    if len(words) > 1 or not all(word[:1] != "-" and os.path.isdir(word) for word in words):
        return None, None
    from skillc.store.quick import looked

    return looked(os.path.realpath(*words) if words else os.getcwd(), os.environ)


def _stopped() -> int:
    from skillc.wording import say

    sys.stderr.write(f"\n{_told(say('skillc: stopped'))}\n")
    return 130


def _unwritten(why: OSError) -> int:
    """Who reads no further has seen enough; anything else that keeps the result from being seen is told."""
    if isinstance(why, BrokenPipeError):
        return 0
    from skillc.report.reasons import reason
    from skillc.wording import say

    sys.stderr.write(
        f"{_told(say('skillc: cannot write to standard output: {reason}', reason=reason(why)))}\n"
    )
    return 3


def _is_nowhere() -> bool:
    try:
        return not os.getcwd()
    except OSError:
        return True


def _nowhere() -> int:
    from skillc.wording import say

    said = say("skillc: the folder that you are in no longer exists, or may not be read: go to another one")
    sys.stderr.write(f"{_told(said)}\n")
    return 2


def _internal(error: Exception) -> int:
    if os.environ.get("SKILLC_TRACEBACK"):
        raise error
    from skillc.wording import say

    said = say("skillc: internal error: {kind}: {error}", kind=type(error).__name__, error=error)
    advice = say(
        "This is a bug in skillc; nothing of yours was changed. Set SKILLC_TRACEBACK=1 and run again to see "
        "where it happened."
    )
    sys.stderr.write(f"{_told(said)}\n{_told(advice)}\n")
    return 3


def _told(text: str) -> str:
    """`text` in the language of the user, as far as that can still be found out."""
    try:
        from skillc.cli.early import early_language
        from skillc.report.language import words_of
        from skillc.wording import said_in

        return said_in(words_of(early_language(sys.argv[1:])), text)
    except Exception:  # noqa: BLE001 - what is told is a failure already
        return text


if __name__ == "__main__":
    sys.exit(main())
