"""`skillc explain CODE`: the page of a finding."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from skillc.cli.errors import CLEAN, Stop
from skillc.control import names, unknown_name
from skillc.diagnostic import CODES

if TYPE_CHECKING:
    from skillc.checks.page import Example, Page

EPILOG = """\
examples:
  skillc explain G001
  skillc explain unproduced-input
  skillc explain                 all codes, one line each
  skillc explain G --json        a family, for tools
  skillc explain --all           every page
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "code",
        nargs="?",
        metavar="CODE",
        help="a code (G001), its name (unproduced-input) or a family letter (G)",
    )
    parser.add_argument("--all", action="store_true", help="print the pages of all codes, not their list")
    parser.add_argument("--json", action="store_true", help="print pages as JSON")


def run(args: argparse.Namespace) -> int:
    pages = _pages(args.code)
    if args.json:
        single = len(pages) == 1 and args.code and len(args.code) > 1
        data = _page(pages[0]) if single else [_page(page) for page in pages]
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    elif args.all or (args.code and len(args.code) > 1):
        sys.stdout.write("\n".join(page.text for page in pages))
    else:
        for page in pages:
            code = page.code
            summary = " ".join(page.summary.split())
            sys.stdout.write(f"{code.id}  {code.severity.word:7}  {code.slug:24}  {summary}\n")
    return CLEAN


def _pages(name: str | None) -> Sequence[Page]:
    """The pages of the codes that `name` means, in the order of the codes; of all codes without a name."""
    from skillc.checks.page import load_page, parse_page

    problem = unknown_name(name) if name else None
    if problem:
        raise Stop(problem)
    wanted = [code for code in CODES.values() if not name or names(name, code)]
    texts = [text for code in wanted if (text := load_page(code))]
    if not texts:
        code = wanted[0]
        raise Stop(f"{code.id} {code.slug} is a reserved code that this version of skillc never reports")
    return [parse_page(text) for text in texts]


def _page(page: Page) -> dict[str, object]:
    return {
        "code": page.code.id,
        "slug": page.code.slug,
        "family": page.code.id[0],
        "severity": page.code.severity.word,
        "summary": page.summary,
        "why": page.why,
        "fix": page.fix,
        "bad": [_example(example) for example in page.bad],
        "good": [_example(example) for example in page.good],
    }


def _example(example: Example) -> dict[str, object]:
    """Files as text; None removes a file of the base package. Bytes that are no UTF-8 are shown as `\\\\xNN`."""
    files = {
        path: None if data is None else data.decode("utf-8", "backslashreplace")
        for path, data in sorted(example.files.items())
    }
    return {"title": example.title, "files": files, "output": example.output.splitlines()}
