"""contextProfile: which variant and how much of the dialogue each worker gets; only what there is (SPEC 9.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from skillc.diagnostic import Diagnostic, finding
from skillc.grammar import parse_policy
from skillc.model.fields import nearest
from skillc.model.manifest_front import ProfileFields
from skillc.model.package import Worker
from skillc.model.projections import Projection
from skillc.text import Text
from skillc.wording import say, series


def profile_findings(
    entries: Mapping[str, ProfileFields] | None, workers: Sequence[Worker]
) -> Iterator[Diagnostic]:
    """unknown-policy for a historyPolicy that is neither a policy nor a projection; field-type for a variant that
    the worker does not define. A worker that cannot be read may define anything."""
    known = {worker.id: worker for worker in workers if not worker.broken and not worker.segments_broken}
    for id, entry in (entries or {}).items():
        policy, variant = entry.history_policy, entry.variant
        if policy is not None and policy.value not in get_args(Projection):
            yield from parse_policy(policy)[1]
        if variant is not None and id in known and variant.value not in known[id].variants:
            yield _no_variant(variant, known[id])


def _no_variant(variant: Text, worker: Worker) -> Diagnostic:
    names = sorted(worker.variants)
    near = nearest(variant.value, names)
    if near:
        help = say("did you mean `{near}`?", near=near)
    elif names:
        help = say("its variants are {names}", names=series(f"`{name}`" for name in names))
    else:
        help = say("define it under `contextVariants` of the worker, or remove it here")
    message = say("`{worker}` has no variant `{variant}`", worker=worker.id, variant=variant.value)
    return finding("field-type", variant.span, message, help)
