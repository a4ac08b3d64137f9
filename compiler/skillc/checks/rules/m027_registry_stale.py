"""A registry row that calls unwritten what is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.wording import listed
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph.brief import Brief, Overview
from skillc.later import later
from skillc.text import Span, Text
from skillc.wording import say

MARKS = later(r"待建|未写|待写|(?<![A-Za-z])TODO(?![A-Za-z])", re.IGNORECASE)
CLAUSE = later(r"[^。；;，,（）()\[\]【】：:|\n]+")
IDS = later(r"(?<![A-Za-z0-9-])[a-z0-9]+(?:-[a-z0-9]+)*(?![A-Za-z0-9-])")
ABOUT_WORKERS = later(r"worker|skill|技能|[本此全整]包", re.IGNORECASE)


def check(workspace: Overview) -> Iterator[Diagnostic]:
    """Descriptions in which 待建, 未写 or TODO stands with a worker that exists, or alone where the package has
    workers (SPEC 6.5). What is to be done about other things is the author's own note."""
    packages = {package.path: package for package in workspace.packages}
    for row in workspace.registry or ():
        package = packages.get(row.package or "")
        if package and row.description:
            found = next(_stale(row.description, package), None)
            if found:
                yield _finding(package, row.description, *found)


def _stale(description: Text, package: Brief) -> Iterator[tuple[re.Match[str], list[str]]]:
    there = [worker.value for worker in package.workers]
    for clause in CLAUSE.finditer(description.value):
        mark = MARKS.search(clause.group())
        if mark is None:
            continue
        rest = MARKS.sub(" ", clause.group())
        named = [id for id in IDS.findall(rest) if id in there or "-" in id]
        exist = [id for id in named if id in there]
        general = not named and (not rest.strip(" 、.-—·…!！") or ABOUT_WORKERS.search(rest))
        if exist or (general and there):
            yield re.compile(re.escape(mark.group())).search(description.value, clause.start()) or mark, exist


def _finding(package: Brief, description: Text, mark: re.Match[str], exist: list[str]) -> Diagnostic:
    ids = exist or [worker.value for worker in package.workers]
    shown = next(worker for worker in package.workers if worker.value == ids[0])
    return finding(
        "registry-stale",
        _place(description, mark),
        say(
            "the registry says `{mark}` of `{package}`, but {workers} is there",
            mark=mark.group(),
            package=package.path,
            workers=listed(ids),
        ),
        say("describe the package as it is now"),
        [Label(shown.span, say("`{id}` is written", id=shown.value))],
    )


def _place(description: Text, mark: re.Match[str]) -> Span:
    span = description.span
    at = (
        span.text.find(mark.group(), mark.start())
        if span.text == description.value
        else span.text.find(mark.group())
    )
    return span if at < 0 else span.part(at, at + len(mark.group()))


RULE = Rule("registry-stale", "The registry calls unwritten what is there.", workspace=check)
