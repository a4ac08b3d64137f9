"""What a Book remembers itself: when it was put away, what it took from elsewhere, and named positions of its sessions.

Everything else that a Book shows is read from the rows of its sessions (SPEC 14).
"""

from __future__ import annotations

from pydantic import Field

from skillc.execute.booknames import alike
from skillc.execute.records import Record


class StateRow(Record):
    """From here on the Book is archived, or is so no longer."""

    archived: bool


class AssetRow(Record):
    """A text that was confirmed elsewhere and taken into the Book. `labels` are those that it carried there."""

    id: str
    tag: str
    content: str
    digest: str
    metadata: dict[str, object] = Field(default_factory=dict)
    labels: tuple[str, ...] = ()
    origin: dict[str, object] = Field(default_factory=dict)


class SaveRow(Record):
    """A named position of a session: its first `at_entry` rows, which end in the link `at_head`, and its progress
    there as it was stored: later versions may know more fields, and the digest must stay what it was."""

    name: str
    session: str
    at_entry: int
    at_revision: int
    at_head: str
    progress: dict[str, object]


class Dated(Record):
    """When a row of a Book was written."""

    at: str


class DatedState(Dated):
    row: StateRow


class DatedAsset(Dated):
    row: AssetRow


class DatedSave(Dated):
    row: SaveRow


class BookRecord(Record):
    """A Book as it is stored, rows in the order they were written."""

    id: str
    name: str
    kind: str
    created_at: str
    revision: int
    states: tuple[DatedState, ...] = ()
    assets: tuple[DatedAsset, ...] = ()
    saves: tuple[DatedSave, ...] = ()

    @property
    def archived(self) -> bool:
        return bool(self.states) and self.states[-1].row.archived

    def save_named(self, name: str) -> SaveRow | None:
        """The save of that name, or else the one whose name reads the same."""
        rows = [one.row for one in self.saves]
        exact = next((row for row in rows if row.name == name), None)
        return exact or next((row for row in rows if alike(row.name, name)), None)


class Fact(Record):
    """A confirmed text of a Book, with where it is from: `session` and `item`, or the file that it was imported from
    (then both are empty and `origin` says more). `at` is when it was confirmed; a `lasting` one outlives the play that
    wrote it."""

    tag: str
    content: str
    digest: str
    source: str
    at: str
    session: str = ""
    item: str = ""
    package: str = ""
    drafts: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    scope: str | None = None
    metadata: dict[str, object] = Field(default_factory=dict)
    labels: tuple[str, ...] = ()
    origin: dict[str, object] = Field(default_factory=dict)
    lasting: bool = True


class Trace(Record):
    """Something that happened in a Book: `kind` is begun, forked, asked, said, run, confirmed, rejected, sent_back,
    noted, imported, saved, archived or unarchived. Never the content of an item."""

    at: str
    kind: str
    session: str = ""
    who: str = ""
    tags: tuple[str, ...] = ()
    text: str = ""
