"""A session as one Markdown document: what was said and written, in order; nothing that carries a label (SPEC 8.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from skillc.cli.readable import below, title_of
from skillc.cli.session_view import texts_of
from skillc.cli.shelf import day
from skillc.execute.bookfacts import BOOK, OF_A_RUN, SessionRows, steps_of
from skillc.execute.ledger import Entry
from skillc.execute.records import AnswerRow, BlockRow, ItemRow, RunRow, SessionRecord, SessionSummary
from skillc.report.language import Words
from skillc.runtime import RunnablePlan
from skillc.value import field, value
from skillc.wording import said_in, say

SHOWN = "输出"


@value(frozen=False, slots=False)
class Written:
    """The document; `labelled` are tags with their labels, left out or, where that was asked for, in it."""

    text: str = ""
    labelled: dict[str, tuple[str, ...]] = field(default_factory=dict)


def session_markdown(
    summary: SessionSummary,
    record: SessionRecord,
    rows: SessionRows,
    book: str | None,
    include_hidden: bool,
    words: Words,
    plan: RunnablePlan | None = None,
) -> Written:
    """The document of one session. `plan` is what it runs on, if that is still known: it gives names to read."""
    written = Written()
    head = say(
        "session {id} of {package}, begun {time}",
        id=summary.id,
        package=summary.package,
        time=day(summary.created_at),
    )
    title = book or (title_of(plan.package.description) if plan else "") or summary.package
    parts = [f"# {title}", f"*{said_in(words, head)}*"]
    names = {worker.id: worker.name for worker in plan.workers.values()} if plan else {}
    telling = _Telling(record, rows, include_hidden, words, written, names)
    for step in steps_of(rows.entries):
        telling.begin(step)
        for kind in (AnswerRow, BlockRow, ItemRow, RunRow):
            for entry in step:
                if isinstance(entry.value, kind):
                    parts += telling.parts(entry)
    written.text = "\n\n".join(parts) + "\n"
    return written


class _Telling:
    """What of a session goes into the document, row by row. A package with a dialogue is told by its blocks."""

    def __init__(
        self,
        record: SessionRecord,
        rows: SessionRows,
        include_hidden: bool,
        words: Words,
        written: Written,
        names: Mapping[str, str],
    ) -> None:
        self._names = names
        self._in_dialogue = bool(record.blocks)
        self._kept = {row.id for row, _ in texts_of(record)}
        self._rows = rows
        self._all = include_hidden
        self._words = words
        self._written = written
        self._said: Sequence[ItemRow] = ()
        self._said_labels: dict[str, frozenset[str]] = {}

    def begin(self, step: list[Entry]) -> None:
        """What was said is what was written in the same step: where that carries a label, so does the answer."""
        self._said = [
            entry.value for entry in step if isinstance(entry.value, ItemRow) and entry.value.source == "user"
        ]
        self._said_labels = {
            row.tag: labels for row in self._said if (labels := self._rows.labelling.labels(row.tag))
        }

    def parts(self, entry: Entry) -> Iterator[str]:
        match entry.value:
            case AnswerRow() as answer if answer.text.strip() and not self._is_block(answer):
                for tag, labels in self._said_labels.items():
                    self._written.labelled[tag] = tuple(sorted(labels))
                if self._said_labels and not self._all:
                    return
                yield self._part(_HEADS.get(answer.action, say("You")), self._answer(answer.text))
            case BlockRow() as block:
                head = say("You") if block.role == "user" else say("Shown")
                yield self._part(head, block.content)
            case RunRow() as run if run.questions and run.asked and not run.items:
                name = self._names.get(run.worker, run.worker)
                yield self._part(
                    say("{worker} asks", worker=name), "\n".join(f"- {q}" for q in run.questions)
                )
            case ItemRow() as item if item.id in self._kept and not self._is_told(item):
                yield from self._item(item)

    def _part(self, head: str, text: str) -> str:
        return f"### {said_in(self._words, head)}\n\n{below(text.strip(), 3)}"

    def _answer(self, text: str) -> str:
        """An answer to several questions is kept as lines that begin with a tag: each as a paragraph."""
        told = [
            said_in(self._words, say("{tag}: {text}", tag=row.tag, text=row.content)) for row in self._said
        ]
        kept = [f"{row.tag}: {row.content}" for row in self._said]
        return "\n\n".join(told) if text == "\n".join(kept) else text

    def _is_block(self, answer: AnswerRow) -> bool:
        return self._in_dialogue and answer.reason == "input"

    def _is_told(self, item: ItemRow) -> bool:
        """What the user said, what belongs to the run, and what stands in the dialogue."""
        first = item.tag.partition(".")[0]
        return (
            item.source in ("user", "runtime")
            or first in OF_A_RUN - {"验收"}
            or (self._in_dialogue and first == SHOWN)
        )

    def _item(self, item: ItemRow) -> Iterator[str]:
        labels = tuple(sorted(self._rows.labelling.labels(item.tag)))
        if labels:
            self._written.labelled[item.tag] = labels
            if not self._all:
                return
        notes = [*labels, *([said_in(self._words, say("from the Book"))] if item.source == BOOK else [])]
        head = f"{item.tag} ({', '.join(notes)})" if notes else item.tag
        yield f"## {head}\n\n{below(item.content.strip(), 2)}"


_HEADS = {
    "reject": say("You sent back"),
    "edit": say("You set variables"),
    "queue": say("You called"),
}
