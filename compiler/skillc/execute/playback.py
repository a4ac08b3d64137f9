"""A script that is being played: how far it is, and where it goes on when its session is taken up again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

from pydantic import BaseModel

from skillc.execute.models.scripted import Script, ScriptedClient, UserEntry
from skillc.execute.records import ScriptMark


class Playback:
    """The replies and user entries of `script`, taken one after another."""

    def __init__(self, script: Script) -> None:
        self.client = ScriptedClient(script.replies)
        self.taken = 0
        """User entries that were taken."""
        self._user = script.user
        self._sure = 0
        self._replies_links = _chain(script.replies)
        self._user_links = _chain(script.user)

    def take_up(self, mark: ScriptMark | None) -> None:
        """Go on where the session stopped, when this is the script that it played: what was consumed of it is
        the same. Any other script is taken for the rest, and begins at its first entry.

        Replies of a step that failed may have been changed since: then they are given again.
        """
        if mark is None or self._user_links[mark.user : mark.user + 1] != (mark.user_digest,):
            return
        places = ((mark.replies, mark.replies_digest), (mark.sure, mark.sure_digest))
        for place, digest in places:
            if self._replies_links[place : place + 1] == (digest,):
                self.client.skip(place)
                self.taken = mark.user
                self._sure = place
                return

    def mark(self, failed: bool = False) -> ScriptMark:
        """How far the script is; replies of a step that failed are not consumed for sure."""
        place = self.client.taken
        if not failed:
            self._sure = place
        return ScriptMark(
            replies=place,
            replies_digest=self._replies_links[place],
            sure=self._sure,
            sure_digest=self._replies_links[self._sure],
            user=self.taken,
            user_digest=self._user_links[self.taken],
        )

    def next_entry(self) -> UserEntry | None:
        """What the user does next; None when nothing is left."""
        entry = next(iter(self.left_entries), None)
        self.taken += entry is not None
        return entry

    @property
    def left_entries(self) -> tuple[UserEntry, ...]:
        return self._user[self.taken :]


def _chain(entries: Sequence[BaseModel]) -> tuple[str, ...]:
    """For each number of entries the digest over that many."""
    links = ["sha256:"]
    for entry in entries:
        data = json.dumps(entry.model_dump(mode="json", exclude_unset=True), sort_keys=True)
        links.append("sha256:" + sha256((links[-1] + data).encode()).hexdigest())
    return tuple(links)
