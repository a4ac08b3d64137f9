"""Pages in Chinese: what people read of them. Examples are shared with the English page, and so is the sentence on
top, which stands in the catalogue of messages.

`pages/zh/<CODE>.md` has the sections 为什么 and 怎样改, and under 错的例子 and 对的例子 the titles of the examples,
one list item each. A comment keeps which English text it says, so that neither changes without the other.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping

from skillc.checks.page import FOLDER, Example, Page, fence_behind
from skillc.diagnostic import Code
from skillc.later import later
from skillc.value import replace, value
from skillc.wording import said_in, say

SECTIONS = ("Why", "How to fix", "Bad", "Good")
_NAMES = {"Why": "为什么", "How to fix": "怎样改", "Bad": "错的例子", "Good": "对的例子"}
_HEADINGS = {"Why": say("Why"), "How to fix": say("How to fix"), "Bad": say("Bad"), "Good": say("Good")}
_OF = later(r"<!-- of ([0-9a-f]{12}) -->")


@value
class Translation:
    """A page's own texts; `of` is the digest of the English ones that it says."""

    of: str
    why: str
    fix: str
    bad: tuple[str, ...]
    good: tuple[str, ...]


def translation_path(code: Code) -> str:
    """Where the Chinese page of a code is, whether there is one or not."""
    return os.path.join(FOLDER, "zh", f"{code.id}.md")


def load_translation(code: Code) -> Translation | None:
    """The Chinese page of a code, None when there is none."""
    try:
        with open(translation_path(code), encoding="utf-8") as file:
            return parse_translation(file.read())
    except FileNotFoundError:
        return None


def parse_translation(text: str) -> Translation:
    """The page that `text` is. It is a part of the program, so a malformed one is a bug (ValueError)."""
    head, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    found = {name: body.strip() for name, _, body in (section.partition("\n") for section in sections)}
    of = _OF.search(head)
    if of is None or list(found) != list(_NAMES.values()):
        raise ValueError(f"a page in Chinese begins with its digest and has four sections: {text[:60]!r}")
    why, fix, bad, good = found.values()
    return Translation(of[1], why, fix, _titles(bad), _titles(good))


def _titles(text: str) -> tuple[str, ...]:
    return tuple(line.removeprefix("- ") for line in text.split("\n") if line.startswith("- "))


def digest_of(page: Page) -> str:
    """What a translation of `page` must keep: its texts without regard to how their lines are broken."""
    texts = (page.why, page.fix, *(example.title for example in (*page.bad, *page.good)))
    words = "\0".join(" ".join(text.split()) for text in texts)
    return hashlib.sha256(words.encode()).hexdigest()[:12]


Outputs = Callable[[Example], str]


def told_page(page: Page, words: Mapping[str, str], outputs: Outputs | None = None) -> Page:
    """The page in the language of `words`; as it is where these are none. `outputs` gives what is said of a bad
    example in that language."""
    translation = load_translation(page.code) if words else None
    if translation is None:
        return page
    bad = _told(page.bad, translation.bad, outputs)
    good = _told(page.good, translation.good, None)
    summary = words.get(page.sentence, page.summary)
    told = replace(page, summary=summary, why=translation.why, fix=translation.fix, bad=bad, good=good)
    return replace(told, text="".join(f"{line}\n" for line in _lines(page, told, words)))


def _told(
    examples: tuple[Example, ...], titles: tuple[str, ...], outputs: Outputs | None
) -> tuple[Example, ...]:
    left = iter(titles)
    return tuple(
        replace(
            example,
            title=next(left, example.title) if example.title else "",
            output=outputs(example) if outputs and example.output else example.output,
        )
        for example in examples
    )


def _lines(page: Page, told: Page, words: Mapping[str, str]) -> Iterator[str]:
    """The text of `page` with the texts of `told`; files of examples stay as they are."""
    yield f"# {page.code.id} {page.code.slug}"
    yield from ("", told.summary, "")
    for name, text in (("Why", told.why), ("How to fix", told.fix)):
        yield from (f"## {said_in(words, _HEADINGS[name])}", "", text, "")
    titles = iter([each.title for each in (*told.bad, *told.good) if each.title])
    outputs = iter([each.output for each in told.bad])
    yield from _examples(page.text, titles, outputs, words)


def _examples(
    text: str, titles: Iterator[str], outputs: Iterator[str], words: Mapping[str, str]
) -> Iterator[str]:
    inside, shown, replaced = "", False, False
    for line in text.rstrip("\n").split("\n"):
        before, inside = inside, fence_behind(line, inside)
        heading = line.removeprefix("## ").strip() if line.startswith("## ") and not before else ""
        shown = shown or heading == "Bad"
        if not shown:
            continue
        if heading:
            yield f"## {said_in(words, _HEADINGS[heading])}"
        elif line.startswith("### ") and not before:
            yield f"### {next(titles)}"
        elif inside and not before and line.lstrip("`").strip() == "output":
            replaced = True
            yield from (line, next(outputs))
        elif not (replaced and before and inside):
            replaced = replaced and bool(inside)
            yield line
