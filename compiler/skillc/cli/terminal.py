"""What a terminal can show: colour only where a person looks, progress only where it does no harm."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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
def progress(text: str) -> Iterator[Progress | None]:
    """A bar on standard error, with `text` before it, from the first of many packages that is done to the last; nothing
    when that is no terminal. Before there is anything to show, there is no thread that shows it: work may fork."""
    if not sys.stderr.isatty():
        yield None
        return
    with ExitStack() as stack:
        bar: list[Callable[[int], None]] = []

        def show(name: str, done: int, total: int) -> None:
            if total >= PROGRESS_FROM:
                bar.extend([_bar(stack, text, total)] if not bar else [])
                bar[0](done)

        yield show


def _bar(stack: ExitStack, text: str, total: int) -> Callable[[int], None]:
    """A bar that stands for as long as the stack does; is told how many are done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = stack.enter_context(Bar(*columns, console=Console(stderr=True), transient=True))
    task = bar.add_task(text, total=total)
    return lambda done: bar.update(task, completed=done)


@contextmanager
def waiting(text: str, worth_it: bool) -> Iterator[None]:
    """A spinner on standard error while something long runs."""
    if not worth_it or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text):
        yield
