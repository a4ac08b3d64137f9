"""The head of a Markdown file: two fences and the strict YAML between them (SPEC 2.2)."""

from __future__ import annotations

import re

from skillc.diagnostic import Diagnostic, Label, Severity, finding
from skillc.later import later
from skillc.source.characters import value_characters
from skillc.source.node import Mapping, Node, Sequence
from skillc.source.plainyaml import read_plain
from skillc.text import Source, Span
from skillc.value import value
from skillc.wording import say

SIZE_LIMIT = 64 * 1024
DESCRIPTIVE = frozenset(
    {
        *("id", "name", "title", "description", "version", "author", "date", "tags", "category", "language"),
        *("skill", "license", "compatibility", "metadata", "allowed-tools"),
    }
)
"""Keys that tell what a text is and are no part of it."""
_OPENING = re.compile("\ufeff*---[ \t]*(?:\n|$)")
_CLOSING = re.compile(r"---[ \t]*$", re.MULTILINE)
_ALMOST = later(r"^[ \t]*(?:-{2,}|—+|–+|－+|\.{3}|\+{3}|={3,})[ \t]*$", re.MULTILINE)
_HEADING = later(r"^#{1,6} \S.*$", re.MULTILINE)
_FIELD = later(r"^[A-Za-z][\w-]*:", re.MULTILINE)
_LINK = later(r"(?:\.{1,2}/|/)[^\s]+\s*")


@value
class Head:
    """What stands before the body: the mapping, if it can be read at all, and the text between the fences."""

    front: Mapping | None
    span: Span
    body: Span
    broken: bool
    faults: tuple[Span, ...] = ()
    """Where its errors are."""


def read_head(source: Source) -> tuple[Head, list[Diagnostic]]:
    """The frontmatter of a file that must have one.

    Refuses with frontmatter-missing (none, not on line 1, or empty), frontmatter-unclosed,
    yaml-syntax (not a mapping, and what `read_tree` refuses), too-large.
    """
    opening = _OPENING.match(source.text)
    if not opening:
        return _headless(source), [_missing(source)]
    closing = _closing(source.text, opening.end())
    if not closing:
        return _headless(source), [_unclosed(source, opening.end())]
    region = source.span(opening.end(), closing.start())
    body = source.span(min(closing.end() + 1, len(source.text)), len(source.text))
    front, found = _front(region)
    faults = tuple([diagnostic.span for diagnostic in found if diagnostic.severity is Severity.ERROR])
    return Head(front, region, body, bool(faults), faults), found


def _closing(text: str, start: int) -> re.Match[str] | None:
    """The first fence from the line at `start` on."""
    at = text.find("\n---", start - 1)
    while at >= 0:
        if found := _CLOSING.match(text, at + 1):
            return found
        at = text.find("\n---", at + 1)
    return None


def read_optional_head(source: Source) -> tuple[Head, list[Diagnostic]]:
    """The head of a file that needs none. Only lines that all say something *about* the file are one
    (`DESCRIPTIVE`, and `x-…`); else all of the file is body, so that no word of it is lost."""
    if not _OPENING.match(source.text):
        return Head(None, source.span(), source.span(0, len(source.text)), False), []
    head, found = read_head(source)
    if head.front is not None and not head.broken and all(map(_describes, head.front.values)):
        return head, found
    return Head(None, source.span(), source.span(0, len(source.text)), False), []


def _describes(key: str) -> bool:
    return key in DESCRIPTIVE or key.startswith("x-")


def _headless(source: Source) -> Head:
    return Head(None, source.span(), source.span(0, len(source.text)), True)


def _front(region: Span) -> tuple[Mapping | None, list[Diagnostic]]:
    size = 4 * (region.end - region.start)
    if size > SIZE_LIMIT and (size := len(region.text.encode("utf-8"))) > SIZE_LIMIT:
        message = say("the frontmatter has {size:,} bytes, more than {limit:,}", size=size, limit=SIZE_LIMIT)
        return None, [finding("too-large", region.part(0, 0), message, say("move long texts into the body"))]
    plain = read_plain(region)
    if plain is not None:
        return plain, []
    from skillc.source.yamltree import read_tree

    node, found = read_tree(region, strict=True)
    if isinstance(node, Mapping) and (node.entries or found):
        found.extend(value_characters(node))
        return node, found
    if any(diagnostic.severity is Severity.ERROR for diagnostic in found):
        return None, _perhaps_unclosed(region, found)
    return None, [_not_a_mapping(region, node)]


def _not_a_mapping(region: Span, node: Node | None) -> Diagnostic:
    if node is None or isinstance(node, Mapping):
        fence = region.source.span(0, region.start).part(0, len(region.source.line(1)))
        return finding("frontmatter-missing", fence, say("the frontmatter is empty"), _FIELDS)
    if isinstance(node, Sequence):
        return finding(
            "yaml-syntax", node.span.part(0, 1), say("the frontmatter is a list, no mapping"), _LINES
        )
    from skillc.source.slips import not_a_mapping

    return not_a_mapping(region)


_LINES = say("write `key: value` lines")
_FIELDS = say("begin the file with `---`, then the fields, then `---` again")


def _missing(source: Source) -> Diagnostic:
    first = source.span(0, len(source.line(1)))
    if not source.text.strip():
        return finding(
            "frontmatter-missing", source.span(), say("the file is empty, so it has no frontmatter"), _FIELDS
        )
    if _LINK.fullmatch(source.text):
        help = say("a checked-out symlink? put the text of the file that it names here")
        return finding("frontmatter-missing", first, say("the file holds nothing but a path"), help)
    later = re.search(r"^---[ \t]*$", source.text, re.MULTILINE)
    if later and not source.text[: later.start()].strip():
        fence = source.span(*later.span())
        message = say("frontmatter must start on line 1")
        return finding("frontmatter-missing", fence, message, say("remove what stands before the fence"))
    almost = _ALMOST.match(source.text)
    help = say("a fence is a line of exactly three dashes at its very beginning") if almost else _FIELDS
    return finding("frontmatter-missing", first, say("the file has no frontmatter on line 1"), help)


def _unclosed(source: Source, start: int) -> Diagnostic:
    fence = source.span(0, len(source.line(1)))
    almost = _ALMOST.search(source.text, start)
    related = [Label(source.span(*almost.span()), say("this line is no fence"))] if almost else []
    help = say("write a line of exactly three dashes behind the last field")
    return finding(
        "frontmatter-unclosed", fence, say("the frontmatter that begins here is not closed"), help, related
    )


def _perhaps_unclosed(region: Span, found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings; or, when all lie behind a heading without fields below, that a fence is missing.

    A heading is a comment in YAML, so a forgotten fence shows first where the body's text begins.
    """
    heading = _HEADING.search(region.source.text, region.start, region.end)
    if not heading or any(diagnostic.span.start < heading.start() for diagnostic in found):
        return found
    if _FIELD.search(region.source.text, heading.end(), region.end):
        return found
    label = Label(region.source.span(*heading.span()), say("the body seems to begin here"))
    fence = region.source.span(0, len(region.source.line(1)))
    help = say("write a line of exactly three dashes behind the last field")
    return [
        finding(
            "frontmatter-unclosed",
            fence,
            say("the frontmatter that begins here is not closed"),
            help,
            [label],
        )
    ]
