"""An artifact of a design inside the account of a session: as `show-artifact` shows it, without what it asks."""

from __future__ import annotations

import shutil

from skillc.report.language import Words
from skillc.runtime import Item
from skillc.runtime.artifacts import artifact_of
from skillc.value import replace

INDENT = 2


def artifact_page(item: Item, words: Words) -> str:
    """The artifact as people read it; empty when the text is none. Its questions are left to who asks them."""
    if artifact_of(item.tag) is None:
        return ""
    from skillc.model.artifact_reading import read_artifact
    from skillc.report.artifact_text import render_text

    reading = read_artifact(item.content, item.tag)
    if reading.tree is None:
        return ""
    if reading.fragment is not None:
        reading.fragment.lead, reading.fragment.questions = "", []
    width = max(40, shutil.get_terminal_size((100, 24)).columns - INDENT)
    notes = tuple(note for note in reading.notes if note.level == "warning")
    page = render_text(replace(reading, before="", behind="", notes=notes), width, words=words)
    return "\n".join(part for part in (reading.before, page.rstrip("\n"), reading.behind) if part)
