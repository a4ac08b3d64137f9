"""A model profile that is named and does not exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skillc.checks.rule import Rule
from skillc.checks.wording import listed, nearest
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph.brief import Overview
from skillc.text import Text
from skillc.wording import say

if TYPE_CHECKING:
    from skillc.model.profiles import Profiles


def check(workspace: Overview) -> Iterator[Diagnostic]:
    """One finding an unknown id and package, at its first place: bindings, then llmProfileId of workers; and one for
    the default of the profiles themselves. Silent where the workspace has no profiles, or some that cannot be read:
    then nothing is known of any."""
    profiles = workspace.profiles
    if profiles is None or profiles.broken:
        return
    if profiles.default_span and profiles.default not in profiles.by_id:
        yield _unknown(profiles, [Text(profiles.default or "", profiles.default_span)])
    for package in workspace.packages:
        unknown: dict[str, list[Text]] = {}
        for text in package.profiles:
            if text.value not in profiles.by_id:
                unknown.setdefault(text.value, []).append(text)
        for places in unknown.values():
            yield _unknown(profiles, places)


def _unknown(profiles: Profiles, places: list[Text]) -> Diagnostic:
    name = places[0].value
    near = nearest(name, sorted(profiles.by_id))
    known = say("{path} has {ids}", path=profiles.source.path, ids=listed(sorted(profiles.by_id)))
    if not profiles.by_id:
        known = say("{path} has none", path=profiles.source.path)
    return finding(
        "unknown-profile",
        places[0].span,
        say("there is no model profile `{name}`", name=name),
        say("did you mean `{near}`? {known}", near=near, known=known) if near else known,
        [Label(place.span, say("named here too")) for place in places[1:]],
    )


RULE = Rule("unknown-profile", "A model profile is named that does not exist.", workspace=check)
