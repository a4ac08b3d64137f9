"""Answers of models kept in a folder, and played from there: the same session without a model, a network or a key."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping

from pydantic import ValidationError

from skillc.execute.models.cassette import Cassette, Settings, asked, differences, played
from skillc.execute.models.ladder import THINKING
from skillc.execute.models.protocol import Completion, ModelClient, ModelError, Request
from skillc.execute.profiles import Profiles


class RecordingError(Exception):
    """The folder of recordings cannot be used; one sentence."""


class ProfileSettings:
    """The settings of profiles that an answer depends on, by id; without `profiles` nothing is known of them."""

    def __init__(self, profiles: Profiles | None = None) -> None:
        self._profiles = profiles

    def name(self, profile: str | None) -> str | None:
        """The id of the profile that a request means."""
        return profile or (self._profiles.default if self._profiles else None)

    def of(self, profile: str | None) -> Settings | None:
        found = self._profiles.by_id.get(self.name(profile) or "") if self._profiles else None
        if found is None:
            return None
        return {
            "id": found.id,
            "provider": found.provider,
            "model": found.model,
            "temperature": found.temperature,
            "maxOutputTokens": found.maxOutputTokens,
            "thinking": bool(found.abilities.get(THINKING)),
            "thinkingTokens": found.thinkingTokens,
        }


class Recorder:
    """Keeps what `client` answers in `folder`. A request that was recorded before is recorded anew; when it is made twice in
    one run, both answers are kept, in turn. `write` puts bytes into a file, whole or not at all."""

    def __init__(
        self,
        client: ModelClient,
        folder: str,
        settings: ProfileSettings,
        write: Callable[[str, bytes], object],
    ) -> None:
        self._client = client
        self._write = write
        self._folder = folder
        self._settings = settings
        self._made: dict[str, Cassette] = {}
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as problem:
            raise RecordingError(f"the recordings cannot be kept in `{folder}`: {problem.strerror}") from None

    def complete(self, request: Request) -> Completion:
        completion = self._client.complete(request)
        cassette = asked(request, self._settings.of(request.profile))
        name = cassette.file_name
        self._made[name] = self._made.get(name, cassette).with_answer(completion)
        try:
            self._write(os.path.join(self._folder, name), self._made[name].data())
        except OSError as problem:
            said = f"the recordings cannot be kept in `{self._folder}`: {problem.strerror}"
            raise ModelError("recording", said) from None
        return completion


class Player:
    """Answers from the recordings in `folder`. A request that was made several times gets its answers in turn, and then
    the last one again; one that was not recorded is a ModelError that names what changed."""

    def __init__(self, folder: str, settings: ProfileSettings) -> None:
        self._folder = folder
        self._settings = settings
        self._cassettes = read_cassettes(folder)
        self._played: dict[str, int] = {}

    def complete(self, request: Request) -> Completion:
        wanted = asked(request, self._settings.of(request.profile))
        found = next((one for one in self._cassettes.values() if _same(one, wanted)), None)
        if found is None or not found.answers:
            raise ModelError("no-recording", self._missing(wanted))
        at = self._played.get(found.key, 0)
        self._played[found.key] = at + 1
        recorded = (found.profile or {}).get("id")
        profile = self._settings.name(request.profile) or (recorded if isinstance(recorded, str) else None)
        return played(found.answers[min(at, len(found.answers) - 1)], profile)

    def _missing(self, wanted: Cassette) -> str:
        who = f"`{wanted.worker}` as `{wanted.role}`" if wanted.role else f"`{wanted.worker}`"
        known = [one for one in self._cassettes.values() if one.worker == wanted.worker]
        told = min((list(differences(wanted, one)) for one in known), key=len, default=None)
        if told is None:
            return f"`{self._folder}` has no recording for {who}"
        match told:
            case [one]:
                return f"`{self._folder}` has no recording of what {who} asks now: {one}"
            case [one, other]:
                return f"`{self._folder}` has no recording of what {who} asks now: {one}; {other}"
        first, second, *more = told
        return f"`{self._folder}` has no recording of what {who} asks now: {first}; {second}; and {len(more)} more"


def _same(one: Cassette, wanted: Cassette) -> bool:
    return (one.worker, one.role) == (wanted.worker, wanted.role) and not any(differences(wanted, one))


def read_cassettes(folder: str) -> Mapping[str, Cassette]:
    """All recordings of a folder by file name; refuses with RecordingError a folder that has none, and a file that is
    none."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
        texts = {name: _read(os.path.join(folder, name)) for name in names}
    except OSError as problem:
        raise RecordingError(f"the recordings in `{folder}` cannot be read: {problem.strerror}") from None
    if not texts:
        raise RecordingError(f"there are no recordings in `{folder}`")
    return {name: _cassette(folder, name, text) for name, text in texts.items()}


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _cassette(folder: str, name: str, text: bytes) -> Cassette:
    try:
        return Cassette.model_validate(json.loads(text))
    except (ValidationError, ValueError, RecursionError):
        raise RecordingError(f"`{os.path.join(folder, name)}` is no recording") from None
