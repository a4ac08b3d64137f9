"""An artifact as one HTML page that needs nothing else: no scripts, no links, every character of it escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from skillc.model.artifact_note import ArtifactNote, place_of
from skillc.model.artifact_reading import ArtifactReading
from skillc.report import artifact_view as view
from skillc.report.artifact_groups import groups_of
from skillc.report.artifact_style import STYLE
from skillc.report.artifact_text import score_of
from skillc.report.language import words_of
from skillc.report.visible import visible
from skillc.runtime.fragment import Fragment, Question
from skillc.wording import said_in, say

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a page may load: nothing. A text that got past the escaping could still do no harm."""


def render_html(reading: ArtifactReading, language: str = "en") -> str:
    """`reading` as a page in `language`; the text as stored is on it, folded."""
    return _Page(reading, language).whole()


class _Page:
    def __init__(self, reading: ArtifactReading, language: str) -> None:
        self.reading = reading
        self.language = language
        self.words = words_of(language)

    def said(self, text: str) -> str:
        return safe(said_in(self.words, text))

    def whole(self) -> str:
        title = self._title()
        language = "zh-CN" if self.language == "zh" else "en"
        return "\n".join(
            [
                "<!doctype html>",
                f'<html lang="{language}">',
                "<head>",
                '<meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                '<meta name="color-scheme" content="light dark">',
                f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
                f"<title>{title}</title>",
                f"<style>{STYLE}</style>",
                "</head>",
                "<body>",
                "<main>",
                *self._parts(title),
                "</main>",
                "</body>",
                "</html>",
                "",
            ]
        )

    def _title(self) -> str:
        reading = self.reading
        name = (
            reading.artifact.name if reading.artifact else reading.fragment.skill if reading.fragment else ""
        )
        return safe(name) or self.said(say("artifact"))

    def _parts(self, title: str) -> Iterator[str]:
        yield from self._head(title)
        yield from self._unread()
        yield from self._notes()
        yield from self._body()
        yield from self._questions()
        yield from self._raw()

    def _head(self, title: str) -> Iterator[str]:
        tag = f" <code>{safe(self.reading.tag)}</code>" if self.reading.tag else ""
        yield f"<header><h1>{title}{tag}</h1>"
        fragment = self.reading.fragment
        if fragment is not None:
            yield from self._shell(fragment, title)
        yield "</header>"

    def _shell(self, fragment: Fragment, title: str) -> Iterator[str]:
        if fragment.brief:
            yield f'<p class="brief">{safe(fragment.brief)}</p>'
        if fragment.scores:
            pills = "".join(f'<li class="score">{safe(score_of(score))}</li>' for score in fragment.scores)
            yield f'<ul class="pills" aria-label="{self.said(say("self-score"))}">{pills}</ul>'
        facts = [
            (say("skill"), fragment.skill if safe(fragment.skill) != title else ""),
            (say("mounted on"), "、".join(name for name, _ in fragment.mounts)),
            (say("stability"), fragment.stability or ""),
            (say("weak"), fragment.weak),
        ]
        rows = [(self.said(label), safe(value)) for label, value in facts if value]
        rows += [(safe(score.name), safe(score.note)) for score in fragment.scores if score.note]
        if rows:
            yield f'<dl class="facts">{"".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows)}</dl>'

    def _unread(self) -> Iterator[str]:
        reading = self.reading
        if reading.reason:
            reason = self.said(say("shown as it is: {reason}", reason=reading.reason))
            yield f'<p class="reason" role="note">{reason}</p>'
            yield self._fold(say("text as stored"), reading.text)

    def _notes(self) -> Iterator[str]:
        warnings = [note for note in self.reading.notes if note.level == "warning"]
        notes = [note for note in self.reading.notes if note.level == "note"]
        if warnings:
            yield f'<section class="notes"><h2>{self.said(say("notes"))}</h2><ul>'
            yield from map(self._note, warnings)
            yield "</ul></section>"
        if notes:
            yield f'<details class="notes"><summary>{self.said(say("{n} smaller notes", n=len(notes)))}</summary><ul>'
            yield from map(self._note, notes)
            yield "</ul></details>"

    def _note(self, note: ArtifactNote) -> str:
        place = f"<code>{safe(place_of(note.path))}</code> " if note.path else ""
        help = f' <span class="help">{self.said(note.help)}</span>' if note.help else ""
        return f"<li>{place}{self.said(note.message)}{help}</li>"

    def _body(self) -> Iterator[str]:
        groups = groups_of(self.reading)
        sides = [
            (side, [group for group in groups if group.side == side]) for side in ("product", "assessment")
        ]
        shown = [(side, found) for side, found in sides if found]
        if not shown:
            return
        yield f'<div class="sides{" two" if len(shown) > 1 else ""}">'
        for side, found in shown:
            label = say("product") if side == "product" else say("assessment")
            yield f'<section class="side {side}"><h2>{self.said(label)}</h2>'
            for group in found:
                yield f'<section class="group"><h3>{safe(group.title)}</h3>{blocks(group.blocks)}</section>'
            yield "</section>"
        yield "</div>"

    def _questions(self) -> Iterator[str]:
        fragment = self.reading.fragment
        if fragment is None:
            return
        if fragment.questions or fragment.lead:
            yield f'<section class="questions"><h2>{self.said(say("questions"))}</h2>'
            if fragment.lead:
                yield f"<p>{safe(fragment.lead)}</p>"
            yield f"<ol>{''.join(map(self._question, fragment.questions))}</ol></section>"
        if fragment.open:
            rows = "".join(f"<li>{safe(text)}</li>" for text in fragment.open)
            yield f'<section class="open"><h2>{self.said(say("open questions"))}</h2><ul>{rows}</ul></section>'

    def _question(self, question: Question) -> str:
        choices = "".join(f"<li>{safe(choice)}</li>" for choice in question.choices)
        chips = f'<ul class="pills">{choices}</ul>' if choices else ""
        text = say("example: {text}", text=question.example)
        example = f'<p class="help">{self.said(text)}</p>' if question.example else ""
        return f"<li>{safe(question.text)}{chips}{example}</li>"

    def _raw(self) -> Iterator[str]:
        reading = self.reading
        around = "\n\n".join(part for part in (reading.before, reading.behind) if part)
        if around:
            yield self._fold(say("text around the JSON"), around)
        if not reading.reason:
            yield self._fold(say("text as stored"), reading.text)

    def _fold(self, label: str, text: str) -> str:
        """The first line break behind `<pre>` is no part of the text, so one is put there."""
        return (
            f'<details class="raw"><summary>{self.said(label)}</summary><pre>\n{safe(text)}</pre></details>'
        )


