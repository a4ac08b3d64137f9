"""The ways to ask a provider for the form of a reply, best first, and which of them a profile has (SPEC 12.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

JSON_SCHEMA = "json_schema"
FORCED_TOOL = "forced_tool"
AUTO_TOOL = "auto_tool"
JSON_OBJECT = "json_object"
TEXT = "text"
WAYS = (JSON_SCHEMA, FORCED_TOOL, AUTO_TOOL, JSON_OBJECT, TEXT)
"""All ways, best first. `auto_tool` offers the tools and forces none: for models that think, where the provider
takes nothing else."""

THINKING = "thinking"
TOOLS = "tools"
STREAMING = "streaming"
CAPABILITIES = (JSON_SCHEMA, FORCED_TOOL, TOOLS, JSON_OBJECT, THINKING, STREAMING)
"""What a profile may declare; `tools` is another word for forced_tool."""

PROBED = (JSON_SCHEMA, FORCED_TOOL, JSON_OBJECT, TEXT)


def ladder_of(
    capabilities: Mapping[str, bool], verdicts: Mapping[str, bool] | None = None, anthropic: bool = False
) -> tuple[str, ...]:
    """The ways that a profile has, best first; the last is always `text`.

    What is declared counts, but for what was probed and did not work; what is not mentioned counts where probing
    found that it works. A model that thinks takes no forced tool. At Anthropic tools are there unless said otherwise.

    >>> ladder_of({"json_schema": True, "json_object": True}, {"json_schema": False})
    ('json_object', 'text')
    >>> ladder_of({"thinking": True, "tools": True, "json_object": True})
    ('json_object', 'text')
    """
    found = verdicts or {}
    if anthropic:
        return _anthropic(capabilities, found)
    declared = _declared(capabilities)
    ways = [way for way in (JSON_SCHEMA, FORCED_TOOL, JSON_OBJECT) if _has(way, declared, found)]
    if capabilities.get(THINKING):
        ways = [way for way in ways if way != FORCED_TOOL]
    return (*ways, TEXT)


def _anthropic(capabilities: Mapping[str, bool], verdicts: Mapping[str, bool]) -> tuple[str, ...]:
    """Tools are the one way beside text."""
    if not _has(FORCED_TOOL, {FORCED_TOOL: True, **_declared(capabilities)}, verdicts):
        return (TEXT,)
    return (AUTO_TOOL if capabilities.get(THINKING) else FORCED_TOOL, TEXT)


def _declared(capabilities: Mapping[str, bool]) -> dict[str, bool]:
    """With `tools` by its other name."""
    return {FORCED_TOOL if name == TOOLS else name: there for name, there in capabilities.items()}


def _has(way: str, declared: Mapping[str, bool], verdicts: Mapping[str, bool]) -> bool:
    if declared.get(way) is False:
        return False
    return verdicts.get(way, declared.get(way, False))


class Ladder:
    """The ways of one profile while a program runs: one that did not work is not tried again."""

    def __init__(self, ways: Sequence[str]) -> None:
        self._ways = tuple(ways)

    @property
    def ways(self) -> tuple[str, ...]:
        return self._ways

    def usable(self, has_form: bool) -> tuple[str, ...]:
        """The ways for a request; without a form there is nothing to ask for by schema or by tool."""
        return self._ways if has_form else tuple(way for way in self._ways if way in (JSON_OBJECT, TEXT))

    def drop(self, way: str) -> str | None:
        """Use `way` no more; the next one, or None where it is not used anyway or the last."""
        if way not in self._ways[:-1]:
            return None
        self._ways = tuple(other for other in self._ways if other != way)
        return next(other for other in self._ways if WAYS.index(other) > WAYS.index(way))
