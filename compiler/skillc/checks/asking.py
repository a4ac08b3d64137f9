"""The workers that their texts tell to ask the user, and that do not read the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from skillc.checks.places import without_comments
from skillc.checks.prohibition import denies
from skillc.checks.prose import speaking
from skillc.graph import TagGraph
from skillc.later import later
from skillc.model.package import Worker
from skillc.once import once
from skillc.source.document import Document
from skillc.tags import literal, overlaps
from skillc.text import Span

ANSWER = "用户.worker答复"
_ANSWER = literal(ANSWER)
HINTS = ("askUser", "ask_user", "用户")
_VERBS = ("问", "请", "向", "对")
_K = ("k", "K", "\u212a")
"""What `ask` ends in."""
LONG, LONG_NAME = 200, 24
"""Characters of the longest clause, and of the longest name in it, that are looked at."""
_ASK = r"`?ask_?user`?"
_ASKS = later(
    rf"(?:使用|用|通过|经由?|走|调用|发起|触发|填写?|写[进入到]|放[进入到]|列[进入到]|[Uu]se|via|with|through)\s*{_ASK}"
    rf"|{_ASK}\s*(?:里|中|向|来|去|提问|追问|询问|问|列出|请)"
    r"|(?:向|对)用户(?:提问|发问|追问|询问)|(?:追问|询问|问)用户|请用户(?:回答|补充|确认|选择|说明)",
    re.IGNORECASE,
)
_FILLED = later(r"\"ask_?user\"\s*:\s*\[\s*[\"{]", re.IGNORECASE)
_NOT_ASKING = later(
    r"不得|不要|不能|不可|不应|不会|不许|(?<![拿说分吃认看])不准|不再|不用|不必|不需|不向|不对|不追?问|不提问|不询问|不请|不是|不在?\s*`?ask|勿|禁|避免|无需|无须|别"
    rf"|(?:不|没有?|未)(?:使用|用|走|调用|通过|经由?|发起|触发|启用|填写?|写[进入到]?|放[进入到]?|列[进入到]?)\s*{_ASK}|{_ASK}[^，。；]{{0,6}}不(?:使用|走|调用|启用|填|写)"
    r"|从不|绝不|null|置空|留空|为空|never|\bnot\b|n't|总管|orchestrator|宿主|平台|由(?!你|本|自己)[^，。；]{1,24}?(?:来|去|代|问|负责)|已经?|假装|代替|替用户",
    re.IGNORECASE,
)
_OF_SAMPLES = later(r"示例|样例|例子|范例|例句|风格|文风|example|style", re.IGNORECASE)
"""Headings of samples and of what is told: stories have users, too."""
_OPENS = later(
    r"[\s\-*+>\d.)、（(]*(?:你|本worker)?(?:(?:若|如|当|遇|一旦|凡|每当|只要|只有|缺|信息|资料|需求|拿不准|说不清|不清|不明|不确定|有疑|有歧义|没说|没写|仍)"
    r"[^他她它]*?)?(?:(?:就|则|时候?|便|才|都|后|前|必须|应当?|需要?|先|再|可以?|务必|主动|要|一律|直接|只|请|随时|及时|立即|马上|逐项|一次性|去|来|的话|然后|最后|并且?)\s*)*"
)
"""What may stand before the verb in a clause that is an order to the worker: a condition, and words of urging."""
_TOLD = later(
    r"他|她|它|让(?!用户)|使得|写到|写出|描写|主角|主人公|人物|角色|店主|客服|某[人个位]|谁|似的|那样"
)
_QUESTION = later(r"[`\s]*[吗呢么吧]?\s*[？?]")
"""Directly behind the words: whether to ask is the question."""
_CASE = later(r"(?:若|如果?|要是|万一|假如|倘若?)是?(?:真|确实|一定)?(?:要|需要?|想|得|必须)\s*$")
_CLAUSE_END = later(r"[，。；！？,;!?\n]")


def unanswered(graph: TagGraph) -> Iterator[tuple[Worker, Span]]:
    """The workers that ask and do not read the answer, with the words that ask."""
    for worker, document in speaking(graph):
        if worker.actor == "llm" and _may_ask(document) and not _reads_answer(worker):
            place = next(_asking(_staff(graph), worker, document), None)
            if place is not None:
                yield worker, place


@once
def _staff(graph: TagGraph) -> Mapping[str, str]:
    return {word: worker.id for worker in graph.package.workers for word in (worker.id, worker.name) if word}


def _may_ask(document: Document) -> bool:
    """Whether a text has what every way to ask has: most have not, and are not looked at closely."""
    text = document.body.text
    before = text.split("用户")
    if len(before) > 1 and any(part.endswith(_VERBS) for part in before[:-1]):
        return True
    has_hint = len(before) > 1 or any(hint in text for hint in HINTS)
    return has_hint and any(k in text for k in _K)


def _reads_answer(worker: Worker) -> bool:
    return any(overlaps(ref.pattern, _ANSWER) for ref in worker.inputs)


def _asking(staff: Mapping[str, str], worker: Worker, document: Document) -> Iterator[Span]:
    """The words of a body that tell the worker to ask: a clause that says so and says no no, or a reply in a fence
    whose askUser holds questions. A plain `问用户` must be an order to the worker: in fiction, users are asked, too."""
    for section in document.sections:
        body = without_comments(section.body.text)
        if any(denies(title) for title in (section.title.value, *section.outline)):
            continue
        samples = any(_OF_SAMPLES.search(title) for title in (section.title.value, *section.outline))
        for words in () if samples else _ASKS.finditer(body):
            clause = _clause(body, words)
            if _QUESTION.match(body, words.end()) or _NOT_ASKING.search(clause):
                continue
            if _names_another(staff, worker, clause):
                continue
            if "ask" in words.group().casefold() or _is_order(body, words, clause):
                yield section.body.part(*words.span())
        for fence in section.fences:
            filled = _FILLED.search(fence.content.span.text)
            if filled:
                yield fence.content.span.part(filled.start(), filled.end())


def _is_order(body: str, words: re.Match[str], clause: str) -> bool:
    """Whether words that ask the user are told to the worker: they begin their clause, but for a condition, which
    speaks of nobody, and stand in no quotes."""
    line = body[body.rfind("\n", 0, words.start()) + 1 : words.start()]
    quoted = any(line.count(opens) > line.count(closes) for opens, closes in ("「」", "『』", "“”", "《》"))
    start = max((mark.end() for mark in _CLAUSE_END.finditer(body, 0, words.start())), default=0)
    begins = _OPENS.fullmatch(body[start : words.start()]) is not None
    return begins and not quoted and _TOLD.search(clause) is None


def _clause(body: str, words: re.Match[str]) -> str:
    """The clause with the words; of one that only says in which case, the next one, which says what then, too."""
    start = max((mark.end() for mark in _CLAUSE_END.finditer(body, 0, words.start())), default=0)
    end = _CLAUSE_END.search(body, words.end())
    if end and end.group() in "，," and _CASE.search(body, start, words.start()):
        end = _CLAUSE_END.search(body, end.end())
    return body[start : end.start() if end else len(body)]


def _names_another(staff: Mapping[str, str], worker: Worker, clause: str) -> bool:
    """Whether the id or the name of another worker stands in a clause; of a clause without end, nothing is known."""
    if len(clause) > LONG:
        return True
    pieces = (
        clause[a:b] for a in range(len(clause)) for b in range(a + 2, min(len(clause), a + LONG_NAME) + 1)
    )
    return any(staff.get(piece, worker.id) != worker.id for piece in pieces)
