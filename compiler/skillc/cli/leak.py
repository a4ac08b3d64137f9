"""`skillc leak TAG --to PACKAGE:WORKER`: the shortest way of a tag to a worker."""

from __future__ import annotations

import argparse
import json
import sys

from skillc.checks.wording import nearest_written
from skillc.cli.asking import WORKER_HELP, Asked, at, cut_text, find_worker, given_by
from skillc.cli.errors import CLEAN, FINDINGS, Stop
from skillc.cli.forms import add_form_options
from skillc.cli.knows import known_data
from skillc.grammar import parse_pattern
from skillc.graph import TagGraph, any_role, promoted
from skillc.graph.knowledge import Hop, Known, reaching
from skillc.tags import Pattern, overlaps
from skillc.text import Source, Text

EPILOG = """\
TAG is a tag or a pattern that the package writes. The way is a shortest one that nothing cuts; every step is shown
with its place. Where only cut ways are left, one of them is shown with what cuts it: an entry under `declassify` in
tags.yaml, acceptance by the user, or an act that others see. A tag without a label is kept from nobody, so nothing
cuts its ways.

exit codes: 0 no way that is open, 1 there is one, 2 the tag or the worker does not exist

examples:
  skillc leak 核心.危险.隐藏 --to weird-rules-short:review-infer
  skillc leak '角色.*.思考' --to roleplay-game-theory:role-decide@A --json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tag", metavar="TAG", help="a tag or pattern, as in 核心.危险.隐藏")
    parser.add_argument("--to", required=True, metavar="PACKAGE:WORKER[@ROLE]", help=WORKER_HELP)
    add_form_options(parser)


def run(args: argparse.Namespace) -> int:
    asked = find_worker(args.to)
    known = reaching(asked.graph, asked.worker, _tag(args.tag, asked.graph), asked.role)
    sys.stdout.write(
        _json(asked, args.tag, known) if args.format == "json" else _text(asked, args.tag, known)
    )
    return FINDINGS if known is not None and known.open else CLEAN


def _tag(text: str, graph: TagGraph) -> Pattern:
    source = Source("TAG", text)
    pattern, wrong = parse_pattern(Text(text, source.span()))
    if pattern is None:
        raise Stop(f"`{text}` is no tag: {wrong[0].message}" if wrong else f"`{text}` is no tag")
    if not any(overlaps(any_role(pattern), any_role(given)) for given in _given(graph)):
        near = nearest_written(graph, text)
        hint = f"; did you mean `{near}`?" if near else ""
        raise Stop(f"nobody in `{graph.package.path}` writes or gives `{text}`{hint}")
    return pattern


def _given(graph: TagGraph) -> list[Pattern]:
    written = [ref.pattern for worker in graph.package.workers for ref in worker.outputs]
    confirmed = [pattern for output in written if (pattern := promoted(output))]
    return [*written, *confirmed, *(p.pattern for found in graph.producers.values() for p in found)]


def _text(asked: Asked, tag: str, known: Known | None) -> str:
    who = f"{asked.worker} as {asked.role}" if asked.role else asked.worker
    if known is None:
        return f"no path: nothing of `{tag}` comes to {who}\n"
    lines = [_headline(known, who)]
    if known.beside:
        ref = known.producer.ref
        lines.append(
            f"  {known.producer.worker} makes `{known.pattern.text}`" + (f"  {at(ref.span)}" if ref else "")
        )
    for hop in reversed(known.hops):
        lines += _steps(hop)
    return "\n".join([*lines, *(f"  {cut_text(cut)}" for cut in known.cuts)]) + "\n"


def _headline(known: Known, who: str) -> str:
    if not known.open:
        return f"no open path: `{known.pattern.text}` comes to {who} only where that is meant"
    if not known.through:
        return f"`{known.pattern.text}` is read by {who} itself"
    return f"`{known.pattern.text}` comes to {who} through {' → '.join(known.through)}"


def _steps(hop: Hop) -> list[str]:
    ref = hop.producer.ref
    verb = "writes" if hop.producer.worker else "gives"
    gives = f"  {given_by(hop.producer)} {verb} `{hop.pattern.text}`" + (f"  {at(ref.span)}" if ref else "")
    return [gives, f"  {hop.reader} reads `{hop.read.text}`  {at(hop.read.span)}"]


def _json(asked: Asked, tag: str, known: Known | None) -> str:
    data = {
        "format_version": "1.0",
        "package": asked.graph.package.path,
        "tag": tag,
        "to": asked.worker,
        "role": asked.role,
        "leaks": known is not None and known.open,
        "path": known_data(known) if known else None,
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
