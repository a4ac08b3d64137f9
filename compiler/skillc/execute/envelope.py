"""From what a model sent to the one JSON object in it, or a named reason why there is none.

Around the object a Markdown fence, leading prose and leading thinking are accepted; inside it every
character counts. Nothing is ever repaired: a guess that alters a text would be written as fact.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from skillc.runtime.jsontext import missed

THINK_OPEN = "<think>"
THINK_CLOSE = "</think>"
FENCE = "```"


@dataclass(frozen=True, slots=True)
class ReplyError:
    """Why a reply was not taken: a kind to tell cases apart, and one sentence. It may quote the reply; half a
    character in that is `?`, since the sentence is sent and stored."""

    kind: str
    message: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", self.message.encode("utf-8", "replace").decode())


LENGTH_LIMIT = ReplyError("length-limit", "the reply was cut off at the model's length limit")
"""Not `truncated`: asking again helps less than a larger `maxOutputTokens`."""


class _Fault(Exception):
    """Leaves the JSON decoder's hooks with the error that they found."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.error = ReplyError(kind, message)


def find_object(text: str) -> dict[str, object] | ReplyError:
    """The single JSON object of a reply.

    Refuses with empty, truncated, not-json, ambiguous or duplicate-key (SPEC 12.3).

    >>> find_object('想好了。</think> {"outputs": {}}')
    {'outputs': {}}
    >>> find_object('{"a": 1} {"b": 2}').kind
    'ambiguous'
    """
    if not text.strip():
        return ReplyError("empty", "the reply is blank")
    body = without_thinking(text)
    if isinstance(body, ReplyError):
        return body
    start = object_start(body, 0)
    if start < 0:
        return ReplyError("not-json", "the reply has no JSON object in it")
    found = _decode(body, start)
    if isinstance(found, ReplyError):
        return found
    value, end = found
    return _check_rest(body, start, end) or value


def without_thinking(text: str) -> str | ReplyError:
    """`text` behind the thinking that leads it, whose opening tag may be missing.

    A closing tag inside a value of the JSON object is text and stays.
    """
    while True:
        rest = text.lstrip()
        close = rest.find(THINK_CLOSE)
        if rest.startswith(THINK_OPEN) and close < 0:
            return ReplyError("truncated", "the reply ends inside its thinking")
        if close < 0 or (not rest.startswith(THINK_OPEN) and _belongs_to_value(rest, close)):
            return text
        text = rest[close + len(THINK_CLOSE) :]


def _belongs_to_value(text: str, position: int) -> bool:
    if text.startswith(("{", FENCE)):
        return True
    start = object_start(text, 0)
    while 0 <= start < position:
        found = _decode(text, start)
        if not isinstance(found, ReplyError) and found[1] > position:
            return True
        start = object_start(text, start + 1 if isinstance(found, ReplyError) else found[1])
    return False


def object_start(text: str, at: int) -> int:
    """Where a JSON object opens: a brace before a quote or its closing brace; -1 when nowhere.

    Other braces (`{id}` in prose) are text.
    """
    start = text.find("{", at)
    while start >= 0:
        if text[start + 1 :].lstrip(" \t\r\n")[:1] in ('"', "}", ""):
            return start
        start = text.find("{", start + 1)
    return -1


def _check_rest(text: str, start: int, end: int) -> ReplyError | None:
    """Behind the object only the end of its fence may stand; another object makes it ambiguous."""
    rest = text[end:].strip()
    if FENCE in text[:start] and rest.startswith(FENCE):
        rest = rest.removeprefix(FENCE).strip()
    if not rest:
        return None
    if object_start(rest, 0) >= 0:
        return ReplyError("ambiguous", "the reply has more than one JSON object")
    return ReplyError("not-json", f"text follows the JSON object: `{rest[:20]}`")


def _decode(text: str, start: int) -> tuple[dict[str, object], int] | ReplyError:
    decoder = json.JSONDecoder(
        object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite, parse_int=_integer
    )
    try:
        value, end = decoder.raw_decode(text, start)
        _refuse_surrogates(text[start:end], value)
    except _Fault as fault:
        return fault.error
    except RecursionError:
        return ReplyError("not-json", "the JSON object is nested too deeply")
    except json.JSONDecodeError as problem:
        return _decode_error(text, problem)
    return value, end


def _decode_error(text: str, problem: json.JSONDecodeError) -> ReplyError:
    open_string = problem.msg.startswith("Unterminated string")
    if open_string or problem.pos >= len(text.rstrip()):
        return ReplyError("truncated", "the reply ends inside its JSON object")
    place = text[problem.pos : problem.pos + 12].replace("\n", "\\n")
    return ReplyError("not-json", f"the JSON object cannot be read at `{place}`: {missed(problem.msg)}")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value: dict[str, object] = {}
    for key, item in pairs:
        if key in value:
            raise _Fault("duplicate-key", f"the key `{key}` stands twice in one JSON object")
        value[key] = item
    return value


def _no_constant(name: str) -> object:
    raise _Fault("not-json", f"`{name}` is no JSON value")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise _Fault("not-json", f"the number `{digits[:20]}` is too large")
    return number


def _integer(digits: str) -> int:
    if len(digits) > 1000:
        raise _Fault("not-json", f"the number `{digits[:20]}…` is too large")
    return int(digits)


def _refuse_surrogates(source: str, value: object) -> None:
    """Half a surrogate pair (`\\ud83d` alone) is no character: it could not be stored."""
    if "\\u" in source or any("\ud800" <= char <= "\udfff" for char in source):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise _Fault("not-json", "a text has half a surrogate pair, which is no character") from None
