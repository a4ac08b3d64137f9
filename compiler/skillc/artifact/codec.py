"""Plan <-> bytes: one door to writing (`encoding`) and reading (`decoding`)."""

from __future__ import annotations

from skillc.artifact.decoding import PlanError, decode
from skillc.artifact.encoding import canonical, digest, encode

__all__ = ["PlanError", "canonical", "decode", "digest", "encode"]
