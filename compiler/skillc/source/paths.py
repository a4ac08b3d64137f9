"""Paths as text: joined, and judged before they are followed."""

from __future__ import annotations

from skillc.wording import say


def join(folder: str, name: str) -> str:
    """`name` in `folder`; the root is the empty path."""
    return f"{folder}/{name}" if folder else name


def safe_relative(path: str) -> str | None:
    """Why `path` may not stand in a manifest (SPEC 2.6), or None when it may.

    >>> safe_relative("../x"), safe_relative("novel/basic")
    ('it leads out with `..`', None)
    """
    if not path:
        return say("it is empty")
    if "\0" in path:
        return say("it holds a NUL character")
    if "\\" in path:
        return say("it uses `\\` where `/` belongs")
    if path.startswith("/"):
        return say("it is absolute")
    if path[1:2] == ":" and path[0].isascii() and path[0].isalpha():
        return say("it names a drive")
    if path.startswith("~"):
        return say("it begins with `~`")
    return say("it leads out with `..`") if ".." in path.split("/") else None
