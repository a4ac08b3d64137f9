"""Options of a command that do something else than report, and which others have a say in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillc.cli.errors import Stop
from skillc.wording import say

if TYPE_CHECKING:
    import argparse

_REPORTED = ("select", "ignore", "extend_select", "ignore_inline_suppressions", "baseline")
_PACKAGES = ("paths", "select_packages", "changed_since", "state")
_MODES: tuple[tuple[str, frozenset[str]], ...] = (
    ("response_schema", frozenset()),
    ("explain_ready", frozenset(("paths", "format", "output_file"))),
    ("show_settings", frozenset(("paths", "stdin_filename"))),
    ("diff", frozenset((*_PACKAGES, "stdin_filename", "unsafe_fixes", "output_file", *_REPORTED))),
    ("write_baseline", frozenset((*_PACKAGES, "fix", "unsafe_fixes", *_REPORTED))),
    ("watch", frozenset((*_PACKAGES, "format", "strict", "statistics", "explain", *_REPORTED))),
)
"""Each with the options that go with it, the more exclusive one first."""
_ANYWHERE = frozenset(("command", "lang", "color"))


def refuse_idle_options(args: argparse.Namespace) -> None:
    """Stops where an option would be ignored in silence because another one does something else."""
    given = [name for name, value in vars(args).items() if value not in (None, False, [])]
    for mode, fitting in _MODES:
        idle = [name for name in given if name != mode and name not in fitting | _ANYWHERE]
        if mode in given and idle:
            raise Stop(
                say(
                    "`{mode}` and {other} do not go together: leave one of the two out",
                    mode=_written(mode),
                    other=say("a path") if idle[0] == "paths" else f"`{_written(idle[0])}`",
                )
            )


def _written(name: str) -> str:
    return "--" + name.replace("_", "-")