def safe(text: str) -> str:
    """Text that is nothing but text in a page, in attributes too; characters that hide or reorder are shown by
    their number."""
    lines = text.replace("\r\n", "\n").split("\n")
    return escape("\n".join("\t".join(map(visible, line.split("\t"))) for line in lines), quote=True)


def blocks(parts: Iterable[view.Block]) -> str:
    return "".join(map(_block, parts))


def _block(block: view.Block) -> str:
    match block:
        case view.Prose():
            return f'<p class="prose">{safe(block.text)}</p>'
        case view.Texts():
            return f"<ul>{''.join(f'<li>{safe(item)}</li>' for item in block.items)}</ul>"
        case view.Pairs():
            rows = "".join(f"<dt>{safe(key)}</dt><dd>{_block(inner)}</dd>" for key, inner in block.rows)
            return f"<dl>{rows}</dl>"
        case view.Table():
            return _table(block)
        case view.Cards():
            return f'<div class="cards">{"".join(map(_card, block.items))}</div>'


def _table(table: view.Table) -> str:
    head = "".join(f'<th scope="col">{safe(cell)}</th>' for cell in table.head)
    rows = []
    for at, row in enumerate(table.rows):
        marked = ' class="marked"' if at in table.marked else ""
        rows.append(f"<tr{marked}>{''.join(f'<td>{safe(cell)}</td>' for cell in row)}</tr>")
    return f'<div class="table"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _card(card: view.Card) -> str:
    pills = "".join(f'<span class="pill">{safe(pill)}</span>' for pill in card.pills)
    head = f"<h4>{safe(card.title)}{pills}</h4>" if card.title or pills else ""
    return f'<article class="card">{head}{blocks(card.blocks)}</article>'
