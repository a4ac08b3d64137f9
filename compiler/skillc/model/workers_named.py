"""Which workers a manifest names, and where: registry tables, worker columns, `run_worker(x)` (SPEC 6.2).

Prose never names a worker; neither does fenced JSON.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

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

_RUN = re.compile(r"run_worker\(\s*[`\"'“]?([a-z0-9]+(?:-[a-z0-9]+)*)[`\"'”]?\s*[,，)]")
_STAGE_WORDS: tuple[tuple[Stage, tuple[str, ...]], ...] = (
    ("design", ("instantiate", "instantiation", "实例化", "design", "brief", "setup")),
    ("play", ("run", "运行", "play", "游玩")),
)
_WORKER_HEADERS = (
    "worker",
    "workerid",
    "workers",
    "workerskill",
    "run_worker",
    "skill",
    "skillid",
    "技能",
    "技能id",
)
_NOT_ITS_TURN = re.compile("不|非|禁")


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


def named_in_body(document: Document, known: Collection[str]) -> tuple[Text, ...]:
    """Every id in a worker column of any table and in `run_worker(x)`, in written order."""
    found: list[Text] = []
    for section in document.sections:
        for table in section.tables:
            at = worker_column(table)
            if at is not None:
                found += [id for row in table.rows for id in worker_ids(row[at].span, known)]
        found += _run_calls(section, known)
    return tuple(sorted(found, key=lambda id: id.span.start))


def worker_column(table: Table) -> int | None:
    """The column of a table whose cells name workers."""
    at = column(table, *_WORKER_HEADERS)
    return at if at is not None else column_like(table, "worker")


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
    for line in lines(section):
        for match in _RUN.finditer(line.text.text):
            id = match.group(1)
            if id in known or id not in NOT_WORKERS:
                yield Text(id, line.text.part(*match.span(1)))


def _rows(table: Table, stage: Stage | None, known: Collection[str]) -> Iterator[Registered]:
    at = column(table, "worker", "workerid", "skill", "skillid", "id", "技能", "技能id")
    at = at if at is not None else column_like(table, "worker", "skill", "技能")
    staged = column(table, "stage", "业务stage", "业务阶段", "阶段")
    if at is None:
        return
    for row in table.rows:
        own = STAGE_ALIASES.get(normal(row[staged].value)) if staged is not None else None
        yield from (Registered(id, own or stage) for id in worker_ids(row[at].span, known))


def _listed(section: Section, stage: Stage | None, known: Collection[str]) -> Iterator[Registered]:
    for line in lines(section):
        if line.is_item and (id := leading_id(line.text, known)):
            yield Registered(id, stage)


def _setup_workers(document: Document, known: Collection[str]) -> Iterator[Text]:
    labels = {"setupworkers": "setup", "setupworker": "setup"}
    for value in labelled(sections_about(document, INSTANCE, labels), labels):
        yield from worker_ids(value.text, known)


def _stage_of_heading(section: Section) -> Stage | None:
    """The stage that the nearest heading says: Instantiate, 实例化 or Run, 运行."""
    for title in (section.title.value, *reversed(section.outline)):
        plain = normal(title)
        for stage, words in _STAGE_WORDS:
            if plain.startswith(words):
                return stage
    return None
