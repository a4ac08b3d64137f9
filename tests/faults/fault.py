"""What a fault is, and the packages that faults are put into."""

from __future__ import annotations

from dataclasses import dataclass

BASIC = "novel/basic"
RULES = "novel/weird-rules-short"
GAME = "dialogue/roleplay-game-theory"
MANIFEST = "orchestrator.md"

Edit = tuple[str, str | None, str | None]
Said = tuple[str, str, str]


def skill(worker: str) -> str:
    return f"workers/{worker}/SKILL.md"


OUTLINE = skill("outline")
WRITE = skill("write-rules")
INFER = skill("review-infer")
AUTHOR = skill("review-author")
SETUP = skill("setup-scenario")
DECIDE = skill("role-decide")
ENGINE = skill("world-engine")
PRESENT = skill("present-round")


@dataclass(frozen=True)
class Fault:
    """`edits`: (file, old, new), every occurrence; an old text that stands nowhere is a broken row. A new text of
    None removes the file, an old one of None writes it; a file that is written may begin with the text of another,
    `@path` above the rest. Bytes that no text has are written as `\\udcXX`. `said`: (code, file, what is pointed
    at), all of it.

    Files are below the package; those that begin with `/` are below the workspace.
    """

    name: str
    package: str
    edits: tuple[Edit, ...]
    said: tuple[Said, ...]


def one(name: str, package: str, file: str, old: str | None, new: str | None, *said: Said) -> Fault:
    """A fault of one edit."""
    return Fault(name, package, ((file, old, new),), said)


def reads_too(file: str, last: str, tag: str, shown: str = "") -> tuple[Edit, Edit]:
    """The worker reads `tag` behind its last input, and sees it behind the tags `shown` of a segment."""
    shown, plain = shown or f'"{last.removesuffix("?")}"', tag.removesuffix("?")
    return (
        (file, f'  - "{last}"\noutputTags', f'  - "{last}"\n  - "{tag}"\noutputTags'),
        (file, f"tags: [{shown}]", f'tags: [{shown}, "{plain}"]'),
    )


def writes_too(file: str, first: str, tag: str) -> Edit:
    """The worker writes `tag` behind its first output."""
    return (file, f'outputTags:\n  - "{first}"', f'outputTags:\n  - "{first}"\n  - "{tag}"')
