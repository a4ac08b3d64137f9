"""Sessions over many processes and machines: an engine says which process moves which session on, and nothing more."""
