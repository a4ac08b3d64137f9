"""What of a session counts as confirmed, and what of a Book: read from the rows, so that nothing is kept twice (SPEC 14).

A fact is an accepted item, or what the user himself laid down. 候选, 草稿 and 更新 never are, whatever accepted them, nor
is what belongs to one run: input, events, variables, the records of reviews.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from skillc.execute.bookrecords import AssetRow, DatedAsset, Fact
from skillc.execute.labelling import Labelling
from skillc.execute.ledger import Entry
from skillc.execute.records import AnswerRow, ItemRow, RulesRow, RunRow, StatusRow
from skillc.execute.schema import LOGS
from skillc.runtime import Item
from skillc.tags import family, stage

PASSING = frozenset(("候选", "草稿", "更新"))
OF_A_RUN = frozenset(("用户", "运行", "对话", "变量", "上下文", "创作", "验收", "采用"))
"""First segments of tags that belong to the session in which they were written."""
CONFIRMED = "确认稿"
LASTING = (CONFIRMED, "当前")
CURRENT_ROLE = "世界.当前角色.id"
BOOK = "book"
"""The source of an item that a session loaded from its Book, and the key of its metadata that says from where."""


def may_be_fact(tag: str, targets: Iterable[str] = ()) -> bool:
    """Whether a text under `tag` can be confirmed for good; `targets` are tags of the startup inquiry, which the user
    answers once for all.

    >>> may_be_fact("大纲.确认稿"), may_be_fact("大纲.草稿"), may_be_fact("用户.最新输入")
    (True, False, False)
    """
    if stage(tag) in PASSING or tag == CURRENT_ROLE:
        return False
    return family(tag).partition(".")[0] not in OF_A_RUN or tag in targets


def steps_of(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Rows of one step each. A step writes log by log, so the next one begins where an earlier log comes again."""
    place = {name: at for at, name in enumerate(LOGS)}
    step: list[Entry] = []
    for entry in entries:
        if step and (entry.created_at != step[-1].created_at or place[entry.log] < place[step[-1].log]):
            yield step
            step = []
        step.append(entry)
    if step:
        yield step


class SessionRows:
    """The rows of one session as a Book looks at them: `own` of them are behind those that it was forked with."""

    def __init__(self, session: str, package: str, entries: Sequence[Entry], forked: int = 0) -> None:
        self.session = session
        self.package = package
        self.entries = entries
        self.forked = forked
        self.items = {e.value.id: e.value for e in entries if isinstance(e.value, ItemRow)}
        self.labelling = Labelling(tuple(e.value for e in entries if isinstance(e.value, RulesRow)))

        self._decided, self._designed = _decisions(entries)

    @property
    def own(self) -> Sequence[Entry]:
        return [entry for entry in self.entries if entry.number > self.forked]

    def facts(self, whole: bool = False, targets: Iterable[str] = ()) -> list[Fact]:
        """What was confirmed in this session, in that order; with `whole` also what it began with."""
        settled = {e.value.item: e for e in self.entries if isinstance(e.value, StatusRow)}
        found: list[tuple[Entry, ItemRow]] = []
        for entry in self.entries:
            item = entry.value
            if not isinstance(item, ItemRow):
                continue
            said = settled.get(item.id, entry)
            if self._is_fact(item, said.value, targets) and (whole or self._is_own(item, said)):
                found.append((said, item))
        found.sort(key=lambda pair: pair[0].number)
        return [self._fact(item, said) for said, item in found]

    def _is_fact(self, item: ItemRow, said: object, targets: Iterable[str]) -> bool:
        status = said.status if isinstance(said, StatusRow) else "live"
        by_user = status == "live" and item.source == "user"
        return (status == "accepted" or by_user) and may_be_fact(item.tag, targets)

    def _is_own(self, item: ItemRow, said: Entry) -> bool:
        return said.number > self.forked and not is_loaded(item)

    def _fact(self, item: ItemRow, said: Entry) -> Fact:
        drafts = [self.items[id].tag for id in item.dependencies if id in self.items]
        metadata = {key: value for key, value in item.metadata.items() if key != BOOK}
        before = item.metadata.get(BOOK)
        origin = dict(before) if isinstance(before, dict) else {}
        return Fact(
            tag=item.tag,
            content=item.content,
            digest=item.digest,
            source=item.source,
            at=said.created_at,
            session=self.session,
            item=item.id,
            package=self.package,
            drafts=tuple(tag for tag in drafts if stage(tag) == "草稿"),
            dependencies=item.dependencies,
            scope=item.scope,
            metadata=metadata,
            labels=tuple(sorted(self.labelling.labels(item.tag))),
            origin=origin,
            lasting=self._is_lasting(item, said),
        )

    def _is_lasting(self, item: ItemRow, said: Entry) -> bool:
        """Whether the text outlives the play that wrote it: somebody decided on it, it stands from the design or from
        the beginning, or its tag says so. What play writes and nobody confirms (an act, a thought, what was shown) is
        accepted as it is, and belongs to that play."""
        if stage(item.tag) in LASTING or item.source == "user":
            return True
        return said.number in self._decided or item.id in self._designed or item.op.startswith("open/")


def _decisions(entries: Sequence[Entry]) -> tuple[frozenset[int], frozenset[str]]:
    """The rows of steps in which the user accepted or a review passed, and the items that design wrote."""
    decided: list[int] = []
    designed: list[str] = []
    for step in steps_of(entries):
        values = [entry.value for entry in step]
        accepted = any(isinstance(value, AnswerRow) and value.action == "accept" for value in values)
        if accepted or any(isinstance(value, RunRow) and value.verdict == "pass" for value in values):
            decided += [entry.number for entry in step]
        designed += [
            id for run in values if isinstance(run, RunRow) and run.stage == "design" for id in run.items
        ]
    return frozenset(decided), frozenset(designed)


def fact_of(asset: DatedAsset) -> Fact:
    """An imported text; it counts from when it was imported."""
    row: AssetRow = asset.row
    return Fact(
        tag=row.tag,
        content=row.content,
        digest=row.digest,
        source=BOOK,
        at=asset.at,
        item=row.id,
        metadata=row.metadata,
        labels=row.labels,
        origin=row.origin,
    )


def standing(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """What counts of the facts of one session: of each tag the last one, of a 确认稿 all, since each was confirmed and
    none in place of another (the chapters of a novel). Tags in the order in which they were confirmed last."""
    found: dict[str, list[Fact]] = {}
    for fact in facts:
        before = found.pop(fact.tag, [])
        found[fact.tag] = [*before, fact] if stage(fact.tag) == CONFIRMED else [fact]
    return tuple(fact for of_tag in found.values() for fact in of_tag)


def is_loaded(item: ItemRow | Item) -> bool:
    """Whether a session has `item` from its Book, where it was confirmed before."""
    return item.source == BOOK and BOOK in item.metadata
