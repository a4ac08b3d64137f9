"""A package's own stage table and its contextProfile, read from the body of a manifest (SPEC 6.2, 9.6)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from skillc.later import later
from skillc.model.package import Stage
from skillc.model.prose import leading_id, normal, without_annotations, without_parentheses
from skillc.model.topics import PROFILE, column, column_like, lines, sections_about
from skillc.model.topics import STAGES as STAGE_SECTIONS
from skillc.model.worker import STAGE_ALIASES
from skillc.source.document import Document, Section, Table
from skillc.text import Span, Text

StageRow = tuple[Text, Stage | None]
_ID = later(r"[\s*_`]*([\w-]+)")
_MEANING = later("实例化|instantiate|design|运行|run|play", re.IGNORECASE)
_PAIR = later(r"(variant|historyPolicy)`?\s*[:：=]\s*`?([\w-]+)")


def stages_in_body(document: Document) -> tuple[StageRow, ...]:
    """The ids of the stage table or list, each with the business stage that it says, if it says one."""
    found: list[StageRow] = []
    for section in sections_about(document, STAGE_SECTIONS):
        for table in section.tables:
            found += _rows(table)
        found += _listed(section)
    return tuple(found)


def profile_in_body(document: Document, known: Collection[str]) -> dict[str, dict[str, str]]:
    """worker → {variant, historyPolicy} from the table or the lines of the section contextProfile."""
    profile: dict[str, dict[str, str]] = {}
    for section in sections_about(document, PROFILE):
        for table in section.tables:
            _profile_rows(table, known, profile)
        for line in lines(section):
            id = leading_id(line.text, known)
            pairs = dict(_PAIR.findall(line.text.text))
            if id and pairs:
                profile.setdefault(id.value, {}).update(pairs)
    return profile


def _rows(table: Table) -> Iterator[StageRow]:
    at = column_like(table, "stageid", "阶段id")
    at = at if at is not None else column(table, "stage", "阶段", "id")
    for row in table.rows:
        number = at or 0
        match = _ID.match(row[number].span.text)
        if match:
            others = [cell.span.text for n, cell in enumerate(row) if n != number]
            id = Text(match.group(1), row[number].span.part(*match.span(1)))
            yield id, _business(id.value, others)


def _business(id: str, words: list[str]) -> Stage | None:
    """The business stage of a row: its id's own, else that of a cell that is nothing but one."""
    own = STAGE_ALIASES.get(normal(id))
    said = (STAGE_ALIASES.get(normal(word)) for word in words)
    return own or next((stage for stage in said if stage), None)


def _listed(section: Section) -> Iterator[StageRow]:
    """Items `- brief：实例化 …`, and lines `brief → write → done` or `brief ≡ instantiate`."""
    for line in lines(section):
        text = line.text.text
        if line.is_item and "→" not in without_parentheses(text):
            yield from _item(line.text)
        elif "→" in text or "≡" in text:
            yield from _flow(line.text)


def _item(span: Span) -> Iterator[StageRow]:
    match = _ID.match(span.text)
    if match:
        meaning = _MEANING.search(span.text, match.end())
        stage = STAGE_ALIASES.get(match.group(1)) or (
            STAGE_ALIASES.get(meaning.group().casefold()) if meaning else None
        )
        yield Text(match.group(1), span.part(*match.span(1))), stage


def _flow(span: Span) -> Iterator[StageRow]:
    plain = without_parentheses(span.text)
    if "≡" in plain:
        plain = plain[: plain.index("≡")] + " " * (len(plain) - plain.index("≡"))
        meaning = _MEANING.search(span.text)
    else:
        meaning = None
    start = 0
    for piece in plain.split("→"):
        match = _ID.match(without_annotations(piece))
        if match:
            said = STAGE_ALIASES.get(meaning.group().casefold()) if meaning else None
            place = span.part(start + match.start(1), start + match.end(1))
            yield Text(match.group(1), place), STAGE_ALIASES.get(match.group(1)) or said
        start += len(piece) + 1


def _profile_rows(table: Table, known: Collection[str], profile: dict[str, dict[str, str]]) -> None:
    variant, policy = column(table, "variant", "变体"), column(table, "historypolicy")
    for row in table.rows:
        id = leading_id(row[0].span, known)
        if id is None:
            continue
        for name, at in (("variant", variant), ("historyPolicy", policy)):
            value = row[at].value.strip("` ") if at is not None else ""
            if re.fullmatch(r"[\w-]+", value):
                profile.setdefault(id.value, {})[name] = value
