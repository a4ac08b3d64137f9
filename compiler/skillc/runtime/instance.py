"""A worker made of a template: the template's very contract under a name of its own (SPEC 12.6)."""

from __future__ import annotations

from skillc.artifact.encoding import worker_data, worker_digest
from skillc.runtime.context import BREAK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from skillc.artifact.plan import Plan, WorkerPlan


def takes_instructions(template: WorkerPlan) -> bool:
    """Whether a worker made of `template` may be told something: who tells it may know what is kept from one that is
    bound to a role, or that the manifest forbids tags."""
    return template.isolation != "role_pov" and not template.denied


def instance_of(plan: Plan, template: str, worker_id: str, told: str = "") -> WorkerPlan | None:
    """The worker `worker_id` made of `template`; None where the plan has no such template. What it is told stands at
    the end of its system message."""
    orchestrator = plan.orchestrator
    if orchestrator is None or template not in orchestrator.templates:
        return None
    source = orchestrator.templates[template]
    made = source.but(id=worker_id, name=f"{source.name} {worker_id.removeprefix(f'{template}-')}")
    if told and takes_instructions(source):
        made = made.but(system=BREAK.join([source.system, orchestrator.task + told]))
    return made.but(digest=worker_digest(worker_data(made)))
