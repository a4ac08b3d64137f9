"""Who drives a session that is run at a terminal: what each of them needs, known before anything is asked."""

from __future__ import annotations

from skillc.cli.person import PersonClient
from skillc.execute.models.protocol import ModelClient, NoModel
from skillc.execute.profiles import ProfileError, Profiles
from skillc.execute.records import Driver
from skillc.execute.session import SessionRefused
from skillc.wording import say, series

GIVE_A_MODEL = say("give --profile ID (one of profiles.json) or --script FILE")
DRIVERS = ("scheduler", "model")


def check_driver(driver: Driver, client: ModelClient) -> None:
    """Refuses (SessionRefused) a driver that cannot decide here: a model where there is none, a program elsewhere."""
    if driver == "host":
        raise SessionRefused(
            say(
                "the session is driven by its host's program: give --driver scheduler or --driver model to drive it"
            )
        )
    if driver == "model" and isinstance(client, NoModel | PersonClient):
        raise SessionRefused(
            say("a model decides what comes next, and there is none: {way_out}", way_out=GIVE_A_MODEL)
        )


def check_default(profiles: Profiles) -> None:
    """Refuses (ProfileError) where no profile is the session's own: the orchestrator uses that one and no other."""
    if profiles.default is None:
        names = series(f"`{name}`" for name in sorted(profiles.by_id))
        raise ProfileError(
            say("no profile is chosen for the orchestrator: give --profile; there are {names}", names=names)
        )
