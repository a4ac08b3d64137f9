"""What a plan was made of, as one digest (SPEC 15.1, 15.3)."""

from __future__ import annotations

from typing import Any

from skillc.artifact.encoding import canonical, digest
from skillc.model.package import Catalogue, Package


def fingerprint(package: Package, compiler: str) -> str:
    """Over the canonical text of every file of the package, the catalogue rows in force (the
    workspace's and the built-in ones included), the options and the compiler's version.

    There are no options yet; they have their place, so that the first one changes no digest by accident.
    A package's registry row is checked against it and never enters its plan.
    """
    parts = {
        "compiler": compiler,
        "options": {},
        "path": package.path,
        "files": [list(row) for row in package.digests],
        "catalogue": _catalogue(package.catalogue),
    }
    return digest(canonical(parts))


def _catalogue(catalogue: Catalogue) -> dict[str, Any]:
    """Every row by its meaning: where it is written, and its comments, change nothing."""
    return {
        "sources": [[row.origin, row.pattern.text] for row in catalogue.sources],
        "labels": [
            [rule.label, rule.pattern and rule.pattern.text, rule.segment, [p.text for p in rule.exceptions]]
            for rule in catalogue.labels
        ],
        "deliverables": [pattern.text for pattern in catalogue.deliverables],
        "declassify": [
            [row.worker.value, [ref.text for ref in row.tags], row.label, row.reason]
            for row in catalogue.declassify
        ],
        "moved": [[old.value, new.value] for old, new in catalogue.moved],
        "legacy": [list(row) for row in catalogue.legacy],
    }
