"""Model profiles: which server and model a worker uses. They live outside packages and hold no secret."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from skillc.artifact.plan import Plan, WorkerPlan
from skillc.execute.misfit import misfit
from skillc.execute.models.ladder import CAPABILITIES, THINKING
from skillc.execute.models.protocol import ModelError
from skillc.execute.reply import nearest

_SECRETS = ("apikey", "key", "secret", "token", "password", "authorization")
_FILE_KEYS = ("profiles", "defaultProfileId")
_FREE = "x-"
"""Keys that begin so are nobody's business."""
_OWN_ADDRESS = ("openai", "anthropic")
"""Providers that are where their official packages look; any other is where `baseUrl` says."""

LONGEST_TIMEOUT = 86_400
"""Seconds; a day is longer than anybody waits."""


class ProfileError(Exception):
    """The profiles cannot be used; one sentence that never quotes a value."""


class Profile(BaseModel):
    """A model of a server, one entry of profiles.json. It holds no secret."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(description="What workers, bindings and `--profile` call it")
    provider: str = Field(
        default="openai",
        description="Who speaks: `anthropic` the Messages protocol, any other the OpenAI one. A provider other than these "
        "two needs `baseUrl`",
    )
    baseUrl: str | None = Field(
        default=None, description="The address of the server, as http://127.0.0.1:8080/v1"
    )
    model: str = Field(description="The model's name at its server")
    apiKeyEnv: str | None = Field(default=None, description="The environment variable that holds the key")
    capabilities: dict[str, bool] = Field(
        default={},
        description="Ways to ask for the form of a reply that the server has (json_schema, forced_tool or tools, "
        "json_object), whether the model thinks (thinking) and whether answers may come in pieces (streaming, on "
        "by default); a list names those that are there",
    )
    contextWindow: int | None = Field(default=None, description="Tokens that the model takes in all")
    maxOutputTokens: int | None = Field(default=None, gt=0, description="The longest reply, in tokens")
    temperature: float | None = Field(default=None, ge=0, le=2, allow_inf_nan=False)
    thinkingTokens: int | None = Field(
        default=None, ge=1024, description="Turns thinking on at Anthropic, with this many tokens at most"
    )
    timeoutSeconds: float = Field(
        default=120,
        gt=0,
        le=LONGEST_TIMEOUT,
        allow_inf_nan=False,
        description="How long one answer may take in all, retries and pauses included",
    )
    maxRetries: int = Field(default=2, ge=0, le=100, description="How often a failed call is tried again")

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        value = {key: entry for key, entry in value.items() if not str(key).startswith(_FREE)}
        keys = [str(key) for key in value]
        if any(_folded(key) in _SECRETS for key in keys):
            raise ValueError("a key is never written down: name its environment variable in `apiKeyEnv`")
        unknown = [key for key in keys if key not in cls.model_fields]
        if unknown:
            known = nearest(unknown[0], cls.model_fields)
            raise ValueError(f"a profile has no key `{unknown[0]}`; the nearest is `{known}`")
        return value

    @field_validator("baseUrl")
    @classmethod
    def _address(cls, value: str | None) -> str | None:
        if value is not None and not _is_address(value):
            raise ValueError("an address begins with http:// or https:// and names a host")
        if value is not None and "@" in urlsplit(value).netloc:
            raise ValueError("an address holds no password: name the variable of the key in `apiKeyEnv`")
        return value

    @field_validator("capabilities", mode="before")
    @classmethod
    def _enabled(cls, value: object) -> object:
        """A list of names, or a mapping of names to whether they are there."""
        names = list(value) if isinstance(value, Mapping | list | tuple) else []
        for name in names:
            if name not in CAPABILITIES:
                known = nearest(str(name), CAPABILITIES)
                raise ValueError(f"there is no capability `{name}`; the nearest is `{known}`")
        return dict.fromkeys(names, True) if isinstance(value, list | tuple) else value

    @model_validator(mode="after")
    def _reachable(self) -> Profile:
        if self.baseUrl is None and self.provider not in _OWN_ADDRESS:
            known = nearest(self.provider, _OWN_ADDRESS)
            raise ValueError(
                f"provider `{self.provider}` needs its address in `baseUrl`; the nearest that needs none is `{known}`"
            )
        return self

    @property
    def is_anthropic(self) -> bool:
        return self.provider == "anthropic"

    @property
    def abilities(self) -> dict[str, bool]:
        """The capabilities; who turns thinking on has a model that thinks."""
        return self.capabilities | ({THINKING: True} if self.thinkingTokens else {})


def _folded(key: str) -> str:
    """`key` without what people write differently."""
    return key.lower().replace("_", "").replace("-", "")


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
        unknown = [str(key) for key in data if not _is_known(str(key))] if "profiles" in data else []
        if unknown:
            known = nearest(unknown[0], _FILE_KEYS)
            raise ProfileError(f"the file of profiles has no key `{unknown[0]}`; the nearest is `{known}`")
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


def _is_known(key: str) -> bool:
    return key in _FILE_KEYS or key.startswith(_FREE)


def _profile(number: int, entry: object) -> Profile:
    try:
        return Profile.model_validate(entry)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        if not place:
            raise ProfileError(f"profile {number}: {misfit(first)}") from None
        raise ProfileError(f"profile {number}, `{place}`: {misfit(first)}") from None


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
    if not key:
        raise ModelError(
            "no-key", f"profile `{profile.id}` needs the environment variable `{profile.apiKeyEnv}`"
        )
    if not all("!" <= character <= "~" for character in key):
        raise ModelError(
            "bad-key",
            f"the key of profile `{profile.id}` cannot be sent: `{profile.apiKeyEnv}` holds a blank or a character "
            "that is no ASCII",
        )
    return key


def profiles_schema() -> dict[str, Any]:
    """The JSON Schema of profiles.json: a list of profiles, or that list under `profiles`."""
    one = Profile.model_json_schema(by_alias=True)
    ways = {"type": "array", "items": {"enum": list(CAPABILITIES)}}
    table = {
        "type": "object",
        "properties": {name: {"type": "boolean"} for name in CAPABILITIES},
        "additionalProperties": False,
    }
    told = one["properties"]["capabilities"]
    free: dict[str, Any] = {"patternProperties": {f"^{_FREE}": {}}}
    one |= free
    one["properties"]["capabilities"] = {"description": told["description"], "anyOf": [ways, table]}
    file = {
        "type": "object",
        "properties": {"profiles": {"$ref": "#/$defs/profiles"}, "defaultProfileId": {"type": "string"}},
        "required": ["profiles"],
        **free,
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Model profiles",
        "anyOf": [{"$ref": "#/$defs/profiles"}, file],
        "$defs": {"profiles": {"type": "array", "items": one}},
    }
