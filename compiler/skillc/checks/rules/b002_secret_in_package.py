"""A key or token in a file of a package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from skillc.checks.rule import Rule
from skillc.diagnostic import Diagnostic, Label, finding
from skillc.graph import TagGraph
from skillc.later import later
from skillc.text import Source, Span
from skillc.wording import Said, say

PRIVATE = say("a private key")
_START = r"(?<![A-Za-z0-9_-])"
KINDS: tuple[tuple[Said, str, str], ...] = (
    (say("an API key"), "sk-", r"sk-[A-Za-z0-9_-]{20,}"),
    (say("a secret key of a payment service"), "k_live_", r"[sr]k_live_[A-Za-z0-9]{16,}"),
    (say("a GitHub token"), "gh", r"gh[opsur]_[A-Za-z0-9]{36,}"),
    (say("a GitHub token"), "github_pat_", r"github_pat_[A-Za-z0-9_]{30,}"),
    (say("a GitLab token"), "glpat-", r"glpat-[A-Za-z0-9_-]{20,}"),
    (say("an access key of a cloud"), "KIA", r"AKIA[0-9A-Z]{16}(?![0-9A-Z])"),
    (say("an access key of a cloud"), "SIA", r"ASIA[0-9A-Z]{16}(?![0-9A-Z])"),
    (say("an access key of a cloud"), "LTAI", r"LTAI[0-9A-Za-z]{16,26}(?![0-9A-Za-z])"),
    (say("an API key"), "AIza", r"AIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])"),
    (say("a chat token"), "xox", r"xox[abeprs]-[0-9A-Za-z-]{20,}"),
    (say("a model hub token"), "hf_", r"hf_[A-Za-z0-9]{34,}"),
    (say("an API key"), "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    (say("an API key"), "xai-", r"xai-[A-Za-z0-9]{60,}"),
    (say("a package registry token"), "npm_", r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    (say("a signed token"), "eyJ", r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}"),
    (PRIVATE, "PRIVATE KEY-----", r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
)
"""What it is, a piece that each has, and its form."""
FORMS = tuple((what, piece, later(_START + form)) for what, piece, form in KINDS)
_RUN = b"x" * 20
_AS_RUN = bytes(ord("x") if chr(n).isalnum() or chr(n) in "_-+/=." else ord(" ") for n in range(256))
_KEY_END = b"PRIVATE KEY-----"
NAMED = later(
    r"""(?<![A-Za-z0-9])(?:api[_-]?key|secret[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret)["'`]?"""
    r"""\s*[:：=]\s*["'`]?([A-Za-z0-9_\-+/=.]{20,})(?![A-Za-z0-9])""",
    re.IGNORECASE,
)
"""A long value behind a name that says what it is."""
EXAMPLE = later(
    r"x{4}|X{4}|\*{3}|\.{3}|example|your|dummy|fake|sample|placeholder|1234567|abcdef|0{6}", re.IGNORECASE
)


def check(graph: TagGraph) -> Iterator[Diagnostic]:
    """One finding a file, at the first secret in it. A form counts where its random part has letters and digits
    and is no obvious example. No message repeats what was found, and the shown line has it blotted out."""
    if not _may_hold_one("\n".join(source.text for source in graph.package.sources)):
        return
    for source in graph.package.sources:
        found = sorted(_secrets(source.text)) if _may_hold_one(source.text) else []
        if found:
            yield _secret(source, found)


def _may_hold_one(text: str) -> bool:
    """Whether what is left of a text without its Chinese has a run of letters and digits as long as the shortest
    secret: a quick look that misses none."""
    latin = text.encode("ascii", "ignore")
    return _RUN in latin.translate(_AS_RUN) or _KEY_END in latin


def _secrets(text: str) -> Iterator[tuple[int, int, Said]]:
    for what, piece, form in FORMS:
        if piece in text:
            for match in form.finditer(text):
                if what is PRIVATE or _is_random(match.group()):
                    yield *match.span(), what
    lowered = text.lower()
    if any(word in lowered for word in ("key", "token", "secret")):
        for match in NAMED.finditer(text):
            if _is_random(match.group(1)):
                yield *match.span(1), say("a key")


def _is_random(value: str) -> bool:
    """Whether a run of at least 12 letters and digits in `value` mixes both, counts up nowhere, and it is no
    example."""
    runs = re.findall(r"[A-Za-z0-9]{12,}", value)
    mixed = any(re.search(r"[0-9]", run) and re.search(r"[A-Za-z]", run) for run in runs)
    counted = any(_counts(run) for run in runs)
    return mixed and not counted and len(set(value)) >= 10 and not EXAMPLE.search(value)


def _counts(run: str) -> bool:
    """Whether half of the letters, or of the digits, each follow the one before: `1a2b3c4d5e` was typed by hand.

    In a random key one letter in 26 does, and one digit in ten.
    """
    lowered = run.lower()
    for kind in ("".join(filter(str.isalpha, lowered)), "".join(filter(str.isdigit, lowered))):
        steps = [abs(ord(b) - ord(a)) == 1 for a, b in pairwise(kind)]
        if len(steps) >= 6 and sum(steps) * 2 >= len(steps):
            return True
    return False


def _secret(source: Source, found: list[tuple[int, int, Said]]) -> Diagnostic:
    blotted = Source(source.path, _blotted(source.text, found))
    (start, end, what), *others = found
    spans = {(a, b) for a, b, _ in others if a >= end}
    return finding(
        "secret-in-package",
        Span(blotted, start, end),
        say("{what} stands in a file of the package", what=what),
        say(
            "take it out and declare it void, since whoever has the package has it; profiles.json names the "
            "environment variable that holds a key (`apiKeyEnv`)"
        ),
        [Label(Span(blotted, a, b), say("another one")) for a, b in sorted(spans)],
    )


def _blotted(text: str, found: list[tuple[int, int, Said]]) -> str:
    """`text` with every secret made unreadable, each character in its place."""
    characters = list(text)
    for start, end, _ in found:
        characters[start:end] = "*" * (end - start)
    return "".join(characters)


RULE = Rule("secret-in-package", "A key or token stands in a file of a package.", check)
