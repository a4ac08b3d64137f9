"""A package as a graph of tags: who writes what whom reads, which loops there are, what can run.

Own frozen types; nothing of networkx leaves this room.
"""

from skillc.graph.build import build_graph
from skillc.graph.index import PatternIndex
from skillc.graph.promotion import promoted
from skillc.graph.types import InputKey, OutputKey, Producer, TagGraph

__all__ = ["InputKey", "OutputKey", "PatternIndex", "Producer", "TagGraph", "build_graph", "promoted"]
