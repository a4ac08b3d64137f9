"""Two sides -> their difference, package by package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from skillc.artifact.plan import Plan
from skillc.compare.cost import Counters
from skillc.compare.difference import (
    Difference,
    FlowDifference,
    LeftOutDifference,
    PackageDifference,
)
from skillc.compare.findings import TOLD, compare_findings
from skillc.compare.flows import flow_difference
from skillc.compare.match import Counting, Match, added_workers, match, removed_workers, workers
from skillc.compare.package import package_changes
from skillc.compare.pairing import Renames, renamed_packages
from skillc.compare.producers import lost_producers
from skillc.compare.side import Side
from skillc.diagnostic import Diagnostic
from skillc.tokens import counter_for


def compare(base: Side, head: Side, counters: Counters = counter_for) -> Difference:
    """All that differs between two sides, by path, and in the order of the workers.

    A package that has no plan of its present text on one side is left out, with the reason.
    """
    counting = Counting((head, base), counters)
    renames = renamed_packages(base, head)
    left = {*base.left_out, *head.left_out}
    found, same_plan = [], []
    for path in sorted({*base.paths, *head.paths} - set(renames.values()) - left):
        was = renames.get(path, path)
        if was == path and _same_mark(base, head, path):
            continue
        one = _package(path, was, base, head, counting)
        found += [one] if one else []
        same_plan += [path] if not one and _other_files(base, head, path) else []
    new, gone = _findings(base, head, renames, found)
    rows = tuple(_left_out(path, base, head) for path in sorted(left))
    return Difference(base, head, tuple(found), rows, tuple(same_plan), new, gone)


def _same_mark(base: Side, head: Side, path: str) -> bool:
    one, other = base.packages.get(path), head.packages.get(path)
    return bool(one and other and one.mark and one.mark == other.mark)


def _other_files(base: Side, head: Side, path: str) -> bool:
    return base.packages[path].plan().fingerprint != head.packages[path].plan().fingerprint


def _package(path: str, was: str, base: Side, head: Side, counting: Counting) -> PackageDifference | None:
    before, after = base.packages.get(was), head.packages.get(path)
    if after is None:
        return _removed(path, before.plan()) if before else None
    if before is None:
        return _added(path, after.plan(), counting)
    return _changed(path, match(before.plan(), after.plan(), counting))


def _added(path: str, plan: Plan, counting: Counting) -> PackageDifference:
    """All secrets that a new package gives away are news."""
    flows = FlowDifference(
        disclosed=tuple(plan.flows.disclosures), declassified=tuple(plan.flows.declassified)
    )
    return PackageDifference(path, "added", workers=tuple(added_workers(plan, counting)), flows=flows)


def _removed(path: str, plan: Plan) -> PackageDifference:
    return PackageDifference(
        path, "removed", workers=tuple(removed_workers(plan)), stranded=tuple(plan.order)
    )


def _changed(path: str, found: Match) -> PackageDifference | None:
    base, head = found.base, found.head
    listed = tuple(workers(found))
    stranded = (one.was or one.id for one in listed if not one.resumes)
    one = PackageDifference(
        path,
        "renamed" if found.moved else "changed",
        was=base.package.path if found.moved else None,
        changes=package_changes(base, head, found.name),
        workers=listed,
        lost=tuple(lost_producers(base, head, found.name)),
        flows=flow_difference(base, head, found.name),
        stranded=tuple(base.order) if found.moved else tuple(stranded),
    )
    return one if one.was or one.changes or one.workers or one.lost or one.flows else None


def _left_out(path: str, base: Side, head: Side) -> LeftOutDifference:
    one, other = base.left_out.get(path), head.left_out.get(path)
    same = bool(one and other and one.mark and one.mark == other.mark)
    detail = next((each.detail for each in (other, one) if each and each.detail), "")
    return LeftOutDifference(path, _why(base, path), _why(head, path), same, detail)


def _why(side: Side, path: str) -> str | None:
    if path in side.left_out:
        return side.left_out[path].why
    return None if path in side.packages else "absent"


Found = tuple[Diagnostic, ...]


def _findings(
    base: Side, head: Side, renames: Renames, found: Iterable[PackageDifference]
) -> tuple[Found | None, Found | None]:
    """What is found now and was not, and the other way round; None where one side knows no findings."""
    if base.findings is None or head.findings is None:
        return None, None
    by_path = {one.was or one.path: one for one in found if one.status in ("changed", "renamed")}
    new, gone = compare_findings(base.findings, head.findings, _mover(base, head, renames, by_path))
    compared = [side.packages.keys() - base.left_out.keys() - head.left_out.keys() for side in (head, base)]
    return _untold(new, head, compared[0]), _untold(gone, base, compared[1])


def _untold(found: Found, side: Side, compared: Iterable[str]) -> Found:
    """Without what the plans tell better."""
    folders = tuple(f"{side.skills}/{path}/" for path in compared)
    return tuple(d for d in found if d.code.slug != TOLD or not d.span.path.startswith(folders))


def _mover(
    base: Side, head: Side, renames: Renames, found: Mapping[str, PackageDifference]
) -> Callable[[str], str]:
    """From the path of a file in the base to the path that it has in the head, where a folder was renamed."""
    new_paths = {old: new for new, old in renames.items()}
    people = {path: {w.was: w.id for w in one.workers if w.was} for path, one in found.items()}

    def moved(path: str) -> str:
        if not path.startswith(f"{base.skills}/"):
            return path
        steps = path[len(base.skills) + 1 :].split("/")
        package = "/".join(steps[:2])
        rest = steps[2:]
        if len(rest) > 2 and rest[0] == "workers":
            rest[1] = people.get(package, {}).get(rest[1], rest[1])
        return "/".join([head.skills, new_paths.get(package, package), *rest])

    return moved
