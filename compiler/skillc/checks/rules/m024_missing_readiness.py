"""A manifest that does not say when its package may play."""

from __future__ import annotations

from collections.abc import Iterator

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, finding
from skillc.graph import TagGraph
from skillc.model.package import Manifest
from skillc.wording import say

FIELDS = ("prerequisiteTags", "instanceReadyWhen")


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """Once a manifest that has neither field, in frontmatter or body. A field that is there and empty, and a
    body that says "none" behind its name, is an answer."""
    manifest = graph.package.manifest
    if manifest and not manifest.broken and not _says(manifest):
        yield finding(
            "missing-readiness",
            manifest.span,
            say(
                "the manifest of `{package}` has neither prerequisiteTags nor instanceReadyWhen",
                package=graph.package.name,
            ),
            say(
                "name the tags that must be there before the first worker of play runs; "
                "`prerequisiteTags: []` if there are none"
            ),
        )


def _says(manifest: Manifest) -> bool:
    front, body = manifest.document.front, manifest.document.body.text
    in_front = front is not None and any(field in front.values for field in FIELDS)
    in_body = any(field in body for field in FIELDS)
    return in_front or in_body or bool(manifest.prerequisites or manifest.ready)


RULE = Rule("missing-readiness", "The manifest does not say what must be there before play.", check)
