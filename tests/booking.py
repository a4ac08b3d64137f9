"""Books for tests: a store on each database, a package that confirms a text by and by, and sessions of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from running import ListedModel, running_plan, startup, writes
from skillc.artifact.encoding import encode
from skillc.execute.book import Book
from skillc.execute.bookrecords import Fact
from skillc.execute.session import Session
from skillc.execute.store import Store
from skillc.runtime import RunnablePlan, load_plan

NEED = "需求.核心要点"


def story_plan(**more: Any) -> RunnablePlan:
    """Asks for a need, designs a world (with a secret in it), then writes a text from both; the user confirms."""
    return running_plan(
        {
            "design": {"inputs": [NEED], "outputs": ["设定.草稿", "设定.隐藏.草稿"], "stage": "design"},
            "write": {
                "inputs": [NEED, "设定.草稿?", "设定.隐藏.草稿?", "角色卡.确认稿?"],
                "outputs": ["正文.草稿", "角色.甲.行动.候选"],
            },
        },
        startup=startup(NEED),
        **{"ready": {"prerequisites": [["设定", "确认稿"]], "condition": None}, "labels": HIDDEN, **more},
    )


def chapter_plan() -> RunnablePlan:
    """The same, and the writer reads the chapters that are there, which are what is delivered."""
    plan = story_plan(deliverables=[["正文", "确认稿"]])
    data = json.loads(encode(plan))
    data["workers"]["write"]["inputs"].append({"pattern": ["正文", "确认稿"], "needed": False})
    return load_plan(json.dumps(data).encode())


HIDDEN = [{"label": "hidden", "pattern": None, "segment": "隐藏", "except": []}]


def replies(world: str = "海岛", text: str = "第一章") -> ListedModel:
    return ListedModel(
        writes({"设定.草稿": world, "设定.隐藏.草稿": "岛主是凶手"}),
        writes({"正文.草稿": text, "角色.甲.行动.候选": "逃"}),
    )


def played(
    store: Store,
    book: Book | None = None,
    model: ListedModel | None = None,
    plan: RunnablePlan | None = None,
    board: Mapping[str, object] | None = None,
) -> Session:
    """A session whose texts the user accepts, to its end."""
    plan = plan or story_plan()
    session = Session.open(store, plan, model or replies(), book=book.id if book else None, board=board)
    return finished(session)


def finished(session: Session) -> Session:
    """`session` to its end; every question gets the same need, every text is accepted."""
    while session.advance().phase == "waiting_user":
        done = session.accept() if "accept" in session.actions else session.answer("一个密室故事")
        assert done.status == "written", done
    assert session.status.phase == "done", session.status
    return session


def texts(found: Iterable[Fact], tag: str) -> list[str]:
    return [fact.content for fact in found if fact.tag == tag]


def facts(book: Book) -> dict[str, str]:
    """What the Book has under each tag, the newest."""
    return {fact.tag: fact.content for fact in book.facts()}
