"""Which workers a manifest names, and where: registry tables, worker columns, `run_worker(x)` (SPEC 6.2).

Prose never names a worker; neither does fenced JSON.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from skillc.later import later
from skillc.model.package import Registered, Stage
from skillc.model.prose import NOT_WORKERS, leading_id, normal, worker_ids
from skillc.model.topics import (
    INSTANCE,
    REGISTRY,
    USER_TURN,
    column,
    column_like,
    labelled,
    lines,
    sections_about,
)
from skillc.model.worker import STAGE_ALIASES
from skillc.source.document import Document, Section, Table
from skillc.text import Text

_RUN = later(r"run_worker\(\s*[`\"'“]?([a-z0-9]+(?:-[a-z0-9]+)*)[`\"'”]?\s*[,，)]")
_STAGE_WORDS: tuple[tuple[Stage, tuple[str, ...]], ...] = (
    ("design", ("instantiate", "instantiation", "实例化", "design", "brief", "setup")),
    ("play", ("run", "运行", "play", "游玩")),
)
_WORKER_HEADER = later(r"[^a-z]*(?:run_?)?workers?(?:id|skill)?(?:[/／、].*)?")
_REGISTRY_HEADERS = ("worker", "workerid", "skill", "skillid", "id", "技能", "技能id")
_SKILL_HEADER = later("skill(?:id)?|技能(?:id)?")
_NOT_ITS_TURN = later("不|非|禁")


def registered_in_body(document: Document, known: Collection[str]) -> tuple[Registered, ...]:
    """The workers of the registry tables in written order, with the stage of their heading or row.

    A list in the registry registers workers that exist; setupWorkers are of the design stage.
    """
    found: list[Registered] = []
    for section in sections_about(document, REGISTRY):
        stage = _stage_of_heading(section)
        for table in section.tables:
            found += _rows(table, stage, known)
        if not section.tables:
            found += _listed(section, stage, known)
    found += [Registered(id, "design") for id in _setup_workers(document, known)]
    return tuple(sorted(found, key=lambda row: row.worker.span.start))


def has_registry(document: Document) -> bool:
    """Whether a table of the registry has a column for ids, be it without rows."""
    tables = (table for section in sections_about(document, REGISTRY) for table in section.tables)
    return any(_registry_columns(table) for table in tables)


def named_in_body(document: Document, known: Collection[str]) -> tuple[Text, ...]:
    """Every id in a worker column of any table and in `run_worker(x)`, in written order.

    A column of skills may list other packages too: it names workers that exist, and misses none.
    """
    found: list[Text] = []
    for section in document.sections:
        for table in section.tables:
            at = worker_column(table)
            sure = at is not None and "worker" in normal(table.header[at].value)
            ids = (
                (id for row in table.rows for id in worker_ids(row[at].span, known)) if at is not None else ()
            )
            found += [id for id in ids if sure or id.value in known]
        found += _run_calls(section, known)
    return tuple(sorted(found, key=lambda id: id.span.start))


def worker_column(table: Table) -> int | None:
    """The column of a table whose cells name workers: worker, workerId, 执行 worker, skill …"""
    headers = [normal(cell.value) for cell in table.header]
    for wanted in (_WORKER_HEADER, _SKILL_HEADER):
        for number, header in enumerate(headers):
            if wanted.fullmatch(header):
                return number
    return None


def user_turn_in_body(document: Document, known: Collection[str]) -> tuple[Text, ...]:
    """The workers that 用户回合 lists: at the start of its items, lines or rows; only ids that exist."""
    found: list[Text] = []
    for section in sections_about(document, USER_TURN):
        for table in section.tables:
            at = worker_column(table)
            found += [
                id for row in table.rows for id in worker_ids(row[at or 0].span, known) if id.value in known
            ]
        for line in lines(section):
            text = line.text.text
            label = text.find("：") if "：" in text else text.find(":")
            starts = label + 1 if normal(text[: max(label, 0)]) in ("worker", "workers", "workerid") else 0
            first = leading_id(line.text.part(starts, len(text)), known)
            if first and not _NOT_ITS_TURN.search(text):
                found.append(first)
        if not found:
            found += [id for id in _run_calls(section, known) if id.value in known]
    return tuple(found)


def _run_calls(section: Section, known: Collection[str]) -> Iterator[Text]:
    for line in lines(section) if "run_worker(" in section.body.text else ():
        for match in _RUN.finditer(line.text.text):
            id = match.group(1)
            if id in known or id not in NOT_WORKERS:
                yield Text(id, line.text.part(*match.span(1)))


def _rows(table: Table, stage: Stage | None, known: Collection[str]) -> Iterator[Registered]:
    staged = column(table, "stage", "业务stage", "业务阶段", "阶段")
    for at in _registry_columns(table):
        ids = [worker_ids(row[at].span, known, sure=True) for row in table.rows]
        if any(ids):
            break
    else:
        return
    for row, named in zip(table.rows, ids, strict=True):
        own = STAGE_ALIASES.get(normal(row[staged].value)) if staged is not None else None
        yield from (Registered(id, own or stage) for id in named)


def _registry_columns(table: Table) -> list[int]:
    """The columns that may hold the ids, likeliest first: an `id` may be nothing but a number."""
    headers = [normal(cell.value) for cell in table.header]
    exact = [headers.index(name) for name in _REGISTRY_HEADERS if name in headers]
    like = column_like(table, "worker", "skill", "技能")
    return [*exact, *(() if like is None else (like,))]


def _listed(section: Section, stage: Stage | None, known: Collection[str]) -> Iterator[Registered]:
    for line in lines(section):
        if line.is_item and (id := leading_id(line.text, known)):
            yield Registered(id, stage)


def _setup_workers(document: Document, known: Collection[str]) -> Iterator[Text]:
    labels = {"setupworkers": "setup", "setupworker": "setup"}
    for value in labelled(sections_about(document, INSTANCE, labels), labels):
        yield from worker_ids(value.text, known, sure=True)


def _stage_of_heading(section: Section) -> Stage | None:
    """The stage that the nearest heading says: Instantiate, 实例化 or Run, 运行."""
    for title in (section.title.value, *reversed(section.outline)):
        plain = normal(title)
        for stage, words in _STAGE_WORDS:
            if plain.startswith(words):
                return stage
    return None
