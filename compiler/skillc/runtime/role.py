"""Which texts can be the id of a role: one plain segment of a tag, nothing else."""

from __future__ import annotations

from skillc.runtime.naming import is_segment as is_role

__all__ = ["is_role"]
