"""What a terminal can show: colour only where a person looks, progress only where it does no harm."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from skillc.driver import Progress

PROGRESS_FROM = 50
"""Packages from which a progress bar is worth its flicker."""


def has_color(stream: TextIO, choice: str = "auto") -> bool:
    """Whether to colour `stream`: `always`, `never`, or only in a terminal and without NO_COLOR."""
    if choice != "auto":
        return choice == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextmanager
def progress(total_hint: int) -> Iterator[Progress | None]:
    """A bar on standard error while packages compile; nothing when it is no terminal or the work is short."""
    if total_hint < PROGRESS_FROM or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("compiling", total=total_hint)

        def show(name: str, done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield show


@contextmanager
def waiting(text: str, worth_it: bool) -> Iterator[None]:
    """A spinner on standard error while something long runs."""
    if not worth_it or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text):
        yield
