"""What a build does and what it leaves out: package by package, from what it knows of the last time."""
