"""An expression over a network: its words are looked up, its form is checked, then it is computed."""

from __future__ import annotations

from skillc.grammar.query import NOT_TAKEN, Call, Expression, Fault, Grown, Joined, Word, parts_of, text_of
from skillc.query.attributes import Attributes
from skillc.query.calls import fault_of, sets_of
from skillc.query.functions import COMPUTE, SIGNATURES, deps, followers, somepath
from skillc.query.names import Names, States
from skillc.query.network import Network
from skillc.query.walk import Vertices
from skillc.value import value


@value
class Answer:
    """What an expression stands for: `vertices` sorted by their labels, in the order of the way where the expression
    is a `somepath`. `reverse` tells, where there is no way, that there is one from the other end."""

    network: Network
    attributes: Attributes
    vertices: tuple[int, ...]
    is_way: bool = False
    reverse: bool = False

    @property
    def packages(self) -> frozenset[str]:
        """The packages of which anything is in the answer."""
        return frozenset(self.network.vertices[number].package for number in self.vertices)


def evaluate(expression: Expression, network: Network, states: States | None = None) -> Answer | Fault:
    """The answer, or the first thing that is wrong with the words of the expression. `states` says of every package how
    it stands against an earlier state, for `state:`."""
    attributes = Attributes(network)
    work = _Work(network, attributes, Names(network, attributes, states))
    faults = work.look_up(expression)
    if faults:
        return min(faults, key=lambda fault: fault.start)
    if isinstance(expression, Call) and expression.name == "somepath":
        start, end = map(work.compute, expression.arguments)
        way = somepath(network, start, end)
        back = not way and bool(somepath(network, end, start))
        return Answer(network, attributes, tuple(way), True, back)
    found = work.compute(expression)
    labels = network.vertices
    return Answer(
        network, attributes, tuple(sorted(found, key=lambda number: (labels[number].label, number)))
    )


class _Work:
    """One expression: `sets` has the vertices of each word that stands for some, by where it is written."""

    def __init__(self, network: Network, attributes: Attributes, names: Names) -> None:
        self._network, self._attributes, self._names = network, attributes, names
        self._sets: dict[int, Vertices] = {}

    def look_up(self, expression: Expression) -> list[Fault]:
        """Look up every word; what is wrong with words and calls. Done twice where tags get vertices of their own: these
        are part of what other words stand for."""
        size = len(self._network.vertices)
        faults = self._looked_up(expression)
        if not faults and len(self._network.vertices) > size:
            self._names.count()
            self._looked_up(expression)
        return faults

    def _looked_up(self, expression: Expression) -> list[Fault]:
        faults: list[Fault] = []
        waiting = [expression]
        while waiting:
            each = waiting.pop()
            if isinstance(each, Word):
                found = self._names.resolved(each)
                if isinstance(found, Fault):
                    faults.append(found)
                else:
                    self._sets[each.start] = found
            elif isinstance(each, Call):
                fault = fault_of(each, self._names)
                faults += [fault] if fault else []
                waiting += [] if fault else sets_of(each)
            else:
                waiting += parts_of(each)
        return faults

    def compute(self, expression: Expression) -> Vertices:
        """The vertices of an expression of which all words are looked up. Its nesting is limited."""
        match expression:
            case Word(start=start):
                return self._sets[start]
            case Grown(inner=inner, above=above, below=below):
                found = self.compute(inner)
                leading = deps(self._network, found, above) if above != NOT_TAKEN else found
                return leading | (followers(self._network, found, below) if below != NOT_TAKEN else found)
            case Joined(first=first, rest=rest):
                found = self.compute(first)
                for operator, part in rest:
                    found = _join(operator, found, self.compute(part))
                return found
            case Call():
                return self._called(expression)

    def _called(self, call: Call) -> Vertices:
        if call.name == "kind":
            return self._having("kind", *call.arguments)
        if call.name == "attr":
            return self._having(text_of(call.arguments[0]), *call.arguments[1:])
        given = zip(SIGNATURES[call.name].takes, call.arguments, strict=False)
        arguments = (
            int(text_of(argument)) if takes == "number" else self.compute(argument)
            for takes, argument in given
        )
        return COMPUTE[call.name](self._network, *arguments)

    def _having(self, name: str, value: Expression, among: Expression) -> Vertices:
        return frozenset(self._attributes.having(name, text_of(value), self.compute(among)))


def _join(operator: str, left: Vertices, right: Vertices) -> Vertices:
    if operator == "union":
        return left | right
    return left & right if operator == "intersect" else left - right
