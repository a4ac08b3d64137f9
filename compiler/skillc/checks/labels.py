"""Which tags of a pattern carry a label: the graph's own answer, under the name that rules use."""

from __future__ import annotations

from skillc.graph.labels import denied_to, has_segment, hidden_from, labelled, of_all_roles, words_of_hidden

__all__ = ["denied_to", "has_segment", "hidden_from", "labelled", "of_all_roles", "words_of_hidden"]
