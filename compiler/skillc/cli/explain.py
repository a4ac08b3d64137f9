"""`skillc explain CODE`: the page of a finding."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from skillc.cli.epilog import WIDTH, Epilog, examples, wrapped
from skillc.cli.errors import CLEAN, Stop
from skillc.cli.language import add_language_option, language
from skillc.control import names, unknown_name
from skillc.diagnostic import CODES
from skillc.report.language import Words, translated, words_of
from skillc.value import replace
from skillc.wording import say

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
    whole = args.json or args.all or bool(args.code and len(args.code) > 1)
    pages = [told(page, words) if whole else _with_sentence(page, words) for page in _pages(args.code)]
    if args.json:
        single = len(pages) == 1 and args.code and len(args.code) > 1
        data = _page(pages[0]) if single else [_page(page) for page in pages]
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    elif whole:
        sys.stdout.write("\n".join(_shown(page, words) for page in pages))
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


def _with_sentence(page: Page, words: Words) -> Page:
    return replace(page, summary=words.get(page.sentence, page.summary))


def told(page: Page, words: Words) -> Page:
    """The page in the language of `words`, with what `skillc check` says of its bad examples in that language."""
    from skillc.checks.translation import told_page

    return told_page(page, words, lambda example: _output(page, example, words))


def _output(page: Page, example: Example, words: Words) -> str:
    from skillc import driver
    from skillc.checks.page import workspace_of
    from skillc.report.concise import line
    from skillc.source.reader import DictReader

    found = driver.reported(driver.check(DictReader(workspace_of(example))))
    mine = [diagnostic for diagnostic in found if diagnostic.code == page.code]
    return "\n".join(line(diagnostic) for diagnostic in translated(mine, words))


def _shown(page: Page, words: Words) -> str:
    """The text of a page; Chinese paragraphs are one line each in their file, and as wide as a terminal here."""
    return "".join(f"{line}\n" for line in _wrapped(page.text)) if words else page.text


def _wrapped(text: str) -> Iterator[str]:
    from skillc.checks.page import fence_behind

    inside = ""
    for line in text.rstrip("\n").split("\n"):
        before, inside = inside, fence_behind(line, inside)
        plain = not before and not inside and not line.startswith(("#", "|", " "))
        if plain and line.startswith("- "):
            first, *more = wrapped(line[2:], WIDTH - 2)
            yield from (f"- {first}", *(f"  {rest}" for rest in more))
        else:
            yield from wrapped(line, WIDTH) if plain else (line,)


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
