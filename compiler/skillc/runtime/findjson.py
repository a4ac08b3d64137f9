"""The JSON in what a model wrote: alone, in a fence, in prose, or packed into a JSON text once more."""

from __future__ import annotations

from skillc.runtime.jsontext import DEEPEST, HALF, has_halves, is_deep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Tree = dict[str, Any] | list[Any]

STARTS = 200
"""Places of a text where JSON may begin that are tried; a text with more is prose, or worse."""


class FoundJson:
    """A `tree` at `start`..`end` of the text. `how`: whole, fence, prose, or packed (in a JSON text). `repeated`:
    keys that stand twice in one object, of which the last counts. `others`: further trees that nobody chose."""

    __slots__ = ("end", "how", "others", "repeated", "start", "tree")

    def __init__(
        self, tree: Tree, start: int, end: int, how: str, repeated: tuple[str, ...], others: int = 0
    ):
        self.tree = tree
        self.start = start
        self.end = end
        self.how = how
        self.repeated = repeated
        self.others = others


class NoJson:
    """Why no tree was read. `kind`: blank, none (no JSON at all), broken (at `line`, `column`: `detail`), deep."""

    __slots__ = ("column", "detail", "kind", "line")

    def __init__(self, kind: str, line: int = 0, column: int = 0, detail: str = "") -> None:
        self.kind = kind
        self.line = line
        self.column = column
        self.detail = detail


def find_json(text: str, wanted: Callable[[dict[str, Any]], bool] | None = None) -> FoundJson | NoJson:
    """The tree in `text`: what stands there alone, else the first object that is `wanted`, else the first one.

    >>> found = find_json('好的：\\n```json\\n{"brief": "短"}\\n```')
    >>> found.tree, found.how
    ({'brief': '短'}, 'fence')
    """
    if not text.strip():
        return NoJson("blank")
    start = len(text) - len(text.lstrip())
    if text[start] in '{["':
        alone = _read(text, start)
        if isinstance(alone, FoundJson) and not text[alone.end :].strip():
            return _unpacked(alone)
    else:
        alone = NoJson("none")
    found, fault = _scan(text, wanted)
    if not found:
        closed = text.rstrip().endswith({"{": "}", "[": "]"}.get(text[start], "\n"))
        return alone if fault.kind == "none" and closed and isinstance(alone, NoJson) else fault
    trees = [one for one in found if isinstance(one.tree, dict)]
    chosen = next((one for one in trees if _is(wanted, one)), (trees or found)[0])
    chosen.others = len(found) - 1
    return chosen


def _is(wanted: Callable[[dict[str, Any]], bool] | None, found: FoundJson) -> bool:
    return wanted is not None and isinstance(found.tree, dict) and wanted(found.tree)


def _unpacked(found: FoundJson) -> FoundJson | NoJson:
    """A JSON text that holds JSON is what it holds; any other is no tree."""
    if not isinstance(found.tree, str):
        return found
    inner = _read(found.tree, len(found.tree) - len(found.tree.lstrip())) if found.tree.strip() else None
    if not isinstance(inner, FoundJson) or isinstance(inner.tree, str) or found.tree[inner.end :].strip():
        return NoJson("none")
    return FoundJson(inner.tree, found.start, found.end, "packed", inner.repeated)


def _scan(text: str, wanted: Callable[[dict[str, Any]], bool] | None) -> tuple[list[FoundJson], NoJson]:
    """The objects and lists in a text, one behind the other, and what is wrong with the first that is none: what
    follows that may be a part of it, so there only what is `wanted` counts."""
    found: list[FoundJson] = []
    fault: NoJson | None = None
    at, tried = _next(text, 0), 0
    while at >= 0 and tried < STARTS:
        tried += 1
        one = _read(text, at)
        if isinstance(one, NoJson):
            fault = fault or one
            at = _next(text, at + 1)
            continue
        if one.tree and (fault is None or _is(wanted, one)):
            one.how = _how(text, one)
            found.append(one)
        at = _next(text, one.end)
    return found, fault or NoJson("none")


def _next(text: str, at: int) -> int:
    """Where JSON may begin: a brace before a quote or its closing brace, a bracket that opens a line."""
    while True:
        brace, bracket = text.find("{", at), text.find("[", at)
        at = min((place for place in (brace, bracket) if place >= 0), default=-1)
        if at < 0:
            return -1
        behind = text[at + 1 : at + 200].lstrip()[:1]
        alone = not text[text.rfind("\n", 0, at) + 1 : at].strip()
        if (text[at] == "{" and behind in ('"', "}", "")) or (text[at] == "[" and alone and behind in '{["'):
            return at
        at += 1


def _how(text: str, found: FoundJson) -> str:
    before, behind = text[: found.start].rstrip(), text[found.end :].lstrip()
    opened = before.rpartition("\n")[2].startswith("```")
    if opened and behind.startswith("```"):
        return "fence"
    return "prose" if before or behind else "whole"


def _read(text: str, at: int) -> FoundJson | NoJson:
    import json

    repeated: list[str] = []

    def pairs(entries: list[tuple[str, Any]]) -> dict[str, Any]:
        tree = dict(entries)
        if len(tree) < len(entries):
            keys = [key for key, _ in entries]
            repeated.extend(key for key in tree if keys.count(key) > 1)
        return tree

    try:
        tree, end = json.JSONDecoder(object_pairs_hook=pairs).raw_decode(text, at)
    except RecursionError:
        return NoJson("deep")
    except json.JSONDecodeError as problem:
        return NoJson("broken", problem.lineno, problem.colno, problem.msg)
    except ValueError:
        return _unusable(text, at, "a number is too long")
    if text.count("[", at, end) + text.count("{", at, end) > DEEPEST and is_deep(tree):
        return NoJson("deep")
    if has_halves(text[at:end], tree):
        return _unusable(text, at, HALF)
    return FoundJson(tree, at, end, "whole", tuple(dict.fromkeys(repeated)))


def _unusable(text: str, at: int, detail: str) -> NoJson:
    """JSON at `at` that nobody could go on with."""
    return NoJson("broken", 1 + text.count("\n", 0, at), at - text.rfind("\n", 0, at), detail)
