"""The one place that decides what a mention of a tag is, and what role the text gives it.

A mention is a dotted name in the body of a document: in backticks, alone between blanks or quotes, in a cell, in a
heading or in a fence. None of these is one: file names, URLs, schema ids, version numbers, code identifiers, suffix
shorthand (`.思考`), names with a placeholder (`{id}`, `R`, `X`, `<角色>`, `……`), what stands behind an annotation
mark (`≈`, `←`), comments, and whatever a prohibition names: in its sentence, in a list or fence that a prohibiting
line leads in, below a prohibiting heading, in a row or column of a table that says no (SPEC 16.5).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Set
from functools import cached_property, lru_cache
from typing import Literal

from skillc.checks.places import COMMENT, Place, place_of, without_comments
from skillc.checks.prohibition import is_told_off, keeps_from, leads_to_none, sentence_around
from skillc.later import later
from skillc.source.document import Document, Section
from skillc.source.node import Scalar
from skillc.tags import ONE, REST, Pattern
from skillc.text import Source, Span

Role = Literal["reads", "writes", "unknown"]

_WORD = r"\w[\w·\-]*+"
_SEGMENT = rf"(?:{_WORD}|\*|\{{[^{{}}\s.]*\}}|<[^<>\s.]*>|…+)"
_BEFORE = r"(?<![\w.·\-/\\@$…<{*])"
_NAME = later(rf"{_BEFORE}(?>{_SEGMENT}(?:[.．｡﹒]{_SEGMENT})++(?:\#{_WORD})?)(?![\w·\-/\\(@{{]|[.．]\w)")
_QUOTED = later(rf"`({_WORD}(?:[.。](?:{_WORD}|\*))++(?:\#{_WORD})?)(?=`)")
"""A name that fills its backticks: most do."""
_JOINT = later(r"\.[\w*{<…]")
_STOPPED = later(rf"`({_WORD}(?:[.．｡。]{_WORD})++)(?=`)")
"""A name with a full stop for a dot, in backticks only."""
_WIDE = "．｡﹒"
"""Other dots."""
_FILE = later(
    r"\.(?:md|ya?ml|json[cl5]?|toml|txt|csv|html?|xml|ts|tsx|js|py|sh|lark|db|png|jpe?g|v\d+)$", re.I
)
_PLACEHOLDER = later(r"[RXYNＲＸ]|[xX]{2,}|\{.*\}|<.*>|…+|某.?")
_ANNOTATION = later(r"(?:≈|≡|←|→|旧名|旧称|原名|曾用|等价于)[：:\s`]*$")
_CITES = "\"'「『“‘《"
_OPEN, _CLOSE = "`\"'「『“‘《", "`\"'」』”’》"


class Mention:
    """`name` as written at `span`. What else it is, is found out when somebody asks: most names are tags that the
    worker declares, and then nobody does."""

    def __init__(self, name: str, span: Span, body: _Body) -> None:
        self.name = name
        self.span = span
        self._body = body

    @cached_property
    def pattern(self) -> Pattern:
        parts = re.split(r"[.．｡﹒。]", self.name)
        return Pattern((*parts[:-1], REST) if parts[-1] == ONE else tuple(parts))

    @cached_property
    def place(self) -> Place:
        return place_of(self.span, self._body.section(self.span), self._body.own)

    @cached_property
    def quoted(self) -> bool:
        """It stands alone in its marks, cell or heading, so that no neighbouring word is glued to it."""
        return self.place.alone or _in_marks(self.span)

    @cached_property
    def why_not(self) -> str:
        """What keeps a dotted name from being a mention."""
        return _no_tag(self.span, self.name) or ("prohibited" if _prohibited(self.span, self.place) else "")

    @property
    def cited(self) -> bool:
        """Its marks are those of speech (`「」`), not of code: it may be a text that is told."""
        return not self.place.alone and self.span.source.text[self.span.start - 1] in _CITES

    @property
    def role(self) -> Role:
        """What the text does with the tag."""
        return self._said[0]

    @property
    def firm(self) -> bool:
        """The writing is an order to the worker itself: `把……写入`, or the verb begins the clause."""
        return self._said[1]

    @cached_property
    def _said(self) -> tuple[Role, bool]:
        if not self.quoted or self.why_not:
            return "unknown", False
        return _role(self.span, self.place, self._body.own)

    @property
    def ascii(self) -> bool:
        return self.name.isascii()


class _Body:
    """A document as its names see it."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def section(self, span: Span) -> Section:
        number = bisect_right(self._starts, span.start) - 1
        return self._document.sections[max(number, 0)]

    @cached_property
    def _starts(self) -> list[int]:
        return [section.title.span.start for section in self._document.sections]

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The id and the name of the worker whose text it is."""
        front = self._document.front
        nodes = (front.get(key) for key in ("id", "name")) if front else ()
        return tuple(node.value for node in nodes if isinstance(node, Scalar))


def mentions(
    document: Document, heads: Collection[str], declared: Set[str] = frozenset()
) -> Iterator[Mention]:
    """The mentions of a body in order, but for those of tags in `declared`. `heads`: the first segments that names
    in plain ASCII may have; others (`askUser.questions`) are code."""
    return (mention for mention in candidates(document, heads, declared) if not mention.why_not)


def candidates(document: Document, heads: Collection[str], declared: Set[str]) -> Iterator[Mention]:
    """As `mentions`, with those that something keeps from being one: what that is, takes time to find out."""
    if names_in(document) <= declared:
        return
    for mention in dotted_names(document):
        if mention.name not in declared and (not mention.ascii or mention.pattern.parts[0] in heads):
            yield mention


def dotted_names(document: Document) -> tuple[Mention, ...]:
    """Every dotted name of a body, those that are no mentions included, with the reason. Remembered for the
    documents of a package, since several rules ask."""
    return _names(document).mentions


def names_in(document: Document) -> frozenset[str]:
    """The texts of the dotted names of a body."""
    return _names(document).texts


class _Names:
    """The dotted names of a body; and where they stand, which nobody asks where all of them are declared."""

    def __init__(self, document: Document) -> None:
        self._document = document
        text, body = document.source.text, document.body
        names = None if "<!--" in text else _quoted_alone(text, body)
        self.texts = frozenset([text[start:end] for start, end in self._places] if names is None else names)

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        text, body = self._document.source.text, self._document.body
        places = _found(text, body)
        if "<!--" not in text:
            return places
        comments = [match.span() for match in COMMENT.finditer(text, body.start, body.end)]
        return [at for at in places if not any(a <= at[0] < b for a, b in comments)]

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        source, shared = self._document.source, _Body(self._document)
        return tuple(
            Mention(source.text[start:end], Span(source, start, end), shared) for start, end in self._places
        )


def _names(document: Document) -> _Names:
    known = _memory(document.source)
    if not known:
        known.append(_Names(document))
    return known[0]


@lru_cache(maxsize=256)
def _memory(source: Source) -> list[_Names]:
    """A place for what was read of a text: one text is one body."""
    return []


def _quoted_alone(text: str, body: Span) -> list[str] | None:
    """The dotted names of a body in which every dot that joins something stands in a name that fills its backticks, so
    that there are no others; None for other bodies."""
    names: list[str] = _QUOTED.findall(text, body.start, body.end)
    together = "".join(names)
    if "。" in together or "．" in text or "｡" in text or "﹒" in text:
        return None
    dots = together.count(".")
    is_all = text.count(".", body.start, body.end) == dots
    return names if is_all or len(_JOINT.findall(text, body.start, body.end)) == dots else None


def _found(text: str, body: Span) -> list[tuple[int, int]]:
    """Where dotted names stand, with those in backticks that have a full stop for a dot."""
    start, end = body.start, body.end
    if _quoted_alone(text, body) is not None:
        return [match.span(1) for match in _QUOTED.finditer(text, start, end)]
    wide = [match.span(1) for match in _STOPPED.finditer(text, start, end) if "。" in match[1]]
    return sorted([*_scanned(text, start, end), *wide])


def _scanned(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The names in a part of a text. None goes on in another line, so that only lines with a dot are looked at."""
    if any(dot in text for dot in _WIDE):
        return [match.span() for match in _NAME.finditer(text, start, end)]
    found: list[tuple[int, int]] = []
    at = text.find(".", start, end)
    while at >= 0:
        close = text.find("\n", at, end)
        close = end if close < 0 else close
        opens = text.rfind("\n", start, at) + 1 or start
        found += [match.span() for match in _NAME.finditer(text, opens, close)]
        at = text.find(".", close, end)
    return found


