"""Boards, scripts and profiles as users write them: YAML or JSON files, strict, into plain values."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping
from functools import reduce

from skillc.cli.errors import Stop
from skillc.diagnostic import Diagnostic
from skillc.report.reasons import reason
from skillc.report.visible import visible
from skillc.runtime.jsontext import DEEPEST, is_deep, is_encodable
from skillc.runtime.strictjson import finite, integer, no_value
from skillc.source.decode import decode
from skillc.source.node import Mapping as MappingNode
from skillc.source.node import Node, Scalar
from skillc.source.yamlfile import read_yaml
from skillc.wording import say


def read_data(path: str, what: str) -> dict[str, object]:
    """The mapping in a YAML or JSON file; scalars of YAML are text. Refuses with place and reason."""
    value = read_value(path, what)
    if not isinstance(value, dict):
        raise Stop(say("the {what} `{path}` must be a mapping of keys to values", what=what, path=path))
    return value


def read_value(path: str, what: str) -> object:
    """`read_data` for a file that may hold a list as well."""
    try:
        _refuse_stream(path, what)
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        why = reason(error)
        raise Stop(
            say("cannot read the {what} `{path}`: {reason}", what=what, path=path, reason=why)
        ) from error
    return json_value(path, data, what) if path.endswith(".json") else yaml_value(path, data)


def _refuse_stream(path: str, what: str) -> None:
    """A pipe in the file system waits for a writer who may never come; what the shell opened for us is fine."""
    ours = path.startswith(("/dev/fd/", "/dev/stdin", "/proc/self/fd/"))
    mode = os.stat(path).st_mode
    if not ours and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise Stop(say("cannot read the {what} `{path}`: it is no file", what=what, path=path))


def json_value(path: str, data: bytes, what: str) -> object:
    """The JSON in `data`, which stand in `path`. Refuses what is none, a key twice, what is nested too deeply, numbers
    that are none or too large, and text that UTF-8 cannot carry."""
    try:
        value = json.loads(
            data, object_pairs_hook=_unique, parse_constant=no_value, parse_float=finite, parse_int=integer
        )
    except ValueError as error:
        raise Stop(
            say("the {what} `{path}` is not valid JSON: {error}", what=what, path=path, error=error)
        ) from error
    except RecursionError:
        raise Stop(_too_deep(path, what)) from None
    if is_deep(value):
        raise Stop(_too_deep(path, what))
    half = next(_halves(value, ""), None)
    if half is not None:
        raise Stop(
            say(
                "the {what} `{path}` holds half a surrogate pair, which is no character, at `{place}`",
                what=what,
                path=path,
                place=half,
            )
        )
    return value


def _halves(value: object, place: str) -> Iterator[str]:
    """The places of texts and keys in `value` that UTF-8 cannot carry."""
    if isinstance(value, str) and not is_encodable(value):
        yield place
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
    )
    for key, inner in entries:
        below = f"{place}.{key}" if place else str(key)
        yield from (
            _halves(inner, below) if is_encodable(below) else (below.encode("utf-8", "replace").decode(),)
        )


def _too_deep(path: str, what: str) -> str:
    return say("the {what} `{path}` is nested more than {n} levels deep", what=what, path=path, n=DEEPEST)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(say("the key `{key}` stands twice", key=twice))
    return result


def yaml_value(path: str, data: bytes) -> object:
    """The YAML in `data`, which stand in `path`; scalars are text. Refuses what the strict reading finds wrong."""
    source, found = decode(path, data)
    if source:
        file, more = read_yaml(source)
        found += more
        if not file.broken:
            return None if file.root is None else value_of(file.root)
    raise Stop(
        reduce(lambda before, line: say("{before}\n{line}", before=before, line=line), map(_line, found))
    )


def _line(diagnostic: Diagnostic) -> str:
    """The finding as `concise` has it, and so that it can be said in another language."""
    row, column = diagnostic.span.position
    return say(
        "{place}: {code} {severity} {slug}: {message}",
        place=f"{visible(diagnostic.span.path)}:{row}:{column}",
        code=diagnostic.code.id,
        severity=diagnostic.severity.word,
        slug=diagnostic.code.slug,
        message=diagnostic.message,
    )


def value_of(node: Node) -> object:
    """A YAML tree as plain values: text, None, lists and dicts."""
    if isinstance(node, Scalar):
        return None if node.is_null else node.value
    if isinstance(node, MappingNode):
        return {key.value: value_of(item) for key, item in node}
    return [value_of(item) for item in node.items]


def text_of(data: Mapping[str, object], key: str, path: str) -> str | None:
    """The text under `key`, None when it is absent; refuses anything else."""
    value = data.get(key)
    if value is not None and not isinstance(value, str):
        raise Stop(say("`{key}` in `{path}` must be text", key=key, path=path))
    return value
