"""The models of a session: profiles, what was probed of them, from where on their providers cache; recordings of them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from skillc.cli.datafile import read_value
from skillc.execute.models.protocol import ModelClient
from skillc.execute.probed import Probed, probed_path, read_probed, verdicts_of
from skillc.execute.profiled import ProfiledClient
from skillc.execute.profiles import Profiles
from skillc.execute.recording import Player, ProfileSettings, Recorder
from skillc.plan.providers import caching_at
from skillc.store.files import write_atomic
from skillc.value import value
from skillc.wording import say


@value
class Models:
    """Where the models of a session are from: the file of the profiles, folders to record into and to replay from."""

    path: str | None = None
    record: str | None = None
    replay: str | None = None


def probed_of(path: str | None) -> Probed:
    """What was probed of the profiles in the file `path`."""
    kept = probed_path(path) if path else None
    if kept is None or not os.path.exists(kept):
        return Probed()
    return read_probed(read_value(kept, say("file of probed profiles")))


def profiled_client(profiles: Profiles, path: str | None = None) -> ProfiledClient:
    """The client of `profiles`, which are in the file `path`."""
    return ProfiledClient(
        profiles, probed=verdicts_of(probed_of(path), profiles), minimums=cache_minimums(profiles)
    )


def cache_minimums(profiles: Profiles) -> Mapping[str, int]:
    """From how many tokens on the provider of a profile caches, where that is known."""
    found = {id: caching_at(one.model, one.baseUrl) for id, one in profiles.by_id.items()}
    return {id: caching.minimum for id, caching in found.items() if caching is not None}


def recorded(client: ModelClient, models: Models, profiles: Profiles | None) -> ModelClient:
    """`client`, whose answers are kept where that was asked for."""
    if models.record is None:
        return client
    return Recorder(client, models.record, ProfileSettings(profiles), write_atomic)


def replayed(folder: str, profiles: Profiles | None) -> ModelClient:
    """The recordings in a folder as a model."""
    return Player(folder, ProfileSettings(profiles))
