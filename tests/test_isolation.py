"""What isolation promises, on every path by which a context reaches a model (SPEC 8).

Packages and boards are random; who may read what is decided here once more, from the names of tags alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from running import running_plan, writes
from sample_plans import segment
from skillc.execute.models.protocol import Completion, Request
from skillc.execute.session import Session
from skillc.execute.store import open_store
from skillc.runtime import Board, RunnablePlan

TAGS = (
    "需求.核心要点",
    "规则.草稿",
    "规则.确认稿",
    "规则#隐藏条款",
    "核心.危险.隐藏",
    "世界.隐藏状态",
    "世界.局势",
    "角色.A.记忆",
    "角色.A.行动",
    "角色.A.思考",
    "角色.A.思考.候选",
    "角色.B.记忆",
    "角色.B.行动",
    "角色.B.思考",
    "角色.AB.行动",
    "角色.B",
    "验收.作者视角.记录",
)
PATTERNS = (
    "**",
    "需求.*",
    "规则.*",
    "规则.草稿",
    "规则",
    "核心.*",
    "世界.*",
    "角色.*",
    "角色.{id}.*",
    "角色.{id}.行动",
    "角色.B.行动",
    "验收.*",
)
ISOLATIONS = ("none", "blind_review", "role_pov")
ROLES = ("A", "B", "AB")


def mark(name: str) -> str:
    """A text that no other contains."""
    return f"⟦{name}⟧"


def reads(pattern: str, tag: str, isolation: str, role: str | None) -> bool:
    """Whether an input pattern reaches a tag; in role_pov `{id}`, and `*` behind 角色, are the role of the run."""
    if pattern == "**":
        return True
    if isolation == "role_pov" and pattern == "角色.*":
        pattern = f"角色.{role}.*"
    pattern = pattern.replace("{id}", role or "{id}")
    if pattern.endswith(".*"):
        return tag.startswith(pattern[:-1])
    return tag == pattern or tag.startswith(f"{pattern}#")


def kept_from(tag: str, isolation: str, role: str | None) -> bool:
    """Whether isolation keeps a tag from a worker, whatever its inputs say."""
    if isolation == "none":
        return False
    if "隐藏" in tag:
        return True
    names = tag.split(".")
    if isolation == "blind_review" or names[0] != "角色":
        return False
    return names[1] != role or "思考" in names


def allowed(board: Board, spec: Mapping[str, Any], role: str | None) -> set[str]:
    """The ids of the items that a worker may receive: live ones that its inputs reach, under their own tag or that
    of an item which they superseded, and that isolation keeps from it under neither."""
    former: dict[str, set[str]] = {item.id: {item.tag} for item in board.items}
    for item in board.items:
        heir = item.superseded_by
        while heir is not None:
            former[heir].add(item.tag)
            heir = next(other.superseded_by for other in board.items if other.id == heir)
    return {
        item.id
        for item in board.items
        if item.live
        and not kept_from(item.tag, spec["isolation"], role)
        and any(
            reads(pattern.removesuffix("?"), tag, spec["isolation"], role)
            and not kept_from(tag, spec["isolation"], role)
            for pattern in spec["inputs"]
            for tag in former[item.id]
        )
    }


def leaked(board: Board, spec: Mapping[str, Any], role: str | None, text: str) -> list[str]:
    """The tags whose items stand in `text` although the worker may not receive them. A confirmed text is that of its
    draft, so a text is fine when one of its items is."""
    fine = allowed(board, spec, role)
    texts = {item.content for item in board.items if item.id in fine}
    return [
        item.tag
        for item in board.items
        if item.content.startswith("⟦") and item.content in text and item.content not in texts
    ]


@st.composite
def worker_specs(draw: st.DrawFn) -> dict[str, Any]:
    isolation = draw(st.sampled_from(ISOLATIONS))
    inputs = draw(st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=4, unique=True))
    spec: dict[str, Any] = {
        "isolation": isolation,
        "inputs": [f"{pattern}?" for pattern in inputs],
        "role_bound": isolation == "role_pov" or any("{id}" in pattern for pattern in inputs),
        "merge": draw(st.sampled_from(("latest", "concat"))),
    }
    if draw(st.booleans()):
        tags = st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=4, unique=True)
        spec["segments"] = [segment(f"s{n}", draw(tags)) for n in range(draw(st.integers(1, 3)))]
    return spec


@st.composite
def boards(draw: st.DrawFn) -> Board:
    board = Board()
    for tag in draw(st.lists(st.sampled_from(TAGS), min_size=1, max_size=14)):
        board.write(tag, mark(f"item {len(board.items) + 1}"), source=f"w{draw(st.integers(0, 2))}")
    for item in list(board.items):
        status = draw(st.sampled_from(("live", "live", "accepted", "rejected", "superseded")))
        later = [other for other in board.items if other.seq > item.seq]
        if status == "superseded" and later:
            board.set_status(item.id, status, draw(st.sampled_from(later)).id)
        elif status in ("accepted", "rejected"):
            board.set_status(item.id, status)
    return board


@settings(max_examples=300)
@given(worker_specs(), boards(), st.sampled_from(ROLES))
def test_no_byte_of_a_forbidden_item_is_in_a_context(spec: dict[str, Any], board: Board, role: str) -> None:
    plan = running_plan({"w": spec})
    context = plan.assemble("w", board, role=role if spec["role_bound"] else None)
    whole = "\n".join(message["content"] for message in context.messages)
    assert leaked(board, spec, role, whole) == []
    used = {item.id for item in context.items if item.tag != "世界.当前角色.id"}
    assert used <= allowed(board, spec, role)
    assert leaked(board, spec, role, str(context.to_json())) == []


class Watching:
    """A model that writes marked texts, and sets every prompt against what the board held when it was made."""

    def __init__(self, plan: RunnablePlan, specs: Mapping[str, Mapping[str, Any]], bad: set[int]) -> None:
        self.plan = plan
        self.specs = specs
        self.bad = bad
        self.session: Session | None = None
        self.calls = 0
        self.leaks: list[str] = []

    def complete(self, request: Request) -> Completion:
        assert self.session is not None
        self.calls += 1
        board = self.session.board
        text = "\n".join(message["content"] for message in request.messages)
        self.leaks += leaked(board, self.specs[request.worker], request.role, text)
        if self.calls in self.bad:
            return Completion("并非 JSON", "stop")
        (output,) = self.plan.workers[request.worker].outputs
        tag = ".".join(output.parts).replace("{id}", request.role or "")
        return Completion(writes({tag: mark(f"call {self.calls}")}), "stop")


@st.composite
def casts(draw: st.DrawFn) -> dict[str, dict[str, Any]]:
    cast: dict[str, dict[str, Any]] = {}
    for name in ("first", "second", "third"):
        spec = draw(worker_specs())
        own = (
            ("角色.{id}.行动", "角色.{id}.思考")
            if spec["role_bound"]
            else ("规则.草稿", "核心.危险.隐藏", "世界.局势")
        )
        cast[name] = {**spec, "outputs": [draw(st.sampled_from(own))]}
    return cast


def played(session: Session) -> Iterator[None]:
    """One step after another; what is asked is accepted."""
    while session.status.phase not in ("done", "error"):
        if session.status.phase == "waiting_user":
            assert not session.accept().refused
        session.step()
        yield


@settings(max_examples=25)
@given(casts(), boards(), st.sets(st.integers(1, 8), max_size=2))
def test_no_byte_of_a_forbidden_item_reaches_a_model_in_a_session(
    cast: dict[str, dict[str, Any]], board: Board, bad: set[int]
) -> None:
    """Nor in a repeated call, nor behind a resume, nor with the dialogue that the session grew."""
    plan = running_plan(cast, roles={"ids": ["A", "B"], "from": None})
    model = Watching(plan, cast, bad)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "s.db"))
        model.session = Session.open(store, plan, model, board=board.to_data(), rounds=2)
        for _ in played(model.session):
            model.session = Session.resume(store, model.session.id, plan, model)
            assert model.leaks == []
    assert model.calls
