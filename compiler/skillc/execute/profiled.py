"""Each request to the model of its profile."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from skillc.execute.models.ladder import STREAMING, Ladder, ladder_of
from skillc.execute.models.openai_chat import OpenAIChat
from skillc.execute.models.protocol import Completion, ModelClient, ModelError, Request
from skillc.execute.models.sending import Transport
from skillc.execute.models.served import ServedModel
from skillc.execute.models.wire import Wire
from skillc.execute.profiles import Profile, Profiles, key_of

Verdicts = Mapping[str, Mapping[str, bool]]
"""By profile: which ways of asking were probed, and whether they work."""


class ProfiledClient:
    """Sends each request to the server of its profile. Keys are read from `environment` when needed, `probed` is what
    probing found, `minimums` from how many tokens on a profile's provider caches, where that is known."""

    def __init__(
        self,
        profiles: Profiles,
        environment: Mapping[str, str] | None = None,
        probed: Verdicts | None = None,
        minimums: Mapping[str, int] | None = None,
    ) -> None:
        self._profiles = profiles
        self._environment = os.environ if environment is None else environment
        self._probed = probed or {}
        self._minimums = minimums or {}
        self._clients: dict[str, ModelClient] = {}

    def complete(self, request: Request) -> Completion:
        name = request.profile or self._profiles.default
        if name is None:
            raise ModelError("no-profile", f"no profile is chosen for worker `{request.worker}`")
        if name not in self._profiles.by_id:
            raise ModelError(
                "no-profile", f"worker `{request.worker}` wants profile `{name}`, which does not exist"
            )
        if name not in self._clients:
            self._clients[name] = self._served(self._profiles.by_id[name])
        return self._clients[name].complete(request)

    def _served(self, profile: Profile) -> ServedModel:
        ways = ladder_of(profile.abilities, self._probed.get(profile.id), profile.is_anthropic)
        return served(profile, self._environment, ways, self._minimums.get(profile.id, 0))


def served(
    profile: Profile, environment: Mapping[str, str], ways: tuple[str, ...], minimum: int = 0
) -> ServedModel:
    """The model of `profile`, asked in `ways`."""
    key = key_of(profile, environment)
    return ServedModel(
        transport_of(profile, key, minimum),
        Wire(profile.id, key),
        Ladder(ways),
        profile=profile.id,
        model=profile.model,
        timeout=profile.timeoutSeconds,
        max_retries=profile.maxRetries,
        streaming=profile.capabilities.get(STREAMING, True),
    )


def transport_of(profile: Profile, key: str, minimum: int = 0) -> Transport:
    """Speaks to the server of `profile`. What has to be installed for it is loaded now."""
    limits: dict[str, Any] = {"temperature": profile.temperature} if profile.temperature is not None else {}
    if profile.is_anthropic:
        from skillc.execute.models.anthropic_chat import AnthropicChat

        return AnthropicChat(
            model=profile.model,
            base_url=profile.baseUrl,
            api_key=key,
            max_tokens=profile.maxOutputTokens,
            limits=limits,
            thinking=profile.thinkingTokens,
            minimum=minimum,
            name=profile.id,
        )
    if profile.maxOutputTokens:
        limits["max_tokens"] = profile.maxOutputTokens
    return OpenAIChat(
        model=profile.model,
        base_url=profile.baseUrl,
        api_key=key,
        limits=limits,
        name=profile.id,
    )
