"""`skillc knows PACKAGE:WORKER`: all that a worker may learn, directly and through whom."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import groupby
from typing import Any

from skillc.cli.asking import WORKER_HELP, Asked, at, cut_data, cut_text, find_worker, given_by, hop_data
from skillc.cli.errors import CLEAN
from skillc.cli.forms import add_form_options
from skillc.graph.knowledge import Known, knowledge_of

EPILOG = """\
A worker sees the tags that its inputTags match, without what isolation keeps away. What it may learn is more: whatever
the writers of these tags had read, and what their writers had. Each tag stands under the workers through whom it
comes, by a shortest way; `made by` marks a secret that a worker on the way makes and writes beside what is read.

A tag with a label (hidden, user_only, role_private) is marked `open` when some way to it is cut by nothing, else with
what cuts it: an entry under `declassify` in tags.yaml, acceptance by the user, or an act that others see. Open is no
fault by itself: what the worker must not know is reported by `skillc check`.

examples:
  skillc knows weird-rules-short:review-infer
  skillc knows roleplay-game-theory:role-decide@A
  skillc knows basic:outline --json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("worker", metavar="PACKAGE:WORKER[@ROLE]", help=WORKER_HELP)
    add_form_options(parser)


def run(args: argparse.Namespace) -> int:
    asked = find_worker(args.worker)
    found = knowledge_of(asked.graph, asked.worker, asked.role)
    sys.stdout.write(_json(asked, found) if args.format == "json" else _text(asked, found))
    return CLEAN


def _text(asked: Asked, found: tuple[Known, ...]) -> str:
    worker = asked.graph.workers[asked.worker]
    who = f"{asked.worker} as {asked.role}" if asked.role else asked.worker
    lines = [f"{who} of {asked.graph.package.path}, contextIsolation {worker.isolation}, may learn"]
    for through, group in groupby(found, key=lambda known: known.through):
        lines += ["", f"through {' ← '.join(reversed(through))}" if through else "directly"]
        lines += [line for known in group for line in _lines(known)]
    if not found:
        lines += ["", "nothing: it reads no tag that anybody gives"]
    return "\n".join(lines) + "\n"


def _lines(known: Known) -> list[str]:
    ref = known.producer.ref
    place = f"  {at(ref.span)}" if ref else ""
    verb = "made by" if known.beside else "from"
    lines = [f"  {known.pattern.text}  ({verb} {given_by(known.producer)}){place}"]
    cut = {each.label for each in known.cuts}
    lines += [f"      {label}, open" for label in known.kept if label not in cut]
    lines += [f"      {label}, its own" for label in known.labels if label not in known.kept]
    return lines + [f"      {cut_text(each)}" for each in known.cuts]


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
