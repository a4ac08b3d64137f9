"""`skillc cache-report`: which write makes which context be read anew, and how large contexts can become."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from skillc import driver
from skillc.cli.check import check
from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import CLEAN, FINDINGS
from skillc.cli.forms import add_form_options
from skillc.cli.language import add_language_option, note, words
from skillc.cli.place import find_place
from skillc.graph.hysteresis import UNITS, policy_name, window_name
from skillc.graph.sliding import Slide
from skillc.plan.cache import LayoutReport, Loss, Model, WorkerReport, cache_report
from skillc.plan.providers import Caching
from skillc.report.language import Words
from skillc.report.visible import visible
from skillc.tokens import Counter, counter_for
from skillc.wording import said_in, say, series

EPILOG = Epilog(
    say(
        "Providers cache a context by its beginning. For each worker, this shows who can write something that it reads, "
        "which segment is the first that such a write changes, how many tokens before it stay cached for sure, and what "
        "is read anew: known tokens (labels, constant text), and the segments that the board fills. Tails that slide "
        "are named with what a window saves."
    ),
    say(
        "Tokens are counted with the vocabulary of the worker's model where it is installed, else estimated; the report "
        "says which."
    ),
    examples("skillc cache-report", "skillc cache-report weird-rules-short --json"),
)
LEGEND = (
    say(
        "kept: known tokens (system message, labels, constant text) before the first changed segment: these stay cached"
    ),
    say("anew: known tokens from that segment on + the segments that the board fills: these are read anew"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help=say("workspaces, packages, files or package names")
    )
    add_form_options(parser)
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    place = find_place(args.paths)
    checked = check(place)
    broken = driver.failed(checked)
    reports = [
        (path, list(cache_report(graph, checked.workspace.profiles, counter_for)))
        for path, graph in sorted(checked.graphs.items())
        if path not in broken
    ]
    told = words(args, place)
    sys.stdout.write(_json(reports) if args.format == "json" else _text(reports, told))
    for path in sorted(broken):
        left_out = say("skillc: `{path}` has errors and is left out: `skillc check` names them", path=path)
        note(args, place, left_out)
    return FINDINGS if broken else CLEAN


Reports = Sequence[tuple[str, Sequence[WorkerReport]]]


def _text(reports: Reports, told: Words) -> str:
    lines: list[str] = [*LEGEND, ""] if any(workers for _, workers in reports) else []
    for path, workers in reports:
        lines.append(path)
        counters = dict.fromkeys(_about(worker.counter) for worker in workers)
        lines += [say("  tokens: {about}", about=about) for about in counters]
        for worker in workers:
            lines += ["", *_worker(worker, told)]
        lines.append("")
    return "\n".join(visible(said_in(told, line).rstrip()) for line in lines)


def _about(counter: Counter) -> str:
    if counter.exact:
        return counter.name
    return say("{name}, an estimate: {why}", name=counter.name, why=counter.why)


def _worker(worker: WorkerReport, told: Words) -> Iterator[str]:
    yield say(
        "  {id} ({stage}): fixed prefix {tokens:,} tokens, {bytes:,} bytes",
        id=worker.id,
        stage=_STAGES.get(worker.stage, worker.stage),
        tokens=worker.fixed_tokens,
        bytes=worker.fixed_bytes,
    )
    if worker.slot is not None:
        yield say("    as slot {slot} sends it, not as the worker declares it", slot=worker.slot)
    for model in worker.models:
        yield from _model(worker, model)
    for row in worker.layouts:
        if row.layout.variant is not None:
            yield say("    variant {variant}", variant=row.layout.variant)
        yield from _table(row, told)
        yield from _slides(row.slides)
        yield say("    worst case: {worst}", worst=_worst(row))


def _model(worker: WorkerReport, model: Model) -> Iterator[str]:
    profile, caching = model.profile, model.caching
    window = (
        say(
            ": window {window:,}, {reserve:,} of it for the reply",
            window=profile.context_window,
            reserve=model.reserve,
        )
        if profile.context_window
        else ""
    )
    yield say("    profile {id}, model {model}{window}", id=profile.id, model=profile.model, window=window)
    if caching:
        yield _caching(caching, worker.fixed_tokens < caching.minimum)


def _caching(caching: Caching, short: bool) -> str:
    return say(
        "    {provider} caches from {minimum:,} tokens on{steps} (as of {as_of}){short}",
        provider=caching.provider,
        minimum=caching.minimum,
        steps=say(" in steps of {step:,}", step=caching.step) if caching.step > 1 else "",
        as_of=caching.as_of,
        short=say("; the fixed prefix alone is below that") if short else "",
    )


def _table(row: LayoutReport, told: Words) -> list[str]:
    """The losses in columns, as wide as a terminal shows them."""
    from rich.cells import cell_len

    if not row.losses:
        return [say("    nobody changes it")]
    cells = [tuple(said_in(told, title) for title in _COLUMNS)]
    cells += [tuple(said_in(told, cell) for cell in _cells(row, loss)) for loss in row.losses]
    widths = [max(cell_len(line[at]) for line in cells) for at in range(4)]
    return [
        "    "
        + "  ".join(
            [cell + " " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=False)]
        )
        + f"  {line[4]}"
        for line in cells
    ]


_COLUMNS = (say("who writes"), say("when"), say("first changed segment"), say("kept"), say("anew"))


def _cells(row: LayoutReport, loss: Loss) -> tuple[str, ...]:
    cut = loss.cut
    place = say(
        "{segment} ({at} of {count})", segment=loss.segment, at=cut.position + 1, count=len(row.layout.parts)
    )
    anew = " + ".join([f"{loss.lost_tokens:,}", *loss.behind])
    return _writer(loss), _STAGES.get(cut.stage, cut.stage), place, f"{loss.kept_tokens:,}", anew


def _writer(loss: Loss) -> str:
    """A worker by its id; a source as (origin); both with the tag."""
    cut = loss.cut
    name = _SOURCES.get(cut.writer, f"({cut.writer})") if cut.kind == "source" else cut.writer
    return say("{writer} {tag}", writer=name, tag=cut.tag)


_SOURCES = {
    "startup": say("(startup)"),
    "ask": say("(ask)"),
    "user": say("(user)"),
    "runtime": say("(runtime)"),
    "book": say("(book)"),
    "rag": say("(rag)"),
}
_STAGES = {"design": say("design"), "play": say("play")}


def _slides(found: Sequence[Slide]) -> Iterator[str]:
    for slide in found:
        kind, n, saves = slide.policy.kind, slide.policy.n or 1, slide.saves
        yield say(
            "    {policy} of {segment} slides: in {turns} turns of {growth:,} it reads {tail:,} {unit} anew, "
            "{window} {less:,} ({percent} % less)",
            policy=policy_name(kind, n),
            segment=slide.segment.id.value,
            turns=saves.turns,
            growth=saves.growth,
            tail=saves.tail,
            unit=UNITS[kind],
            window=window_name(kind, n),
            less=saves.window,
            percent=saves.percent,
        )


def _worst(row: LayoutReport) -> str:
    unbounded = row.layout.unbounded
    more = say("; nothing bounds {segments}", segments=series(unbounded)) if unbounded else ""
    return say("{worst:,} tokens known or bounded by policies{more}", worst=row.worst, more=more)


def _json(reports: Reports) -> str:
    packages = [{"path": path, "workers": [_data(worker) for worker in workers]} for path, workers in reports]
    data = {"format_version": "1.0", "packages": packages}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _data(worker: WorkerReport) -> dict[str, Any]:
    counter = worker.counter
    return {
        "id": worker.id,
        "stage": worker.stage,
        "slot": worker.slot,
        "counter": {"name": counter.name, "exact": counter.exact, "why": counter.why},
        "profiles": [_model_data(model) for model in worker.models],
        "prefix": {"fixed_bytes": worker.fixed_bytes, "fixed_tokens": worker.fixed_tokens},
        "layouts": [_layout_data(row) for row in worker.layouts],
    }


def _model_data(model: Model) -> dict[str, Any]:
    caching = model.caching
    return {
        "id": model.profile.id,
        "model": model.profile.model,
        "window": model.profile.context_window,
        "reserve": model.reserve,
        "cache_minimum": caching.minimum if caching else None,
        "cache_step": caching.step if caching else None,
        "cache_as_of": caching.as_of if caching else None,
    }


def _layout_data(row: LayoutReport) -> dict[str, Any]:
    return {
        "variant": row.layout.variant,
        "segments": [
            {
                "id": part.id,
                "tier": part.tier,
                "constant_bytes": len(part.constant.encode()),
                "bound": part.bound,
            }
            for part in row.layout.parts
        ],
        "constant_tokens": row.tokens,
        "worst_tokens": row.worst,
        "unbounded": list(row.layout.unbounded),
        "cuts": [_loss_data(loss) for loss in row.losses],
        "sliding": [_slide_data(slide) for slide in row.slides],
    }


def _loss_data(loss: Loss) -> dict[str, Any]:
    return {
        "writer": loss.cut.writer,
        "kind": loss.cut.kind,
        "stage": loss.cut.stage,
        "tag": loss.cut.tag,
        "segment": loss.segment,
        "position": loss.cut.position,
        "kept_bytes": loss.kept_bytes,
        "kept_tokens": loss.kept_tokens,
        "lost_bytes": loss.lost_bytes,
        "lost_tokens": loss.lost_tokens,
        "behind": list(loss.behind),
    }


def _slide_data(slide: Slide) -> dict[str, Any]:
    kind, n, saves = slide.policy.kind, slide.policy.n or 1, slide.saves
    return {
        "segment": slide.segment.id.value,
        "policy": policy_name(kind, n),
        "window": window_name(kind, n),
        "unit": UNITS[kind],
        "turns": saves.turns,
        "growth": saves.growth,
        "tail_anew": saves.tail,
        "window_anew": saves.window,
        "window_moves": saves.moves,
        "saved_percent": saves.percent,
    }
