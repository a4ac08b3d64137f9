"""An input that nobody gives."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.confirming import direct_confirms, is_cause_of
from skillc.checks.gaps import Gap, gaps
from skillc.checks.mistyped import SlippedOutput, meant_by, slipped_outputs
from skillc.checks.rule import Rule
from skillc.checks.wording import listed, nearest
from skillc.diagnostic import Diagnostic, Edit, Fix, Label, Severity, finding
from skillc.graph import TagGraph, drafts_of
from skillc.tags import ROLE, Pattern, literal, overlaps
from skillc.wording import say

WHERE = say(
    "sources are declared in 写入目标 of 启动询问 or in 询问策略 (the user), or under `sources` in tags.yaml "
    "(user, runtime, book, rag); an input that may be missing ends in `?`"
)


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a tag, at its first reader; where a writer misspells the stage of what is read, at that output. Silent where a producer is unknown, where the input is marked
    optional, and where only the acceptance of a draft is missing (never-promoted). Info where a worker with
    an injected contract may write it (SPEC 5)."""
    missing = [gap for gap in gaps(graph) if not gap.drafts]
    slipped = slipped_outputs(graph) if missing else {}
    direct = direct_confirms(graph) if missing else ()
    confirmed = {draft: SlippedOutput(worker, ref, draft) for worker, ref, draft in direct}
    told: dict[str, list[Gap]] = {}
    for gap in missing:
        tag = gap.pattern.text
        meant = meant_by(gap, slipped)
        if tag in confirmed and is_cause_of(tag, gap):
            yield _slipped(graph, confirmed[tag], [gap])
        elif meant:
            told.setdefault(meant, []).append(gap)
        else:
            yield _unproduced(graph, gap)
    yield from (_slipped(graph, slipped[meant], found) for meant, found in told.items())


def _slipped(graph: TagGraph, slip: SlippedOutput, missing: list[Gap]) -> Diagnostic:
    keys = [(key, gap.pattern.text) for gap in missing for key in gap.readers]
    return finding(
        "unproduced-input",
        slip.ref.span,
        say(
            "`{worker}` writes `{written}`, and nobody writes `{tag}`, which is read",
            worker=slip.worker.id,
            written=slip.ref.text,
            tag=slip.meant,
        ),
        say("write {meant}", meant=f"`{slip.meant}`"),
        [
            Label(graph.input(key).span, say("`{worker}` reads `{tag}`", worker=key[0], tag=tag))
            for key, tag in keys
        ],
        Fix(say("write `{tag}`", tag=slip.meant), (Edit(slip.ref.span, slip.meant),), safe=False),
    )


def _unproduced(graph: TagGraph, gap: Gap) -> Diagnostic:
    first, *others = gap.readers
    tag = gap.pattern.text
    maybe = (
        say("; `{injected}`, whose contract is injected, may", injected=gap.injected) if gap.injected else ""
    )
    return finding(
        "unproduced-input",
        graph.input(first).span,
        say(
            "`{worker}` reads `{tag}`, which no worker writes and no source gives{maybe}",
            worker=first[0],
            tag=tag,
            maybe=maybe,
        ),
        _way_out(graph, gap),
        [Label(graph.input(key).span, say("`{worker}` reads it too", worker=key[0])) for key in others],
        severity=Severity.INFO if gap.injected else None,
    )


def _way_out(graph: TagGraph, gap: Gap) -> str:
    new = graph.names.get(gap.pattern.text)
    if new:
        return say("the tag is called `{new}` now; {where}", new=new, where=WHERE)
    if gap.near and overlaps(literal(gap.near), gap.pattern):
        return _roles_that_write(graph, gap.near, gap.pattern)
    if gap.near is None:
        return say("let a worker write it; {where}", where=WHERE)
    return say(
        "did you mean {near}? Else let a worker write it; {where}", near=_named(graph, gap.near), where=WHERE
    )


def _roles_that_write(graph: TagGraph, written: str, read: Pattern) -> str:
    """What to do about a tag that is written for the listed roles, and read of somebody else."""
    manifest = graph.package.manifest
    roles = [role.value for role in manifest.roles] if manifest else []
    at = literal(written).parts.index(ROLE)
    near = nearest(read.parts[at], roles, 0.5)
    meant = ".".join((*read.parts[:at], near, *read.parts[at + 1 :])) if near and read.is_tag else None
    told = {"worker": _writer(graph, written), "written": written, "roles": listed(roles)}
    if meant:
        return say(
            "did you mean `{meant}`? `{worker}` writes `{written}` for the roles {roles}", meant=meant, **told
        )
    return say(
        "`{worker}` writes `{written}` for the roles {roles}; name one of these, or list the role under `roles`",
        **told,
    )


def _named(graph: TagGraph, tag: str) -> str:
    writer = _writer(graph, tag)
    if writer:
        return say("`{tag}`, which `{writer}` writes", tag=tag, writer=writer)
    draft = drafts_of(literal(tag))
    drafter = _writer(graph, draft.text) if draft else None
    if drafter:
        return say("`{tag}`, which accepting the draft of `{writer}` gives", tag=tag, writer=drafter)
    return say("`{tag}`, which the user is asked for", tag=tag)


def _writer(graph: TagGraph, tag: str) -> str | None:
    return next((w.id for w in graph.package.workers if any(ref.text == tag for ref in w.outputs)), None)


RULE = Rule("unproduced-input", "A worker reads a tag that no worker writes and no source gives.", check)
