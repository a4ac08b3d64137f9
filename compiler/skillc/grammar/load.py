"""The lark parsers of `grammar/`, each built once, when it is first needed."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark, Transformer

_HERE = os.path.dirname(os.path.abspath(__file__))
_CHECKOUT = os.path.normpath(os.path.join(_HERE, "..", "..", "..", "grammar"))
_INSTALLED = os.path.join(os.path.dirname(_HERE), "_grammar")


def grammar_folder() -> str:
    """Where the grammars are: in the checkout when this runs in one, else in the wheel."""
    return _CHECKOUT if os.path.isfile(os.path.join(_CHECKOUT, "tag.lark")) else _INSTALLED


def grammar_text(name: str) -> str:
    """The text of `grammar/<name>.lark`: of the checkout when this runs in one, else of the wheel.

    The checkout comes first because an editable installation may carry a copy that is out of date.
    """
    for folder in (_CHECKOUT, _INSTALLED):
        path = os.path.join(folder, f"{name}.lark")
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    raise FileNotFoundError(f"grammar/{name}.lark is neither in the checkout nor in the installation")


def build(name: str, transformer: Transformer[Any, Any] | None = None) -> Lark:
    """An LALR parser of `grammar/<name>.lark`. Callers keep it: building takes milliseconds."""
    from lark import Lark

    return Lark(grammar_text(name), parser="lalr", transformer=transformer, cache=False)


@cache
def plain(name: str) -> Lark:
    """The parser of a grammar that gives lark's own trees."""
    return build(name)
