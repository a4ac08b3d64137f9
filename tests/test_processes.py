"""Work in other processes gives what it gives in one."""

from __future__ import annotations

import os

import pytest

from skillc.processes import in_shares, processors

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]


@pytest.mark.parametrize("jobs", [1, 2, 3, 7])
@pytest.mark.parametrize("pieces", [0, 1, 5, 100])
def test_shares_are_put_together_in_order(pieces: int, jobs: int) -> None:
    found = in_shares(lambda share: [(number, "x" * 1000) for number in share], pieces, jobs)
    assert found == [(number, "x" * 1000) for number in range(pieces)]


def test_what_a_process_could_not_do_is_done_here() -> None:
    here = os.getpid()

    def work(share: range) -> list[int]:
        if os.getpid() != here:
            os._exit(9)
        return list(share)

    assert in_shares(work, 10, 3) == list(range(10))


def test_the_number_of_processes_can_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLC_JOBS", "3")
    assert processors() == 3
    monkeypatch.setenv("SKILLC_JOBS", "many")
    assert processors() >= 1
