"""The sentences of rooms that know no catalogue (artifact, runtime, execute), as templates that number what fills them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import skillc

PROGRAM = Path(skillc.__file__).parent
ROOMS = ("artifact", "runtime", "execute")
NO_SENTENCES = frozenset(
    {
        "{0} = {1}",
        "busy_timeout = {0}",
        "connection failed: ",
        "does not exist",
        "foreign_keys = ON",
        "synchronous = FULL",
        "unable to open",
    }
)
"""What looks like one and is nothing that a user reads: keys with values, settings of the database, what it says."""


SHORT = frozenset(
    {
        "`{0}` ({1})",
        "`{0}` needs `workerId`",
        "`{0}` needs `{1}`",
        "{0} needs `{1}`",
        "at least {0} is wanted",
        "at most {0} is wanted",
        "failed ({0})",
        "more than {0} is wanted",
        "profile {0}, `{1}`: {2}",
        "profile {0}: {1}",
        "reply {0}",
        "user entry {0}",
        "{0} is wanted",
    }
)
"""Sentences, and parts of them, with one word of their own."""


def numbered() -> dict[str, str]:
    """Each template with a place of it. A sentence has a blank and begins small, with a name or with a value."""
    found: dict[str, str] = {}
    for room in ROOMS:
        for path in sorted((PROGRAM / room).rglob("*.py")):
            for line, text in _texts(path):
                if text in SHORT or (_is_sentence(text) and text not in NO_SENTENCES):
                    found.setdefault(text, f"{path.relative_to(PROGRAM)}:{line}")
    return found


@lru_cache(maxsize=256)
def _texts(path: Path) -> tuple[tuple[int, str], ...]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {id(part) for node in ast.walk(tree) for part in _silent(node)}
    texts = ((node, _template(node)) for node in ast.walk(tree) if id(node) not in silent)
    return tuple((getattr(node, "lineno", 0), text) for node, text in texts if text is not None)


def _silent(node: ast.AST) -> Iterator[ast.AST]:
    """What no user reads: docstrings, and the parts of an f-string, which stand in the whole."""
    if isinstance(node, ast.Expr):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        yield from node.values


def _template(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _escaped(node.value)
    if not isinstance(node, ast.JoinedStr):
        return None
    parts, count = [], 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(_escaped(str(part.value)))
        else:
            parts.append(f"{{{count}}}")
            count += 1
    return "".join(parts)


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _is_sentence(text: str) -> bool:
    words = re.findall(r"[a-zA-Z]{2,}", re.sub(r"`[^`]*`|\{\d+\}", " ", text))
    return len(words) >= 2 and " " in text.strip() and bool(re.match(r"[a-z`{]|设计", text))
