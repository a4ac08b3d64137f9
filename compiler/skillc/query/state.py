"""What of a workspace is not as it was in an earlier state: the plans of both, package by package, worker by worker.

Plans are compared as plain data, since an earlier build output has nothing else. The compiler's version is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skillc.artifact.encoding import plan_data
from skillc.artifact.plan import LabelRule, Plan, WorkerPlan
from skillc.plan.layout import authored
from skillc.tags import Pattern, overlaps
from skillc.value import field, value

PARTS = ("body", "contract", "workspace")
"""What a model is told as its task; what the worker declares and the package says of it; what it takes from the
catalogues: labels, sources, deliverables, names that moved."""
_TOLD = ("name", "description", "persona")
_NO_CONTRACT = ("version", "digest", "system", "instruction", *_TOLD)
"""The system message is what the authors wrote, and then what follows from the contract."""
Parts = frozenset[str]
ALL: Parts = frozenset(PARTS)
Plans = Mapping[str, Plan]


@value
class PackageState:
    """How one package stands. `workers` and `tags` give the parts that differ, for those that differ; sources and the
    user by their names. `new` are workers that were not there. `differs` when anything in the plan does. Where `whole`
    is set nothing could be compared, so that all of it counts as modified."""

    whole: bool = False
    added: bool = False
    differs: bool = False
    workers: Mapping[str, Parts] = field(default_factory=dict)
    new: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()


def state_of(old: Plan | None, new: Plan | None) -> PackageState:
    """How a package with the plan `new` stands against the plan it had. None is for a package that is not there, or of
    which nothing can be built: all of it is modified then."""
    if old is None or new is None:
        return PackageState(whole=True, added=old is None, differs=True)
    before, after = _worker_parts(old), _worker_parts(new)
    workers = {id: _differing(before.get(id), parts) for id, parts in after.items()}
    was, now = _edges(old), _edges(new)
    return PackageState(
        differs=_differs(old, new),
        workers={id: parts for id, parts in workers.items() if parts},
        new=frozenset(after.keys() - before.keys()),
        tags=frozenset(tag for tag in {*was, *now} if was.get(tag) != now.get(tag)),
    )


def _differs(old: Plan, new: Plan) -> bool:
    """Whether anything does. The fingerprint tells of every file, but of the compiler too."""
    if old.compiler == new.compiler:
        return old.fingerprint != new.fingerprint
    return _comparable(old) != _comparable(new)


def _comparable(plan: Plan) -> dict[str, Any]:
    data = plan_data(plan)
    return {key: value for key, value in data.items() if key not in ("compiler", "fingerprint", "schema")}


def _differing(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> Parts:
    return ALL if before is None else frozenset(part for part in PARTS if before[part] != after[part])


def _worker_parts(plan: Plan) -> dict[str, dict[str, Any]]:
    data = plan_data(plan)
    play = data["play"] or {"slots": [], "segments": {}}
    found = {}
    for id, worker in data["workers"].items():
        contract = {key: value for key, value in worker.items() if key not in _NO_CONTRACT}
        around = (
            data["acceptance"].get(id),
            play["segments"].get(id),
            [slot for slot in play["slots"] if slot["worker"] == id],
        )
        found[id] = {
            "body": (*(worker[key] for key in _TOLD), authored(plan.workers[id], plan.package.language)),
            "contract": (contract, around),
            "workspace": _taken(plan, plan.workers[id]),
        }
    return found


def _taken(plan: Plan, worker: WorkerPlan) -> tuple[object, ...]:
    """The rows of the catalogues that say something of the tags of a worker."""
    read = [entry.pattern for entry in worker.inputs]
    own = [*read, *worker.outputs]
    return (
        [_row(rule) for rule in plan.labels if _touches(rule, own)],
        sorted((o, p.text) for o, patterns in plan.sources.items() for p in patterns if _meets(p, read)),
        sorted(p.text for p in plan.deliverables if _meets(p, worker.outputs)),
        sorted(row for row in plan.moved.items() if {*row} & {p.text for p in own}),
    )


def _row(rule: LabelRule) -> tuple[object, ...]:
    exceptions = [pattern.text for pattern in rule.exceptions]
    return rule.label, rule.pattern and rule.pattern.text, rule.segment, exceptions


def _touches(rule: LabelRule, patterns: list[Pattern]) -> bool:
    if rule.pattern is not None:
        return _meets(rule.pattern, patterns)
    return any(not p.is_tag or any(part.startswith(rule.segment or "") for part in p.parts) for p in patterns)


def _meets(pattern: Pattern, patterns: list[Pattern] | tuple[Pattern, ...]) -> bool:
    return any(overlaps(pattern, other) for other in patterns)


def _edges(plan: Plan) -> dict[str, set[tuple[str, str]]]:
    """Who reads and writes each tag, by its text; sources by name with what is asked for."""
    found: dict[str, set[tuple[str, str]]] = {}
    for tag, who, how in _all_edges(plan):
        found.setdefault(tag, set()).add((who, how))
    return found


def _all_edges(plan: Plan) -> Iterator[tuple[str, str, str]]:
    for id, worker in plan.workers.items():
        yield from ((entry.pattern.text, id, "reads") for entry in worker.inputs)
        yield from ((pattern.text, id, "writes") for pattern in worker.outputs)
    for pattern in plan.asks:
        yield pattern.text, "(ask)", "gives"
        yield "(ask)", pattern.text, "gives"
    if plan.startup:
        yield "(startup)", plan.startup.prompt, "asks"
        for tag in plan.startup.targets:
            yield tag, "(startup)", "gives"
            yield "(startup)", tag, "gives"
