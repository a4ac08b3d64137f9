"""Why a package was compiled, in one line."""

from __future__ import annotations

from collections.abc import Iterable

from skillc.engine.reasons import Reason, told_of
from skillc.wording import say, series


def reason_line(
    path: str, reasons: Iterable[Reason], changed: tuple[str, ...] | None, is_broken: bool = False
) -> str:
    """One package in the account of a build: why it was compiled, and what came out otherwise."""
    told = series(told_of(reasons))
    if is_broken:
        return say("{path}: {reasons} → errors, so nothing was compiled", path=path, reasons=told)
    if changed is None:
        return say("{path}: {reasons}", path=path, reasons=told)
    names = series(f"`{id}`" for id in changed) if changed else say("no worker")
    return say("{path}: {reasons} → {names}", path=path, reasons=told, names=names)
