"""`skillc explain CODE`: the page of a finding."""

from __future__ import annotations

import argparse
import sys

from skillc.cli.errors import CLEAN, Stop
from skillc.diagnostic import CODES, find_code

EPILOG = """\
examples:
  skillc explain G001
  skillc explain unproduced-input
  skillc explain                 all codes, one line each
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="a code (G001) or its name (unproduced-input)"
    )


def run(args: argparse.Namespace) -> int:
    from skillc.checks.page import load_page, summaries

    if not args.code:
        known = summaries()
        listed = [code for slug, code in CODES.items() if slug in known]
        for each in listed:
            sys.stdout.write(f"{each.id}  {each.severity.word:7}  {each.slug:24}  {known[each.slug]}\n")
        return CLEAN
    code = find_code(args.code)
    if code is None:
        raise Stop(f"no finding has the code `{args.code}`; `skillc explain` lists all of them")
    page = load_page(code)
    if page is None:
        raise Stop(f"{code.id} {code.slug} is a reserved code that this version of skillc never reports")
    sys.stdout.write(page)
    return CLEAN