def _no_tag(span: Span, name: str) -> str:
    segments = re.split(r"[.．｡﹒。]", name)
    text = span.source.text
    if _FILE.search(name):
        return "file or schema id"
    if segments[0].isdigit() or segments[0] == ONE or re.fullmatch(r"[vV]?\d+", segments[0]):
        return "number"
    if any(_PLACEHOLDER.fullmatch(segment) for segment in segments):
        return "placeholder"
    line = text.rfind("\n", 0, span.start) + 1
    return "annotation" if _ANNOTATION.search(without_comments(text[line : span.start])) else ""


def _prohibited(span: Span, place: Place) -> bool:
    if any(map(leads_to_none, (*place.titles, *place.leads))):
        return True
    heads = place.alone and place.kind == "item"
    told_off = is_told_off(place.text, place.at, place.at + len(span.text), heads)
    return told_off or (not heads and any(map(keeps_from, place.beside)))


def _in_marks(span: Span) -> bool:
    text = span.source.text
    before, after = text[span.start - 1 : span.start], text[span.end : span.end + 1]
    return bool(before) and before in _OPEN and after == _CLOSE[_OPEN.index(before)]


_WRITES = later(
    r"(?:写入|写到|写进|写回|写成|存入|存到|存进|追加到|追加进|落到|落进|输出到|输出为|产出到|更新到|记入|记到|归入"
    r"|输出|产出|(?:^|[，,：:。；;\s只再并要请先后来须应该则就会能可])写)"
    r"(?:黑板|标签|名为|的|tag|一份|一条|一项|一段|新的|完整的|全新的|最新的)*[：:\s]*$"
)
_READS = later(r"(?:读取?|参考|依据|根据|参照|对照|查看|查阅|沿用|核对)(?:黑板|标签|中的|里的|tag)*[：:\s]*$")
_SOMEBODY_ELSE = later(
    r"用户|总管|运行时|系统|程序|宿主|平台|(?<![理自])由(?!此|于)|被|(?<!你)会(?=再?[写存落记把将])|已|曾|上游|下游|其他|其它|别的|他人|对方"
    r"|另一|某|谁|(?<![或再])者|它们?会|自动"
    r"|runtime|orchestrator|agent|host|user|worker",
    re.IGNORECASE,
)
_ACTS = later(
    r"(?:^|[，,：:。；;])[\s\-*+\d.)]*(?:写完|完成|确认)?(?:之?后|然后|最后|再)?\w{0,6}(?:员|[老画导设]师|官|主编|责编|编剧|助手|[后前]台|[客服]端|服务器|引擎|管家|秘书|脚本|插件)"
    r"(?:会|再|就|来|去|负责|随后|统一)*(?:[把将]|$)"
)
"""A clause that begins with somebody else: `归档员把它存进 …`."""
_ENDS = later(
    r"[`\"'」』”’》]*\s*(?:$|[，。；！？、,.;)）（(：:\n]|和|与|及|以及|前|后|之前|之后|时|并|再|即可)"
)
_SIBLINGS = later(
    r"(?:[`「『“][^`」』”\n]+[`」』”](?:（[^（）]*）)?\s*(?:、|,|，|和|与|及|以及|/)\s*)+[`「『“]?$"
)


