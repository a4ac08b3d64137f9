"""The options that say what is reported, and the control that they make together with the settings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from skillc.cli.errors import Stop
from skillc.cli.place import Place
from skillc.control import Control, Layer, Selection, first_unknown
from skillc.diagnostic import Code, Severity, find_code
from skillc.report.reasons import reason
from skillc.text import Span
from skillc.wording import say

if TYPE_CHECKING:
    import argparse

    from skillc.control.baseline import Baseline
    from skillc.control.perfile import FileRule


def add_control_options(parser: argparse.ArgumentParser) -> None:
    """Selection, suppression and baseline. CODES are numbers, names, family letters or ALL, with commas."""
    group = parser.add_argument_group(
        say("what is reported"),
        say("CODES are codes (G001), names, family letters (G) or ALL, separated by commas"),
    )
    for option, help in (
        ("--select", say("report these alone, whatever the settings select")),
        ("--ignore", say("do not report these")),
        ("--extend-select", say("report these too")),
    ):
        group.add_argument(option, action="append", type=_split, metavar="CODES", help=help)
    group.add_argument(
        "--ignore-inline-suppressions",
        action="store_true",
        help=say("report what comments in the files suppress too"),
    )
    group.add_argument("--baseline", metavar="FILE", help=say("do not report what this file knows"))


def _split(text: str) -> list[str]:
    return [name for name in (part.strip() for part in text.split(",")) if name]


def control_of(place: Place, args: argparse.Namespace) -> Control:
    """What the settings and the command line want; refuses names that no finding has."""
    config = place.config
    settings = Layer(config.select, config.extend_select, config.ignore)
    named = [*(config.select or ()), *config.extend_select, *config.ignore, *config.severity]
    named += [name for names in config.per_file_ignores.values() for name in names]
    _known(named, place.settings.path if place.settings else "")
    line = _layer(args)
    _known([*(line.select or ()), *line.extend, *line.ignore], "")
    _once(config.severity, place.settings.path if place.settings else "")
    severities = {name: _severity(word) for name, word in config.severity.items()}
    rules = _file_rules(place) if config.per_file_ignores else ()
    baseline = None if getattr(args, "write_baseline", False) else load_baseline(place, args)
    return Control(
        Selection((settings, line)), severities, rules, not args.ignore_inline_suppressions, baseline
    )


def _file_rules(place: Place) -> tuple[FileRule, ...]:
    from skillc.control.perfile import FileRule

    ignored = place.config.per_file_ignores
    return tuple(FileRule(glob, names, _place_of(place, glob)) for glob, names in ignored.items())


def _layer(args: argparse.Namespace) -> Layer:
    select, extend, ignore = (_joined(given) for given in (args.select, args.extend_select, args.ignore))
    return Layer(select if args.select else None, extend, ignore)


def _joined(given: Sequence[Sequence[str]] | None) -> tuple[str, ...]:
    return tuple(name for names in given or () for name in names)


def _known(names: Sequence[str], where: str) -> None:
    problem = first_unknown(names)
    if problem:
        raise Stop(say("{path}: {problem}", path=where, problem=problem) if where else problem)


def _once(names: Iterable[str], where: str) -> None:
    """Stops where two names of one table mean the same code: which of them counts would be anybody's guess."""
    given: dict[Code, str] = {}
    for name in names:
        code = find_code(name)
        if code and given.setdefault(code, name) != name:
            raise Stop(
                say(
                    "{path}: `[severity]` names one finding twice, as `{first}` and as `{second}`: keep one",
                    path=where,
                    first=given[code],
                    second=name,
                )
            )


def _severity(word: str) -> Severity | None:
    return None if word == "off" else Severity[word.upper()]


def _place_of(place: Place, glob: str) -> Span | None:
    """Where the settings name a glob; their first line when they write it with escapes."""
    if place.settings is None:
        return None
    at = max(place.settings.text.find(f"{quote}{glob}{quote}") for quote in "\"'") + 1
    return place.settings.span(at, at + len(glob)) if at else place.settings.span()


def baseline_path(place: Place, args: argparse.Namespace) -> str | None:
    """The file of the baseline: the option's, below the working folder, or the settings', below the workspace."""
    if args.baseline:
        return str(args.baseline)
    return place.path(place.config.baseline) if place.config.baseline else None


def load_baseline(place: Place, args: argparse.Namespace) -> Baseline | None:
    path = baseline_path(place, args)
    if path is None:
        return None
    from skillc.control.baseline import read_baseline

    shown = os.path.relpath(os.path.abspath(path), place.root).replace(os.sep, "/")
    try:
        with open(path, encoding="utf-8") as file:
            read = read_baseline(shown, file.read())
    except (OSError, UnicodeDecodeError) as error:
        why = reason(error)
        raise Stop(say("cannot read the baseline `{path}`: {reason}", path=path, reason=why)) from error
    if isinstance(read, str):
        raise Stop(read)
    return read


def shown_settings(place: Place) -> str:
    """The settings in force, as a settings file would say them."""
    from skillc.config import key_of
    from skillc.value import asdict

    source = place.settings.path if place.settings else "no settings file, all are defaults"
    lines = [f"# workspace: {os.path.relpath(place.root)}", f"# settings: {source}"]
    tables: list[str] = []
    for name, value in asdict(place.config).items():
        key = key_of(name)
        if isinstance(value, dict):
            tables += ["", f"[{key}]", *(f"{_toml(one)} = {_toml(item)}" for one, item in value.items())]
        elif value not in (None, ""):
            lines.append(f"{key} = {_toml(value)}")
    return "\n".join([*lines, *tables]) + "\n"


def _toml(value: object) -> str:
    import json

    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
