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
    top = os.path.join(os.path.dirname(os.path.abspath(skillc.__file__)), "")
    for name, path in sorted((_inner(path, top), path) for path in files if path.endswith(_SUFFIXES)):
        with open(path, "rb", buffering=0) as file:
            total.update(name.encode() + b"\0" + sha256(file.read()).digest())
    return f"{skillc.__version__}+{total.hexdigest()[:32]}"


def _inner(path: str, top: str) -> str:
    """The path below the compiler's folder `top`; a grammar's is its name."""
    inner = os.path.basename(path) if path.endswith(".lark") else path.removeprefix(top)
    return inner.replace(os.sep, "/")
