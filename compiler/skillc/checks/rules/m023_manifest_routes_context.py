"""A manifest that tells the orchestrator what to hand to a worker."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.later import later
from skillc.model.package import Manifest
from skillc.model.topics import FORBIDDEN, sections_about
from skillc.source.document import Section
from skillc.text import Span
from skillc.wording import say

_KEY = r"(?:inputTags?|inputKeys?|outputTags?|outputKeys?)"
_VERB = r"传入|传给|传递|传|指定|选择|选取|挑选|附上|附带|带上|填写|填入|给出|pass(?:es)?|choose|select|set|give|provide"
CHOSEN = later(rf"(?:{_VERB})(?:(?!run_worker)[^。；;，,！!？?\n]){{0,16}}?`?({_KEY})\b", re.IGNORECASE)
"""`传入 inputTags`, "choose the inputTags": a verb, and the field as what is passed."""
ASSIGNED = later(rf"[\"'`]?\b({_KEY})\b[\"'`]?\s*[:：=]\s*[\[{{（(\"'`]")
"""`inputTags: [`: the field with a value."""
IN_CONTEXT = later(rf"workerContext[\"'`]?\s*[:：=]?\s*\{{[^{{}}\n]*?\b({_KEY}|tags|keys|items)\b")
"""`workerContext: {inputTags: …}`; a role is no routing."""
DENIED = later(r"不|勿|禁|无需|无须|别|never|\bno\b|\bnot\b|n't|without|instead of|错误|反例", re.IGNORECASE)
BY_RULE = later(r"runtime|运行时|程序|自动|SKILL", re.IGNORECASE)
"""Sentences about what the runtime and a SKILL.md do with the fields tell the orchestrator nothing."""
SENTENCE = later(r"[^。！!？?；;\n]+")


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a manifest, at the first place; the others are related (SPEC 6.3). Read are the lines of the
    body; of JSON blocks only such as show a run_worker decision. What 禁用行为 forbids, and what a sentence
    denies, is no routing."""
    manifest = graph.package.manifest
    places = list(dict.fromkeys(_places(manifest))) if manifest else []
    if places:
        first, *others = places
        yield finding(
            "manifest-routes-context",
            first,
            say("the manifest tells the orchestrator to pass `{field}` to a worker", field=first.text),
            say(
                "take it out: what a worker reads and writes is declared in its SKILL.md; the orchestrator only chooses whom to run"
            ),
            [Label(place, say("`{field}` here too", field=place.text)) for place in others],
        )


def _places(manifest: Manifest) -> Iterator[Span]:
    telling = [section for section in manifest.document.sections if _may_tell(section.body.text)]
    forbidden = set(map(id, sections_about(manifest.document, FORBIDDEN))) if telling else ()
    for section in telling:
        if id(section) not in forbidden:
            yield from _in_section(section)


def _may_tell(text: str) -> bool:
    return "Tag" in text or "Key" in text or "workerContext" in text


def _in_section(section: Section) -> Iterator[Span]:
    body = section.body
    blocks = [
        (fence.content.span.start - body.start, fence.content.span.end - body.start)
        for fence in section.fences
    ]
    for sentence in SENTENCE.finditer(body.text):
        start, text = sentence.start(), sentence.group()
        block = next((block for block in blocks if block[0] <= start < block[1]), None)
        if DENIED.search(text) or BY_RULE.search(text):
            continue
        decides = "run_worker" in (body.text[slice(*block)] if block else text)
        if block and (not decides or _is_denied(body.text[: block[0]])):
            continue
        patterns = (CHOSEN, IN_CONTEXT, *((ASSIGNED,) if decides else ()))
        match = next((match for pattern in patterns if (match := pattern.search(text))), None)
        if match:
            yield body.part(start + match.start(1), start + match.end(1))


def _is_denied(before: str) -> bool:
    """Whether the last words above a block say that it shows what not to do."""
    lines = [
        line for line in before.split("\n") if line.strip() and not line.lstrip().startswith(("```", "~~~"))
    ]
    return bool(lines) and DENIED.search(lines[-1]) is not None


RULE = Rule("manifest-routes-context", "The manifest tells the orchestrator what to pass to a worker.", check)
