"""A context as one Markdown file that a person reads and reviews."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from skillc.runtime import Context
from skillc.runtime.context import BREAK, GAP
from skillc.snapshot.shown import shown

RULE = "---"
LOOSE = "Text of no segment"


def rendered(name: str, facts: Mapping[str, str | None], context: Context) -> str:
    """The snapshot of the case `name`; `facts` stand in its head, those without a value are left out.

    Every message has its role, every segment its own block. Contents stand in fences as they are, but for what
    the eye does not see (`shown`); digests are of the bytes, so that nothing differs unnoticed. The file has LF
    line ends, no blank at the end of a line and one line end at its end, whatever the contents hold.
    """
    data = [message["content"].encode("utf-8") for message in context.messages]
    lines = [f"# {shown(name)}", ""]
    lines += [f"- {key}: {value}" for key, value in _head(facts, context, data) if value]
    start = 0
    for number, (message, content) in enumerate(zip(context.messages, data, strict=True)):
        lines += ["", f"## Message {number}: {message['role']}"]
        lines += _message(content, start, context.segments)
        start += len(content)
    return "\n".join(lines) + "\n"


def _head(
    facts: Mapping[str, str | None], context: Context, data: Sequence[bytes]
) -> Iterator[tuple[str, str | None]]:
    for key, value in facts.items():
        yield key, quoted([value]) if value else None
    yield "reads", quoted(context.reads) or "nothing"
    yield "fixed prefix", f"{context.prefix['fixed_bytes']} bytes"
    yield "static part", f"{context.prefix['static_bytes']} bytes"
    whole = b"".join(data)
    yield "conversation", f"{len(whole)} bytes in {len(data)} messages"
    yield "sha256", sha256(whole).hexdigest()


def quoted(names: Sequence[str]) -> str:
    """Names in backticks, one behind the other."""
    return ", ".join(f"`{shown(name)}`" for name in names)


def _message(content: bytes, start: int, segments: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """The parts of one message, which begins at the byte `start` of the conversation."""
    parts = list(_parts(content, start, segments))
    if all(segment is None for segment, _ in parts):
        yield from ("", *_block(content))
        return
    for segment, part in parts:
        text = part.decode("utf-8", "replace")
        if segment is not None:
            yield from ("", _title(segment, start), "", *_block(part))
        elif text == BREAK:
            yield from ("", RULE)
        elif text != GAP:
            yield from ("", f"### {LOOSE}", "", *_block(part))


def _parts(
    content: bytes, start: int, segments: Sequence[Mapping[str, object]]
) -> Iterator[tuple[Mapping[str, object] | None, bytes]]:
    """The bytes of a message cut where segments begin and end; None for what belongs to none. A segment may
    have begun in an earlier message and go on in a later one."""
    at, end = start, start + len(content)
    for segment in segments:
        low, high = max(int(str(segment["start"])), at), min(int(str(segment["end"])), end)
        if low >= high:
            continue
        if low > at:
            yield None, content[at - start : low - start]
        yield segment, content[low - start : high - start]
        at = high
    if at < end or not content:
        yield None, content[at - start :]


def _title(segment: Mapping[str, object], start: int) -> str:
    tags = segment["tags"]
    said = [f"### Segment `{shown(str(segment['id']))}`", str(segment["tier"])]
    if int(str(segment["start"])) < start:
        said.append("continued")
    if isinstance(tags, list) and tags:
        said.append(quoted(tags))
    return " · ".join(said)


def _block(content: bytes) -> list[str]:
    """The size and digest of some content, and the content in a fence that nothing in it can close."""
    lines = [shown(line) for line in content.decode("utf-8", "replace").split("\n")]
    runs = (len(run) for line in lines for run in re.findall("`+", line))
    fence = "`" * max(3, 1 + max(runs, default=0))
    return [size(content), "", f"{fence}text", *lines, fence]


def size(content: bytes) -> str:
    """`12 bytes, sha256 0123456789ab…`: enough of the digest to see that bytes differ."""
    return f"{len(content)} bytes, sha256 {sha256(content).hexdigest()[:16]}…"
