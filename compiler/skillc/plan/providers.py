"""From how many tokens on a provider caches a prefix: a dated data file, not code (SPEC 16.5).

Numbers change with models and are stated differently in different places; `providers.json` says how it chose.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache

from skillc.model.profiles import Profile
from skillc.value import value


@value
class Caching:
    """`provider` caches prefixes of at least `minimum` tokens, in steps of `step`; known as of a month."""

    provider: str
    minimum: int
    step: int
    source: str
    as_of: str


def caching_of(profile: Profile) -> Caching | None:
    """What is known of the provider and model of a profile; None when nothing is.

    A profile with a `baseUrl` is its vendor's only where that is the vendor's host: the same model on another
    server is cached by other rules.
    """
    return caching_at(profile.model, profile.base_url)


def caching_at(model: str, base_url: str | None) -> Caching | None:
    """`caching_of` for a model at an address."""
    name = model.rsplit("/", 1)[-1].lower()
    found = [
        (len(known), caching)
        for known, hosts, caching in _rows()
        if (name == known or name.startswith(f"{known}-")) and _is_at(base_url, hosts)
    ]
    return max(found, key=lambda row: row[0])[1] if found else None


def _is_at(base_url: str | None, hosts: tuple[str, ...]) -> bool:
    if base_url is None:
        return True
    host = base_url.split("://", 1)[-1].split("/", 1)[0].split(":", 1)[0].lower()
    return host in hosts


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[str, tuple[str, ...], Caching], ...]:
    """A row for each model name."""
    with open(os.path.join(os.path.dirname(__file__), "providers.json"), encoding="utf-8") as file:
        data = json.load(file)
    return tuple(
        (
            model,
            tuple(row["hosts"]),
            Caching(row["provider"], row["minimum"], row["step"], row["source"], data["as_of"]),
        )
        for row in data["rows"]
        for model in row["models"]
    )
