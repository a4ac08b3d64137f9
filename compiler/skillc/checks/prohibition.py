"""Which sentences forbid, deny or describe an absence: the tags that they name are no mentions (SPEC 16.5).

The words are chosen to err on one side. A sentence that is taken for a prohibition and is none costs a finding; one
that is not recognised costs an author's trust.
"""

from __future__ import annotations

import re

from skillc.later import later

_NEGATIVE = later(
    r"不|勿|禁(?!忌)|无(?!论)|(?<![因])未|(?<!除)非(?!常)|(?<![分特性个级类差区识辨告])别|避免|拒绝|杜绝|忽略|跳过|切忌|忌讳|没有?"
    r"|除外|以外|之外|反例|误区|错误|停止|屏蔽|剔除|排除|越权"
    r"|\b(?:no|not|never|none|without|forbid\w*|avoid\w*|except|don't|mustn't|cannot)\b|n't\b|✗|✘|×|❌|🚫",
    re.IGNORECASE,
)
_FORBIDS = later(
    r"不(?:读|看|写|用|碰|引|参考|输出|提|收|要|得|能|可|许|准|应|该|给|是|归|属|在|存在|需)|[看读写碰用]不|(?<![与是能可])否|禁(?!忌)|勿|无关|无权|无需|无须"
    r"|(?<![分特性个级类差区识辨告])别(?!的)|避免|拒绝|杜绝|忽略|跳过|切忌|忌讳|除外|反例|误区|错误|停止|屏蔽|剔除|排除|越权|废弃|作废|已删"
    r"|\b(?:no|not|never|none|without|forbid\w*|avoid\w*|except|don't|mustn't|cannot)\b|n't\b|✗|✘|×|❌|🚫",
    re.IGNORECASE,
)
_MAY_NOT = "(?:不(?:要|得|能|可以?|允许|许|准|应该?|该|需要?|用|必|会|再|让)?|别|勿|严?禁止?|避免|杜绝|切忌|拒绝|无需|无须|莫)"
_KEEP_OFF = (
    "(?:读取?|看|写|用|碰|引用?|参考|输出|提及?|收|给|动|改|管|理会?|信|依赖|采[用信]|沿用|照?抄|涉及|流露|外[传泄]|泄[露漏]|透露"
    "|暴露|公开|复述|剧透|见|知道|接触|触碰|访问|打开|查阅?|传|存|进入?|出现|当[真作]|混[入进]?|带[入进]|放[入进]|写?填|产出?|属|归|在|是|劳|[做干])"
)
_IT = r"(?=$|[它其此这该到入进出成给过了的于在来你我本任半里内场]|(?!\s*[`「\"])\W)"
"""What stands behind the verb: nothing, or the tag again; anything else is another thing that is not wanted."""
_KEEPS = later(
    rf"{_MAY_NOT}(?:再|去|直接|擅自|自行|提前|主动|私自|随意|拿来)*{_KEEP_OFF}{_IT}|{_MAY_NOT}(?:你.{{0,6}}|了|的)?$"
    rf"|(?:禁|[看读写碰用]不|忽略|跳过|屏蔽|剔除|排除|停止){_IT}|禁[读写看用]|[轮]不到|[用管]不着|^\W*否(?!则)|无关(?=$|\W|于)|无权|忌讳|除外|反例|误区"
    r"|^\W*错误|[是属的]错误|错误(?:示范|的?例|写法|标签)|越权|废弃|作废|已删|停用|弃用|非[你本]"
    r"|不[能应该可]?(?:作为|当[作成])|不参与|不是(?:标签|tag)|不.?由[你本]|不行|大忌|(?:不对|错(?:了|的)?)$"
    r"|(?<![为写填])(?:没有?|无|未)(?:了|它|此|这[个些]?.{0,4}|该.{0,4}|声明|列出|登记|注册)?$"
    r"|\b(?:no|not|never|none|without|forbid\w*|avoid\w*|except|don't|mustn't|cannot)\b|n't\b|✗|✘|×|❌|🚫",
    re.IGNORECASE,
)
_AS_OLD = later(
    r"废弃|作废|废[了除]|已删|停用|弃用|淘汰|改名|更名|改[称叫]|(?:以前|从前|过去|曾经?|原来|原先|早先)(?:就|都|也)?(?:叫|称|名)|旧(?:名|称|key|键|标签|tag|写法)"
    r"|老(?:名字?|标签|key)|(?:写|拼|打)错|错写|误写|错成|笔误|[坏错]例|[写拼]成[^，]{0,30}(?:拒|退回|丢弃|打回|作废)",
    re.IGNORECASE,
)
_CALLED_NOW = later(r"[，,]\s*(?:现在|如今|后来|今)?已?经?(?:改[叫称为名成]|更名|叫|换成)")
_LED_IN_AS_WRONG = later(
    r"(?:坏|反面|错)的?(?:例子?|示范|写法)|[坏错]的(?:\s*[（(][^（）()]*[）)])?[：:*_\s]*$|(?:写|拼|打)错|错写|误写|笔误|\b(?:bad|wrong)\b",
    re.IGNORECASE,
)
_ELSEWHERE = later(
    r"那边|(?:别的|其[他它]|另一个?|隔壁|姊妹|上一个?|前一个?|旧|老)(?:的|技能)?包|`(?:novel|dialogue|dialog|skills)/[\w-]+`"
)
_RESTART = later(r"[^，,：:]*(?:只|直接|请|而是|就|照常)[^，,：:]*$")
_WEAKLY = later(r"[\s\-*+\d.)、]*(?:你|请|也|都|先)*(?:不要|不用|不必|无需|别|不加|不写|不带|不附)[^`]+")
_STRONG = later(r"禁|不得|勿|切|避免|不可|不能|不许|不准|除|外|没|未|无(?!需)|[a-z]", re.IGNORECASE)
FAR = 300
"""Characters of a sentence that are looked at before and behind a name, clause by clause."""
_CLAUSE_END = later(r"[，,：:]|——")
_SENTENCE_END = later(r"[。！？!?；;\n]")


