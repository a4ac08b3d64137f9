"""What probing found of model profiles, kept in a file beside theirs: which ways of asking work, and since when.

The file holds no address and no secret. A verdict counts for the settings that it was found with: when the
provider, the address, the model or its thinking changes, it is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from pydantic import BaseModel, ConfigDict, ValidationError

from skillc.artifact.codec import canonical
from skillc.execute.models.ladder import FORCED_TOOL, JSON_OBJECT, JSON_SCHEMA, TEXT, THINKING
from skillc.execute.models.probe import Verdict, Word
from skillc.execute.profiles import Profile, ProfileError, Profiles

SCHEMA = "skillc.probed/1"


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class KeptVerdict(_Kept):
    """A verdict as it is kept."""

    verdict: Word
    why: str = ""


class Probing(_Kept):
    """What was found of one profile: `settings` is a digest of those that matter, `date` a day."""

    settings: str
    model: str
    date: str
    ways: dict[str, KeptVerdict]


class Probed(_Kept):
    """The file, `profiles.probed.json`."""

    schema_: str = SCHEMA
    profiles: dict[str, Probing] = {}

    def data(self) -> dict[str, object]:
        """As it is written."""
        found = {id: one.model_dump(exclude_defaults=True) for id, one in sorted(self.profiles.items())}
        return {"schema": SCHEMA, "profiles": found}


def probed_path(profiles: str) -> str:
    """The file that goes with a file of profiles.

    >>> probed_path("/w/profiles.json")
    '/w/profiles.probed.json'
    """
    stem, dot, ending = profiles.rpartition(".")
    return (
        f"{stem}.probed.json"
        if dot and "/" not in ending and "\\" not in ending
        else f"{profiles}.probed.json"
    )


def read_probed(data: object) -> Probed:
    """The file's content; refuses with ProfileError what is none."""
    if isinstance(data, Mapping) and data.get("schema") == SCHEMA:
        try:
            return Probed.model_validate({"profiles": data.get("profiles")})
        except ValidationError:
            pass
    raise ProfileError("what was probed of the profiles cannot be read: remove the file and probe again")


def settings_of(profile: Profile) -> str:
    """A digest of what a verdict depends on."""
    said = [profile.provider, profile.baseUrl, profile.model, bool(profile.abilities.get(THINKING))]
    return sha256(canonical(said)).hexdigest()[:16]


def probing_of(probed: Probed, profile: Profile) -> Probing | None:
    """What was found of `profile` as it is now."""
    found = probed.profiles.get(profile.id)
    return found if found is not None and found.settings == settings_of(profile) else None


def verdicts_of(probed: Probed, profiles: Profiles) -> dict[str, dict[str, bool]]:
    """By profile, whether the ways that were probed work; those of which nothing is known are left out."""
    found = {id: probing_of(probed, profile) for id, profile in profiles.by_id.items()}
    return {id: _known(probing) for id, probing in found.items() if probing is not None}


def _known(probing: Probing) -> dict[str, bool]:
    verdicts = {way: Verdict(kept.verdict).works for way, kept in probing.ways.items()}
    return {way: works for way, works in verdicts.items() if works is not None}


def with_probing(probed: Probed, profile: Profile, verdicts: Mapping[str, Verdict], date: str) -> Probed:
    """`probed`, and what was found of `profile` on `date`."""
    ways = {way: KeptVerdict(verdict=verdict.word, why=verdict.why) for way, verdict in verdicts.items()}
    probing = Probing(settings=settings_of(profile), model=profile.model, date=date, ways=ways)
    return Probed(profiles={**probed.profiles, profile.id: probing})


def without_probing(probed: Probed, id: str) -> Probed:
    return Probed(profiles={name: one for name, one in probed.profiles.items() if name != id})


def ways_to_probe(profile: Profile) -> tuple[str, ...]:
    """The ways that are worth a call: those that the provider may have."""
    thinks = bool(profile.abilities.get(THINKING))
    if profile.is_anthropic:
        return (TEXT,) if thinks else (FORCED_TOOL, TEXT)
    return tuple(
        way for way in (JSON_SCHEMA, FORCED_TOOL, JSON_OBJECT, TEXT) if not (thinks and way == FORCED_TOOL)
    )
