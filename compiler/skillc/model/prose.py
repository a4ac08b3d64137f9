"""Tags, worker ids and words out of cells, list items and lines, annotations stripped (SPEC 6.2).

Authors annotate: `（…）`, `≈ 需求.核心要点`, `— 用户的原话`, 见下表, finish. Annotations are blanked
out with the same number of characters, so that what is left keeps its place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache

from skillc.diagnostic import Diagnostic
from skillc.grammar import parse_pattern
from skillc.later import later
from skillc.model.package import TagRef
from skillc.resemblance import Known
from skillc.text import Span, Text

_PARENTHESES = later(r"（[^（）]*）|\([^()]*\)|【[^【】]*】")
_ANNOTATION = later(r"(?:≈|≡|—|–|\s-{1,2}\s|//|<!--).*")
_TOKEN = later(r"`([^`\n]+)`|[^\s`、，,;；：:|/→+&=]+")
_ID = later(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_JOINT = later(r"[、，,;；→+&]|[-=]+>|(?<=\s)/|/(?=\s)|\s+(?:and|or)\s+|[和与或及]")
_FILE = later(r"\.(?:md|ya?ml|json|toml|txt|ts|js|py|v\d+)$", re.IGNORECASE)
_SENTENCE = later("必须|存在|已经|确认后|写入|之后|完成|全部|以及|如果|需要")
_FULL_STOP = later("[．。｡]")
NOT_WORKERS = frozenset(
    {
        "agent",
        "all",
        "any",
        "ask-user",
        "brief",
        "default",
        "design",
        "done",
        "error",
        "finish",
        "host",
        "human",
        "id",
        "idle",
        "instantiate",
        "main",
        "main-agent",
        "na",
        "next",
        "optional",
        "setup",
        "startup",
        "llm",
        "none",
        "null",
        "orchestrator",
        "play",
        "program",
        "run",
        "running",
        "runtime",
        "system",
        "tbd",
        "todo",
        "user",
        "worker",
        "worker-id",
        "x",
    }
)
"""Plain words that stand in worker columns and name no worker, unless a folder is called so."""


def without_parentheses(raw: str) -> str:
    """`raw` with bracketed remarks blanked out, inner ones first; nobody nests more than a few."""
    for _ in range(4):
        plain = _PARENTHESES.sub(lambda m: " " * len(m.group()), raw)
        if plain == raw:
            break
        raw = plain
    return raw


def without_annotations(raw: str) -> str:
    """`raw` with every annotation blanked out, as long as before.

    >>> without_annotations("book.brief（≈ 需求） — 用户").rstrip()
    'book.brief'
    """
    return _ANNOTATION.sub(lambda m: " " * len(m.group()), without_parentheses(raw))


@lru_cache(maxsize=8192)
def normal(title: str) -> str:
    """A heading, label or header cell as it is compared: no numbering, remark, mark, blank or case."""
    plain = without_annotations(title).strip().strip("#*_`：: ")
    plain = re.sub(
        r"^(?:第[0-9一二三四五六七八九十]+[章节部步]|[0-9]+(?:\.[0-9]+)*|[一二三四五六七八九十]+(?=[、.．\s]))",
        "",
        plain,
    )
    return re.sub(r"[\s*_`]+", "", plain.lstrip("、.．):： ")).casefold()


def tags_in(span: Span) -> tuple[list[TagRef], list[Diagnostic]]:
    """The tags that a cell, list item or line gives as its values, and those that one wrong character spoils.

    Backticked ones always; bare ones when they have a dot and are no sentence. File names, schema ids,
    suffix shorthand and placeholders are none (SPEC 16.5).
    """
    refs: list[TagRef] = []
    found: list[Diagnostic] = []
    for token, quoted in _tokens(span):
        if not _may_be_tag(token.value, quoted):
            continue
        pattern, said = parse_pattern(token)
        if pattern is not None:
            refs.append(TagRef(pattern, token.span))
        elif quoted and _nearly_a_tag(token):
            found += said
    return refs, found


def backticked_tags(span: Span) -> list[TagRef]:
    """The tags in backticks anywhere in a line of prose."""
    refs = []
    for token, quoted in _tokens(span):
        pattern = parse_pattern(token)[0] if quoted and _may_be_tag(token.value, True) else None
        if pattern is not None:
            refs.append(TagRef(pattern, token.span))
    return refs


def worker_ids(span: Span, known: Collection[str], sure: bool = False) -> list[Text]:
    """The worker ids that a cell of a worker column or a list of workers names, in order.

    Backticked ids, or pieces that are nothing but an id; of a longer text only a known id at its start.
    Where it is not `sure` that nothing but workers is listed, a bare word without a hyphen is one only if it
    exists, or but for a slip: people write `gm` and `n/a` into such cells, too.
    """
    quoted = [token for token, ticks in _tokens(span) if ticks and _ID.fullmatch(token.value)]
    candidates = quoted or [piece for piece in _pieces(span, known) if _ID.fullmatch(piece.value)]
    certain = sure or bool(quoted)
    ids = [text for text in candidates if text.value in known or _may_be_worker(text.value, certain, known)]
    if not ids and (first := leading_id(span, known)):
        return [first]
    return ids


@lru_cache(maxsize=4)
def _known(ids: frozenset[str]) -> Known:
    return Known(sorted(ids), 0.8)


def _may_be_worker(word: str, certain: bool, known: Collection[str]) -> bool:
    if word in NOT_WORKERS or word.isdigit():
        return False
    return certain or "-" in word or _known(frozenset(known)).slipped(word) is not None


def leading_id(span: Span, known: Collection[str]) -> Text | None:
    """The known worker id that a cell, item or line begins with."""
    match = re.match(r"[\s*_`\"'“]*([a-z0-9]+(?:-[a-z0-9]+)*)(?![A-Za-z0-9_.\-])", span.text)
    if match and match.group(1) in known:
        return Text(match.group(1), span.part(*match.span(1)))
    return None


def plain_text(span: Span) -> str:
    """What a person reads: without list markers, emphasis and backticks."""
    return re.sub(r"\*\*|__|`", "", span.text).strip()


def _tokens(span: Span) -> Iterator[tuple[Text, bool]]:
    raw = span.text
    for match in _TOKEN.finditer(without_annotations(raw)):
        group = 1 if match.group(1) is not None else 0
        start, end = match.span(group)
        start += len(raw[start:end]) - len(raw[start:end].lstrip())
        while end > start and (raw[end - 1].isspace() or (group == 0 and raw[end - 1] in "。.：:\"'*_")):
            end -= 1
        while group == 0 and start < end and raw[start] in "\"'*[-":
            start += 1
        ticks = group == 1 or _in_backticks(span, start, end)
        if end > start:
            part = span.part(start, end)
            yield Text(part.text.rstrip("]"), part), ticks


def _in_backticks(span: Span, start: int, end: int) -> bool:
    """Whether a token that fills its cell stands in the backticks that the cell was stripped of."""
    text = span.source.text
    before, behind = (
        text[span.start + start - 1 : span.start + start],
        text[span.start + end : span.start + end + 1],
    )
    return before == behind == "`"


def _pieces(span: Span, known: Collection[str]) -> Iterator[Text]:
    """What stands between joints. A bare `/` is one only between ids that exist: `n/a` is a word."""
    plain = without_annotations(span.text)
    start = 0
    for end, following in [*(m.span() for m in _JOINT.finditer(plain)), (len(plain), 0)]:
        piece = plain[start:end]
        word = piece.strip(" *_\"'[]。")
        if word:
            at = start + piece.index(word)
            words = word.split("/")
            for part in words if all(part in known for part in words) else (word,):
                yield Text(part, span.part(at, at + len(part)))
                at += len(part) + 1
        start = following


def _may_be_tag(word: str, quoted: bool) -> bool:
    if word.startswith(".") or "R" in word.split(".") or _FILE.search(word) or "://" in word:
        return False
    if quoted:
        return "." in word or not word.isascii()
    return "." in word and not _SENTENCE.search(word) and not word[0].isdigit()


def _nearly_a_tag(token: Text) -> bool:
    """Whether only a full-width dot, a normal form or an invisible character keeps it from being a tag."""
    right = _FULL_STOP.sub(".", unicodedata.normalize("NFC", token.value))
    right = "".join(char for char in right if unicodedata.category(char) != "Cf")
    return right != token.value and parse_pattern(Text(right, token.span))[0] is not None
