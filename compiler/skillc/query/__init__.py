"""Questions about the graph of tags, over all packages: an expression in, the nodes that it stands for out.

Frozen data in, an `Answer` or a `Fault` with its place out; nothing here reads a disk.
"""

from skillc.grammar.query import Expression, Fault, parse_query
from skillc.query.evaluate import Answer, evaluate
from skillc.query.making import build_network
from skillc.query.needs import compares
from skillc.query.network import Network
from skillc.query.output import OUTPUTS
from skillc.query.state import PackageState, state_of

__all__ = [
    "OUTPUTS",
    "Answer",
    "Expression",
    "Fault",
    "Network",
    "PackageState",
    "build_network",
    "compares",
    "evaluate",
    "parse_query",
    "state_of",
]
