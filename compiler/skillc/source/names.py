"""Names of files and folders: what the format knows, what it reads over, what an id may be (SPEC 1.2, 1.3)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from skillc.diagnostic import Diagnostic, finding
from skillc.grammar import invisible_in_name
from skillc.later import later
from skillc.text import Source, Span, Text
from skillc.wording import say

KINDS = ("dialogue", "novel")
MANIFEST = "orchestrator.md"
SKILL = "SKILL.md"
SHARED = "shared-context.md"
WORKERS = "workers"
CONTEXTS = "contexts"
SNAPSHOTS = "__snapshots__"
"""In `contexts`: the contexts of its boards as their author accepted them, a file each."""
SNAPSHOT_SUFFIX = ".md"
PACKAGE_FILES = (
    MANIFEST,
    SHARED,
    "llm-bindings.yaml",
    "tags.yaml",
    "context-order.json",
    "context-order.yaml",
)
PACKAGE_FOLDERS = (WORKERS, "templates", CONTEXTS, "scripts")
WORKSPACE_FILES = ("registry.yaml", "tags.yaml")
DATA_SUFFIXES = (".yaml", ".yml", ".json")

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_IGNORED = re.compile(
    r"\..*|.*~|(?:readme|license|licence|changelog|contributing|notice|authors)(?:[._-].*)?"
    r"|thumbs\.db|desktop\.ini|__pycache__|__macosx",
    re.IGNORECASE,
)
_DEVICE = later(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:[. ].*)?", re.IGNORECASE)
_SUFFIX = later(r"\.(?:md|markdown|txt|yaml|yml|json)$")


@lru_cache(maxsize=4096)
def is_ignored(name: str) -> bool:
    """Whether a name is read over by rule: hidden files, README and its kind, leavings of systems and editors."""
    return _IGNORED.fullmatch(name) is not None


@lru_cache(maxsize=4096)
def is_device(name: str) -> bool:
    """Whether Windows keeps `name` for a device, so that it cannot be checked out there.

    >>> is_device("aux.md"), is_device("auxiliary")
    (True, False)
    """
    return _DEVICE.fullmatch(name) is not None


def folded(name: str) -> str:
    """What file systems that ignore case and normal form make of a name."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def near(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was probably meant to be: other case, two edits, another suffix.

    >>> near("skill.md", ["SKILL.md"]), near("worker", ["workers"]), near("notes.md", ["SKILL.md"])
    ('SKILL.md', 'workers', None)
    """
    own = folded(name)
    scored = [(_difference(own, folded(candidate)), candidate) for candidate in known if candidate != name]
    best = min(scored, default=(9, ""))
    return best[1] if best[0] <= 2 else None


def _difference(own: str, other: str) -> int:
    edits = edit_distance(own, other, 2)
    stem, other_stem = _stem(own), _stem(other)
    if edits > 2 and stem == other_stem:
        return 2
    if stem != own and other_stem != other and edit_distance(stem, other_stem, 2) * 2 >= len(other_stem):
        return 9
    return edits


def _stem(name: str) -> str:
    previous = ""
    while previous != name:
        previous, name = name, _SUFFIX.sub("", name)
    return name


def edit_distance(a: str, b: str, limit: int) -> int:
    """Insertions, deletions, replacements and swaps of neighbours from `a` to `b`; more than `limit` is `limit + 1`."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    above: list[int] = []
    row = list(range(len(b) + 1))
    for i, char in enumerate(a, 1):
        before, above, row = above, row, [i]
        for j, other in enumerate(b, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (char != other))
            if i > 1 and j > 1 and char == b[j - 2] and a[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
    return min(row[-1], limit + 1)


def place(path: str) -> Span:
    """A span for a finding about a file or folder itself."""
    return Source(path, "").span()


def is_id(name: str) -> bool:
    """Whether a folder may be called so."""
    return len(name) <= 64 and _ID.fullmatch(name) is not None and not is_device(name)


def id_problems(name: str, what: str, span: Span) -> Iterator[Diagnostic]:
    """bad-id or invisible-character for a folder name that is no id (SPEC 1.3). `what` is `worker`, `package`."""
    if is_id(name):
        return
    unseen = list(invisible_in_name(Text(name, span)))
    if unseen:
        yield from unseen
    elif is_device(name):
        yield _bad_id(
            span,
            say("`{name}` is a device on Windows, where the folder cannot exist", name=name),
            say("choose another name"),
        )
    elif name != name.rstrip(". "):
        yield _bad_id(
            span,
            say("`{name}` ends with a dot or a blank, which Windows drops", name=name),
            say("choose another name"),
        )
    elif len(name) > 64:
        yield _bad_id(
            span,
            say("the {what} name has {size} characters, more than 64", what=what, size=len(name)),
            say("choose a shorter name"),
        )
    elif not _ID.fullmatch(name):
        yield _bad_id(span, say("`{name}` is no {what} name", name=name, what=what), _advice(name))


def _bad_id(span: Span, message: str, help: str) -> Diagnostic:
    return finding("bad-id", span, message, help)


def _advice(name: str) -> str:
    rule = say("a name is `a-z`, `0-9` and single hyphens between them")
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
    meant = re.sub(r"-+", "-", re.sub(r"[\s_.]+", "-", words)).strip("-")
    return (
        say("{rule}: `{meant}`", rule=rule, meant=meant) if _ID.fullmatch(meant) and meant != name else rule
    )
