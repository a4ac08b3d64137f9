"""The searches behind the readiness proof, against counting out every set."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from skillc.graph.search import Goal, Joined, Need, derived, fewest, opening, shortest

WORKERS = 6
NEEDS = st.lists(
    st.lists(st.frozensets(st.integers(0, WORKERS - 1), max_size=3), max_size=2).map(tuple),
    min_size=WORKERS,
    max_size=WORKERS,
)
LEAVES = st.frozensets(st.integers(0, WORKERS - 1), min_size=1, max_size=3)
GOALS = st.recursive(
    LEAVES, lambda inner: st.builds(Joined, st.lists(inner, min_size=1, max_size=3).map(tuple), st.booleans())
)


def runs(needs: list[tuple[Need, ...]], among: tuple[int, ...]) -> set[int]:
    """What can run of `among`, the slow way."""
    ran: set[int] = set()
    while True:
        more = {n for n in among if n not in ran and all(need & ran for need in needs[n])}
        if not more:
            return ran
        ran |= more


def holds(goal: Goal, ran: set[int]) -> bool:
    if isinstance(goal, Joined):
        return (any if goal.either else all)(holds(part, ran) for part in goal.parts)
    return bool(goal & ran)


@given(NEEDS)
def test_derived_is_the_fixpoint_in_an_order_in_which_each_can_run(needs: list[tuple[Need, ...]]) -> None:
    order = derived(needs)
    assert set(order) == runs(needs, tuple(range(WORKERS)))
    for at, number in enumerate(order):
        assert all(need & set(order[:at]) for need in needs[number])


@given(GOALS, st.frozensets(st.integers(0, WORKERS - 1)))
def test_opening_is_none_exactly_where_the_goal_holds(goal: Goal, ran: frozenset[int]) -> None:
    assert (opening(goal, ran) is None) == holds(goal, set(ran))


@given(NEEDS, GOALS)
def test_a_shortest_derivation_is_as_small_as_any_set_that_does(
    needs: list[tuple[Need, ...]], goal: Goal
) -> None:
    able = derived(needs)
    if not holds(goal, set(able)):
        return
    found = shortest(needs, goal, able)
    assert found.shortest and list(found.workers) == derived(needs, found.workers)
    assert holds(goal, set(found.workers))
    smaller = (set_ for size in range(len(found.workers)) for set_ in combinations(range(WORKERS), size))
    assert not any(holds(goal, runs(needs, set_)) for set_ in smaller)


@given(st.frozensets(st.integers(0, 5), min_size=1, max_size=3))
def test_the_fewest_gifts_are_found_and_first_of_their_size(wanted: frozenset[int]) -> None:
    chosen, smallest = fewest(range(6), lambda gifts: wanted <= set(gifts))
    assert (set(chosen), smallest) == (wanted, True)


def test_past_the_budget_a_choice_without_excess_is_given_and_said_to_be_one() -> None:
    chosen, smallest = fewest(range(30), lambda gifts: {3, 9, 20} <= set(gifts), trials=40)
    assert (chosen, smallest) == ((3, 9, 20), False)


def test_a_chain_of_two_thousand_is_derived_and_found_at_once() -> None:
    size = 2000
    needs: list[tuple[Need, ...]] = [(frozenset({n + 1}),) for n in range(size - 1)] + [()]
    order = derived(needs)
    assert order == list(range(size - 1, -1, -1))
    assert shortest(needs, frozenset({0}), order).workers == tuple(order)
