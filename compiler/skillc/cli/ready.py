"""`skillc check --explain-ready PKG`: the proof that a package can become ready to play, or what is missing."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping

from skillc import driver
from skillc.cli.errors import CLEAN, FINDINGS, Stop
from skillc.cli.output import deliver
from skillc.cli.place import find_place
from skillc.graph.readiness import Missing, Proof, Step, prove
from skillc.model.package import Readiness
from skillc.tags import Pattern
from skillc.wording import say

FORMAT_VERSION = "1.0"
ORIGINS = {
    "startup": "the user, at the startup",
    "ask": "the user, when asked",
    "user": "the user",
    "runtime": "the runtime",
    "book": "a Book",
    "rag": "a search of the host",
    "pseudo": "the package itself",
}


def add_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--explain-ready",
        metavar="PKG",
        help=say("prove whether a package can become ready to play: a shortest schedule, or what is missing"),
    )


def run(args: argparse.Namespace) -> int:
    """Prints the proof of the package (of all, for a workspace); 1 when one of them is not proven ready."""
    if args.paths:
        raise Stop("`--explain-ready PKG` names the package itself; no other path stands beside it")
    if args.format not in (None, "text", "json"):
        raise Stop(f"a proof is printed as text or json, not as {args.format}")
    place = find_place([args.explain_ready])
    checked = driver.check(place.reader, place.config.skills, place.only, place.config.profiles)
    if not checked.graphs:
        raise Stop(f"`{args.explain_ready}` is no package: a package has an orchestrator.md and workers")
    proofs = {path: prove(checked.graphs[path]) for path in sorted(checked.graphs)}
    form = "json" if (args.format or place.config.format) == "json" else "text"
    text = _json(proofs) if form == "json" else "\n".join(_text(proofs)) + "\n"
    deliver(place, args.output_file, form, text)
    return CLEAN if all(proof.verdict == "ready" for proof in proofs.values()) else FINDINGS


def _json(proofs: Mapping[str, Proof]) -> str:
    data = {
        "format_version": FORMAT_VERSION,
        "packages": [{"path": path, **_data(proof)} for path, proof in proofs.items()],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _data(proof: Proof) -> dict[str, object]:
    return {
        "verdict": proof.verdict,
        "smallest": proof.smallest,
        "given": [{"tag": given.pattern.text, "origin": given.origin} for given in proof.given],
        "steps": [
            {
                "worker": step.worker,
                "needs": _texts(step.needs),
                "writes": _texts(step.writes),
                "confirms": _texts(step.confirms),
            }
            for step in proof.steps
        ],
        "missing": [
            {
                "tag": missing.pattern.text,
                "readers": list(missing.readers),
                "written_late_by": list(missing.late),
            }
            for missing in proof.missing
        ],
        "impossible": [_condition(ready) for ready in proof.impossible],
        "prose": [_condition(ready) for ready in proof.prose],
        "unknown": list(proof.unknown),
    }


def _condition(ready: Readiness) -> dict[str, object]:
    line, column = ready.text.span.position
    return {"condition": ready.text.value, "path": ready.text.span.path, "line": line, "column": column}


def _text(proofs: Mapping[str, Proof]) -> Iterator[str]:
    for number, (path, proof) in enumerate(proofs.items()):
        if number:
            yield ""
        yield _headline(path, proof)
        for given in proof.given:
            yield f"  given: {given.pattern.text} ({ORIGINS.get(given.origin, given.origin)})"
        for at, step in enumerate(proof.steps, 1):
            yield from _step(at, step)
        for missing in proof.missing:
            yield f"  missing: {missing.pattern.text}{_reason(missing)}"
        for ready in proof.impossible:
            yield f"  holds on no board: {ready.text.value} ({_place(ready)})"
        for ready in proof.prose:
            yield f"  left to the orchestrator: {ready.text.value} ({_place(ready)})"
        for name in proof.unknown:
            yield f"  cannot be known: {name}"
        if not proof.smallest:
            yield "  there may be a shorter answer: the search was given up"


def _headline(path: str, proof: Proof) -> str:
    if proof.verdict == "unknown":
        return f"{path}: whether it can become ready is not known"
    if proof.verdict == "never":
        return f"{path} can never become ready"
    if not proof.steps and not proof.given:
        return f"{path} asks for nothing that somebody must make before play"
    if not proof.steps:
        return f"{path} is ready as soon as it is given what it asks for; no worker has to run before play"
    count = f"{len(proof.steps)} worker{'s' if len(proof.steps) > 1 else ''}"
    return f"{path} can become ready; {count} must run before play"


def _step(at: int, step: Step) -> Iterator[str]:
    yield f"  {at}. {step.worker}{_listed(' reads ', step.needs)}"
    if step.writes:
        yield f"     writes {', '.join(_texts(step.writes))}"
    if step.confirms:
        yield f"     accepted: {', '.join(_texts(step.confirms))}"


def _listed(before: str, patterns: tuple[Pattern, ...]) -> str:
    return before + ", ".join(_texts(patterns)) if patterns else ""


def _reason(missing: Missing) -> str:
    reasons = [f"needed by {', '.join(missing.readers)}"] if missing.readers else []
    if missing.late:
        reasons.append(f"written in play only, by {', '.join(missing.late)}")
    return f" ({'; '.join(reasons)})" if reasons else ""


def _place(ready: Readiness) -> str:
    line, column = ready.text.span.position
    return f"{ready.text.span.path}:{line}:{column}"


def _texts(patterns: Iterable[Pattern]) -> list[str]:
    return [pattern.text for pattern in patterns]
