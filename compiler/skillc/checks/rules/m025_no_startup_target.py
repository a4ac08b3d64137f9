"""A startup inquiry whose answer goes nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.checks.wording import front_value
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.model.package import Manifest
from skillc.model.topics import STARTUP, sections_about
from skillc.text import Span
from skillc.wording import say

SILENT = ("none", "off", "never", "skip", "无")


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """The user is asked something at the start, and neither 写入目标 nor demandTag says where the answer goes.
    A package that asks nothing needs no target."""
    manifest = graph.package.manifest
    if (
        manifest
        and not manifest.broken
        and not (manifest.startup and manifest.startup.targets)
        and _asks(manifest)
    ):
        yield finding(
            "no-startup-target",
            _place(manifest),
            say(
                "the startup inquiry of `{package}` does not say which tag the answer is written to",
                package=graph.package.name,
            ),
            say("add `demandTag` to the frontmatter, or 写入目标 to 启动询问"),
        )


def _asks(manifest: Manifest) -> bool:
    """Whether the user is asked at all. A heading above a "none" asks nothing, nor does a startup that is switched
    off; a uiPrompt alone may stand above any input."""
    startup, mode = manifest.startup, manifest.startup_mode.casefold()
    if startup is None or mode in SILENT:
        return False
    in_body = bool(sections_about(manifest.document, STARTUP))
    return bool(startup.required or startup.optional or (startup.prompt and (in_body or mode)))


def _place(manifest: Manifest) -> Span:
    """The heading of the inquiry, else the prompt in the frontmatter."""
    for section in sections_about(manifest.document, STARTUP):
        if section.level:
            return section.title.span
    return front_value(manifest, "uiPrompt")


RULE = Rule("no-startup-target", "The answer to the startup inquiry is written to no tag.", check)
