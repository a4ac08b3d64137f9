"""What is said of a value that does not fit speaks of what is wanted, never in the words of a library."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from skillc.execute.misfit import misfit


class Sample(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str = ""
    flag: bool = False
    count: int = 0
    part: float = Field(default=0, ge=0, lt=10, allow_inf_nan=False)
    names: list[str] = []
    rows: tuple[Annotated[str, Field(min_length=2)], ...] = Field(default=("ab",), min_length=1)
    table: dict[str, str] = {}
    way: Literal["once", "always"] = "once"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"text": 1}, "a text is wanted"),
        ({"flag": "vielleicht"}, "true or false is wanted"),
        ({"count": "x"}, "a whole number is wanted"),
        ({"count": 1.5}, "a whole number is wanted"),
        ({"part": "x"}, "a number is wanted"),
        ({"part": float("inf")}, "a finite number is wanted"),
        ({"part": -1}, "at least 0.0 is wanted"),
        ({"names": "x"}, "a list is wanted"),
        ({"rows": []}, "it has too few entries: at least 1 are wanted"),
        ({"rows": ["a"]}, "it is too short: at least 2 characters are wanted"),
        ({"table": []}, "an object is wanted"),
        ({"way": "never"}, "'once' or 'always' is wanted"),
        ({"other": 1}, "there is no such key"),
        ({"part": 11}, "input should be less than 10"),
    ],
)
def test_what_is_wanted_is_said(value: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Sample.model_validate(value)
    assert misfit(refused.value.errors()[0]) == said
