"""Server-sent events: what a server sends while it is still writing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def event_data(lines: Iterable[str]) -> Iterator[str]:
    """The data of each event, its lines joined; comments and other fields are left out. An event that the end of the
    stream cuts off is none.

    >>> list(event_data(["event: x", "data: {", "data: }", "", ": ping", "data: [DONE]", ""]))
    ['{\\n}', '[DONE]']
    """
    held: list[str] = []
    for line in lines:
        if not line:
            if held:
                yield "\n".join(held)
            held = []
        elif line.startswith("data:"):
            held.append(line.removeprefix("data:").removeprefix(" "))
    if held == ["[DONE]"]:
        yield held[0]
