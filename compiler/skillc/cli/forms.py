"""How an answer is printed that people and programs ask for: as text, or as JSON."""

from __future__ import annotations

import argparse

from skillc.wording import say


def add_form_options(parser: argparse.ArgumentParser) -> None:
    """`--format text|json`, and `--json`, which is short for the latter."""
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--json", action="store_const", const="json", dest="format", help=say("the same as --format json")
    )
