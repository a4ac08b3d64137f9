"""Syrupy's side: the snapshot of a case is one Markdown file, read, compared and written as `skillc snapshot` does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension
from syrupy.location import PyTestLocation
from syrupy.session import SnapshotSession

from skillc.snapshot.comparing import same, stored
from skillc.snapshot.difference import difference
from skillc.store.files import write_atomic

if TYPE_CHECKING:
    from skillc.pytest_plugin.items import CaseItem


class ContextExtension(SingleFileSnapshotExtension):
    """`contexts/__snapshots__/<case>.md`, as bytes."""

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


class _Session(SnapshotSession):
    """A session of syrupy for one test. In that of the run our assertions would make syrupy look for unused
    snapshots of test functions in other places than without us."""

    def register_request(self, assertion: SnapshotAssertion) -> None:
        """Keeps no account."""


def holds(item: CaseItem, text: str) -> bool:
    """Whether the snapshot of the case says `text`, or says it now because updates are wanted. Raises OSError."""
    option = item.config.option
    session = _Session(pytest_session=item.session)
    assertion = SnapshotAssertion(
        update_snapshots=option.update_snapshots,
        extension_class=ContextExtension,
        test_location=PyTestLocation(item),
        session=session,
    )
    assertion.update_new_snapshots_only = getattr(option, "update_new_snapshots_only", False)
    equal = bool(assertion == text.encode("utf-8"))
    for result in assertion.executions.values():
        if result.exception:
            raise result.exception
    session.flush_snapshot_write_queue()
    return equal


def _item(location: PyTestLocation) -> CaseItem:
    item: CaseItem = location.item  # type: ignore[assignment]
    return item
