"""Plan -> JSON-ready data -> bytes. Key order is that of docs/plan-format.md."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from skillc.artifact.plan import LabelRule, Orchestrator, Plan, Play, SegmentPlan, WorkerPlan
    from skillc.tags import Pattern


def canonical(value: object) -> bytes:
    """The one spelling of a JSON value that digests are taken of: sorted keys, no blanks, UTF-8."""
    import json

    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def digest(data: bytes) -> str:
    """`sha256:` and the hexadecimal digest of `data`."""
    import hashlib

    return "sha256:" + hashlib.sha256(data).hexdigest()


def readable(value: object) -> bytes:
    """JSON for files that people read and diff: two-space indentation, one final line end."""
    import json

    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def encode(plan: Plan) -> bytes:
    """The bytes of `plan.json`; the same plan always gives the same bytes."""
    return readable(plan_data(plan))


def plan_data(plan: Plan) -> dict[str, Any]:
    """`plan` as JSON-ready data."""
    return {
        "schema": plan.schema,
        "compiler": plan.compiler,
        "package": _fields(plan.package),
        "fingerprint": plan.fingerprint,
        "startup": None if plan.startup is None else _fields(plan.startup),
        "asks": _patterns(plan.asks),
        "ready": {
            "prerequisites": _patterns(plan.ready.prerequisites),
            "condition": _condition(plan.ready.condition),
        },
        "roles": {"ids": list(plan.roles.ids), "from": plan.roles.source},
        "labels": [_label(rule) for rule in plan.labels],
        "sources": {origin: _patterns(patterns) for origin, patterns in plan.sources.items()},
        "deliverables": _patterns(plan.deliverables),
        "moved": dict(plan.moved),
        "order": list(plan.order),
        "acceptance": {name: _fields(rule) for name, rule in plan.acceptance.items()},
        "workers": {name: worker_data(worker) for name, worker in plan.workers.items()},
        "flows": _fields(plan.flows),
        "play": None if plan.play is None else _play(plan.play),
        "orchestrator": None if plan.orchestrator is None else _orchestrator(plan.orchestrator),
    }


def worker_data(worker: WorkerPlan) -> dict[str, Any]:
    """`worker` as JSON-ready data; its digest is over all of it but the digest itself."""
    special = {
        "inputs": [{"pattern": list(i.pattern.parts), "needed": i.needed} for i in worker.inputs],
        "outputs": _patterns(worker.outputs),
        "denied": _patterns(worker.denied),
        "aliases": dict(worker.aliases),
        "profiles": _fields(worker.profiles),
        "segments": None if worker.segments is None else _segments(worker.segments),
        "variants": {name: _segments(segments) for name, segments in worker.variants.items()},
    }
    return {name: special.get(name, getattr(worker, name)) for name in worker.fields()}


def worker_digest(data: dict[str, Any]) -> str:
    """The digest of a worker's JSON-ready data: what a suspended session compares (SPEC 12.8)."""
    return digest(canonical({key: value for key, value in data.items() if key != "digest"}))


def _play(play: Play) -> dict[str, Any]:
    return {
        "slots": [_fields(slot) for slot in play.slots],
        "order": play.order,
        "origin": play.origin,
        "segments": {worker: _segments(segments) for worker, segments in play.segments.items()},
    }


def _orchestrator(orchestrator: Orchestrator) -> dict[str, Any]:
    return {
        "system": orchestrator.system,
        "task": orchestrator.task,
        "templates": {name: worker_data(worker) for name, worker in orchestrator.templates.items()},
        "acceptance": {name: _fields(rule) for name, rule in orchestrator.acceptance.items()},
    }


def _segments(segments: tuple[SegmentPlan, ...]) -> list[dict[str, Any]]:
    return [
        {
            "id": segment.id,
            "tier": segment.tier,
            "label": segment.label,
            "tags": _patterns(segment.tags),
            "policy": None if segment.policy is None else _fields(segment.policy),
            "projection": segment.projection,
            "inline": segment.inline,
        }
        for segment in segments
    ]


def _label(rule: LabelRule) -> dict[str, Any]:
    return {
        "label": rule.label,
        "pattern": None if rule.pattern is None else list(rule.pattern.parts),
        "segment": rule.segment,
        "except": _patterns(rule.exceptions),
    }


def _condition(condition: object) -> Any:
    if isinstance(condition, tuple):
        return [_condition(part) for part in condition]
    parts = getattr(condition, "parts", None)
    return condition if parts is None else list(parts)


def _fields(record: Any) -> dict[str, Any]:
    values = ((name, getattr(record, name)) for name in record.fields())
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


def _patterns(patterns: tuple[Pattern, ...]) -> list[list[str]]:
    return [list(pattern.parts) for pattern in patterns]
