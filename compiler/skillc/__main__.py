"""The `skillc` command. Whatever goes wrong, a user sees a sentence and an exit code, never a traceback."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from skillc.store.quick import Standing


def main() -> int:
    """Run the command line of this process; returns the exit code (SPEC 16.3)."""
    try:
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
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except KeyboardInterrupt:
        return _stopped()
    except Exception as error:  # noqa: BLE001 - the last border: a bug is reported, not dumped
        return _internal(error)


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
