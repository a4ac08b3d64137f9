"""Good packages with one fault put in: exactly the right code speaks, at exactly the right place, and no other.

Faults are rows in `faults`: what is changed where, and what must be said about it; add rows freely.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from faults import BASIC, FAULTS, GAME, RULES, Fault
from skillc import driver
from skillc.diagnostic import CODES, Diagnostic, Severity
from skillc.source.reader import DictReader

SKILLS = Path(__file__).parent.parent / "skills"


@cache
def originals() -> dict[str, bytes]:
    """The packages as they are, by workspace-relative path."""
    return {
        path.relative_to(SKILLS.parent).as_posix(): path.read_bytes()
        for path in sorted(SKILLS.rglob("*"))
        if path.is_file()
    }


@cache
def before(package: str) -> Counter[tuple[str, str, str]]:
    """What is said of a package as it is."""
    return Counter(map(key, said(originals(), package)))


def said(files: dict[str, bytes], package: str) -> tuple[Diagnostic, ...]:
    return driver.check(DictReader(files), only=frozenset({package})).diagnostics


def key(diagnostic: Diagnostic) -> tuple[str, str, str]:
    return diagnostic.code.slug, diagnostic.span.path, diagnostic.span.text


def full(package: str, file: str) -> str:
    return file[1:] if file.startswith("/") else f"skills/{package}/{file}"


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def faulty(fault: Fault) -> dict[str, bytes]:
    files = dict(originals())
    for file, old, new in fault.edits:
        path = full(fault.package, file)
        if old is None and new is not None:
            assert path not in files
            files[path] = encoded(files[full(fault.package, new[1:])].decode() if new[0] == "@" else new)
        elif new is None:
            del files[path]
        else:
            text = files[path].decode()
            assert old is not None and old in text, f"{old!r} is not in {path}"
            files[path] = encoded(text.replace(old, new))
    return files


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_told_by_the_right_code_at_the_right_place(fault: Fault) -> None:
    """All that is new is what the row says; infos only where the row is about one."""
    expected = Counter((slug, full(fault.package, file), text) for slug, file, text in fault.said)
    about_infos = any(CODES[slug].severity is Severity.INFO for slug, _, _ in fault.said)
    found = said(faulty(fault), fault.package)
    weighty = (d for d in found if about_infos or d.severity > Severity.INFO)
    assert Counter(map(key, weighty)) - before(fault.package) == expected


def test_the_packages_are_clean_without_a_fault() -> None:
    for package in (BASIC, RULES, GAME):
        assert all(CODES[slug].severity is Severity.INFO for slug, _, _ in before(package))
