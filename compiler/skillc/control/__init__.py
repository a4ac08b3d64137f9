"""Findings -> the findings that are reported: selection, severities, suppressions, baseline (SPEC 16.3)."""

from skillc.control.control import Control, Scope, controlled, in_scope, is_looked_for, scope_of
from skillc.control.selection import Layer, Selection, first_unknown, names, unknown_name

__all__ = [
    "Control",
    "Layer",
    "Scope",
    "Selection",
    "controlled",
    "first_unknown",
    "in_scope",
    "is_looked_for",
    "names",
    "scope_of",
    "unknown_name",
]
