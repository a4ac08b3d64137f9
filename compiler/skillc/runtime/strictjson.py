"""JSON that is written to be obeyed, read as strictly as a reply: what could mean two things means nothing."""

from __future__ import annotations

from skillc.runtime.jsontext import HALF, LONGEST_NUMBER, has_halves, missed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def strict_json(text: str, what: str) -> Any:
    """The JSON that `text` is, alone or in one fence. Refuses (ValueError, a sentence; `what` where it is no JSON at
    all) a key twice, NaN, numbers that are too large, half characters, and what is nested too deeply.

    >>> strict_json("[1]", "no list")
    [1]
    """
    import json

    body = _unfenced(text)
    try:
        data = json.loads(
            body,
            object_pairs_hook=_unique,
            parse_constant=no_value,
            parse_float=finite,
            parse_int=integer,
        )
        halves = has_halves(body, data)
    except json.JSONDecodeError as problem:
        raise ValueError(f"{what}: {missed(problem.msg)} at character {problem.pos + 1}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if halves:
        raise ValueError(HALF)
    return data


def _unfenced(text: str) -> str:
    body = text.strip()
    if body.startswith("```") and body.endswith("```") and "\n" in body:
        return body.partition("\n")[2][:-3]
    return body


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(
            f"the key `{next(key for key in keys if keys.count(key) > 1)}` stands twice in one entry"
        )
    return found


def no_value(name: str) -> object:
    """Refuses NaN and its kind, for a JSON reader."""
    raise ValueError(f"`{name}` is no JSON value")


def finite(digits: str) -> float:
    """The number; refuses one that a float cannot hold."""
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"the number `{digits[:20]}` is too large")
    return number


def integer(digits: str) -> int:
    """The number; refuses one of too many digits."""
    if len(digits.removeprefix("-")) > LONGEST_NUMBER:
        raise ValueError(f"the number `{digits[:20]}…` is too large")
    return int(digits)
