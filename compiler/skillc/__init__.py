"""skillc: the compiler for tag-driven LLM skill packages."""

__version__ = "0.1.0"
