"""Workers made of templates in mid-session: the template's very contract, under a name of their own (SPEC 12.6).

What was made is read from the decisions, so nothing else remembers it. A worker that is made is told what to do by the
orchestrator, who sees nothing labelled; a template that is closed to more than that takes no instructions.
"""

from __future__ import annotations

from collections.abc import Iterable

from skillc.artifact.plan import Plan
from skillc.execute.decision import names
from skillc.execute.records import DecisionRow
from skillc.execute.reply import nearest
from skillc.runtime import RunnablePlan
from skillc.runtime.instance import instance_of, takes_instructions

MOST = 32
"""Workers made in one session."""
LONGEST = 4_000
"""Characters of instructions."""


def made(rows: Iterable[DecisionRow]) -> list[DecisionRow]:
    """The decisions that made a worker."""
    return [
        row for row in rows if row.action == "create_temp_worker" and row.outcome == "taken" and row.worker
    ]


def template_fault(plan: Plan, rows: Iterable[DecisionRow], template: str) -> str | None:
    """Why no worker can be made of `template`; None when one can."""
    templates = plan.orchestrator.templates if plan.orchestrator else {}
    if template not in templates:
        shown = template[:60].encode("utf-8", "replace").decode()
        if not templates:
            return f"there is no template `{shown}`; the package has none"
        return f"there is no template `{shown}`; the nearest is `{nearest(template, templates)}` of {names(templates)}"
    if len(made(rows)) >= MOST:
        return f"a session makes at most {MOST} workers of templates"
    return None


def instructions_fault(plan: Plan, template: str, instructions: str) -> str | None:
    """Why a worker made of `template` cannot be told `instructions`."""
    if not instructions.strip():
        return None
    if len(instructions) > LONGEST:
        return f"instructions have at most {LONGEST:,} characters"
    source = plan.orchestrator.templates.get(template) if plan.orchestrator else None
    if source is not None and not takes_instructions(source):
        return f"template `{template}` takes no instructions: it must not know what who decides may know"
    return None


def instance_id(plan: Plan, rows: Iterable[DecisionRow], template: str) -> str:
    """The next free name: `<template>-<n>`."""
    taken = {*plan.workers, *(row.worker for row in made(rows))}
    number = 1
    while f"{template}-{number}" in taken:
        number += 1
    return f"{template}-{number}"


def with_made(plan: RunnablePlan, rows: Iterable[DecisionRow]) -> RunnablePlan:
    """`plan` with the workers that were made, behind its own; of a template that is no longer there, none."""
    workers, rules = {**plan.workers}, {**plan.acceptance}
    for row in made(rows):
        template, told = making(row)
        worker = instance_of(plan, template, row.worker or "", told)
        if worker is not None and plan.orchestrator is not None:
            workers[worker.id] = worker
            rules[worker.id] = plan.orchestrator.acceptance[template]
    if len(workers) == len(plan.workers):
        return plan
    return plan.but(workers=workers, acceptance=rules, order=tuple(workers))


def making(row: DecisionRow) -> tuple[str, str]:
    """The template of a worker that was made, and what it is told."""
    return str(row.detail.get("template")), str(row.detail.get("instructions") or "")
