"""`value` makes the records that `dataclass` makes, but for what the last tests say."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as their_field
from dataclasses import replace as their_replace
from functools import cached_property
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.value import asdict, field, fields, replace, value

Make = Callable[..., Any]


def shapes(decorate: Callable[[Any], Any], field: Any) -> dict[str, Make]:
    """The same classes, made by `decorate`."""

    @decorate
    class Nothing:
        """Without fields."""

    @decorate
    class One:
        """With one."""

        a: object

    @decorate
    class Many:
        """With what begins in all ways."""

        b: object
        a: object
        counted: ClassVar[int] = 3
        c: object = 0
        d: object = field(default_factory=tuple)

        def both(self) -> tuple[object, object]:
            return (self.a, self.b)

    @decorate
    class Aside:
        """With fields that do not count everywhere."""

        a: object
        b: object = field(default=(), compare=False)
        c: object = field(default=1, repr=False)
        d: dict[str, int] = field(init=False, default_factory=dict, compare=False, repr=False)

    @decorate
    class More(One):  # type: ignore[misc, valid-type]
        """With the fields of another."""

        z: object = ""

    @decorate
    class Own:
        """With a method that would be made."""

        a: object

        def __repr__(self) -> str:
            return "mine"

    return {each.__name__: each for each in (Nothing, One, Many, Aside, More, Own)}


OURS = shapes(value(order=True), field)
THEIRS = shapes(dataclass(slots=True, unsafe_hash=True, order=True), their_field)
NAMES = st.sampled_from(["a", "b", "c", "d", "z"])
PARTS = st.integers(0, 1) | st.just(float("nan")) | st.text("xy", max_size=1) | st.tuples(st.integers(0, 1))
CHANGES = st.dictionaries(NAMES.filter(lambda name: name != "d"), PARTS, max_size=2)
CALLS = st.tuples(st.lists(PARTS, max_size=4), st.dictionaries(NAMES, PARTS, max_size=2))


def outcome(action: Callable[[], object]) -> object:
    """What it gives, or the complaint that it raises."""
    try:
        return action()
    except TypeError as error:
        return f"refused: {error}"


def told(make: Make, change: Make, one: Any, other: Any, changes: dict[str, Any]) -> list[object]:
    """All that can be seen of two records of a class."""
    left = outcome(lambda: make(*one[0], **one[1]))
    right = outcome(lambda: make(*other[0], **other[1]))
    if isinstance(left, str) or isinstance(right, str):
        return [repr(left), repr(right)]
    again: Any = make(*one[0], **one[1])
    return [
        *(repr(each) for each in (left, right, outcome(lambda: change(left, **changes)))),
        *(left == each for each in (right, again, one[0], copy.copy(left))),
        *(outcome(lambda each=each: hash(each)) for each in (left, right)),  # type: ignore[misc]
        *(outcome(lambda each=each: left < each) for each in (right, again)),  # type: ignore[misc, operator]
        *(outcome(lambda each=each: left >= each) for each in (right, again)),  # type: ignore[misc, operator]
    ]


@pytest.mark.parametrize("name", OURS)
@given(one=CALLS, other=CALLS, changes=CHANGES)
def test_records_are_those_of_dataclass(name: str, one: Any, other: Any, changes: dict[str, Any]) -> None:
    ours = told(OURS[name], replace, one, other, changes)
    assert ours == told(THEIRS[name], their_replace, one, other, changes)


@pytest.mark.parametrize("name", OURS)
def test_classes_are_those_of_dataclass(name: str) -> None:
    for seen in ("__match_args__", "__slots__", "__doc__", "__name__", "__qualname__", "__module__"):
        assert getattr(OURS[name], seen) == getattr(THEIRS[name], seen)
    assert hasattr(OURS[name], "__dict__") == hasattr(THEIRS[name], "__dict__")


def test_fields_by_name() -> None:
    made = OURS["Aside"](1, c=3)
    assert fields(made) == fields(OURS["Aside"]) == ("a", "b", "c", "d")
    assert asdict(made) == {"a": 1, "b": (), "c": 3, "d": {}}


def test_what_init_does_not_take_is_made_anew() -> None:
    made = OURS["Aside"](1)
    made.d["x"] = 1
    assert replace(made, a=2).d == {}


@value
class Point:
    x: int
    y: int = 0


@value(frozen=False)
class Walk:
    """The only kind that is changed."""

    at: Point
    seen: list[Point] = field(default_factory=list)


@value(eq=False)
class Root:
    key: str


@value(slots=False)
class Lazy:
    number: int

    @cached_property
    def double(self) -> int:
        return self.number * 2


def test_a_record_can_be_taken_apart() -> None:
    match Point(1, 2):
        case Point(x, y=2):
            assert x == 1
        case _:
            pytest.fail("is not matched")


def test_copies_and_pickles_are_equal() -> None:
    made = Point(1, 2)
    assert made == copy.deepcopy(made) == pickle.loads(pickle.dumps(made))


def test_what_is_changed_is_equal_by_its_fields_and_has_no_hash() -> None:
    walk = Walk(Point(1))
    walk.at = Point(2)
    assert walk == Walk(Point(2)) != Walk(Point(1))
    with pytest.raises(TypeError, match="unhashable"):
        hash(walk)


def test_without_eq_a_record_is_equal_to_itself_alone() -> None:
    one, other = Root("a"), Root("a")
    assert one != other
    assert len({one, other, one}) == 2


def test_without_slots_there_is_room_for_what_is_worked_out_later() -> None:
    assert Lazy(2).double == 4
    assert Lazy(2) == Lazy(number=2)


def test_a_field_without_default_cannot_stand_behind_one_with() -> None:
    class Wrong:
        a: int = 0
        b: int  # type: ignore[misc]

    with pytest.raises(TypeError, match="`b` has no default"):
        value(Wrong)


def test_a_record_has_no_room_for_anything_else() -> None:
    with pytest.raises(AttributeError):
        Point(1).z = 1  # type: ignore[attr-defined]


def test_nothing_is_imported_for_a_record() -> None:
    script = "import sys; before = set(sys.modules); import skillc.value; print(set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert eval(done.stdout) <= {"skillc", "skillc.value", "__future__"}
