"""`skillc show-artifact FILE`: an artifact of a design as people read it, in the terminal or as one HTML page."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Mapping
from typing import Any

from skillc.artifact.codec import canonical
from skillc.cli.datafile import read_value
from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import CLEAN, Stop
from skillc.cli.language import add_language_option, language
from skillc.cli.terminal import has_color
from skillc.model.artifact_reading import ArtifactReading, read_artifact
from skillc.report.artifact_html import render_html
from skillc.report.artifact_text import render_text
from skillc.report.language import words_of
from skillc.report.reasons import reason
from skillc.runtime import Board
from skillc.runtime.artifacts import artifact_of
from skillc.runtime.findjson import FoundJson, find_json
from skillc.store.files import write_atomic
from skillc.wording import say, series

EPILOG = Epilog(
    say(
        "FILE is a text as a worker wrote it (.json, .md, .txt, any other), a board file of which --tag names the item, "
        "or - for standard input. What cannot be read is shown as it is, with the reason."
    ),
    examples(
        "skillc show-artifact 生成规则.json",
        "skillc show-artifact contexts/turn-1.yaml --tag 设计.生成规则",
        "skillc show-artifact reply.md --format html --output rules.html",
    ),
)
MOST = 8 * 1024 * 1024
"""Bytes of a file; no artifact is near."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=say("a text, a board file, or - for standard input"))
    parser.add_argument(
        "--tag", help=say("the item of a board to show, or the tag that the text stands under")
    )
    parser.add_argument("--format", choices=("text", "html"), default="text")
    parser.add_argument("--output", metavar="FILE", help=say("write there instead of the terminal"))
    parser.add_argument(
        "--full", action="store_true", help=say("fold nothing, and show the text as stored too")
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    lang = language(args)
    text, tag = _source(args.file, args.tag)
    page = _page(read_artifact(text, tag), args, lang)
    if args.output:
        try:
            write_atomic(args.output, page.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise Stop(
                say("cannot write `{path}`: {reason}", path=args.output, reason=reason(error))
            ) from error
    else:
        sys.stdout.write(page)
    return CLEAN


def _page(reading: ArtifactReading, args: argparse.Namespace, lang: str) -> str:
    if args.format == "html":
        return render_html(reading, lang)
    color = args.output is None and has_color(sys.stdout, args.color)
    width = max(40, shutil.get_terminal_size((100, 24)).columns)
    return render_text(reading, width, color, words_of(lang), args.full)


def _source(path: str, tag: str | None) -> tuple[str, str | None]:
    """The text to show and its tag; of a board file the newest live item."""
    if path.lower().endswith((".yaml", ".yml")):
        value = read_value(path, say("board"))
        return _of_board(value, path, tag) if _is_board(value) else (canonical(value).decode(), tag)
    text = _decoded(path, _bytes(path))
    found = find_json(text)
    if isinstance(found, FoundJson) and found.how == "whole" and _is_board(found.tree):
        return _of_board(found.tree, path, tag)
    return text, tag


def _is_board(value: object) -> bool:
    """Whether a file is a board and no artifact: items with tags."""
    items = value.get("items") if isinstance(value, dict) and "schema" not in value else None
    return isinstance(items, list) and all(
        isinstance(item, dict) and ("tag" in item or "key" in item) for item in items
    )


def _of_board(data: Mapping[str, Any] | Any, path: str, tag: str | None) -> tuple[str, str]:
    """The newest live item under `tag`, or what a draft of that tag became; without a tag the only artifact."""
    try:
        board = Board.from_data(data)
    except ValueError as error:
        raise Stop(str(error)) from error
    live = list(dict.fromkeys(item.tag for item in board.items if item.live))
    tags = [name for name in live if artifact_of(name)] or live
    known = series(f"`{name}`" for name in tags)
    if tag is None:
        if len(tags) != 1:
            raise Stop(say("`{path}` is a board: say which item with --tag: {tags}", path=path, tags=known))
        tag = tags[0]
    item = board.newest(tag) or next(reversed(board.heirs(tag)), None)
    if item is None:
        raise Stop(
            say("the board `{path}` has no live item `{tag}`; it has {tags}", path=path, tag=tag, tags=known)
        )
    return item.content, item.tag


def _bytes(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read(MOST + 1)
    try:
        if not os.path.isfile(path) and os.path.exists(path) and not path.startswith(("/dev/fd/", "/proc/")):
            raise Stop(say("`{path}` is no file", path=path))
        with open(path, "rb") as file:
            return file.read(MOST + 1)
    except OSError as error:
        raise Stop(say("cannot read `{path}`: {reason}", path=path, reason=reason(error))) from error


def _decoded(path: str, data: bytes) -> str:
    if len(data) > MOST:
        raise Stop(say("`{path}` is larger than {n} MiB: no artifact is", path=path, n=MOST // 1024 // 1024))
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Stop(say("`{path}` is not UTF-8: byte {n} cannot be read", path=path, n=error.start)) from error
