"""Queries asked in tests: of graphs made by hand, answered as sorted labels."""

from __future__ import annotations

from collections.abc import Mapping

from skillc.graph import TagGraph, build_graph
from skillc.model.package import Package
from skillc.query import Answer, Fault, PackageState, build_network, evaluate, parse_query
from skillc.query.edges import edges, nodes
from skillc.value import replace


def graphs(*packages: Package, **named: Package) -> Mapping[str, TagGraph]:
    """Graphs by path: of packages under their own, of others as `novel/<name>`."""
    moved = (replace(package, path=f"novel/{name}") for name, package in named.items())
    return {package.path: build_graph(package) for package in (*packages, *moved)}


def ask(
    found: Mapping[str, TagGraph], text: str, states: Mapping[str, PackageState] | None = None
) -> Answer | Fault:
    """The answer to a query, or why it is none."""
    expression = parse_query(text)
    if isinstance(expression, Fault):
        return expression
    return evaluate(expression, build_network(found), states)


def answer(
    found: Mapping[str, TagGraph], text: str, states: Mapping[str, PackageState] | None = None
) -> list[str]:
    """The labels of an answer, without the package where there is only one."""
    got = ask(found, text, states)
    assert isinstance(got, Answer), got
    only = f"{next(iter(found))}:" if len(found) == 1 else ""
    return [vertex.label.removeprefix(only) for vertex in nodes(got)]


def arrows(found: Mapping[str, TagGraph], text: str) -> set[tuple[str, str, str]]:
    """The edges of an answer as (from, kind, to), without the package."""
    got = ask(found, text)
    assert isinstance(got, Answer), got
    return {(e.start.partition(":")[2], e.kind, e.end.partition(":")[2]) for e in edges(got)}


def fault(
    found: Mapping[str, TagGraph], text: str, states: Mapping[str, PackageState] | None = None
) -> tuple[str, str, str]:
    """What a query is refused with: the text at fault, the message, the help."""
    got = ask(found, text, states)
    assert isinstance(got, Fault), got
    return text[got.start : got.end], got.message, got.help
