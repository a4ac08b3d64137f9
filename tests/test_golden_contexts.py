"""The contexts of the example packages, word for word: one readable file per board under golden/.

Each file begins with the digest of the conversation's bytes, since a reader of text may not see a changed
line end. `make golden` writes them anew; a file that no board asks for fails the run.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation

from skillc.cli.show import readable
from test_examples import BOARDS, context_of, read

BOARDS = [board for board in BOARDS if "worker" in read(board)]
"""Those of slots have their snapshots beside them."""
GOLDEN = Path(__file__).parent / "golden" / "test_golden_contexts"


def named(board: str) -> str:
    """`novel.basic.first` for the board `skills/novel/basic/contexts/first.yaml`."""
    _, kind, package, _, case = board.removesuffix(".yaml").split("/")
    return f"{kind}.{package}.{case}"


class OneFilePerBoard(SingleFileSnapshotExtension):
    """Text files below `golden/`, one for each board."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(GOLDEN)


@pytest.mark.parametrize("board", BOARDS, ids=named)
def test_context(board: str, snapshot: SnapshotAssertion) -> None:
    context = context_of(board)
    data = "".join(message["content"] for message in context.messages).encode()
    text = f"sha256 {hashlib.sha256(data).hexdigest()}\n{readable(context, color=False)}"
    assert text == snapshot(extension_class=OneFilePerBoard)


@pytest.mark.parametrize("board", BOARDS)
def test_the_parts_make_the_whole(board: str) -> None:
    """Never a golden alone: the index slices the conversation into exactly the segments of the user message."""
    context = context_of(board)
    system, user = (message["content"] for message in context.messages)
    data = (system + user).encode()
    slices = [data[segment["start"] : segment["end"]].decode() for segment in context.segments]
    assert "\n\n---\n\n".join(slices) == user
    assert context.prefix["fixed_bytes"] == len(system.encode())
    static = [segment["end"] for segment in context.segments if segment["tier"] == "static"]
    assert context.prefix["static_bytes"] == max([context.prefix["fixed_bytes"], *static])
