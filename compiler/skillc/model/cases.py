"""What a board says about whom it is for, held against the package that it stands in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from skillc.diagnostic import Diagnostic, finding
from skillc.model.boards import BoardCase
from skillc.model.package import Manifest, Worker
from skillc.runtime.role import is_role
from skillc.text import Text
from skillc.wording import say, series


def case_findings(
    case: BoardCase, workers: Iterable[Worker], manifest: Manifest | None
) -> Iterator[Diagnostic]:
    """bad-tag for a role that can be none, field-type for one, or a variant, that the package does not have."""
    role, variant = case.role, case.variant
    if role and not is_role(role.value):
        yield finding(
            "bad-tag",
            role.span,
            say("`{role}` is no role: a role is one plain segment of a tag", role=role.value),
            say("write the role as it stands in the tags, such as `A`"),
        )
    elif role and manifest and manifest.roles and not manifest.roles_from:
        yield from _unlisted(role, say("role"), [text.value for text in manifest.roles], manifest.name)
    worker = next((w for w in workers if case.worker and w.id == case.worker.value), None)
    if variant and worker and not worker.broken and not worker.segments_broken:
        yield from _unlisted(variant, say("variant"), sorted(worker.variants), worker.id)


def _unlisted(text: Text, what: str, known: Sequence[str], owner: str) -> Iterator[Diagnostic]:
    if text.value not in known:
        names = series(f"`{name}`" for name in known)
        there = say("it has {names}", names=names) if known else say("it has none")
        yield finding(
            "field-type",
            text.span,
            say("`{name}` is not a {what} of `{owner}`", name=text.value, what=what, owner=owner),
            there,
        )
