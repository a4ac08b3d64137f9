"""Questions about the graph of tags: text to an expression, with the place of each part."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from skillc.grammar.load import build
from skillc.later import later
from skillc.resemblance import closest
from skillc.value import value
from skillc.wording import say

if TYPE_CHECKING:
    from lark import Lark

CHARACTER_LIMIT = 16_384
DEPTH_LIMIT = 64
_WORD = later(r"\w[\w.:/-]*")
_OPERATORS = ("union", "intersect", "except")


@value
class Fault:
    """What is wrong with the characters `start` up to `end` of an expression, and what to do."""

    message: str
    help: str
    start: int
    end: int


@value
class Word:
    """A name, a pattern or a selector such as `stage:play`; `quoted` when it stood in quotes."""

    text: str
    start: int
    end: int
    quoted: bool = False


@value
class Call:
    """A function and its arguments."""

    name: str
    arguments: tuple[Expression, ...]
    start: int
    end: int


@value
class Joined:
    """Sets joined from left to right; each operator is `union`, `intersect` or `except`."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]


@value
class Grown:
    """What leads to `inner` (`above`) or follows from it (`below`), at most so many steps away; None for no limit,
    -1 where that side is not taken."""

    inner: Expression
    above: int | None
    below: int | None


Expression = Word | Call | Joined | Grown
NOT_TAKEN = -1


def parse_query(text: str) -> Expression | Fault:
    """The expression that `text` is, or the first thing wrong with its form.

    >>> parse_query("deps(basic)")
    Call(name='deps', arguments=(Word(text='basic', start=5, end=10, quoted=False),), start=0, end=4)
    """
    if len(text) > CHARACTER_LIMIT:
        message = say(
            "the query has {size:,} characters, more than {limit:,}", size=len(text), limit=CHARACTER_LIMIT
        )
        return Fault(message, say("ask for less at once"), 0, 0)
    from lark.exceptions import UnexpectedInput

    try:
        expression = cast("Expression", _parser().parse(text))
    except UnexpectedInput as error:
        return _refused(text, error)
    if _depth_exceeds(expression, DEPTH_LIMIT):
        message = say("the query is nested more than {limit} deep", limit=DEPTH_LIMIT)
        return Fault(message, say("write a flatter query"), 0, len(text))
    return expression


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """The expressions that one is made of, in written order."""
    match expression:
        case Call(arguments=arguments):
            return arguments
        case Joined(first=first, rest=rest):
            return (first, *(part for _, part in rest))
        case Grown(inner=inner):
            return (inner,)
    return ()


def text_of(expression: Expression) -> str:
    """The text of a word; nothing for what is no word."""
    return expression.text if isinstance(expression, Word) else ""


def _depth_exceeds(expression: Expression, limit: int) -> bool:
    level = [expression]
    for _ in range(limit):
        level = [part for each in level for part in parts_of(each)]
        if not level:
            return False
    return True


def _refused(text: str, error: Any) -> Fault:
    """What was found where something else is expected, or that nothing more came."""
    expected = set(getattr(error, "accepts", None) or getattr(error, "expected", ()) or error.allowed or ())
    token = getattr(error, "token", None)
    at = len(text) if token is not None and token.type == "$END" else error.pos_in_stream
    if at is None or not text[at:].strip():
        end = len(text.rstrip())
        message = say("the query ends too early") if end else say("the query is empty")
        return Fault(message, _expected(expected), end, end + 1)
    found = _WORD.match(text, at)
    word = found[0][:40] if found else text[at]
    message = say("`{word}` is not expected here", word=word)
    return Fault(message, _slip(text, at, word, expected) or _expected(expected), at, at + len(word))


def _expected(expected: set[str]) -> str:
    """What may stand at a place, by the names of the grammar's terminals."""
    if "WORD" in expected:
        return say("expected is a name, a tag, a selector such as `stage:play`, a function or `(`")
    if "COMMA" in expected:
        return say("expected is `,`, `)`, or an operator: `union`, `intersect`, `except`")
    if "RPAR" in expected:
        return say("expected is `)`, or an operator: `union`, `intersect`, `except`")
    return say("expected is an operator (`union`, `intersect`, `except`), or the end")


_SLIPS = {
    **dict.fromkeys("（", say("write `(`")),
    **dict.fromkeys("）", say("write `)`")),
    **dict.fromkeys("，", say("write `,`")),
    **dict.fromkeys("“”‘’", say("write straight quotes")),
    **dict.fromkeys("\"'", say("close the quotes")),
    **dict.fromkeys("|", say("write `union`")),
    **dict.fromkeys("&", say("write `intersect`")),
    "-": say("`-` needs a blank on both sides: a name may hold one"),
    "+": say("`a + b` joins two sets; `+a` takes what leads to `a`, and `a+` what follows from it"),
}


def _slip(text: str, at: int, word: str, expected: set[str]) -> str | None:
    """What a character or a word that is not expected was most likely meant for."""
    if word[0] == "," and "WORD" not in expected:
        return say(
            "a comma stands between the arguments of a function alone: join sets with `union` or `intersect`"
        )
    if word[0] in _SLIPS:
        return _SLIPS[word[0]]
    if "WORD" not in expected and text[at - 1 : at].isspace():
        near = closest(word.casefold(), _OPERATORS, 0.7)
        if near:
            return say("did you mean `{near}`?", near=near)
        return say("join sets with `union`, `intersect` or `except`")
    return None


@lru_cache(maxsize=1)
def _parser() -> Lark:
    from lark import Token, Transformer

    class Build(Transformer[Any, Any]):
        """Bottom up while parsing, so that depth of nesting costs no stack."""

        def start(self, parts: list[Any]) -> Any:
            return parts[0]

        def chain(self, parts: list[Any]) -> Any:
            first, *rest = parts
            pairs = zip(rest[::2], rest[1::2], strict=True)
            return Joined(first, tuple(pairs)) if rest else first

        def operator(self, parts: list[Any]) -> str:
            return str(parts[0].type).lower()

        def taken(self, parts: list[Any]) -> Any:
            above, inner, below = None, None, None
            for part in parts:
                if isinstance(part, Token) and part.type == "ABOVE":
                    above = part
                elif isinstance(part, Token) and part.type == "BELOW":
                    below = part
                else:
                    inner = _word(part) if isinstance(part, Token) else part
            if above is None and below is None:
                return inner
            return Grown(cast("Expression", inner), _steps(above), _steps(below))

        def group(self, parts: list[Any]) -> Any:
            return parts[0]

        def call(self, parts: list[Any]) -> Call:
            name, *arguments = parts
            given = tuple(part for part in arguments if part is not None)
            return Call(str(name), given, name.start_pos, name.start_pos + len(name))

    return build("query", Build())


def _steps(token: Any) -> int | None:
    """How many steps a `+` asks for: None for all of them."""
    if token is None:
        return NOT_TAKEN
    digits = str(token).strip("+")
    return int(digits[:9]) if digits else None


def _word(token: Any) -> Word:
    quoted = token.type == "QUOTED"
    text = str(token)[1:-1] if quoted else str(token)
    return Word(text, token.start_pos, token.start_pos + len(token), quoted)
