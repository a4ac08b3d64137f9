"""Events of the file system, by watchfiles: the folders of a picture, watched while somebody waits."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

from skillc.cli.errors import INTERNAL, Stop
from skillc.engine.picture import Picture, Scene
from skillc.engine.settling import Events
from skillc.report.reasons import reason
from skillc.wording import say

if TYPE_CHECKING:
    from collections.abc import Generator

    from watchfiles import Change

    Stream = Generator[set[tuple[Change, str]], None, None]

STEP = 50
"""Milliseconds after which a stream of events lets the next one have its turn."""
WHOLE = sys.platform in ("darwin", "win32")
"""Whether the system itself watches a folder with all below it. Elsewhere each folder is watched for itself: all below
one would be whatever links lead to, too, outside of the workspace. A new folder shows in the one around it."""


def require_watchfiles() -> None:
    """Stops with the way out where watchfiles is not installed."""
    try:
        import watchfiles  # noqa: F401
    except ImportError as error:
        raise Stop(say("`--watch` needs watchfiles: `pip install 'skillc[watch]'`")) from error


@contextmanager
def events_in(scene: Scene, here: Picture) -> Iterator[Events]:
    """Events in the folders of `here`. Stops when the system gives none; FileNotFoundError when one of them is gone."""
    with ExitStack() as stack:
        try:
            streams = [stack.enter_context(closing(_stream(*each))) for each in watched(here)]
        except FileNotFoundError:
            raise
        except (OSError, RuntimeError) as error:
            message = say("cannot watch `{root}`: {reason}", root=scene.root, reason=reason(error))
            raise Stop(message, INTERNAL) from error
        yield _Streams(streams, concerning(scene, here))


def watched(here: Picture) -> Iterator[tuple[Sequence[str], bool]]:
    """Folders, and whether all below them is meant."""
    if not WHOLE:
        yield sorted({*here.folders, *here.flat}), False
        return
    if here.deep:
        yield here.deep, True
    yield here.flat, False


def _stream(folders: Sequence[str], recursive: bool) -> Stream:
    """What happens in `folders` from now on. Never ends, and gives an empty set when nothing happens."""
    from watchfiles import watch

    stream = watch(
        *folders,
        watch_filter=None,
        debounce=STEP,
        step=STEP,
        rust_timeout=STEP,
        yield_on_timeout=True,
        recursive=recursive,
        ignore_permission_denied=True,
    )
    next(stream)
    return stream


class _Streams:
    def __init__(self, streams: list[Stream], concerns: Callable[[str], bool]) -> None:
        self._streams = streams
        self._concerns = concerns

    def wait(self, seconds: float | None) -> bool:
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            found = [path for stream in self._streams for _, path in next(stream)]
            if any(map(self._concerns, found)):
                return True
            if end is not None and time.monotonic() >= end:
                return False


def concerning(scene: Scene, here: Picture) -> Callable[[str], bool]:
    """Whether something that happened at a path may concern what is looked at: it is below a folder of that, or it is
    one of its names or a folder on the way to one."""
    known = {os.path.realpath(name) for name in here.names} | set(here.names)
    ways = {way for name in known for way in _ways_to(name)}
    below = tuple(os.path.join(folder, "") for folder in here.deep)
    left_out = os.path.join(os.path.realpath(scene.build), "")
    return lambda path: path in ways or (path.startswith(below) and not path.startswith(left_out))


def _ways_to(name: str) -> Iterator[str]:
    """A path and the folders above it."""
    yield name
    while os.path.dirname(name) != name:
        name = os.path.dirname(name)
        yield name
