"""The persona and the body of a worker, and where the one is part of the other (SPEC 5, 9.2)."""

from __future__ import annotations

from skillc.model.package import Worker
from skillc.source.directives import spoken
from skillc.source.document import Document, Section
from skillc.value import value

SECTION = "角色与口吻"


@value
class Persona:
    """`text` is what `worker.persona` inserts, or None; `body` what the system message keeps."""

    text: str | None
    body: str


def persona_of(worker: Worker, inserted: bool) -> Persona:
    """The field `persona`, else the section 角色与口吻 with what is below it.

    The section leaves the body only where every layout of the worker inserts it (`inserted`): said
    twice it costs tokens, said nowhere it is lost. Leading and trailing line ends are stripped, and
    directives to the compiler; no other character is.
    """
    document = worker.document
    if document is None:
        return Persona(worker.persona, "")
    body = spoken(document, document.body.start, document.body.end).strip("\n")
    if worker.persona:
        return Persona(worker.persona.strip("\n"), body)
    found = _section(document)
    if found is None:
        return Persona(None, body)
    heading, start, end = found
    text = spoken(document, start, end).strip("\n")
    if not inserted or not text:
        return Persona(text or None, body)
    return Persona(text, _without(document, heading, end))


def _section(document: Document) -> tuple[int, int, int] | None:
    """Offsets of the heading line, of what is below it, and of where the next equal or higher one begins."""
    for at, section in enumerate(document.sections):
        if section.level and section.title.value == SECTION:
            after = (s for s in document.sections[at + 1 :] if s.level <= section.level)
            following = next(after, None)
            end = _heading(document, following) if following else document.body.end
            return _heading(document, section), section.body.start, end
    return None


def _heading(document: Document, section: Section) -> int:
    """Where the line of a heading begins."""
    return document.source.text.rfind("\n", 0, section.title.span.start) + 1


def _without(document: Document, start: int, end: int) -> str:
    before = spoken(document, document.body.start, start).strip("\n")
    after = spoken(document, end, document.body.end).strip("\n")
    return "\n\n".join(part for part in (before, after) if part)
