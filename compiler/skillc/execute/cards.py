"""Question cards: what the artifacts of a reply ask of the user, in their 追问 (SPEC 10.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from skillc.execute.invoke import Answered
from skillc.execute.reply import Reply
from skillc.runtime import Item
from skillc.runtime.artifacts import artifact_of
from skillc.runtime.fragment import Question, find_fragment


@dataclass(frozen=True, slots=True)
class Card:
    """What the artifact under `tag` asks: a `lead`, then its questions with choices and examples."""

    tag: str
    lead: str
    questions: tuple[Question, ...]

    def lines(self) -> Iterator[str]:
        """One line for each question: the question, its choices in brackets, its example."""
        for question in self.questions:
            choices = f" [{' / '.join(question.choices)}]" if question.choices else ""
            yield question.text + choices + (f" 例：{question.example}" if question.example else "")

    def data(self) -> dict[str, object]:
        """The card as plain data, for those who show it."""
        rows = [{"text": q.text, "choices": list(q.choices), "example": q.example} for q in self.questions]
        return {"tag": self.tag, "lead": self.lead, "questions": rows}


def cards_of(texts: Iterable[tuple[str, str]]) -> tuple[Card, ...]:
    """The cards of (tag, text) pairs: of every artifact of a design whose text is a fragment with questions."""
    found = ((tag, find_fragment(text)) for tag, text in texts if artifact_of(tag))
    return tuple(
        Card(tag, said.lead, tuple(said.questions)) for tag, said in found if said and said.questions
    )


def cards_on(items: Iterable[Item]) -> tuple[Card, ...]:
    """The cards of items on a board."""
    return cards_of((item.tag, item.content) for item in items)


def wait_fields(cards: Iterable[Card]) -> Mapping[str, object]:
    """What a session that waits for the answer shows: the leads as its prompt, the questions as lines."""
    shown = tuple(cards)
    return {
        "prompt": "\n".join(card.lead for card in shown if card.lead),
        "questions": tuple(line for card in shown for line in card.lines()),
    }


def once(answered: Answered) -> Answered:
    """The answer without questions in askUser that a card asks already; each is noted."""
    reply = answered.reply
    cards = cards_of(reply.outputs.items()) if reply.questions else ()
    asked = {_bare(question.text): card.tag for card in cards for question in card.questions}
    repeated = [question for question in reply.questions if _bare(question) in asked]
    if not repeated:
        return answered
    notes = [
        f"askUser repeats a question of 追问 in `{asked[_bare(question)]}`: its card asks it once"
        for question in repeated
    ]
    left = tuple(question for question in reply.questions if question not in repeated)
    changed = Reply(reply.outputs, reply.summary, left, (*reply.notes, *notes))
    return replace(answered, reply=changed)


def _bare(question: str) -> str:
    """A question by its letters and digits: marks and blanks make no other question of it."""
    return "".join(filter(str.isalnum, question.casefold()))
