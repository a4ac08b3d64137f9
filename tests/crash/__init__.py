"""Real processes that are killed at any moment, and what must hold of their sessions."""
