"""The load of `make bench`, in small: several processes, one server, no lost update."""

from __future__ import annotations

from sessions import load


def test_several_processes_lose_no_update_on_one_server(postgres_url: str) -> None:
    found = load(postgres_url, sessions=24, processes=4)
    assert found.steps > 24 * 5