def denies(text: str) -> bool:
    """Whether a heading, a cell or a sentence says no in any form.

    >>> denies("不得读取 `世界.隐藏设定`"), denies("分别写入两个标签")
    (True, False)
    """
    return _NEGATIVE.search(text) is not None


def leads_to_none(text: str) -> bool:
    """Whether a heading or a line that leads in says no of what follows, or tells it as wrong.

    >>> leads_to_none("坏的（键写错了）："), leads_to_none("写入：")
    (True, False)
    """
    return denies(text) or _LED_IN_AS_WRONG.search(text) is not None


def forbids(explanation: str) -> bool:
    """Whether what is said of a tag that heads its item or its row keeps the worker from it. Narrower than `denies`:
    an explanation may say no of other things.

    >>> forbids("别席的底牌，你看不到"), forbids("同时生效，不分先后")
    (True, False)
    """
    return _FORBIDS.search(explanation) is not None


def keeps_from(said: str) -> bool:
    """Whether what is said behind a tag, in clauses of their own, keeps the worker from the tag. What says no to
    something else does not.

    >>> keeps_from("别席的底牌，不要读"), keeps_from("两千字，不要标题"), keeps_from("不能漏")
    (True, False, False)
    """
    return any(_KEEPS.search(clause.strip(" *_（()）")) for clause in _CLAUSE_END.split(said))


def is_told_off(text: str, at: int, end: int, heads: bool) -> bool:
    """Whether the sentence with the name `text[at:end]` says no of the name, or tells it as old, wrong or another
    package's: in the name's own clause in any form; before it in any form, unless an order begins anew behind
    it; in the clauses behind it only what keeps the worker from the tag. `heads`: the name heads an item."""
    begin, stop = sentence_around(text, at, end)
    start = max((mark.end() for mark in _CLAUSE_END.finditer(text, max(begin, at - FAR), at)), default=begin)
    behind = _CLAUSE_END.search(text, end, stop)
    close = behind.start() if behind else stop
    clause, rest = text[start:close], text[close : min(stop, close + FAR)]
    own = forbids(clause) if heads else denies(clause) or _is_no(text[begin:start], clause)
    told = (
        _AS_OLD.search(clause)
        or _ELSEWHERE.search(text, max(begin, at - FAR), min(stop, end + FAR))
        or _CALLED_NOW.match(rest)
    )
    return own or told is not None or keeps_from(rest)


def _is_no(before: str, clause: str) -> bool:
    """Whether the clauses before another one say no of it as well: `不要解释，直接写入 …` begins anew."""
    if not denies(before):
        return False
    weak = _WEAKLY.fullmatch(before.rstrip("，, ")) and not _STRONG.search(before)
    return not (weak and _RESTART.match(clause.split("`")[0]))


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence that holds `text[start:end]` begins and ends. A line end is one: callers join the lines
    of a paragraph with blanks."""
    begin = text.rfind("\n", 0, start) + 1
    for mark in _SENTENCE_END.finditer(text, begin, start):
        begin = mark.end()
    after = _SENTENCE_END.search(text, end)
    return begin, after.start() if after else len(text)
