"""`skillc profile`: the model profiles of a workspace, and whether their servers do as they are asked."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import groupby

from skillc.cli.columns import columns
from skillc.cli.datafile import read_value
from skillc.cli.epilog import Epilog, Listing, examples
from skillc.cli.errors import CLEAN, FINDINGS, Stop
from skillc.cli.forms import add_form_options
from skillc.cli.language import add_language_option, words
from skillc.cli.modelling import probed_of
from skillc.cli.place import home_for
from skillc.execute.models.ladder import PROBED, TEXT, ladder_of
from skillc.execute.models.probe import Verdict, probe
from skillc.execute.models.protocol import ModelClient, ModelError
from skillc.execute.probed import (
    Probed,
    probed_path,
    probing_of,
    verdicts_of,
    ways_to_probe,
    with_probing,
    without_probing,
)
from skillc.execute.profiled import served
from skillc.execute.profiles import Profile, ProfileError, Profiles, key_of, load_profiles
from skillc.report.language import Words, retold
from skillc.report.reasons import reason
from skillc.store.files import write_atomic
from skillc.wording import said_in, say, series

EPILOG = Epilog(
    say(
        "Profiles stand in profiles.json beside the packages: which server, which model, and in which environment variable "
        "the key is. What probing finds is kept beside it, in profiles.probed.json, with the day; runs use it until the "
        "profile changes or it is forgotten. Neither file holds a secret."
    ),
    Listing(
        say("actions:"),
        (
            ("list", say("all profiles in a line each; so does `skillc profile` alone")),
            ("show ID", say("one profile: its settings, whether its key is set, the ways in use")),
            ("probe ID", say("ask once in each way for a form that nobody would give by himself")),
        ),
    ),
    examples(
        ("skillc profile probe local", say("four calls at most, of a few tokens each")),
        ("skillc profile probe local --forget", say("drop what was found")),
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    for name, help in (
        ("list", say("all profiles in a line each")),
        ("show", say("one profile: its settings, whether its key is set, the ways in use")),
        ("probe", say("ask once in each way for a form that nobody would give by himself")),
    ):
        action = actions.add_parser(name, help=help)
        action.description = help
        if name != "list":
            action.add_argument("id", metavar="ID", help=say("the profile"))
        if name == "probe":
            action.add_argument(
                "--forget", action="store_true", help=say("drop what was found, and call nobody")
            )
        action.add_argument("--profiles", metavar="FILE", help=say("model profiles (default: profiles.json)"))
        add_form_options(action)
        add_language_option(action)


def run(args: argparse.Namespace) -> int:
    if args.action is None:
        args = _listing()
    told = words(args)
    with _refusals(told):
        path = args.profiles or _default()
        profiles = load_profiles(read_value(path, say("file of model profiles")))
        probed = probed_of(path)
        if args.action == "list":
            return _print(args, *_list(profiles, probed))
        profile = profiles.by_id.get(args.id)
        if profile is None:
            known = series(f"`{id}`" for id in sorted(profiles.by_id)) or say("none")
            raise Stop(say("there is no profile `{id}`; there are {known}", id=args.id, known=known))
        if args.action == "show":
            return _print(args, *_show(profiles, profile, probed, told))
        return _forget(args, path, profile, probed) if args.forget else _probe(args, path, profile, probed)


def _listing() -> argparse.Namespace:
    """What `skillc profile list` says: what nobody who names no action can mean badly."""
    parser = argparse.ArgumentParser()
    arguments(parser)
    return parser.parse_args(["list"])


@contextmanager
def _refusals(told: Words) -> Iterator[None]:
    try:
        yield
    except (ProfileError, ModelError) as problem:
        raise Stop(retold(told, str(problem))) from problem


def _default() -> str:
    place = home_for(os.getcwd())
    return place.path(place.config.profiles)


Rows = list[list[str]]


def _print(args: argparse.Namespace, data: object, lines: list[str], rows: Rows, code: int = CLEAN) -> int:
    """`data` as JSON where that was asked for, else the rows and below them the lines. Rows of as many cells stand in
    columns of their own."""
    if args.format == "json":
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
        return code
    told = words(args)
    told_rows = [[said_in(told, cell) for cell in row] for row in rows]
    texts = [text for _, table in groupby(told_rows, len) for text in columns([*table])]
    sys.stdout.writelines(text + "\n" for text in [*texts, *(said_in(told, line) for line in lines)])
    return code


def _list(profiles: Profiles, probed: Probed) -> tuple[object, list[str], Rows]:
    rows, data = [], []
    for id, profile in profiles.by_id.items():
        found = probing_of(probed, profile)
        ways = _ways(profiles, profile, probed)
        known = say("probed {date}", date=found.date) if found else say("not probed")
        default = say("default") if id == profiles.default else ""
        rows.append([id, profile.provider, profile.model, ways[0], known, default])
        data.append(
            {"id": id, "provider": profile.provider, "model": profile.model, "ways": list(ways)}
            | {"probed": found.date if found else None, "default": id == profiles.default}
        )
    return data, [], rows


def _ways(profiles: Profiles, profile: Profile, probed: Probed) -> tuple[str, ...]:
    found = verdicts_of(probed, profiles).get(profile.id)
    return ladder_of(profile.abilities, found, profile.is_anthropic)


def _show(
    profiles: Profiles, profile: Profile, probed: Probed, told: Words
) -> tuple[object, list[str], Rows]:
    ways = _ways(profiles, profile, probed)
    found = probing_of(probed, profile)
    key = _key(profile, told)
    settings = {**profile.model_dump(exclude_none=True), "key": key, "ways": list(ways)}
    data = {**settings, "probed": found.model_dump() if found else None}
    rows = [[name, _cell(value)] for name, value in settings.items()]
    for way, kept in (found.ways if found else {}).items():
        rows.append(_verdict(way, Verdict(kept.verdict, kept.why), told))
    line = say("not probed: `skillc profile probe {id}`", id=profile.id)
    if found is not None:
        line = say("probed {date}", date=found.date)
    elif profile.id in probed.profiles:
        line = say("probed with other settings: `skillc profile probe {id}`", id=profile.id)
    return data, [line], rows


def _key(profile: Profile, told: Words) -> str:
    """Whether the key is there; never the key."""
    if not profile.apiKeyEnv:
        return say("none is sent")
    try:
        key_of(profile, os.environ)
    except ModelError as problem:
        return retold(told, str(problem))
    return say("`{variable}` is set", variable=profile.apiKeyEnv)


def _cell(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(name if there else f"-{name}" for name, there in value.items())
    if isinstance(value, list):
        return ", ".join(value)
    return value if isinstance(value, str) else str(value)


def _probe(args: argparse.Namespace, path: str, profile: Profile, probed: Probed) -> int:
    """Every way once. Exit code 1 where not even text came."""
    told = words(args)

    def client_for(way: str) -> ModelClient:
        return served(profile, os.environ, (way,))

    verdicts: dict[str, Verdict] = {}
    key_of(profile, os.environ)
    for way in ways_to_probe(profile):
        verdicts[way] = probe(client_for, way)
        if args.format != "json":
            sys.stdout.write("\n".join(columns([_verdict(way, verdicts[way], told)])) + "\n")
            sys.stdout.flush()
    known = {way: verdict for way, verdict in verdicts.items() if verdict.works is not None}
    reached = verdicts[TEXT].word == "works"
    if known:
        day = datetime.now(UTC).date().isoformat()
        _write(path, with_probing(probed, profile, verdicts, day))
    left_out = [way for way in PROBED if way not in verdicts]
    used = ladder_of(profile.abilities, _known(known), profile.is_anthropic)
    data = {
        "id": profile.id,
        "ways": {way: {"verdict": verdict.word, "why": verdict.why} for way, verdict in verdicts.items()},
        "used": list(used),
    }
    lines: list[str] = []
    if left_out:
        said = say("not asked, since the profile has no use for it: {ways}", ways=series(left_out))
        lines.append(said)
    lines.append(say("from now on: {ways}", ways=series(used)))
    return _print(args, data, lines if known else [], [], CLEAN if reached else FINDINGS)


def _known(verdicts: Mapping[str, Verdict]) -> dict[str, bool]:
    return {way: bool(verdict.works) for way, verdict in verdicts.items()}


def _verdict(way: str, verdict: Verdict, told: Words) -> list[str]:
    why = retold(told, verdict.why)
    return [f"{way:<12}", said_in(told, _WORDS[verdict.word]), why]


_WORDS = {
    "works": say("works"),
    "refused": say("refused"),
    "ignored": say("taken, and ignored"),
    "blank": say("blank"),
    "cut": say("cut off, so not known"),
    "failed": say("failed, so not known"),
}


def _forget(args: argparse.Namespace, path: str, profile: Profile, probed: Probed) -> int:
    there = profile.id in probed.profiles
    if there:
        _write(path, without_probing(probed, profile.id))
    line = say("forgotten") if there else say("nothing was probed of `{id}`", id=profile.id)
    return _print(args, {"id": profile.id, "forgotten": there}, [line], [])


def _write(path: str, probed: Probed) -> None:
    kept = probed_path(path)
    try:
        write_atomic(kept, (json.dumps(probed.data(), ensure_ascii=False, indent=1) + "\n").encode())
    except OSError as error:
        raise Stop(say("cannot write `{path}`: {reason}", path=kept, reason=reason(error))) from error
