"""The functions of a query: what each takes, and the vertices that it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from skillc.query.network import MATCHES, EdgeKind, Network
from skillc.query.walk import Vertices, nearest, reached, shortest
from skillc.value import value

_ALIKE: tuple[EdgeKind, ...] = (MATCHES, "promotes", "updates")
"""Arrows between tags: what is written under the one is read, or comes to be, under the other."""


def deps(network: Network, of: Vertices, depth: int | None = None) -> Vertices:
    """`of` and all that it depends on."""
    return reached(network.into, of, depth)


def rdeps(network: Network, universe: Vertices, of: Vertices, depth: int | None = None) -> Vertices:
    """Of what the universe depends on: `of`, and all that depends on it."""
    return reached(network.out, of, depth, deps(network, universe))


def followers(network: Network, of: Vertices, depth: int | None = None) -> Vertices:
    """`of` and all that depends on it."""
    return reached(network.out, of, depth)


def somepath(network: Network, start: Vertices, end: Vertices) -> list[int]:
    """A shortest way from one of `start`, along what it depends on, to one of `end`; in this order."""
    return shortest(network.into, start, end)


def allpaths(network: Network, start: Vertices, end: Vertices) -> Vertices:
    """All on any way from `start`, along what it depends on, to `end`."""
    return deps(network, start) & followers(network, end)


def producers(network: Network, of: Vertices) -> Vertices:
    """Who gives the tags of `of`, or what its workers read: workers, templates, sources, the user."""
    return nearest(network, of, False, (*_ALIKE, "reads"), ("writes", "gives", "unknown"))


def consumers(network: Network, of: Vertices) -> Vertices:
    """Who receives the tags of `of`, or what its workers write; also when it has become another tag by then."""
    return nearest(network, of, True, (*_ALIKE, "writes", "gives", "unknown"), ("reads", "shows"))


@value
class Signature:
    """`form` is how the function is written; `takes` says of each argument what it is: `set`, `number`, `attribute`,
    `value` (of the attribute before it), or a `kind`. The last `optional` ones may be left out. `example`
    shows what its form does not say."""

    form: str
    takes: tuple[str, ...]
    optional: int = 0
    example: str = ""


_Compute = Callable[..., Vertices]
SIGNATURES: Mapping[str, Signature] = {
    "deps": Signature("deps(x[, depth])", ("set", "number"), 1),
    "rdeps": Signature("rdeps(universe, x[, depth])", ("set", "set", "number"), 1, "rdeps(..., 大纲.草稿)"),
    "somepath": Signature("somepath(a, b)", ("set", "set")),
    "allpaths": Signature("allpaths(a, b)", ("set", "set")),
    "producers": Signature("producers(tag)", ("set",)),
    "consumers": Signature("consumers(tag)", ("set",)),
    "kind": Signature("kind(worker, x)", ("kind", "set")),
    "attr": Signature("attr(stage, play, x)", ("attribute", "value", "set")),
}
COMPUTE: Mapping[str, _Compute] = {
    "deps": deps,
    "rdeps": rdeps,
    "somepath": lambda network, start, end: frozenset(somepath(network, start, end)),
    "allpaths": allpaths,
    "producers": producers,
    "consumers": consumers,
}
"""How sets are computed; `kind` and `attr` only pick."""
