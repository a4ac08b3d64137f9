"""A baseline: findings that were there when a workspace took up checking, and are not reported until they change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from skillc.diagnostic import Diagnostic, fingerprints
from skillc.text import Source, Span
from skillc.wording import say

FORMAT_VERSION = "1.0"
_KEYS = ("fingerprint", "code", "path", "message")


@dataclass(frozen=True, slots=True)
class Entry:
    """One known finding. `code` is its number, `message` is for people who read the file."""

    fingerprint: str
    code: str
    path: str
    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Baseline:
    source: Source
    entries: tuple[Entry, ...]


def read_baseline(path: str, text: str) -> Baseline | str:
    """The baseline in `text`, or one sentence that says why it is none."""
    try:
        data = json.loads(text)
        version = str(data["format_version"])
        rows = [tuple(str(row[key]) for key in _KEYS) for row in data["findings"]]
    except (ValueError, KeyError, TypeError):
        return say("`{path}` is no baseline: write one with `--write-baseline`", path=path)
    if version.split(".")[0] != FORMAT_VERSION.split(".")[0]:
        return say(
            "`{path}` has the format {version}, and this version of skillc reads {known}",
            path=path,
            version=version,
            known=FORMAT_VERSION,
        )
    source = Source(path, text.replace("\r\n", "\n").replace("\r", "\n"))
    return Baseline(source, tuple(_entry(source, *row) for row in rows))


def _entry(source: Source, fingerprint: str, code: str, path: str, message: str) -> Entry:
    return Entry(fingerprint, code, path, message, _place(source, fingerprint))


def _place(source: Source, fingerprint: str) -> Span:
    at = source.text.find(f'"{fingerprint}"') + 1
    return source.span(at, at + len(fingerprint)) if at else source.span()


def write_baseline(diagnostics: Sequence[Diagnostic], kept: Iterable[Entry] = ()) -> str:
    """The text of a baseline that knows `diagnostics`, and `kept` entries of an older one; a line each, sorted."""
    rows = {
        mark: {"fingerprint": mark, "code": d.code.id, "path": d.span.path, "message": str(d.message)}
        for d, mark in zip(diagnostics, fingerprints(diagnostics), strict=True)
    }
    for entry in kept:
        row = {name: getattr(entry, name) for name in _KEYS}
        rows.setdefault(entry.fingerprint, row)
    ordered = sorted(
        rows.values(), key=lambda row: (row["path"], row["code"], row["message"], row["fingerprint"])
    )
    lines = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in ordered)
    listed = f"[\n{lines}\n  ]" if lines else "[]"
    return f'{{\n  "format_version": "{FORMAT_VERSION}",\n  "findings": {listed}\n}}\n'
