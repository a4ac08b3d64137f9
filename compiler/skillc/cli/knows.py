"""`skillc knows PACKAGE:WORKER`: all that a worker may learn, directly and through whom."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from skillc.cli.asking import WORKER_HELP, Asked, at, cut_data, cut_text, find_worker, given_by, hop_data
from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import CLEAN
from skillc.cli.forms import add_form_options
from skillc.cli.language import add_language_option, words
from skillc.graph.knowledge import Known, knowledge_of
from skillc.wording import said_in, say

EPILOG = Epilog(
    say(
        "A worker sees the tags that its inputTags match, without what isolation keeps away. What it may learn is more: "
        "whatever the writers of these tags had read, and what their writers had. Each tag stands under the workers "
        "through whom it comes, by a shortest way; `made by` marks a secret that a worker on the way makes and writes "
        "beside what is read."
    ),
    say(
        "A tag with a label (hidden, user_only, role_private) is marked `open` when some way to it is cut by nothing, "
        "else with what cuts it: an entry under `declassify` in tags.yaml, acceptance by the user, or an act that others "
        "see. Open is no fault by itself: what the worker must not know is reported by `skillc check`."
    ),
    examples(
        "skillc knows weird-rules-short:review-infer",
        "skillc knows roleplay-game-theory:role-decide@A",
        "skillc knows basic:outline --json",
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("worker", metavar="PACKAGE:WORKER[@ROLE]", help=WORKER_HELP)
    add_form_options(parser)
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    asked = find_worker(args.worker)
    found = knowledge_of(asked.graph, asked.worker, asked.role)
    if args.format == "json":
        sys.stdout.write(_json(asked, found))
    else:
        told = words(args, asked.place)
        sys.stdout.writelines(said_in(told, line) + "\n" for line in _text(asked, found))
    return CLEAN


def _text(asked: Asked, found: tuple[Known, ...]) -> Iterator[str]:
    worker = asked.graph.workers[asked.worker]
    yield say(
        "{who} of {package}, contextIsolation {isolation}, may learn",
        who=asked.who,
        package=asked.graph.package.path,
        isolation=worker.isolation,
    )
    for through, group in groupby(found, key=lambda known: known.through):
        yield ""
        yield say("through {workers}", workers=" ← ".join(reversed(through))) if through else say("directly")
        yield from (line for known in group for line in _lines(known))
    if not found:
        yield ""
        yield say("nothing: it reads no tag that anybody gives")


def _lines(known: Known) -> Iterator[str]:
    ref = known.producer.ref
    giver, tag = given_by(known.producer), known.pattern.text
    place = f"  {at(ref.span)}" if ref else ""
    if known.beside:
        yield say("  {tag}  (made by {giver}){place}", tag=tag, giver=giver, place=place)
    else:
        yield say("  {tag}  (from {giver}){place}", tag=tag, giver=giver, place=place)
    cut = {each.label for each in known.cuts}
    yield from (say("      {label}, open", label=label) for label in known.kept if label not in cut)
    yield from (
        say("      {label}, its own", label=label) for label in known.labels if label not in known.kept
    )
    yield from (say("      {cut}", cut=cut_text(each)) for each in known.cuts)


def _json(asked: Asked, found: tuple[Known, ...]) -> str:
    data = {
        "format_version": "1.0",
        "package": asked.graph.package.path,
        "worker": asked.worker,
        "role": asked.role,
        "isolation": asked.graph.workers[asked.worker].isolation,
        "knows": [known_data(known) for known in found],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def known_data(known: Known) -> dict[str, Any]:
    """A tag that may be learned, with its way from the tag to the worker."""
    return {
        "tag": known.pattern.text,
        "from": given_by(known.producer),
        "how": "beside" if known.beside else "through" if known.through else "reads",
        "through": list(known.through),
        "labels": list(known.labels),
        "own": known.own,
        "open": known.open,
        "cuts": [cut_data(cut) for cut in known.cuts],
        "way": [hop_data(hop) for hop in reversed(known.hops)],
    }
