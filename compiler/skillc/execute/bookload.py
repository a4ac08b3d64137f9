"""Which confirmed texts a new session begins with, and why others are left out (SPEC 14).

They stand on its board under their real tags, accepted, with source `book` and what is known of their origin in the metadata.
Where workers read drafts, the draft that a text was stands behind it, superseded: so a reader of `X.草稿` follows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from skillc.artifact.labels import labels_of
from skillc.artifact.plan import Plan
from skillc.execute.acceptance import confirmed_tag
from skillc.execute.bookfacts import BOOK
from skillc.execute.bookrecords import Fact
from skillc.tags import Pattern, literal, matches


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A confirmed text that the session does not begin with: `passing` (it belongs to the play that wrote
    it), `unread` (no worker of the package reads it) or `unlabelled` (it carries a label that this package does not give it, so nothing would keep it from anybody)."""

    tag: str
    why: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a session begins with; `board` is the form of a board file (SPEC 17.1)."""

    facts: tuple[Fact, ...]
    left: tuple[LeftOut, ...]
    board: Mapping[str, object]


def load(facts: Iterable[Fact], plan: Plan, book: str) -> Loaded:
    """Those of `facts` that a session of `plan` may begin with; `book` is the name that they are said to be from."""
    wanted = wanted_by(plan)
    taken: list[Fact] = []
    left: list[LeftOut] = []
    for fact in facts:
        why = _objection(fact, plan, wanted)
        if why is None:
            taken.append(fact)
        else:
            left.append(LeftOut(fact.tag, why))
    items: list[dict[str, object]] = []
    for number, fact in enumerate(taken, 1):
        items += _entries(fact, f"b{number}", book, wanted, plan)
    return Loaded(tuple(taken), tuple(left), {"items": items})


def wanted_by(plan: Plan) -> list[Pattern]:
    """The patterns of all that somebody of `plan` looks at: inputs, prerequisites, startup targets, roles."""
    reads = [entry.pattern for worker in plan.workers.values() for entry in worker.inputs]
    startup = plan.startup.targets if plan.startup else ()
    roles = (plan.roles.source,) if plan.roles.source else ()
    return [
        *reads,
        *plan.ready.prerequisites,
        *_named(plan.ready.condition),
        *map(literal, (*startup, *roles)),
    ]


def _named(condition: object) -> list[Pattern]:
    """The patterns in a condition, however deep."""
    if isinstance(condition, Pattern):
        return [condition]
    parts = condition if isinstance(condition, tuple) else ()
    return [pattern for part in parts for pattern in _named(part)]


def is_wanted(tag: str, wanted: Iterable[Pattern]) -> bool:
    """Whether somebody looks at `tag`, or at the draft that it was."""
    return any(matches(pattern, name) for pattern in wanted for name in (tag, *_draft(tag)))


def _draft(tag: str) -> tuple[str, ...]:
    draft = tag.replace(".确认稿", ".草稿")
    return (draft,) if confirmed_tag(draft, {}) == tag else ()


def _objection(fact: Fact, plan: Plan, wanted: list[Pattern]) -> str | None:
    if not fact.lasting:
        return "passing"
    if not is_wanted(fact.tag, wanted):
        return "unread"
    known = labels_of(fact.tag, plan.labels, plan.moved)
    return None if known.issuperset(fact.labels) else "unlabelled"


def _entries(fact: Fact, name: str, book: str, wanted: list[Pattern], plan: Plan) -> list[dict[str, object]]:
    """The entry of a board file for `fact`, behind that of the draft it was where somebody reads drafts."""
    origin: dict[str, object] = {"name": book, "source": fact.source, "at": fact.at}
    origin |= {"session": fact.session, "item": fact.item, "package": fact.package}
    origin |= {"dependencies": list(fact.dependencies)} if fact.dependencies else {}
    known = {key: value for key, value in (fact.origin or origin).items() if value}
    entry: dict[str, object] = {
        "id": name,
        "tag": fact.tag,
        "content": fact.content,
        "source": BOOK,
        "status": "accepted",
        "metadata": {**fact.metadata, BOOK: known},
    }
    if fact.scope is not None:
        entry["scope"] = fact.scope
    read = [tag for tag in _draft(fact.tag) if any(matches(pattern, tag) for pattern in wanted)]
    if not read:
        return [entry]
    draft = {**entry, "id": f"{name}.d", "tag": read[0], "status": "superseded", "superseded_by": name}
    return [draft, {**entry, "dependencies": [f"{name}.d"]}]
