"""Confirmed texts in a file of their own: readable JSON with a digest, from one Book to another (SPEC 14).

{"schema": "skillc.assets/1", "book": {"name", "kind"}, "items": [{"tag", "content", "source", …}], "digest": "sha256:…"}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from pydantic import Field, ValidationError

from skillc.artifact.encoding import canonical
from skillc.execute.bookfacts import may_be_fact
from skillc.execute.bookledger import BookRefused
from skillc.execute.bookrecords import AssetRow, BookRecord, Fact
from skillc.execute.ledger import content_digest
from skillc.execute.records import Record
from skillc.runtime.board import check_content, check_tag

SCHEMA = "skillc.assets/1"


class AssetItem(Record):
    """One text of the file, with its labels and with where it was confirmed."""

    tag: str
    content: str
    source: str = ""
    labels: tuple[str, ...] = ()
    origin: dict[str, object] = Field(default_factory=dict)
    metadata: dict[str, object] = Field(default_factory=dict)


class _File(Record):
    schema_: str = Field(alias="schema")
    book: dict[str, str]
    items: tuple[AssetItem, ...]
    digest: str


def asset_file(book: BookRecord, facts: Iterable[Fact]) -> str:
    """The file that holds `facts` of `book`; the same facts always give the same text."""
    body: dict[str, object] = {
        "schema": SCHEMA,
        "book": {"name": book.name, "kind": book.kind},
        "items": [_item(fact, book.name) for fact in facts],
    }
    return json.dumps({**body, "digest": _digest(body)}, ensure_ascii=False, indent=2) + "\n"


def _item(fact: Fact, book: str) -> dict[str, object]:
    origin: dict[str, object] = {
        "name": book,
        "package": fact.package,
        "session": fact.session,
        "item": fact.item,
    }
    known = fact.origin or {**origin, "source": fact.source, "at": fact.at}
    item: dict[str, object] = {"tag": fact.tag, "content": fact.content, "source": fact.source}
    item |= {"labels": list(fact.labels)} if fact.labels else {}
    item |= {"origin": {key: value for key, value in known.items() if value}}
    return item | ({"metadata": fact.metadata} if fact.metadata else {})


def _digest(body: Mapping[str, object]) -> str:
    return content_digest(canonical(body).decode())


def read_assets(value: object) -> tuple[AssetRow, ...]:
    """The texts in a file that was read as JSON. Refuses (BookRefused) what is no such file, what is not as it was
    written, and tags under which nothing is ever confirmed."""
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise BookRefused(f"that is no file of exported texts: its `schema` must be `{SCHEMA}`")
    try:
        file = _File.model_validate(value)
    except ValidationError as problem:
        place = ".".join(str(part) for part in problem.errors()[0]["loc"])
        raise BookRefused(f"the exported texts cannot be read: `{place}` is not as it must be") from None
    if file.digest != _digest({key: value[key] for key in value if key != "digest"}):
        raise BookRefused(
            "the exported texts were changed since they were exported: their digest does not fit"
        )
    return tuple(_row(item) for item in file.items)


def _row(item: AssetItem) -> AssetRow:
    try:
        check_tag(item.tag)
        check_content(item.tag, item.content)
    except ValueError as problem:
        raise BookRefused(str(problem)) from None
    if not may_be_fact(item.tag):
        raise BookRefused(f"`{item.tag}` belongs to one session, or is not confirmed: no Book takes it")
    return AssetRow(
        id="",
        tag=item.tag,
        content=item.content,
        digest=content_digest(item.content),
        metadata=item.metadata,
        labels=item.labels,
        origin=item.origin,
    )
