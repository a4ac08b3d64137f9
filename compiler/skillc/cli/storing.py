"""Where the sessions of a workspace are kept: as the user says, else the environment, else the settings."""

from __future__ import annotations

import argparse
import os

from skillc.cli.errors import Stop
from skillc.cli.place import Place
from skillc.report.reasons import reason
from skillc.wording import say

VARIABLE = "SKILLC_DATABASE"


def add_store_option(parser: argparse.ArgumentParser) -> None:
    """`--store`, the same for all commands that use sessions."""
    parser.add_argument(
        "--store",
        metavar="FILE|URL",
        help=say("where sessions are kept (default: SKILLC_DATABASE, else .skillc/sessions.sqlite3)"),
    )


def store_of(place: Place, named: str | None) -> str:
    """The store of the sessions: a path or a URL, for `open_store`. It may hold a password: it is never shown as it is
    (`without_password`). Refuses a name that is blank, as of a variable that is not set. The workspace's own folder is made when it is needed."""
    if named is not None and not named.strip():
        raise Stop(say("--store is empty: name a file or a URL, or leave it out"))
    return named or told_store() or os.path.join(sessions_folder(place), _file(place))


def told_store() -> str | None:
    """The store that the environment names; a blank one names none."""
    told = os.environ.get(VARIABLE, "")
    return told if told.strip() else None


def sessions_folder(place: Place) -> str:
    """The workspace's own folder for sessions and what goes with them; it keeps itself out of version control."""
    folder = os.path.dirname(place.path(place.config.sessions))
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if folder != place.root and not os.path.exists(os.path.join(folder, ".gitignore")):
            with open(os.path.join(folder, ".gitignore"), "w", encoding="utf-8") as file:
                file.write("*\n")
    except OSError as error:
        raise Stop(
            say("cannot keep sessions in `{folder}`: {reason}", folder=folder, reason=reason(error))
        ) from error
    return folder


def _file(place: Place) -> str:
    return os.path.basename(place.path(place.config.sessions))
