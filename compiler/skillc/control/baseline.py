"""A baseline: findings that were there when a workspace took up checking, and are not reported until they change."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from skillc.diagnostic import Diagnostic, fingerprints, identity
from skillc.text import Source, Span
from skillc.value import value
from skillc.wording import say

FORMAT_VERSION = "1.1"
_KEYS = ("fingerprint", "code", "path", "message")
_NEWER = ("content", "context")
"""Keys that files of format 1.0 do not have."""
_AROUND = 2
"""Lines above a finding, and below it, that tell it from another with the same words."""


@value
class Entry:
    """One known finding. `code` is its number, `message` is for people who read the file.

    `content` names what it is about without saying where; `context` are names of the lines around it. Both are
    empty in an entry of format 1.0, which is known by its fingerprint alone.
    """

    fingerprint: str
    code: str
    path: str
    message: str
    content: str
    context: str
    span: Span


@value
class Baseline:
    source: Source
    entries: tuple[Entry, ...]


def read_baseline(path: str, text: str) -> Baseline | str:
    """The baseline in `text`, or one sentence that says why it is none."""
    text = text.removeprefix("\ufeff")
    try:
        data = json.loads(text)
        version = str(data["format_version"])
        rows = [_row(row) for row in data["findings"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return say("`{path}` is no baseline: write one with `--write-baseline`", path=path)
    if version.split(".")[0] != FORMAT_VERSION.split(".")[0]:
        return say(
            "`{path}` has the format {version}, and this version of skillc reads {known}",
            path=path,
            version=version,
            known=FORMAT_VERSION,
        )
    source = Source(path, text.replace("\r\n", "\n").replace("\r", "\n"))
    places = {match[1]: match.start(1) for match in re.finditer(r'"([0-9a-f]+)"', source.text)}
    return Baseline(source, tuple(Entry(**row, span=_place(source, places, row[_KEYS[0]])) for row in rows))


def _row(row: Mapping[str, object]) -> dict[str, str]:
    found = {key: row[key] for key in _KEYS} | {key: row.get(key, "") for key in _NEWER}
    texts = {key: text for key, text in found.items() if isinstance(text, str)}
    if len(texts) != len(found):
        raise TypeError("a baseline holds texts")
    return texts


def _place(source: Source, places: Mapping[str, int], fingerprint: str) -> Span:
    at = places.get(fingerprint)
    return source.span() if at is None else source.span(at, at + len(fingerprint))


def write_baseline(diagnostics: Sequence[Diagnostic], kept: Iterable[Entry] = ()) -> str:
    """The text of a baseline that knows `diagnostics`, and `kept` entries of an older one; a line each, sorted."""
    rows = {}
    for diagnostic, mark in zip(diagnostics, fingerprints(diagnostics), strict=True):
        rows[mark] = {
            "fingerprint": mark,
            "code": diagnostic.code.id,
            "path": diagnostic.span.path,
            "message": str(diagnostic.message),
            "content": content_of(diagnostic),
            "context": context_of(diagnostic.span),
        }
    for entry in kept:
        row = {name: getattr(entry, name) for name in (*_KEYS, *_NEWER)}
        rows.setdefault(entry.fingerprint, {name: text for name, text in row.items() if text})
    ordered = sorted(
        rows.values(), key=lambda row: (row["path"], row["code"], row["message"], row["fingerprint"])
    )
    lines = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in ordered)
    listed = f"[\n{lines}\n  ]" if lines else "[]"
    return f'{{\n  "format_version": "{FORMAT_VERSION}",\n  "findings": {listed}\n}}\n'


def content_of(diagnostic: Diagnostic) -> str:
    """A name for what a finding is about, wherever its file lies."""
    return _name(identity(diagnostic, with_path=False), 16)


def context_of(span: Span) -> str:
    """Short names of the line of a finding and of the nearest lines with text above and below, top first.

    >>> from skillc.text import Source
    >>> context_of(Source("a", "x\\n\\ny\\n").span(3)).split() == ["-", *context_of(Source("b", "x\\ny").span(2)).split()[1:]]
    True
    """
    source, number = span.source, span.position[0]
    last = len(source.line_starts())
    above = _nearest(source, range(number - 1, 0, -1))
    below = _nearest(source, range(number + 1, last + 1))
    texts = [*reversed(above), source.line(number).strip(), *below]
    return " ".join(_name(text, 6) if text else "-" for text in texts)


def _nearest(source: Source, numbers: Iterable[int]) -> list[str]:
    """The first lines with text among `numbers`, empty ones where there are too few."""
    texts: list[str] = []
    for number in numbers:
        text = source.line(number).strip()
        if text:
            texts.append(text)
        if len(texts) == _AROUND:
            break
    return texts + [""] * (_AROUND - len(texts))


def _name(text: str, length: int) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]
