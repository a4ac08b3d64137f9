"""Findings -> the findings that are reported: selection, severities, suppressions, baseline (SPEC 16.3)."""

from skillc.control.baseline import Baseline, read_baseline, write_baseline
from skillc.control.control import Control, Scope, controlled, in_scope, is_looked_for, scope_of
from skillc.control.perfile import FileRule
from skillc.control.selection import Layer, Selection, first_unknown, names, unknown_name

__all__ = [
    "Baseline",
    "Control",
    "FileRule",
    "Layer",
    "Scope",
    "Selection",
    "controlled",
    "first_unknown",
    "in_scope",
    "is_looked_for",
    "names",
    "read_baseline",
    "scope_of",
    "unknown_name",
    "write_baseline",
]
