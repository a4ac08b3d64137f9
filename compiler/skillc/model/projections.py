"""A projection as an author writes it, in a segment or in an order (SPEC 10.4)."""

from __future__ import annotations

from typing import Literal, cast

from skillc.diagnostic import Diagnostic, finding
from skillc.model.fields import nearest
from skillc.runtime.order import PROJECTIONS, projection_named
from skillc.text import Text
from skillc.wording import say

Projection = Literal["full", "summary", "fields", "fixed"]


def read_projection(word: Text | None, found: list[Diagnostic], aliases: bool = False) -> Projection | None:
    """The projection that `word` is; unknown-projection goes to `found`. Chinese names are for orders only."""
    if word is None:
        return None
    meant = projection_named(word.value)
    if meant and (aliases or meant == word.value):
        return cast(Projection, meant)
    near = meant or nearest(word.value, PROJECTIONS)
    message = (
        say("`{word}` is not a projection; did you mean `{near}`?", word=word.value, near=near)
        if near
        else say("`{word}` is not a projection", word=word.value)
    )
    found.append(
        finding(
            "unknown-projection",
            word.span,
            message,
            say("the projections are full, summary, fields and fixed"),
        )
    )
    return None
