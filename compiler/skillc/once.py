"""What several ask of one thing is worked out once, and forgotten with the thing."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar


class Answering(Protocol):
    """Frozen data with a place for what was asked of it."""

    @property
    def answers(self) -> dict[object, Any]: ...


Thing = TypeVar("Thing", bound=Answering)
T = TypeVar("T")
_UNASKED: Any = object()


def once(work: Callable[[Thing], T]) -> Callable[[Thing], T]:
    """`work`, a pure function of one thing, that gives later askers the very answer of the first. Nobody changes it."""

    @wraps(work)
    def answer(thing: Thing) -> T:
        found: T = thing.answers.get(work, _UNASKED)
        if found is _UNASKED:
            found = thing.answers[work] = work(thing)
        return found

    return answer


def forget(thing: Answering) -> None:
    """Forget what was asked of a thing that nobody asks any more. Answers that know their thing would keep both until
    somebody looks for circles."""
    thing.answers.clear()
