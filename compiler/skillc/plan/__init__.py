"""TagGraph -> Plan: every decision of a package, made once; the runtime only fills slots."""

from skillc.plan.compiling import compile_package
from skillc.plan.prompt import render_prompt

__all__ = ["compile_package", "render_prompt"]