_MARKED = later(r"`[^`\n]*`")
_LATER = later(r"[`\"'」』”’》]*\s*(?:之后|以后|后|时|的时候|之前|以前|前)")
_ORDER = later(
    r"(?:^|[，,：:；;。])[\s\-*+\d.)、]*(?:然后|最后|接着|随后|同时|并且|并|再|先|只|都|请|务必|必须|应当?|要|每次|每轮|每回合|一律|统一)*"
    r"\s*(?:[把将][^，,；;：:。]*)?$"
)

_SUBJECT = later(r"(?:^|[，,。；;])[\s\-*+>]*(?:\d+[.)、])?([^，,。；;：:]*)[：:][\s*_]*$")
"""Who or what stands before the colon that a verb follows."""
_NEUTRAL = later(
    r"|你|请|[他它她]?的?(?:输出|产出|产物|写入)(?:格式|要求|约定|规范)?|.*(?:要求|任务|工作|步骤?|注意|做法|方法|规则|格式|约定|如下|流程|要点)"
    r"|最后|最终|收尾|然后|随后|接着|首先|其次|再次|另外|此外|同时|总之|完成|结束|收束|总结|.*[时后前]|第.{1,3}|[\dA-Za-z一二三四五六七八九十]"
    r"|.*\b(?:output|finally|note|task|rules?|step \w+)"
)


def _is_told(before: str, own: tuple[str, ...]) -> bool:
    """Whether the writing is told of somebody: `主编：输出 …`; not of the worker itself, nor behind `要求：`."""
    match = _SUBJECT.search(before)
    subject = match.group(1).strip(" `*_「」\"'").casefold() if match else ""
    return _NEUTRAL.fullmatch(subject) is None and subject not in map(str.casefold, own)


def _role(span: Span, place: Place, own: tuple[str, ...]) -> tuple[Role, bool]:
    """What the place, or else the verb right before a mention (or before the list of mentions that it stands in),
    does with it; unknown when somebody else may be meant, or only a part of the tag is."""
    if place.said:
        return place.said, place.sure
    start, end = sentence_around(place.text, place.at, place.at + len(span.text))
    before = place.text[start : place.at].rstrip("`「『“\"'《")
    before = _SIBLINGS.sub("", before + "`") if _SIBLINGS.search(before + "`") else before
    behind = place.text[place.at + len(span.text) :]
    verb = _WRITES.search(before.rstrip())
    if not _ENDS.match(behind):
        return "unknown", False
    if verb is None:
        return ("reads" if _READS.search(before.rstrip()) else "unknown"), False
    said = before[: verb.start()]
    if (
        _SOMEBODY_ELSE.search(_MARKED.sub("", place.text[start:end]))
        or _ACTS.search(said)
        or _is_told(said, own)
    ):
        return "unknown", False
    return "writes", bool(_ORDER.search(before[: verb.start()])) and not _LATER.match(behind)
