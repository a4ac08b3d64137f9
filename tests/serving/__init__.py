"""A small chat server as a process of its own, with faults to choose from."""
