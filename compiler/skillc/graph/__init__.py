"""A package as a graph of tags: who writes what whom reads, which loops there are, what can run.

Own frozen types; nothing of networkx leaves this room.
"""

from skillc.graph.build import build_graph
from skillc.graph.index import PatternIndex
from skillc.graph.meeting import any_role, meet
from skillc.graph.promotion import drafts_of, new_names, promoted, under_new_name
from skillc.graph.types import InputKey, OutputKey, Producer, TagGraph, Unknowns
from skillc.graph.unknown import patterns_of, template_ids

__all__ = [
    "InputKey",
    "OutputKey",
    "PatternIndex",
    "Producer",
    "TagGraph",
    "Unknowns",
    "any_role",
    "build_graph",
    "drafts_of",
    "meet",
    "new_names",
    "patterns_of",
    "promoted",
    "template_ids",
    "under_new_name",
]
