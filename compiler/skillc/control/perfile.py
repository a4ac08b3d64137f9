"""Codes that the settings ignore in some files: globs over workspace-relative paths."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

from skillc.control.selection import names
from skillc.diagnostic import Code
from skillc.text import Span


@dataclass(frozen=True, slots=True)
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
    return any(_match(wanted, parts[:end]) for end in range(1, len(parts) + 1))


def _match(wanted: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    if not wanted:
        return not parts
    if wanted[0] == "**":
        return any(_match(wanted[1:], parts[at:]) for at in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], wanted[0]) and _match(wanted[1:], parts[1:])
