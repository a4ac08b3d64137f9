"""A recorded answer: what was asked, by digests, and what came back. It holds no prompt, no address and no key.

What stands in for a request is all that an answer depends on: the worker and its role, the profile and its settings,
the form of the reply, every stretch of the messages (B52). The way in which the form was asked for is none of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from hashlib import sha256
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from skillc.artifact.codec import canonical
from skillc.execute.models.parts import Part, part_of_message
from skillc.execute.models.protocol import Completion, Request, ToolCall

Settings = Mapping[str, object]
"""Of a profile: its id, and what an answer depends on."""


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class KeptPart(_Kept):
    """A stretch of the messages."""

    id: str
    label: str | None = None
    tags: tuple[str, ...] = ()
    digest: str

    @property
    def name(self) -> str:
        """The stretch as people know it: its id, its label, the tags in it."""
        more = [*([self.label.strip("# ")] if self.label else []), *self.tags]
        return f"`{self.id}` ({' / '.join(more)})" if more else f"`{self.id}`"


class KeptCall(_Kept):
    name: str
    arguments: str


class Answer(_Kept):
    """What came back once."""

    text: str
    calls: tuple[KeptCall, ...] = ()
    names: dict[str, str] = {}
    finish_reason: str | None = None
    way: str
    model: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cache_written_tokens: int = 0


class Cassette(_Kept):
    """One request, and the answers to it in turn."""

    format: Literal["skillc.cassette/1"] = "skillc.cassette/1"
    worker: str
    role: str | None
    profile: dict[str, Any] | None
    reply: str
    segments: tuple[KeptPart, ...]
    answers: tuple[Answer, ...] = ()

    @property
    def key(self) -> str:
        """A digest of the request."""
        asked = [self.worker, self.role, self.profile, self.reply, [part.digest for part in self.segments]]
        return sha256(canonical(asked)).hexdigest()

    @property
    def file_name(self) -> str:
        """The name of its file: the same request has the same one."""
        who = re.sub(r"[^\w-]", "_", f"{self.worker}_{self.role}" if self.role else self.worker)
        return f"{who}-{self.key[:12]}.json"

    def with_answer(self, completion: Completion) -> Cassette:
        return self.model_copy(update={"answers": (*self.answers, _kept(completion))})

    def data(self) -> bytes:
        """As it is written; half a character becomes the escape of JSON for it."""
        text = json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"
        return text.encode("utf-8", "backslashreplace")


def asked(request: Request, settings: Settings | None) -> Cassette:
    """A cassette of `request` without an answer yet; `settings` are those of its profile, None where they are not known."""
    parts: Sequence[Part] = request.parts or [part_of_message(message) for message in request.messages]
    kept = tuple(KeptPart(id=p.id, label=p.label, tags=p.tags, digest=p.digest) for p in parts)
    reply = sha256(canonical(request.schema)).hexdigest()[:24]
    profile = None if settings is None else dict(settings)
    return Cassette(worker=request.worker, role=request.role, profile=profile, reply=reply, segments=kept)


def _kept(completion: Completion) -> Answer:
    return Answer(
        text=completion.text,
        calls=tuple(KeptCall(name=call.name, arguments=call.arguments) for call in completion.calls),
        names=dict(completion.names),
        finish_reason=completion.finish_reason,
        way=completion.way,
        model=completion.model,
        prompt_tokens=completion.prompt_tokens,
        completion_tokens=completion.completion_tokens,
        cached_tokens=completion.cached_tokens,
        cache_written_tokens=completion.cache_written_tokens,
    )


def played(answer: Answer, profile: str | None) -> Completion:
    """The completion that was recorded."""
    calls = tuple(ToolCall(call.name, call.arguments) for call in answer.calls)
    fields = answer.model_dump(exclude={"calls"})
    return Completion(**fields, calls=calls, profile=profile)


def differences(wanted: Cassette, recorded: Cassette) -> Iterator[str]:
    """How `wanted` is another request than the one that was recorded, each in one sentence."""
    if wanted.role != recorded.role:
        yield f"it was recorded for role `{recorded.role}`"
    for name in _unequal(wanted.profile, recorded.profile):
        yield f"the profile's `{name}` changed"
    if wanted.reply != recorded.reply:
        yield "the form of the reply changed"
    old, new = recorded.segments, wanted.segments
    matcher = SequenceMatcher(None, [p.digest for p in old], [p.digest for p in new], autojunk=False)
    for _, a, b, c, d in (row for row in matcher.get_opcodes() if row[0] != "equal"):
        yield from _parts(old[a:b], new[c:d], wanted.worker)


def _unequal(wanted: Mapping[str, object] | None, recorded: Mapping[str, object] | None) -> list[str]:
    if wanted is None or recorded is None:
        return []
    return [name for name in sorted({*wanted, *recorded}) if wanted.get(name) != recorded.get(name)]


def _parts(old: Sequence[KeptPart], new: Sequence[KeptPart], worker: str) -> Iterator[str]:
    """What became of a stretch of segments: one that is on both sides changed."""
    before, after = {part.id for part in old}, {part.id for part in new}
    for part in new:
        if part.id == "system" and part.id in before:
            yield f"the fixed text of `{worker}` changed (`system`: its body and what all workers share)"
            continue
        yield f"segment {part.name} changed" if part.id in before else f"segment {part.name} is new"
    for part in old:
        if part.id not in after:
            yield f"segment {part.name} is gone"
