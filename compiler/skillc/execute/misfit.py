"""Why a value does not fit a record, in words that say what is wanted and that a catalogue can translate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_WANTED: Mapping[str, str] = {
    "string": "a text is wanted",
    "bool": "true or false is wanted",
    "int": "a whole number is wanted",
    "float": "a number is wanted",
    "finite_number": "a finite number is wanted",
    "list": "a list is wanted",
    "tuple": "a list is wanted",
    "dict": "an object is wanted",
    "mapping": "an object is wanted",
    "model": "an object is wanted",
    "none_required": "nothing is wanted",
    "missing": "it is missing",
    "extra_forbidden": "there is no such key",
}


def misfit(error: ErrorDetails | Mapping[str, Any]) -> str:
    """What is wrong with one value: a part of a sentence that begins small. The type of the error decides; what our own
    validators say stays.

    >>> misfit({"type": "string_type", "msg": "Input should be a valid string"})
    'a text is wanted'
    """
    kind, bounds = str(error["type"]), error.get("ctx") or {}
    stem = kind.removesuffix("_type").removesuffix("_parsing").removesuffix("_from_float")
    if stem in _WANTED:
        return _WANTED[stem]
    match kind:
        case "literal_error" | "enum":
            return f"{bounds.get('expected')} is wanted"
        case "greater_than_equal":
            return f"at least {bounds.get('ge')} is wanted"
        case "less_than_equal":
            return f"at most {bounds.get('le')} is wanted"
        case "too_short":
            return f"it has too few entries: at least {bounds.get('min_length')} are wanted"
        case "string_too_short":
            return f"it is too short: at least {bounds.get('min_length')} characters are wanted"
        case "greater_than":
            return f"more than {bounds.get('gt')} is wanted"
    said = str(error["msg"]).removeprefix("Value error, ")
    return said[0].lower() + said[1:]
