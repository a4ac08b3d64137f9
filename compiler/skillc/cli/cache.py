"""`skillc cache`: what the build cache of this machine holds, what to throw out of it, and whether it is whole."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time

from skillc.cli.epilog import Epilog, Listing, examples
from skillc.cli.errors import CLEAN, FINDINGS, INTERNAL, Stop
from skillc.cli.forms import add_form_options
from skillc.cli.language import add_language_option, words
from skillc.cli.place import Place, find_place
from skillc.config import Config
from skillc.mounts import mount_table, network_kind
from skillc.report.counts import plural
from skillc.report.reasons import reason
from skillc.store.cache import DIRECTORY, OFF, SWITCH, local_folder
from skillc.store.folder import Folder
from skillc.store.upkeep import Sum, clear, gc, stats, verify
from skillc.wording import said_in, say

EPILOG = Epilog(
    say(
        "`skillc build` keeps what it made of a package under a key for all that it was made of, in `.skillc/cache` or in "
        "the folder that SKILLC_CACHE_DIR names, and takes it from there when the same is wanted again. Nothing is ever "
        "thrown out unasked."
    ),
    Listing(
        say("actions:"),
        (
            ("stats", say("how much is there, and which shared cache is asked")),
            ("gc", say("throw out what was not used for long, or the oldest of what is too much")),
            ("verify", say("read all of it; set aside what is damaged")),
            ("clear", say("throw out all of it")),
        ),
    ),
    Listing(
        say("variables:"),
        (
            ("SKILLC_CACHE=off", say("build without any cache")),
            ("SKILLC_CACHE_DIR", say("the folder; may be shared between workspaces")),
            (
                "SKILLC_CACHE_URL",
                say("a shared cache on a plain HTTP server (bazel-remote, nginx with WebDAV)"),
            ),
            ("SKILLC_CACHE_WRITE=1", say("put there what is made here; for trusted CI only")),
            ("SKILLC_CACHE_TOKEN", say("a bearer token for it")),
            ("SKILLC_CACHE_AUTH", say("or user:password for it")),
        ),
    ),
    Listing(
        say("settings, where the variable is not set:"),
        (
            ('cache-url = "https://…"', say("SKILLC_CACHE_URL; no token or password is sent there")),
            ("cache-write = true", say("SKILLC_CACHE_WRITE=1")),
        ),
    ),
    examples("skillc cache stats --json", "skillc cache gc --max-age 30d --max-size 2G"),
)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_SPANS = {"h": 3600, "d": 86400, "w": 7 * 86400}


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, help in (
        ("stats", say("how much is there, and which shared cache is asked")),
        ("gc", say("throw out what was not used for long, or the oldest of what is too much")),
        ("verify", say("read all of it; set aside what is damaged")),
        ("clear", say("throw out all of it")),
    ):
        action = actions.add_parser(name, help=help)
        action.description = help
        action.add_argument("path", nargs="?", metavar="PATH", help=say("a workspace; this one by default"))
        if name == "gc":
            action.add_argument(
                "--max-size", metavar="SIZE", help=say("at most this much stays, such as 500M or 2G")
            )
            action.add_argument(
                "--max-age", metavar="AGE", help=say("what was not used for so long goes: 12h, 30d, 8w")
            )
        add_form_options(action)
        add_language_option(action)


def run(args: argparse.Namespace) -> int:
    folder, config = _opened(args.path)
    done = {"stats": lambda *_: _stats(folder, config), "gc": _gc, "verify": _verify, "clear": _clear}
    try:
        data, lines = done[args.action](folder, args)
    except OSError as error:
        why = say("cannot clear `{path}`: {reason}", path=folder.shown, reason=reason(error))
        raise Stop(why, INTERNAL) from error
    if args.format == "json":
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    else:
        told = words(args)
        sys.stdout.writelines(said_in(told, line) + "\n" for line in lines)
    return FINDINGS if data.get("damaged") else CLEAN


Answer = tuple[dict[str, object], list[str]]
"""What a command says: to programs, and line by line to people."""


def _opened(path: str | None) -> tuple[Folder, Config]:
    """The folder of the cache, and the settings of the workspace where there need be one. Refuses a folder that is a
    link, or lies below one, where that was not asked for."""
    named = os.environ.get(DIRECTORY, "")
    alone = os.path.isabs(os.path.expanduser(named)) and path is None
    try:
        place = find_place([path] if path else [])
    except Stop:
        if not alone:
            raise
        place = Place(os.getcwd(), Config())
    folder = local_folder(place.root, os.environ, lambda text: None)
    try:
        folder.below()
    except FileNotFoundError:
        return folder, place.config
    except OSError as error:
        told = say("cannot use `{path}`: {reason}", path=folder.shown, reason=reason(error))
        raise Stop(told) from error
    return folder, place.config


def _stats(folder: Folder, config: Config) -> Answer:
    found, kind = stats(folder), network_kind(os.path.realpath(folder.path), mount_table())
    off = os.environ.get(SWITCH, "").lower() in OFF
    lines: list[str] = [say("{path}: {held}", path=folder.shown, held=_held(found))]
    if found.aside:
        lines.append(
            say(
                "{files} set aside as damaged; `skillc cache gc` removes them",
                files=plural(found.aside, "file"),
            )
        )
    if kind:
        lines.append(
            say(
                "it lies on a network file system ({kind}): safe, but slow; {variable} names another place",
                kind=kind,
                variable=DIRECTORY,
            )
        )
    shared, line = _shared(config)
    lines.append(line)
    if off:
        lines.append(say("switched off by {variable}", variable=SWITCH))
    data = {"path": folder.shown, **_data(found), "network": kind, "shared": shared, "off": off}
    return data, lines


def _shared(config: Config) -> tuple[dict[str, object] | None, str]:
    """The shared cache as it is set. Nothing is asked of it."""
    from skillc.store.remote import open_remote, shared

    named = shared(os.environ, config.cache_url, config.cache_write)
    if not named.url:
        return None, say("no shared cache: neither SKILLC_CACHE_URL nor `cache-url` names one")
    reasons: list[str] = []
    remote = open_remote(named, reasons.append)
    if remote is None:
        return None, say("no shared cache: {reason}", reason=reasons[0])
    if named.writes:
        line = say("shared cache: {address}, read and written", address=remote.address)
    else:
        line = say("shared cache: {address}, read only", address=remote.address)
    return {"url": str(remote.address), "writes": named.writes}, line


def _gc(folder: Folder, args: argparse.Namespace) -> Answer:
    if args.max_size is None and args.max_age is None:
        raise Stop(say("say what may stay: --max-size, --max-age or both"))
    size = None if args.max_size is None else int(_number(args.max_size, _UNITS, "--max-size", "500M, 2G"))
    age = None if args.max_age is None else _number(args.max_age, _SPANS, "--max-age", "12h, 30d, 8w")
    gone, left = gc(folder, time.time(), size, age)
    lines: list[str] = [
        say("{path}: removed {held}", path=folder.shown, held=_held(gone)),
        say("{held} left", held=_held(left)),
    ]
    return {"path": folder.shown, "removed": _data(gone), "left": _data(left)}, lines


def _number(text: str, units: dict[str, int], option: str, forms: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]?)(?:i?b)?", text.strip().lower())
    if found is None or found[2] not in units:
        raise Stop(
            say(
                "`{text}` is nothing for {option}; write it like {forms}",
                text=text,
                option=option,
                forms=forms,
            )
        )
    return float(found[1]) * units[found[2]]


def _verify(folder: Folder, args: argparse.Namespace) -> Answer:
    found = verify(folder)
    lines: list[str] = [say("{entry} was damaged and is set aside", entry=name) for name in found.damaged]
    if found.incomplete:
        lines.append(
            say("{entries} of lost objects; they count as none", entries=plural(found.incomplete, "entry"))
        )
    lines.append(say("{path}: {held} as they were written", path=folder.shown, held=_held(found.read)))
    data = {
        "path": folder.shown,
        **_data(found.read),
        "damaged": list(found.damaged),
        "incomplete": found.incomplete,
    }
    return data, lines


def _clear(folder: Folder, args: argparse.Namespace) -> Answer:
    gone = clear(folder)
    line = say("{path}: removed {held}", path=folder.shown, held=_held(gone))
    return {"path": folder.shown, "removed": _data(gone)}, [line]


def _data(found: Sum) -> dict[str, object]:
    return {"entries": found.entries, "objects": found.objects, "bytes": found.size, "aside": found.aside}


def _held(found: Sum) -> str:
    return say(
        "{entries}, {objects}, {size}",
        entries=plural(found.entries, "entry"),
        objects=plural(found.objects, "object"),
        size=_size(found.size),
    )


def _size(number: int) -> str:
    """Bytes as people read them.

    >>> _size(1536)
    '1.5 KiB'
    """
    if number < 1024:
        return f"{number} B"
    value, units = number / 1024, ["KiB", "MiB", "GiB"]
    while value >= 1024 and len(units) > 1:
        value, units = value / 1024, units[1:]
    return f"{value:.1f} {units[0]}"
