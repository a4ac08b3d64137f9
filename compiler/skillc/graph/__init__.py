"""A package as a graph of tags: who writes what whom reads, which loops there are, what can run.

Own frozen types, and lists: graphs of packages are small, and there are many of them.
"""

from skillc.graph.build import build_graph
from skillc.graph.index import PatternIndex
from skillc.graph.meeting import any_role, meet
from skillc.graph.promotion import drafts_of, new_names, promoted, under_new_name
from skillc.graph.types import InputKey, OutputKey, Producer, TagGraph, Unknowns
from skillc.graph.unknown import patterns_of, template_ids
from skillc.graph.written import outputs_index

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
    "outputs_index",
    "patterns_of",
    "promoted",
    "template_ids",
    "under_new_name",
]
