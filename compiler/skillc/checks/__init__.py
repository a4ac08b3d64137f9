"""Graphs -> findings. Each rule is a file in `rules`, each code has its page in `pages`."""
