"""Model profiles: which server and model a worker uses. They live outside packages and hold no secret."""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from skillc.artifact.plan import Plan, WorkerPlan
from skillc.execute.models.openai_chat import OpenAIChat
from skillc.execute.models.protocol import Completion, ModelClient, ModelError, Request
from skillc.execute.reply import nearest

_SECRETS = ("apiKey", "api_key", "key", "secret", "token")

LONGEST_TIMEOUT = 86_400
"""Seconds; a day is longer than anybody waits."""


class ProfileError(Exception):
    """The profiles cannot be used; one sentence that never quotes a value."""


class Profile(BaseModel):
    """One entry of profiles.json. `apiKeyEnv` names the environment variable that holds the key;
    `timeoutSeconds` is how long one answer may take in all, retries included."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    provider: str = "openai"
    baseUrl: str | None = None
    model: str
    apiKeyEnv: str | None = None
    capabilities: tuple[str, ...] = ()
    contextWindow: int | None = None
    maxOutputTokens: int | None = Field(default=None, gt=0)
    timeoutSeconds: float = Field(default=120, gt=0, le=LONGEST_TIMEOUT, allow_inf_nan=False)
    maxRetries: int = Field(default=2, ge=0, le=100)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, value: object) -> object:
        if isinstance(value, Mapping) and any(key in value for key in _SECRETS):
            raise ValueError("a key is never written down: name its environment variable in `apiKeyEnv`")
        unknown = (
            [str(key) for key in value if key not in cls.model_fields] if isinstance(value, Mapping) else []
        )
        if unknown:
            known = nearest(unknown[0], cls.model_fields)
            raise ValueError(f"a profile has no key `{unknown[0]}`; the nearest is `{known}`")
        return value

    @field_validator("baseUrl")
    @classmethod
    def _address(cls, value: str | None) -> str | None:
        if value is None or _is_address(value):
            return value
        raise ValueError("an address begins with http:// or https:// and names a host")

    @field_validator("capabilities", mode="before")
    @classmethod
    def _enabled(cls, value: object) -> object:
        """A list of names, or a mapping of names to whether they are there."""
        return [name for name, there in value.items() if there] if isinstance(value, Mapping) else value


class Profiles(BaseModel):
    """All profiles by id, and the one that a session uses where nothing else is said."""

    model_config = ConfigDict(frozen=True)

    by_id: dict[str, Profile]
    default: str | None = None


def load_profiles(data: object, default: str | None = None) -> Profiles:
    """Profiles from a list of them, or `{"profiles": [...], "defaultProfileId": id}`.

    `default` wins over the file's; a single profile is the default by itself. Refuses with ProfileError.
    """
    stated = None
    if isinstance(data, Mapping):
        stated = data.get("defaultProfileId")
        data = data.get("profiles")
    if not isinstance(data, list):
        raise ProfileError("profiles are a list, or a mapping with the list under `profiles`")
    profiles = [_profile(number, entry) for number, entry in enumerate(data, 1)]
    by_id = {profile.id: profile for profile in profiles}
    if len(by_id) < len(profiles):
        raise ProfileError("two profiles have the same id")
    chosen = default or stated or (profiles[0].id if len(profiles) == 1 else None)
    if chosen is not None and chosen not in by_id:
        raise ProfileError(f"there is no profile `{chosen}`; there are {_names(by_id)}")
    return Profiles(by_id=by_id, default=chosen)


def _profile(number: int, entry: object) -> Profile:
    try:
        return Profile.model_validate(entry)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False, include_context=False)[0]
        place = "".join(f"`{part}`: " for part in first["loc"])
        reason = first["msg"].removeprefix("Value error, ")
        raise ProfileError(f"profile {number}: {place}{reason[0].lower()}{reason[1:]}") from None


def _names(ids: Mapping[str, object]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(ids)) or "none"


def profile_of(worker: WorkerPlan, role: str | None) -> str | None:
    """The profile that the plan names for this run; None means the session's own (SPEC 13).

    The plan has llmProfileId and the bindings resolved: what is left is by role before default.
    """
    return worker.profiles.by_role.get(role or "") or worker.profiles.default


def check_profiles(plan: Plan, profiles: Profiles) -> None:
    """Refuses with ProfileError when the plan names a profile that there is not: never a silent fallback."""
    for worker in plan.workers.values():
        for name in (worker.profiles.default, *worker.profiles.by_role.values()):
            if name is not None and name not in profiles.by_id:
                raise ProfileError(
                    f"worker `{worker.id}` wants profile `{name}`, which does not exist; "
                    f"there are {_names(profiles.by_id)}"
                )


def check_usable(plan: Plan, profiles: Profiles, environment: Mapping[str, str] | None = None) -> None:
    """Refuses with ProfileError when a worker that asks a model has no profile, or its key is not there: known
    before anything is asked of the user."""
    keys = os.environ if environment is None else environment
    for worker in plan.workers.values():
        if worker.actor != "llm":
            continue
        for name in (worker.profiles.default or profiles.default, *worker.profiles.by_role.values()):
            if name is None:
                raise ProfileError(
                    f"no profile is chosen for worker `{worker.id}`; there are {_names(profiles.by_id)}"
                )
            try:
                key_of(profiles.by_id[name], keys)
            except ModelError as problem:
                raise ProfileError(str(problem)) from None


class ProfiledClient:
    """Sends each request to the server of its profile. Keys are read from `environment` when needed."""

    def __init__(self, profiles: Profiles, environment: Mapping[str, str] | None = None) -> None:
        self._profiles = profiles
        self._environment = os.environ if environment is None else environment
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
            self._clients[name] = _client(self._profiles.by_id[name], self._environment)
        return self._clients[name].complete(request)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def key_of(profile: Profile, environment: Mapping[str, str]) -> str:
    """The key that the profile's variable holds. ModelError says what is wrong with it, and never shows it."""
    if not profile.apiKeyEnv:
        return "none"
    key = environment.get(profile.apiKeyEnv, "").strip()
    name = f"profile `{profile.id}`"
    if not key:
        raise ModelError("no-key", f"{name} needs the environment variable `{profile.apiKeyEnv}`")
    if not all("!" <= character <= "~" for character in key):
        raise ModelError(
            "bad-key",
            f"the key of {name} cannot be sent: `{profile.apiKeyEnv}` holds a blank or a character that is no ASCII",
        )
    return key


def _client(profile: Profile, environment: Mapping[str, str]) -> ModelClient:
    key = key_of(profile, environment)
    return OpenAIChat(
        model=profile.model,
        base_url=profile.baseUrl,
        api_key=key,
        json_object="json_object" in profile.capabilities,
        timeout=profile.timeoutSeconds,
        max_retries=profile.maxRetries,
        max_tokens=profile.maxOutputTokens,
        name=profile.id,
    )
