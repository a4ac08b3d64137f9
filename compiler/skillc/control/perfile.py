"""Codes that the settings ignore in some files: globs over workspace-relative paths."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache

from skillc.control.selection import names
from skillc.diagnostic import Code
from skillc.text import Span
from skillc.value import value


@value
class FileRule:
    """Findings of `codes` are not reported in files that `glob` matches. `span` is where the settings say so."""

    glob: str
    codes: tuple[str, ...]
    span: Span | None = None

    def covers(self, path: str, code: Code) -> bool:
        return any(names(name, code) for name in self.codes) and matches(self.glob, path)


@lru_cache(maxsize=65536)
def matches(glob: str, path: str) -> bool:
    """Whether `glob` matches `path` or a folder above it.

    `*` stays inside one name, `**` is any number of folders. Without a `/` the glob is a name anywhere.

    >>> matches("skills/novel/**/SKILL.md", "skills/novel/a/workers/w/SKILL.md"), matches("drafts", "a/drafts/b.md")
    (True, True)
    """
    parts = tuple(path.split("/"))
    wanted = tuple(glob.removeprefix("./").strip("/").split("/"))
    if len(wanted) == 1 and "/" not in glob.rstrip("/"):
        wanted = ("**", *wanted)
    stars = [at for at in range(1, len(wanted)) if wanted[at] == wanted[at - 1] == "**"]
    return _match(tuple(name for at, name in enumerate(wanted) if at not in stars), parts)


def _match(wanted: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Whether `wanted` matches the first of `parts`, or the first few. `reached` are the places in `wanted` at which
    one may be after each part, so that no glob takes longer than both are long."""
    reached = _beside({0}, wanted)
    for part in parts:
        reached = _beside(
            {
                at if wanted[at] == "**" else at + 1
                for at in reached
                if at < len(wanted) and (wanted[at] == "**" or fnmatchcase(part, wanted[at]))
            },
            wanted,
        )
        if len(wanted) in reached:
            return True
    return False


def _beside(reached: set[int], wanted: tuple[str, ...]) -> set[int]:
    """`reached`, and what lies behind each `**`, which may be no folder at all; no two stand side by side."""
    return reached | {at + 1 for at in reached if at < len(wanted) and wanted[at] == "**"}
