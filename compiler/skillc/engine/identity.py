"""Which compiler this is, by its own files: a changed compiler compiles everything anew (SPEC 15.1)."""

from __future__ import annotations

import os
from hashlib import sha256

import skillc
from skillc.grammar.load import grammar_folder

_SUFFIXES = (".py", ".json", ".lark", ".j2", ".md")


def compiler_files() -> list[str]:
    """Absolute paths of all that the compiler is made of, folders included, sorted."""
    found: list[str] = []
    for top in (os.path.dirname(os.path.abspath(skillc.__file__)), grammar_folder()):
        for folder, folders, names in os.walk(top):
            folders[:] = [name for name in folders if name != "__pycache__"]
            found.append(folder)
            found += [os.path.join(folder, name) for name in names if name.endswith(_SUFFIXES)]
    return sorted(set(found))


def identity(files: list[str]) -> str:
    """The version and a digest of the compiler's files, wherever they are installed."""
    total = sha256()
    for path in sorted(files, key=_inner):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                total.update(_inner(path).encode() + b"\0" + sha256(file.read()).digest())
    return f"{skillc.__version__}+{total.hexdigest()[:32]}"


def _inner(path: str) -> str:
    """The path below the compiler's folder; a grammar's is its name."""
    top = os.path.dirname(os.path.abspath(skillc.__file__))
    inner = os.path.relpath(path, top) if path.startswith(os.path.join(top, "")) else os.path.basename(path)
    return os.path.basename(path) if path.endswith(".lark") else inner.replace(os.sep, "/")
