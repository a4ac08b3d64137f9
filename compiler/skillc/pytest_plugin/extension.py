"""Syrupy's side: the snapshot of a case is one Markdown file, read, compared and written as `skillc snapshot` does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from syrupy.assertion import SnapshotAssertion
from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension
from syrupy.location import PyTestLocation

from skillc.snapshot.comparing import same, stored
from skillc.snapshot.difference import difference
from skillc.store.files import write_atomic

if TYPE_CHECKING:
    from skillc.pytest_plugin.items import CaseItem


class ContextExtension(SingleFileSnapshotExtension):
    """`contexts/__snapshots__/<case>.md`. Which snapshots are unused follows from the boards that are there, not
    from the tests that ran, so syrupy is told of none."""

    file_extension = "md"

    @classmethod
    def get_location(cls, *, test_location: PyTestLocation, index: int | str) -> str:
        return _item(test_location).snapshot

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: int | str = 0) -> str:
        return _item(test_location).case.name

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        return _item(test_location).snapshot == snapshot_location

    def discover_snapshots(self, **_: Any) -> SnapshotCollections:
        return SnapshotCollections()

    def read_snapshot_data_from_location(self, *, snapshot_location: str, **_: Any) -> bytes | None:
        return stored(snapshot_location)

    def matches(self, *, serialized_data: Any, snapshot_data: Any) -> bool:
        return same(snapshot_data, serialized_data.decode("utf-8"))

    def diff_lines(self, serialized_data: Any, snapshot_data: Any) -> Iterator[str]:
        for change in difference(snapshot_data.decode("utf-8", "replace"), serialized_data.decode("utf-8")):
            yield change.where
            yield from (f"{mark} {line}" for mark, line in change.lines)

    @classmethod
    def write_snapshot_collection(cls, *, snapshot_collection: Any, **_: Any) -> None:
        write_atomic(snapshot_collection.location, next(iter(snapshot_collection)).data)


def assertion_of(item: CaseItem) -> SnapshotAssertion:
    """What `snapshot` is in a test function: equal to data when the snapshot holds it, or was updated to."""
    option = item.config.option
    assertion = SnapshotAssertion(
        update_snapshots=option.update_snapshots,
        extension_class=ContextExtension,
        test_location=PyTestLocation(item),
        session=item.config._syrupy,  # type: ignore[attr-defined]
    )
    assertion.update_new_snapshots_only = getattr(option, "update_new_snapshots_only", False)
    return assertion


def _item(location: PyTestLocation) -> CaseItem:
    item: CaseItem = location.item  # type: ignore[assignment]
    return item
