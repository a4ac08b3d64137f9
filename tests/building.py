"""Packages made by hand from a few words, with real places: each tag stands in a source of its own worker.

>>> demo = package({"outline": worker(["需求.核心要点"], ["大纲.草稿"])}, targets=["需求.核心要点"])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skillc.checks.run import all_rules
from skillc.diagnostic import Diagnostic, in_order
from skillc.graph import build_graph
from skillc.model.package import (
    Acceptance,
    Bindings,
    Catalogue,
    CatalogueSource,
    LabelRule,
    Manifest,
    Package,
    Registered,
    Segment,
    Startup,
    TagRef,
    Worker,
    WorkerBinding,
)
from skillc.source.document import Document, WorkerFiles
from skillc.tags import Pattern
from skillc.text import Source, Span, Text

BUILT_IN = (
    ("user", "用户.*"),
    ("user", "变量.用户"),
    ("runtime", "运行.*"),
    ("runtime", "对话.历史"),
    ("runtime", "变量.当前"),
    ("runtime", "世界.当前角色.id"),
    ("runtime", "上下文.*"),
    ("runtime", "创作.*"),
    ("pseudo", "worker.persona"),
)
LABELS = (
    LabelRule("hidden", segment="隐藏"),
    LabelRule("user_only", pattern=Pattern(("角色", "{id}", "思考"))),
    LabelRule(
        "role_private",
        pattern=Pattern(("角色", "{id}", ".*")),
        exceptions=(Pattern(("角色", "{id}", "行动")), Pattern(("角色", "{id}", "行动", ".*"))),
    ),
)


def pattern(text: str) -> Pattern:
    """The pattern of well-formed `text`."""
    if text == "**":
        return Pattern(("**",))
    parts = text.split(".")
    return Pattern((*parts[:-1], ".*") if parts[-1] == "*" and len(parts) > 1 else tuple(parts))


def worker(inputs: Sequence[str] = (), outputs: Sequence[str] = (), **more: Any) -> dict[str, Any]:
    """What `package` makes a worker of; a trailing `?` marks an optional input. `segments` is a list of
    (id, tier, tags); `body` its text; the rest are fields of Worker."""
    return {"inputs": inputs, "outputs": outputs, **more}


def package(
    workers: Mapping[str, dict[str, Any]],
    targets: Sequence[str] = (),
    asks: Sequence[str] = (),
    accept: Mapping[str, str] | None = None,
    sources: Sequence[tuple[str, str]] = (),
    by_role: Sequence[str] = (),
    registered: Sequence[str] | None = None,
    catalogue: Mapping[str, Any] | None = None,
    manifest: Mapping[str, Any] | None = None,
) -> Package:
    """A package `novel/demo` whose workers stand in the order given, all of them registered."""
    known = (*BUILT_IN, *sources)
    more = {"labels": LABELS, **(catalogue or {})}
    return Package(
        path="novel/demo",
        folder="skills/novel/demo",
        name="demo",
        manifest=_manifest(
            list(workers) if registered is None else registered, targets, asks, accept, manifest
        ),
        workers=tuple(_worker(id, spec) for id, spec in workers.items()),
        catalogue=Catalogue(sources=tuple(CatalogueSource(o, pattern(p)) for o, p in known), **more),
        bindings=Bindings(
            workers=tuple(WorkerBinding(text(id), None, ((text("A"), "p"),)) for id in by_role)
        ),
    )


def text(value: str) -> Text:
    """`value` alone in a source."""
    return Text(value, Source("orchestrator.md", value + "\n").span(0, len(value)))


def ref(value: str) -> TagRef:
    tag = value.removesuffix("?")
    return TagRef(pattern(tag), text(tag).span, value.endswith("?"))


def _manifest(
    registered: Sequence[str],
    targets: Sequence[str],
    asks: Sequence[str],
    accept: Mapping[str, str] | None,
    more: Mapping[str, Any] | None,
) -> Manifest:
    page = "---\nname: demo\n---\n- prerequisiteTags：无\n"
    source = Source("skills/novel/demo/orchestrator.md", page)
    document = Document(source, None, source.span(0, 17), source.span(18, len(page)))
    entries = [Acceptance(text(id), mode, text(id).span) for id, mode in (accept or {}).items()]
    fields: dict[str, Any] = {
        "name": "demo",
        "registered": tuple(Registered(text(id)) for id in registered),
        "startup": Startup("?", tuple(ref(t) for t in targets)) if targets else None,
        "asks": tuple(ref(t) for t in asks),
        "acceptance": tuple(entries),
    }
    return Manifest(document, source.span(10, 14), **{**fields, **(more or {})})


def _worker(id: str, spec: Mapping[str, Any]) -> Worker:
    page = _Page(f"skills/novel/demo/workers/{id}/SKILL.md")
    page.add("---\nid: ")
    name = page.add(id)
    inputs = [page.add("\n  - ", value) for value in spec["inputs"]]
    outputs = [page.add("\n  - ", value) for value in spec["outputs"]]
    segments = [
        (page.add("\n  - ", row[0]), row[1], [page.add(" ", t) for t in row[2]])
        for row in spec.get("segments", ())
    ]
    page.add("\n---\n" + spec.get("body", ""))
    source = Source(page.path, page.text)
    rest = {key: value for key, value in spec.items() if key not in ("inputs", "outputs", "segments", "body")}
    if "segments" in spec:
        rest["segments"] = tuple(_segment(source, *row) for row in segments)
    document = Document(source, None, source.span(), source.span())
    return Worker(
        id=id,
        files=WorkerFiles(id, page.path.removesuffix("/SKILL.md"), document),
        span=_span(source, name),
        inputs=tuple(_ref(source, place) for place in inputs),
        outputs=tuple(_ref(source, place) for place in outputs),
        **rest,
    )


class _Page:
    """A text that grows; `add` tells where the last piece went."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.text = ""

    def add(self, *pieces: str) -> tuple[int, int]:
        self.text += "".join(pieces)
        return len(self.text) - len(pieces[-1]), len(self.text)


def _span(source: Source, place: tuple[int, int]) -> Span:
    return source.span(*place)


def _ref(source: Source, place: tuple[int, int]) -> TagRef:
    written = source.text[place[0] : place[1]]
    tag = written.removesuffix("?")
    return TagRef(pattern(tag), source.span(place[0], place[0] + len(tag)), written.endswith("?"))


def _segment(source: Source, id: tuple[int, int], tier: Any, tags: Sequence[tuple[int, int]]) -> Segment:
    name = _span(source, id)
    return Segment(Text(name.text, name), tier, tuple(_ref(source, place) for place in tags))


def findings(slug: str, made: Package) -> list[Diagnostic]:
    """What the rule `slug` finds in a package, in order."""
    rule = next(rule for rule in all_rules() if rule.slug == slug)
    assert rule.check is not None
    return list(in_order(rule.check(build_graph(made))))


def underlined(slug: str, made: Package) -> list[str]:
    """The worker and the text that each finding of the rule points at."""
    return [f"{d.span.path.split('/')[-2]}: {d.span.text}" for d in findings(slug, made)]
