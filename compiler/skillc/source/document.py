"""What reading gives: documents with frontmatter, sections, tables and mentions, all with places."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from skillc.source.node import Mapping, Node
from skillc.text import Source, Span, Text
from skillc.value import value


@value
class Table:
    """A pipe table: header cells, then rows of as many cells. Cell text is stripped of backticks."""

    header: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    span: Span


@value
class Fence:
    """A fenced block: the first word of its info string, and its content."""

    info: str
    content: Text


@value
class Section:
    """From one heading to the next. `title` is without marks; `body` is the text below the heading,
    up to the next heading of any level; `level` 0 is what stands before the first heading.
    `outline` are the titles of the enclosing headings, outermost first."""

    title: Text
    level: int
    outline: tuple[str, ...]
    body: Span
    tables: tuple[Table, ...] = ()
    fences: tuple[Fence, ...] = ()


@value
class Mention:
    """A backticked text in prose or in a table, without its backticks."""

    text: Text
    in_table: bool = False


@value
class Document:
    """A Markdown file. `front` is None when there is none or it is broken (a finding says which);
    `body` is everything behind the closing fence, byte for byte."""

    source: Source
    front: Mapping | None
    front_span: Span
    body: Span
    find_sections: Callable[[], tuple[Section, ...]] = tuple
    find_mentions: Callable[[], tuple[Mention, ...]] = tuple
    """Both look into the body when they are asked: into most bodies nobody looks."""
    broken: bool = False
    faults: tuple[Span, ...] = ()
    """Where the errors of the frontmatter are, as far as it could be read all the same."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """All of the body, heading by heading."""
        return self.find_sections()

    @property
    def has_tables(self) -> bool:
        """Whether some section has a table."""
        is_possible = self.source.text.find("|", self.body.start, self.body.end) >= 0
        return is_possible and any(section.tables for section in self.sections)

    @property
    def mentions(self) -> tuple[Mention, ...]:
        """Every text in backticks, in written order."""
        return self.find_mentions()

    @property
    def path(self) -> str:
        return self.source.path


@value
class YamlFile:
    """A YAML (or JSON) file: its root node, or None when it is empty or broken."""

    source: Source
    root: Node | None
    broken: bool = False


def digests(folder: str, used: Iterable[Source]) -> tuple[tuple[str, str], ...]:
    """The path below `folder` of each text, and the sha256 of its canonical bytes in hex."""
    from hashlib import sha256

    return tuple(
        (source.path[len(folder) + 1 :], sha256(source.text.encode("utf-8")).hexdigest()) for source in used
    )


@value
class WorkerFiles:
    """What discovery found of one worker: `folder` is workspace-relative, `skill` its SKILL.md."""

    id: str
    folder: str
    skill: Document | None
    blocked: bool = False
    """True when the folder has no readable SKILL.md and a finding says so."""


@value
class PackageFiles:
    """All files of one package as read, before any meaning."""

    path: str
    """Below the skills folder: `novel/basic`."""
    folder: str
    """Workspace-relative: `skills/novel/basic`."""
    manifest: Document | None
    workers: tuple[WorkerFiles, ...]
    shared_context: Document | None = None
    bindings: YamlFile | None = None
    catalogue: YamlFile | None = None
    order: YamlFile | None = None
    used: tuple[Source, ...] = ()
    """The text of every file that the package is made of, by path."""
    templates: tuple[WorkerFiles, ...] = ()
    """Worker templates, `templates/<id>/SKILL.md`, read as workers are."""
    sources: tuple[Source, ...] = ()
    """The text of every file that could be read, boards and scripts included, by path."""
    boards: tuple[YamlFile, ...] = ()
    """The boards in `contexts`, by path. No plan is made of them."""

    @property
    def digests(self) -> tuple[tuple[str, str], ...]:
        return digests(self.folder, self.used)


@value(order=True)
class PackageFolder:
    """Where a package is: its path below the skills folder, its folder, and where that really lies."""

    path: str
    folder: str
    real: str


@value
class WorkspaceFiles:
    """Everything that discovery found below the skills folder."""

    skills: str
    """The skills folder, workspace-relative: `skills`."""
    packages: tuple[PackageFiles, ...]
    registry: YamlFile | None = None
    catalogue: YamlFile | None = None
    profiles: YamlFile | None = None
    """The model profiles; they stand outside the skills folder."""
    known: tuple[PackageFolder, ...] = ()
    """All packages that there are, read or not, by path."""

    @property
    def own(self) -> tuple[YamlFile, ...]:
        """The files of the workspace itself, which belong to no package."""
        return tuple(file for file in (self.registry, self.catalogue, self.profiles) if file)
