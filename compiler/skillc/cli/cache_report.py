"""`skillc cache-report`: which write makes which context be read anew, and how large contexts can become."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from skillc import driver
from skillc.cli.check import check
from skillc.cli.errors import CLEAN, FINDINGS
from skillc.cli.forms import add_form_options
from skillc.cli.place import find_place
from skillc.graph.hysteresis import UNITS, policy_name, window_name
from skillc.graph.sliding import Slide
from skillc.plan.cache import LayoutReport, Loss, Model, WorkerReport, cache_report
from skillc.report.visible import visible
from skillc.tokens import Counter, counter_for

EPILOG = """\
Providers cache a context by its beginning. For each worker, this shows who can write something that it reads, which segment
is the first that such a write changes, how many tokens before it stay cached for sure, and what is read anew: known tokens
(labels, constant text), and the segments that the board fills. Tails that slide are named with what a window saves.

Tokens are counted with the vocabulary of the worker's model where it is installed, else estimated; the report says which.

examples:
  skillc cache-report
  skillc cache-report weird-rules-short --format json
"""
LEGEND = """\
kept: known tokens (system message, labels, constant text) before the first changed segment: these stay cached
anew: known tokens from that segment on + the segments that the board fills: these are read anew
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="workspaces, packages, files or package names"
    )
    add_form_options(parser)


def run(args: argparse.Namespace) -> int:
    checked = check(find_place(args.paths))
    broken = driver.failed(checked)
    reports = [
        (path, list(cache_report(graph, checked.workspace.profiles, counter_for)))
        for path, graph in sorted(checked.graphs.items())
        if path not in broken
    ]
    sys.stdout.write(_json(reports) if args.format == "json" else _text(reports))
    for path in sorted(broken):
        sys.stderr.write(f"skillc: `{path}` has errors and is left out: `skillc check` names them\n")
    return FINDINGS if broken else CLEAN


Reports = Sequence[tuple[str, Sequence[WorkerReport]]]


def _text(reports: Reports) -> str:
    lines: list[str] = [LEGEND] if any(workers for _, workers in reports) else []
    for path, workers in reports:
        lines.append(path)
        lines += [f"  tokens: {about}" for about in dict.fromkeys(_about(w.counter) for w in workers)]
        for worker in workers:
            lines += ["", *(f"  {line}".rstrip() for line in _worker(worker))]
        lines.append("")
    return "\n".join(visible(line) for text in lines for line in text.split("\n"))


def _about(counter: Counter) -> str:
    return counter.name if counter.exact else f"{counter.name}, an estimate: {counter.why}"


def _worker(worker: WorkerReport) -> Iterator[str]:
    yield f"{worker.id} ({worker.stage}): fixed prefix {worker.fixed_tokens:,} tokens, {worker.fixed_bytes:,} bytes"
    yield from (f"  {line}" for model in worker.models for line in _model(worker, model))
    for row in worker.layouts:
        if row.layout.variant is not None:
            yield f"  variant {row.layout.variant}"
        yield from (f"  {line}" for line in _table(row))
        yield from (f"  {line}" for line in _slides(row.slides))
        yield f"  worst case: {_worst(row)}"


def _model(worker: WorkerReport, model: Model) -> Iterator[str]:
    profile, caching = model.profile, model.caching
    yield f"profile {profile.id}, model {profile.model}" + (
        f": window {profile.context_window:,}, {model.reserve:,} of it for the reply"
        if profile.context_window
        else ""
    )
    if caching:
        short = worker.fixed_tokens < caching.minimum
        yield (
            f"{caching.provider} caches from {caching.minimum:,} tokens on"
            f"{f' in steps of {caching.step:,}' if caching.step > 1 else ''} (as of {caching.as_of})"
            f"{'; the fixed prefix alone is below that' if short else ''}"
        )


def _table(row: LayoutReport) -> list[str]:
    """The losses in columns, as wide as a terminal shows them."""
    from rich.cells import cell_len

    if not row.losses:
        return ["nobody changes it"]
    cells = [("who writes", "when", "first changed segment", "kept", "anew")]
    cells += [_cells(row, loss) for loss in row.losses]
    widths = [max(cell_len(line[at]) for line in cells) for at in range(4)]
    return [
        "  ".join([cell + " " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=False)])
        + f"  {line[4]}"
        for line in cells
    ]


def _cells(row: LayoutReport, loss: Loss) -> tuple[str, str, str, str, str]:
    cut = loss.cut
    place = f"{loss.segment} ({cut.position + 1} of {len(row.layout.parts)})"
    anew = " + ".join([f"{loss.lost_tokens:,}", *loss.behind])
    return _writer(loss), cut.stage, place, f"{loss.kept_tokens:,}", anew


def _writer(loss: Loss) -> str:
    """A worker by its id; a source as (origin); both with the tag."""
    cut = loss.cut
    name = f"({cut.writer})" if cut.kind == "source" else cut.writer
    return f"{name} {cut.tag}"


def _slides(found: Sequence[Slide]) -> Iterator[str]:
    for slide in found:
        kind, n, saves = slide.policy.kind, slide.policy.n or 1, slide.saves
        yield (
            f"{policy_name(kind, n)} of {slide.segment.id.value} slides: in {saves.turns} turns of {saves.growth:,} "
            f"it reads {saves.tail:,} {UNITS[kind]} anew, {window_name(kind, n)} {saves.window:,} ({saves.percent} % less)"
        )


def _worst(row: LayoutReport) -> str:
    known = f"{row.worst:,} tokens known or bounded by policies"
    unbounded = row.layout.unbounded
    return known + (f"; nothing bounds {', '.join(unbounded)}" if unbounded else "")


def _json(reports: Reports) -> str:
    packages = [{"path": path, "workers": [_data(worker) for worker in workers]} for path, workers in reports]
    data = {"format_version": "1.0", "packages": packages}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _data(worker: WorkerReport) -> dict[str, Any]:
    counter = worker.counter
    return {
        "id": worker.id,
        "stage": worker.stage,
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
