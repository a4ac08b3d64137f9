"""Workspaces to measure on, each made once: the packages of `corpus.py`, their twins that follow the Agent Skills format,
and a `build.ninja` that has as much to look at.

They are kept below the folder for temporary files, under the digest of the modules that make them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256

from corpus import WORKERS, write_corpus

_HERE = os.path.dirname(os.path.abspath(__file__))
DONE = ".complete"


def folder() -> str:
    """Where they are kept."""
    total = sha256()
    for name in ("corpora.py", "corpus.py"):
        with open(os.path.join(_HERE, name), "rb") as file:
            total.update(file.read())
    return os.path.join(tempfile.gettempdir(), f"skillc-bench-{total.hexdigest()[:12]}")


def packages(number: int) -> str:
    """A workspace of so many packages."""
    return _once(f"packages-{number}", lambda place: write_corpus(place, number))


def twin(number: int) -> str:
    """The same packages as Agent Skills: of each SKILL.md the text is the same, the frontmatter is what that format
    knows, about as long."""
    source = packages(number)
    return _once(f"twin-{number}", lambda place: _write_twin(source, place, number))


def ninja(number: int) -> str:
    """A built folder for ninja: an edge for each worker, which reads its SKILL.md and the two texts of its package."""
    source = packages(number)
    return _once(f"ninja-{number}", lambda place: _write_ninja(source, place, number))


def copy_of(number: int, name: str) -> str:
    """A workspace of so many packages that is somebody's own, to build in and to edit; made anew each time."""
    place = os.path.join(folder(), f"{name}-{number}")
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(os.path.join(packages(number), "skills"), os.path.join(place, "skills"))
    return place


def _once(name: str, make: Callable[[str], None]) -> str:
    place = os.path.join(folder(), name)
    if not os.path.exists(os.path.join(place, DONE)):
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        make(place)
        with open(os.path.join(place, DONE), "w", encoding="utf-8"):
            pass
    return place


def _names(number: int) -> Iterator[str]:
    return (f"corpus-{at:05}" for at in range(number))


def _write_twin(source: str, place: str, number: int) -> None:
    for at, name in enumerate(_names(number)):
        old, new = (os.path.join(top, "skills", "novel", name) for top in (source, place))
        os.makedirs(new)
        for file in ("orchestrator.md", "shared-context.md"):
            _, body = _parts(os.path.join(old, file))
            _write(os.path.join(new, file), body.encode())
        for worker, title, inputs, outputs in WORKERS:
            head, body = _parts(os.path.join(old, "workers", worker, "SKILL.md"))
            front = _agent_front(f"{worker}-{at:05}", title, inputs, outputs)
            filler = max(0, len(head.encode()) - len(front.encode()))
            front = front.replace("notes: x", f"notes: {'x' * max(1, filler)}")
            _write(os.path.join(new, f"{worker}-{at:05}", "SKILL.md"), (front + body).encode())


def _agent_front(name: str, title: str, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> str:
    reads, writes = (", ".join(text.format(n=1).rstrip("?") for text in texts) for texts in (inputs, outputs))
    return (
        f"---\nname: {name}\n"
        f"description: Writes one step of a story as the {title}. Use when the step before is accepted.\n"
        f'license: MIT\nmetadata:\n  version: "1"\n  reads: "{reads}"\n  writes: "{writes}"\n  notes: x\n---\n'
    )


def _parts(path: str) -> tuple[str, str]:
    """The frontmatter of a file with its fences, and what stands behind."""
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    end = text.find("\n---\n", 3)
    return (text[: end + 5], text[end + 5 :]) if text.startswith("---\n") and end > 0 else ("", text)


def _write_ninja(source: str, place: str, number: int) -> None:
    """The outputs are there already; ninja itself makes its log, with a process for each of them."""
    shutil.copytree(os.path.join(source, "skills"), os.path.join(place, "skills"))
    lines = ["rule cp", "  command = true"]
    for name in _names(number):
        around = " ".join(f"skills/novel/{name}/{file}" for file in ("orchestrator.md", "shared-context.md"))
        for worker, *_ in WORKERS:
            skill, out = f"skills/novel/{name}/workers/{worker}/SKILL.md", f"build/novel/{name}/{worker}"
            lines.append(f"build {out}: cp {skill} | {around}")
            _write(os.path.join(place, out), b"")
    _write(os.path.join(place, "build.ninja"), ("\n".join(lines) + "\n").encode())
    subprocess.run([ninja_program() or "ninja", "-C", place], check=True, stdout=subprocess.DEVNULL)


def ninja_program() -> str | None:
    return _program("ninja")


def agnix_program() -> str | None:
    return _program("agnix")


def _program(name: str) -> str | None:
    """The program of the environment that measures, else that of the system."""
    own = os.path.join(os.path.dirname(sys.executable), name)
    return own if os.access(own, os.X_OK) else shutil.which(name)


def _write(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
