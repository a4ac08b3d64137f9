"""What a finding is: code, severity, place, help, fix; and the order findings are shown in.

The table of codes is the one place where a code's number, name and severity are decided.
Numbers are permanent. In a family the errors, the warnings and the infos form a group each;
ten or more free numbers lie between two groups, so that a new code joins its own kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from hashlib import sha256

from skillc.text import Span
from skillc.value import value
from skillc.wording import english


class Severity(IntEnum):
    """How much a finding weighs; a larger number is worse."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        return self.name.lower()


_TABLE = """
P error not-utf8 lone-cr frontmatter-missing frontmatter-unclosed yaml-syntax duplicate-key unknown-field
P error field-type missing-field id-mismatch skill-mismatch misnamed-file bad-id name-clash unsafe-path too-large
P error bad-suppression
P warning near-miss-name too-long-description bidi-in-body unused-suppression
P info stray-file byte-order-mark folded-cjk
T error bad-tag not-nfc invisible-character
T warning confusable-tags mixed-script duplicate-tag redundant-pattern unknown-tag
T info whole-board mergeable-tags
G error unproduced-input missing-inputs prerequisite-unproduced deadlocked-loop unreachable-worker
G error effect-outside-package
G warning unread-output undeclared-write undeclared-read ambiguous-producer wrong-stage-producer undeclared-answer
G info feedback-loop updates-in-place unmentioned-input undescribed-output
L error candidate-into-memory never-promoted
L warning draft-as-fact direct-confirm unknown-stage
I error blind-reads-hidden role-reads-others user-turn-writes-thought
I warning role-writes-others hidden-flow user-only-leak hidden-to-user blindness-undeclared
I warning unowned-private-tag unused-declassify
I info disclosure
C error segment-outside-inputs duplicate-segment unknown-policy unknown-slot unknown-projection
C error slot-without-worker order-outside-inputs fragment-has-order over-budget
C warning input-in-no-segment dynamic-before-static static-but-rewritten sliding-tail order-not-normal
C warning unknown-mount missing-mount score-range
C info history-in-blind-slot below-cache-minimum
M error unregistered-worker missing-worker registry-mismatch unknown-acceptance bad-condition no-verdict-output
M warning acceptance-conflict manifest-declares-io manifest-routes-context missing-readiness no-startup-target
M warning registry-gap registry-stale unreachable-revision early-readiness manifest-conflict
M info step-table prose-condition
B error unknown-profile secret-in-package
B warning unknown-worker-binding by-role-without-role
D warning legacy-keys legacy-fields legacy-tag-names anchor percent-score
"""


@value(order=True)
class Code:
    """A kind of finding: `G001`, `unproduced-input`, its usual severity."""

    id: str
    slug: str
    severity: Severity


def _numbered() -> dict[str, Code]:
    codes: dict[str, Code] = {}
    number, group = 0, ("", "")
    for row in _TABLE.split("\n"):
        if not row:
            continue
        family, severity, *slugs = row.split()
        if family != group[0]:
            number = 1
        elif severity != group[1]:
            number = (number - 1 + 9) // 10 * 10 + 11
        group = (family, severity)
        for slug in slugs:
            codes[slug] = Code(f"{family}{number:03}", slug, Severity[severity.upper()])
            number += 1
    return codes


CODES: dict[str, Code] = _numbered()
"""Every code by its slug, in the order of the table."""


def find_code(name: str) -> Code | None:
    """The code named by number (`G001`, any case) or by slug; None when there is none."""
    if name in CODES:
        return CODES[name]
    return next((code for code in CODES.values() if code.id == name.upper()), None)


@value
class Label:
    """A second place that belongs to a finding, and what is there. `aside` tells, of a finding whose labels
    are the hops of a path, one that is no hop."""

    span: Span
    message: str
    aside: bool = False


@value
class Edit:
    """Replace what `span` covers by `text`."""

    span: Span
    text: str


@value
class Fix:
    """A change that removes a finding. A safe one never changes what the package means."""

    message: str
    edits: tuple[Edit, ...]
    safe: bool = True


@value
class Diagnostic:
    """One finding. `message`: one sentence, lower case, true without the snippet; `help`: the way out."""

    code: Code
    message: str
    span: Span
    help: str = ""
    related: tuple[Label, ...] = ()
    fix: Fix | None = None
    severity: Severity = Severity.ERROR

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        return (self.span.path, self.span.start, self.span.end, self.code.id, self.message)


def finding(
    slug: str,
    span: Span,
    message: str,
    help: str = "",
    related: Iterable[Label] = (),
    fix: Fix | None = None,
    severity: Severity | None = None,
) -> Diagnostic:
    """A finding of the code `slug`, with the code's own severity unless another is given."""
    code = CODES[slug]
    return Diagnostic(code, message, span, help, tuple(related), fix, severity or code.severity)


def fingerprints(diagnostics: Sequence[Diagnostic]) -> tuple[str, ...]:
    """A name for each finding that outlives edits elsewhere: of code, path, what is underlined, and the words
    in backticks, since they are the author's own. Of equal ones the second has another name than the first.

    Neither lines nor the wording count, so a finding keeps its name when text moves, in any language.
    """
    seen: dict[str, int] = {}
    marks = []
    for diagnostic in diagnostics:
        key = identity(diagnostic)
        seen[key] = seen.get(key, 0) + 1
        marks.append(sha256(f"{key}\0{seen[key]}".encode("utf-8", "surrogatepass")).hexdigest()[:32])
    return tuple(marks)


def identity(diagnostic: Diagnostic, with_path: bool = True) -> str:
    """What a finding is about, in words that edits elsewhere do not change; without its path if wanted."""
    underlined = diagnostic.span.text.partition("\n")[0].strip()
    words = sorted(set(re.findall("`([^`]+)`", english(diagnostic.message))))
    path = [diagnostic.span.path] if with_path else []
    return "\0".join([diagnostic.code.id, *path, underlined, *words])


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Findings by path, position, code; each only once."""
    unique = {(d.sort_key, d.severity): d for d in diagnostics}
    return tuple(unique[key] for key in sorted(unique))
