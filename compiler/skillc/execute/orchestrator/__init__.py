"""A model that decides who runs: its tools, what it may see, and its loop (SPEC 12.6)."""
