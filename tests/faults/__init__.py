"""Good packages with one fault put in, as rows: what is changed where, and all that must be said about it."""

from __future__ import annotations

from faults.contexts import CONTEXTS
from faults.fault import BASIC, GAME, RULES, Fault
from faults.form import FORM
from faults.isolation import ISOLATION
from faults.manifests import MANIFESTS
from faults.producers import PRODUCERS
from faults.tags import TAGS

FAULTS = (*FORM, *TAGS, *PRODUCERS, *ISOLATION, *CONTEXTS, *MANIFESTS)

__all__ = ["BASIC", "FAULTS", "GAME", "RULES", "Fault"]
