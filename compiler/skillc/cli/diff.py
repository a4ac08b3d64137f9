"""`skillc diff`: what changed between two states of a workspace, in kind, and what that costs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

from skillc.cli.epilog import Epilog, examples
from skillc.cli.errors import CLEAN, FINDINGS, Stop
from skillc.cli.language import add_language_option, language
from skillc.cli.output import deliver, emit, write_file
from skillc.cli.place import Place, find_place
from skillc.cli.sides import open_side
from skillc.compare import Difference, compare
from skillc.engine.checks import Checks
from skillc.report.language import Words, translated, words_of
from skillc.report.visible import visible
from skillc.value import replace
from skillc.wording import said_in, say

FORMATS = ("text", "markdown", "json")
EPILOG = Epilog(
    say(
        "BASE and HEAD are a git revision, a workspace, or a build output (a folder with index.json). Revisions are read "
        "from the repository's objects: nothing is checked out. Without HEAD, the files as they lie here are compared."
    ),
    say(
        "Both sides are compiled. What is told: which fields changed, in which kind; how many tokens of the contexts' "
        "beginnings are read anew once; which workers a waiting session cannot resume; who lost a producer; which "
        "secrets are disclosed now; which findings are new and which are gone."
    ),
    say("exit codes: 0 no difference, 1 differences, 2 usage, 3 it could not be done"),
    examples(
        ("skillc diff main", say("what your branch changes, uncommitted files included")),
        ("skillc diff v1 v2 --format json", say("for tools")),
        ("skillc diff origin/main HEAD --format markdown", say("for a comment on a pull request")),
        ("skillc diff build", say("what the next build would change")),
    ),
)
Tell = Callable[[str], str]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("base", metavar="BASE", help=say("a revision, a workspace or a build output"))
    parser.add_argument(
        "head", metavar="HEAD", nargs="?", help=say("the other one (default: the files as they lie here)")
    )
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_argument("--output-file", metavar="FILE", help=say("write the report there"))
    add_language_option(parser)


def run(args: argparse.Namespace) -> int:
    words = words_of(language(args, None, args.format))
    checks = Checks()
    found = compare(open_side(args.base, checks), open_side(args.head, checks))
    text = render(args.format, found, words)
    place = _place()
    if place is not None:
        deliver(place, args.output_file, args.format, text)
    elif args.output_file:
        write_file(args.output_file, text)
    else:
        emit(args.format, text)
    return FINDINGS if found.different else CLEAN


def _place() -> Place | None:
    """The workspace here, whose packages no report may replace; of two revisions there need not be any."""
    try:
        return find_place([])
    except Stop:
        return None


def render(form: str, found: Difference, words: Words) -> str:
    """A difference in one of `FORMATS`, in the language of `words`."""
    found = _told(found, words)
    if form == "json":
        from skillc.compare.data import data

        return json.dumps(data(found, _teller(words)), ensure_ascii=False, indent=2) + "\n"
    if form == "markdown":
        from skillc.compare.markdown import markdown

        return markdown(found, _visibly(words))
    from skillc.compare.text import text

    return text(found, _visibly(words))


def _told(found: Difference, words: Words) -> Difference:
    """Findings in the language of `words`, as reports have them."""
    new, gone = (
        tuple(replace(d, message=str(d.message)) for d in translated(side, words))
        if side is not None
        else None
        for side in (found.new, found.gone)
    )
    return replace(found, new=new, gone=gone)


def _teller(words: Words) -> Tell:
    return lambda text: said_in(words, text)


def _visibly(words: Words) -> Tell:
    return lambda text: visible(said_in(words, text))
