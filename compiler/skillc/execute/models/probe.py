"""Whether a server really gives replies in the form that it is asked for: tried once, judged by what comes back.

A status of 200 proves nothing: there are servers that take a schema, or a tool that must be called, and do as
they like. So a form is asked for that nobody would give by himself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from skillc.execute.envelope import find_object
from skillc.execute.models.form import Form, Tool, fits
from skillc.execute.models.ladder import AUTO_TOOL, FORCED_TOOL, JSON_OBJECT, JSON_SCHEMA, TEXT
from skillc.execute.models.protocol import Completion, Message, ModelClient, ModelError, Request

Word = Literal["works", "refused", "ignored", "blank", "cut", "failed"]

_SCHEMA = {
    "type": "object",
    "properties": {
        "zorp": {"type": "boolean"},
        "flim": {"type": "string", "enum": ["blee", "tronk", "quux"]},
        "vits": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["zorp", "flim", "vits"],
    "additionalProperties": False,
}
NONSENSE = Form(_SCHEMA, (Tool("zorp_report", "Takes what there is to say.", _SCHEMA),))
_SYSTEM = "You answer in one short sentence."
_SEA = "What do you think of the sea?"
_JSON = 'What do you think of the sea? Answer as a json object with one key, as {"sea": "what you think"}.'


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of asking in one way: it works, the server refused or ignored it, sent a blank, or was cut off at the
    limit; `failed` where nothing is known of the way. `why` says more, without any secret."""

    word: Word
    why: str = ""

    @property
    def works(self) -> bool | None:
        """Whether the way can be used; None where that is not known."""
        return None if self.word in ("cut", "failed") else self.word == "works"


def probe(client_for: Callable[[str], ModelClient], way: str) -> Verdict:
    """Ask once by `way`; `client_for` gives a client that asks so and in no other way."""
    messages: list[Message] = [
        {"role": "system", "content": _SYSTEM},
        {"role": "user", "content": _JSON if way == JSON_OBJECT else _SEA},
    ]
    form = NONSENSE if way not in (TEXT, JSON_OBJECT) else None
    try:
        completion = client_for(way).complete(Request("probe", None, messages, form=form))
    except ModelError as problem:
        return Verdict("refused" if problem.kind == "refused" else "failed", str(problem))
    return judged(completion, way)


def judged(completion: Completion, way: str) -> Verdict:
    """What an answer says of the way in which it was asked for."""
    if completion.finish_reason == "length":
        return Verdict(
            "cut", "the answer was cut off at the limit: give the profile a larger `maxOutputTokens`"
        )
    if not completion.calls and not completion.text.strip():
        return Verdict("blank", "the answer is blank")
    if way == TEXT:
        return Verdict("works")
    if way in (FORCED_TOOL, AUTO_TOOL) and not completion.calls:
        return Verdict(
            "works" if way == AUTO_TOOL else "ignored", "" if way == AUTO_TOOL else "it called no tool"
        )
    found = find_object(completion.calls[0].arguments if completion.calls else completion.text)
    if not isinstance(found, dict):
        return Verdict("ignored", f"it sent no JSON: {found.message}")
    if way == JSON_SCHEMA and not fits(found, NONSENSE.schema):
        return Verdict("ignored", "what it sent does not fit the schema")
    if completion.calls and not fits(found, NONSENSE.schema):
        return Verdict("ignored", "the arguments of the tool do not fit its schema")
    return Verdict("works")
