"""`skillc leak TAG --to PACKAGE:WORKER`: the shortest way of a tag to a worker."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from skillc.checks.wording import nearest_written
from skillc.cli.asking import WORKER_HELP, Asked, at, cut_text, find_worker, given_by
from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import CLEAN, FINDINGS, Stop
from skillc.cli.forms import add_form_options
from skillc.cli.knows import known_data
from skillc.cli.language import add_language_option, words
from skillc.grammar import parse_pattern
from skillc.graph import TagGraph, any_role, promoted
from skillc.graph.knowledge import Hop, Known, reaching
from skillc.tags import Pattern, overlaps
from skillc.text import Source, Text
from skillc.wording import said_in, say

EPILOG = Epilog(
    say(
        "TAG is a tag or a pattern that the package writes. The way is a shortest one that nothing cuts; every step is "
        "shown with its place. Where only cut ways are left, one of them is shown with what cuts it: an entry under "
        "`declassify` in tags.yaml, acceptance by the user, or an act that others see. A tag without a label is kept "
        "from nobody, so nothing cuts its ways."
    ),
    say("exit codes: 0 no way that is open, 1 there is one, 2 the tag or the worker does not exist"),
    examples(
        "skillc leak 核心.危险.隐藏 --to weird-rules-short:review-infer",
        "skillc leak '角色.*.思考' --to roleplay-game-theory:role-decide@A --json",
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tag", metavar="TAG", help=say("a tag or pattern, as in 核心.危险.隐藏"))
    parser.add_argument("--to", required=True, metavar="PACKAGE:WORKER[@ROLE]", help=WORKER_HELP)
    add_form_options(parser)
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    asked = find_worker(args.to)
    known = reaching(asked.graph, asked.worker, _tag(args.tag, asked.graph), asked.role)
    if args.format == "json":
        sys.stdout.write(_json(asked, args.tag, known))
    else:
        told = words(args, asked.place)
        sys.stdout.writelines(said_in(told, line) + "\n" for line in _text(asked, args.tag, known))
    return FINDINGS if known is not None and known.open else CLEAN


def _tag(text: str, graph: TagGraph) -> Pattern:
    source = Source("TAG", text)
    pattern, wrong = parse_pattern(Text(text, source.span()))
    if pattern is None:
        why = say(": {why}", why=wrong[0].message) if wrong else ""
        raise Stop(say("`{text}` is no tag{why}", text=text, why=why))
    if not any(overlaps(any_role(pattern), any_role(given)) for given in _given(graph)):
        near = nearest_written(graph, text)
        hint = say("; did you mean `{near}`?", near=near) if near else ""
        package = graph.package.path
        raise Stop(
            say("nobody in `{package}` writes or gives `{text}`{hint}", package=package, text=text, hint=hint)
        )
    return pattern


def _given(graph: TagGraph) -> list[Pattern]:
    written = [ref.pattern for worker in graph.package.workers for ref in worker.outputs]
    confirmed = [pattern for output in written if (pattern := promoted(output))]
    return [*written, *confirmed, *(p.pattern for found in graph.producers.values() for p in found)]


def _text(asked: Asked, tag: str, known: Known | None) -> Iterator[str]:
    if known is None:
        yield say("no path: nothing of `{tag}` comes to {who}", tag=tag, who=asked.who)
        return
    yield _headline(known, asked.who)
    if known.beside:
        ref = known.producer.ref
        yield say(
            "  {worker} makes `{tag}`{place}",
            worker=known.producer.worker,
            tag=known.pattern.text,
            place=f"  {at(ref.span)}" if ref else "",
        )
    for hop in reversed(known.hops):
        yield from _steps(hop)
    yield from (say("  {cut}", cut=cut_text(cut)) for cut in known.cuts)


def _headline(known: Known, who: str) -> str:
    tag = known.pattern.text
    if not known.open:
        return say("no open path: `{tag}` comes to {who} only where that is meant", tag=tag, who=who)
    if not known.through:
        return say("`{tag}` is read by {who} itself", tag=tag, who=who)
    through = " → ".join(known.through)
    return say("`{tag}` comes to {who} through {through}", tag=tag, who=who, through=through)


def _steps(hop: Hop) -> Iterator[str]:
    ref, tag = hop.producer.ref, hop.pattern.text
    giver, place = given_by(hop.producer), f"  {at(ref.span)}" if ref else ""
    if hop.producer.worker:
        yield say("  {giver} writes `{tag}`{place}", giver=giver, tag=tag, place=place)
    else:
        yield say("  {giver} gives `{tag}`{place}", giver=giver, tag=tag, place=place)
    yield say(
        "  {reader} reads `{tag}`  {place}", reader=hop.reader, tag=hop.read.text, place=at(hop.read.span)
    )


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
