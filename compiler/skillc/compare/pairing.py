"""Which package and which worker of the one side is which of the other: by name, else by what they compile to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from skillc.artifact.codec import canonical, digest
from skillc.artifact.encoding import worker_data
from skillc.artifact.plan import Plan, WorkerPlan
from skillc.compare.side import Side

Renames = Mapping[str, str]
"""Old names by new ones, or the other way round."""


def renamed_packages(base: Side, head: Side) -> Renames:
    """The packages that are gone from `base` and stand under another path in `head`: more than half of the workers of
    the one and of the other are the same. Where several could be meant, the one with most in common, then the first.

    The digest of a worker holds neither the package's name nor its path.
    """
    gone = {path: _digests(base.packages[path].plan()) for path in base.packages if path not in head.paths}
    come = {path: _digests(head.packages[path].plan()) for path in head.packages if path not in base.paths}
    found: dict[str, str] = {}
    for _, new, old in sorted(_alike(gone, come)):
        if new not in found and old not in found.values():
            found[new] = old
    return found


def _digests(plan: Plan) -> Counter[str]:
    return Counter(worker.digest for worker in plan.workers.values())


def _alike(
    gone: Mapping[str, Counter[str]], come: Mapping[str, Counter[str]]
) -> Iterable[tuple[float, str, str]]:
    """(minus the share in common, new path, old path) of all that have more than half in common."""
    where: dict[str, set[str]] = {}
    for old, digests in gone.items():
        for each in digests:
            where.setdefault(each, set()).add(old)
    for new, digests in come.items():
        for old in {old for each in digests for old in where.get(each, ())}:
            shared = (digests & gone[old]).total()
            larger = max(digests.total(), gone[old].total())
            if shared * 2 > larger:
                yield -shared / larger, new, old


def renamed_workers(base: Plan, head: Plan) -> Renames:
    """The workers that are gone and stand under another id: all but the id is the same."""
    gone = _by_content(base, (id for id in sorted(base.workers) if id not in head.workers))
    found: dict[str, str] = {}
    for id in sorted(head.workers):
        same = gone.get(_content(head.workers[id])) if id not in base.workers else None
        if same:
            found[id] = same.pop(0)
    return found


def _by_content(plan: Plan, ids: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for id in ids:
        found.setdefault(_content(plan.workers[id]), []).append(id)
    return found


def _content(worker: WorkerPlan) -> str:
    """The digest of a worker without its id."""
    data = worker_data(worker)
    return digest(canonical({key: value for key, value in data.items() if key not in ("id", "digest")}))
