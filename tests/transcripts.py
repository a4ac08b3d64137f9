"""Terminal transcripts in the documentation: `console` blocks whose commands are run, and what they print.

Ids and times are new in each run: the ids of the page stand for those of the run, in the order in which they appear.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cli import skillc

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
_ID = re.compile(r"\b[0-9a-f]{12}\b")
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")


@dataclass(frozen=True)
class Told:
    """A command of a page, and the lines below it."""

    command: str
    output: str


def transcript(page: str) -> Iterator[Told]:
    """The commands of all blocks of a page, in order."""
    for block in _BLOCK.findall(page):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield Told(command, output.rstrip("\n") + "\n")


@dataclass
class Terminal:
    """Runs the commands of one page in `folder`; `known` are the ids of the run by those of the page."""

    folder: Path
    lang: str
    known: dict[str, str] = field(default_factory=dict)

    def run(self, command: str) -> str:
        """What the command prints, on both streams."""
        real = _ID.sub(lambda found: self.known[found[0]], command)
        program, *arguments = shlex.split(real)
        assert program == "skillc"
        done = skillc(*arguments, cwd=self.folder, SKILLC_LANG=self.lang)
        return (done.out + done.err).rstrip("\n") + "\n"

    def as_told(self, printed: str, told: str) -> str:
        """`printed` with the ids and times of the page where it tells some."""
        for here, there in zip(_ID.findall(told), _ID.findall(printed), strict=False):
            self.known.setdefault(here, there)
        back = {there: here for here, there in self.known.items()}
        text = _ID.sub(lambda found: back.get(found[0], found[0]), printed)
        times = iter(_TIME.findall(told))
        return _TIME.sub(lambda found: next(times, found[0]), text)
