"""`skillc check --explain-ready PKG`: the proof that a package can become ready to play, or what is missing."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping

from skillc import driver
from skillc.checks.wording import nearest_written
from skillc.cli.errors import CLEAN, FINDINGS, Stop
from skillc.cli.language import words
from skillc.cli.output import deliver
from skillc.cli.place import find_place
from skillc.graph import TagGraph
from skillc.graph.readiness import Missing, Proof, Step, prove
from skillc.model.package import Readiness
from skillc.report.counts import plural
from skillc.tags import Pattern
from skillc.wording import clauses, said_in, say

FORMAT_VERSION = "1.0"
ORIGINS: Mapping[str, str] = {
    "startup": say("the user, at the startup"),
    "ask": say("the user, when asked"),
    "user": say("the user"),
    "runtime": say("the runtime"),
    "book": say("a Book"),
    "rag": say("a search of the host"),
    "pseudo": say("the package itself"),
}


def tell(args: argparse.Namespace) -> int:
    """Prints the proof of the package (of all, for a workspace); 1 when one of them is not proven ready."""
    if args.paths:
        raise Stop(say("`--explain-ready PKG` names the package itself; no other path stands beside it"))
    if args.format not in (None, "text", "json"):
        raise Stop(say("a proof is printed as text or json, not as {form}", form=args.format))
    place = find_place([args.explain_ready])
    checked = driver.check(place.reader, place.config.skills, place.only, place.config.profiles)
    if not checked.graphs:
        raise Stop(
            say(
                "{names} is no package: a package has an orchestrator.md and workers",
                names=f"`{args.explain_ready}`",
            )
        )
    proofs = {path: prove(checked.graphs[path]) for path in sorted(checked.graphs)}
    form = "json" if (args.format or place.config.format) == "json" else "text"
    told = words(args, place)
    text = (
        _json(proofs)
        if form == "json"
        else "".join(f"{said_in(told, line)}\n" for line in _text(proofs, checked.graphs))
    )
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


def _text(proofs: Mapping[str, Proof], graphs: Mapping[str, TagGraph]) -> Iterator[str]:
    for number, (path, proof) in enumerate(proofs.items()):
        if number:
            yield ""
        yield _headline(path, proof)
        for given in proof.given:
            origin = ORIGINS.get(given.origin, given.origin)
            yield say("  given: {tag} ({origin})", tag=given.pattern.text, origin=origin)
        for at, step in enumerate(proof.steps, 1):
            yield from _step(at, step)
        for missing in proof.missing:
            yield say(
                "  missing: {tag}{reason}{guess}",
                tag=missing.pattern.text,
                reason=_reason(missing),
                guess=_guess(graphs[path], missing),
            )
        for ready in proof.impossible:
            yield say(
                "  holds on no board: {condition} ({place})", condition=ready.text.value, place=_place(ready)
            )
        for ready in proof.prose:
            yield say(
                "  left to the orchestrator: {condition} ({place})",
                condition=ready.text.value,
                place=_place(ready),
            )
        for name in proof.unknown:
            yield say("  cannot be known: {name}", name=name)
        if not proof.smallest:
            yield say("  there may be a shorter answer: the search was given up")


def _headline(path: str, proof: Proof) -> str:
    if proof.verdict == "unknown":
        return say("{path}: whether it can become ready is not known", path=path)
    if proof.verdict == "never":
        return say("{path} can never become ready", path=path)
    if not proof.steps and not proof.given:
        return say("{path} asks for nothing that somebody must make before play", path=path)
    if not proof.steps:
        return say(
            "{path} is ready as soon as it is given what it asks for; no worker has to run before play",
            path=path,
        )
    workers = plural(len(proof.steps), "worker")
    return say("{path} can become ready; {workers} must run before play", path=path, workers=workers)


def _step(at: int, step: Step) -> Iterator[str]:
    reads = say(" reads {tags}", tags=_clauses(step.needs)) if step.needs else ""
    yield say("  {number}. {worker}{reads}", number=at, worker=step.worker, reads=reads)
    if step.writes:
        yield say("     writes {tags}", tags=_clauses(step.writes))
    if step.confirms:
        yield say("     accepted: {tags}", tags=_clauses(step.confirms))


def _clauses(patterns: tuple[Pattern, ...]) -> str:
    return ", ".join(_texts(patterns))


def _reason(missing: Missing) -> str:
    reasons = [say("needed by {workers}", workers=", ".join(missing.readers))] if missing.readers else []
    if missing.late:
        reasons.append(say("written in play only, by {workers}", workers=", ".join(missing.late)))
    return say(" ({reasons})", reasons=clauses(reasons)) if reasons else ""


def _guess(graph: TagGraph, missing: Missing) -> str:
    """The tag that may be meant, for one that nobody writes at all."""
    plain = missing.pattern.is_tag and not missing.late
    near = nearest_written(graph, missing.pattern.text) if plain else None
    return say("; did you mean `{near}`?", near=near) if near else ""


def _place(ready: Readiness) -> str:
    line, column = ready.text.span.position
    return f"{ready.text.span.path}:{line}:{column}"


def _texts(patterns: Iterable[Pattern]) -> list[str]:
    return [pattern.text for pattern in patterns]
