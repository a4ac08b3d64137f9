"""`skillc explain CODE`: the page of a finding."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from skillc.cli.errors import CLEAN, Stop
from skillc.cli.helping import Epilog, examples
from skillc.cli.language import add_language_option, language
from skillc.control import names, unknown_name
from skillc.diagnostic import CODES
from skillc.report.language import Words, words_of
from skillc.wording import said_in, say

if TYPE_CHECKING:
    from skillc.checks.page import Example, Page

EPILOG = Epilog(
    examples(
        "skillc explain G001",
        "skillc explain unproduced-input",
        ("skillc explain", say("all codes, one line each")),
        ("skillc explain G --json", say("a family, for tools")),
        ("skillc explain --all", say("every page")),
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "code",
        nargs="?",
        metavar="CODE",
        help=say("a code (G001), its name (unproduced-input) or a family letter (G)"),
    )
    parser.add_argument(
        "--all", action="store_true", help=say("print the pages of all codes, not their list")
    )
    parser.add_argument("--json", action="store_true", help=say("print pages as JSON"))
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    words = words_of(language(args, form="json" if args.json else "text"))
    pages = [_told(page, words) for page in _pages(args.code)]
    if args.json:
        single = len(pages) == 1 and args.code and len(args.code) > 1
        data = _page(pages[0]) if single else [_page(page) for page in pages]
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    elif args.all or (args.code and len(args.code) > 1):
        sys.stdout.write("\n".join(page.text for page in pages))
    else:
        for page in pages:
            code = page.code
            sys.stdout.write(f"{code.id}  {code.severity.word:7}  {code.slug:24}  {page.sentence}\n")
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
        raise Stop(
            say(
                "{code} {slug} is a reserved code that this version of skillc never reports",
                code=code.id,
                slug=code.slug,
            )
        )
    return [parse_page(text) for text in texts]


HEADINGS = (say("Why"), say("How to fix"), say("Bad"), say("Good"))


def _told(page: Page, words: Words) -> Page:
    """The page with its sentence and its headings in the language of `words`; the rest is English."""
    summary = words.get(page.sentence, page.summary)
    text = page.text.replace(page.summary, summary, 1)
    for heading in HEADINGS:
        text = text.replace(f"\n## {heading}\n", f"\n## {said_in(words, heading)}\n", 1)
    return replace(page, summary=summary, text=text)


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
