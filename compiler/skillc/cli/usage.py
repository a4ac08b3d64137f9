"""`skillc usage SESSION`: what a session's calls of models came to."""

from __future__ import annotations

import argparse

from skillc.cli.epilog import Epilog, examples
from skillc.cli.forms import add_form_options
from skillc.cli.language import add_language_option
from skillc.cli.session_view import print_lines
from skillc.cli.session_words import word
from skillc.cli.shelf import find_session, opened
from skillc.cli.storing import add_store_option
from skillc.execute.calling import OK
from skillc.execute.records import SessionRecord
from skillc.execute.usage import Usage, usage_by_worker, usage_of
from skillc.report.counts import plural
from skillc.wording import say, series

EPILOG = Epilog(
    say(
        "All calls count, the failed ones too. `cached` is what the server says that it took from its cache. `predicted` is "
        "what was to be expected: the part of a prompt that begins like the last call of the same worker and profile, told "
        "by digests of its segments and measured by an estimate, in tokens as the server counted the whole. It knows "
        "nothing of how long a server keeps what, and of its smallest unit."
    ),
    examples("skillc usage 3f2a", "skillc usage 3f2a --json"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="SESSION", help=say("its id, or the beginning of it"))
    add_form_options(parser)
    add_store_option(parser)
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    with opened(args) as store:
        record = store.load(find_session(store, args.session).id)
    workers = usage_by_worker(record.calls)
    total = usage_of(record.calls)
    data = {
        "session": record.id,
        "package": record.package,
        "workers": {worker: usage.data() for worker, usage in workers.items()},
        "total": total.data(),
    }
    print_lines(args, data, _lines(record, workers, total))
    return 0


def _lines(record: SessionRecord, workers: dict[str, Usage], total: Usage) -> list[object]:
    head = say(
        "session {id} of {package}: {calls}",
        id=record.id,
        package=record.package,
        calls=plural(total.calls, "call"),
    )
    if not total.calls:
        return [head]
    names = [
        "",
        say("calls"),
        say("retries"),
        say("prompt"),
        say("completion"),
        say("cached"),
        say("predicted"),
        "",
    ]
    rows = [names, *(_row(worker, usage) for worker, usage in workers.items())]
    if len(workers) > 1:
        rows.append(_row(say("in all"), total))
    faults = {kind: count for kind, count in total.outcomes.items() if kind != OK}
    failed = series(say("{kind} {count}", kind=word(kind), count=count) for kind, count in faults.items())
    return [head, rows, *([say("without a reply that counts: {failed}", failed=failed)] if failed else [])]


def _row(name: str, usage: Usage) -> list[str]:
    tokens = usage.tokens
    ways = ", ".join(f"{way} {count}" if len(usage.ways) > 1 else way for way, count in usage.ways.items())
    counts = [usage.calls, usage.retries, *(tokens[key] for key in _COLUMNS)]
    return [name, *(f"{count:,}" for count in counts), ways]


_COLUMNS = ("prompt_tokens", "completion_tokens", "cached_tokens", "predicted_tokens")
