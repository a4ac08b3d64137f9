"""All rules over all packages."""

from __future__ import annotations

import importlib
import os
from functools import cache

from skillc.checks import rules
from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic
from skillc.graph import TagGraph
from skillc.graph.brief import Overview


@cache
def all_rules() -> tuple[Rule, ...]:
    """The rules in the folder `rules`, by code."""
    names = [name.removesuffix(".py") for name in os.listdir(rules.__path__[0]) if name[1:4].isdecimal()]
    found: list[Rule] = [importlib.import_module(f"{rules.__name__}.{name}").RULE for name in names]
    return tuple(sorted(found, key=lambda rule: rule.code.id))


def run_checks(graph: TagGraph) -> list[Diagnostic]:
    """What the rules find in one package. No rule sees what another found; what several rules ask of one text is
    worked out once."""
    return [d for rule in all_rules() if rule.check for d in rule.check(graph)]


def check_together(packages: Overview) -> list[Diagnostic]:
    """What the rules find that look at all packages from outside."""
    return [d for rule in all_rules() if rule.workspace for d in rule.workspace(packages)]
