"""Findings and briefs as plain data: what was written is read again as it was, and nothing else is taken for it."""

from __future__ import annotations

import json

import pytest

from skillc.diagnostic import CODES, Edit, Fix, Label, Severity, finding
from skillc.engine.wire import LINE, Later, Reader, Unknown, Writer
from skillc.graph.brief import Brief
from skillc.tags import Pattern
from skillc.text import Source, Span, Text
from skillc.value import replace
from skillc.wording import Said, say

FILE = Source("skills/novel/甲/orchestrator.md", "---\nname: 甲\n---\n")
OTHER = Source("skills/novel/甲", "")


def span(source: Source = FILE) -> Span:
    return source.span(10, 11) if source is FILE else source.span()


FOUND = finding(
    "feedback-loop",
    span(),
    say("{size} workers feed each other: {route}", size=2, route=say("`{a}`", a="写手")),
    "no template",
    (Label(span(OTHER), say("`{a}` is here", a="写手"), aside=True),),
    Fix("take it out", (Edit(span(), "乙"),), safe=False),
)
BRIEF = Brief("novel/甲", "skills/novel/甲", "甲", span(), (Text("甲", span()),), (), (), unknown=True)


def again(value: object) -> object:
    writer = Writer([FILE])
    data = json.loads(json.dumps(writer.data(value)))
    return Reader(writer.sources(), {FILE.path: FILE}.__getitem__).value(data)


def test_what_was_written_is_read_as_it_was() -> None:
    for value in (
        FOUND,
        BRIEF,
        (FOUND, None),
        Pattern(("规则", "*")),
        Severity.INFO,
        CODES["bad-tag"],
        1.5,
        True,
        (),
    ):
        assert type(again(value)) is type(value)
    brief = again(BRIEF)
    assert brief == BRIEF, "its file is known, so that the spans are in the very same source"


def test_sentences_keep_their_template_and_texts_of_no_file_are_kept() -> None:
    found = again(FOUND)
    assert isinstance(found, type(FOUND)) and found.message == FOUND.message
    assert (
        isinstance(found.message, Said)
        and found.message.template == "{size} workers feed each other: {route}"
    )
    label = found.related[0]
    assert (label.span.path, label.span.source.text, label.aside) == (OTHER.path, "", True)
    assert replace(found, related=()) == replace(FOUND, related=())
    assert found.fix == FOUND.fix and found.severity is FOUND.severity


def test_what_cannot_be_kept_is_refused_when_it_is_written() -> None:
    with pytest.raises(TypeError, match="object cannot be kept"):
        Writer().data((object(),))


@pytest.mark.parametrize(
    "data",
    [
        [],
        [1],
        ["?"],
        [["@"]],
        ["@", 0, 1],
        ["@", 0, "1", 2],
        ["@", 5, 1, 2],
        ["@", None, 1, 2],
        ["@", 1, 1, 2],
        ["@", 2, 1, 2],
        ["@", 3, 1, 2],
        ["#", "no-such-code"],
        ["#", ["#"]],
        ["!", 99],
        ["~", "{a}", {}],
        ["~", "{a}", []],
        ["Text", "a"],
        ["Brief", "a"],
        ["Diagnostic", ["", ["?"]]],
        ["", ["", ["@", 1]]],
    ],
)
def test_what_nobody_wrote_is_unknown(data: object) -> None:
    with pytest.raises(Unknown):
        Reader(
            [[FILE.path], [FILE.path, [["1", 0, ""]]], [FILE.path, [[1, 0]]], [FILE.path, None]],
            {FILE.path: FILE}.__getitem__,
        ).value(data)


def test_a_text_is_read_when_it_is_asked_for_and_empty_when_it_is_gone() -> None:
    asked: list[str] = []

    def read(path: str) -> Source:
        asked.append(path)
        return Source(path, "---\n") if path == FILE.path else {}[path]

    later = Later(FILE.path, read)
    assert asked == [] and later.path == FILE.path
    assert later.text == "---\n" and later.text == "---\n" and asked == [FILE.path]
    with pytest.raises(AttributeError):
        _ = later.lines  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text", ["", "\n", "一行", "a\n\n规则: 甲\n", "a\n" + "长" * (LINE + 1) + "\nb\nc", "\n\n\n"]
)
def test_lines_that_are_kept_are_shown_as_the_text_would_show_them(text: str) -> None:
    file = Source("甲.md", text)
    spans = [file.span(start, end) for start in range(len(text) + 1) for end in (start, len(text))]
    for one in spans[:: max(1, len(spans) // 50)]:
        asked: list[str] = []

        def read(path: str, asked: list[str] = asked) -> Source:
            asked.append(path)
            return file

        writer = Writer([file], showing=True)
        data = json.loads(json.dumps([writer.data(one), writer.sources()]))
        again = Reader(data[1], read).value(data[0])
        assert (again.position, again.end_position) == (one.position, one.end_position)
        lines = [file.line(span.position[0]) for span in (one, file.span(one.end))]
        assert [again.source.line(at[0]) for at in (again.position, again.end_position)] == lines
        assert bool(asked) is any(len(line) > LINE for line in lines), (
            "only a line that is too long is read again"
        )
        assert again.text == one.text
        every = range(len(text) + 1)
        assert [again.source.position(at) for at in every] == [file.position(at) for at in every]
        numbers = range(1, text.count("\n") + 2)
        assert [again.source.line(number) for number in numbers] == [file.line(number) for number in numbers]
