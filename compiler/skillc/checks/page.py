"""The page of a code: what `explain` prints, what the documentation is made of, and a test at once.

A page has a title, one sentence, the sections Why, How to fix, Bad and Good. Under Bad and Good stand
examples: files in fences of four backticks whose info string is a language and a path; under Bad also
the findings of this code, in the concise format, in a fence `output`. Files that an example does not
show are those of the base package.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from skillc.diagnostic import CODES, Code, find_code
from skillc.value import replace, value

FOLDER = os.path.join(os.path.dirname(__file__), "pages")
BASE = os.path.join(FOLDER, "base")


@value
class Example:
    """`files` replaces files of the base package; None removes one. `output` is empty for good ones."""

    title: str
    files: Mapping[str, bytes | None]
    output: str = ""


@value
class Page:
    """A page as parsed; `text` is all of it."""

    code: Code
    summary: str
    why: str
    fix: str
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    text: str

    @property
    def sentence(self) -> str:
        """The summary in one line."""
        return " ".join(self.summary.split())


def page_path(code: Code) -> str:
    """Where the page of `code` is, whether there is one or not."""
    return os.path.join(FOLDER, f"{code.id}_{code.slug}.md")


def load_page(code: Code) -> str | None:
    """The page's text, or None for a code that nothing reports yet."""
    try:
        with open(page_path(code), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def summaries() -> dict[str, str]:
    """The sentence of each code that has a page, by slug, in the order of the codes."""
    pages = ((slug, load_page(code)) for slug, code in CODES.items())
    return {slug: parse_page(text).summary for slug, text in pages if text}


def parse_page(text: str) -> Page:
    """The page that `text` is. A page is part of the program, so a malformed one is a bug (ValueError)."""
    title, _, rest = text.partition("\n")
    code = find_code(title.removeprefix("# ").split(" ")[0])
    if code is None or title != f"# {code.id} {code.slug}":
        raise ValueError(f"a page begins with `# CODE slug`, not with {title!r}")
    parts = _sections(rest)
    return Page(
        code,
        parts[""].strip(),
        parts["Why"].strip(),
        parts["How to fix"].strip(),
        _examples(parts["Bad"]),
        _examples(parts["Good"]),
        text,
    )


def _sections(text: str) -> dict[str, str]:
    """What stands below each `## ` heading, fences left alone; the lead under the empty name."""
    found: dict[str, list[str]] = {"": []}
    name, inside = "", ""
    for line in text.split("\n"):
        inside = fence_behind(line, inside)
        if line.startswith("## ") and not inside:
            name = line[3:].strip()
            found[name] = []
        else:
            found[name].append(line)
    return {name: "\n".join(lines) for name, lines in found.items()}


def fence_behind(line: str, inside: str) -> str:
    """The marks of the fence that is open behind `line`."""
    marks = line[: len(line) - len(line.lstrip("`"))]
    if inside:
        return "" if line.strip() == inside else inside
    return marks if len(marks) >= 3 else ""


def _examples(text: str) -> tuple[Example, ...]:
    """The examples of a section: each has at least one file; a `### title` begins the next."""
    examples = [Example("", {})]
    for info, content in _blocks(text):
        kind, _, path = info.partition(" ")
        last = examples[-1]
        if kind == "###":
            examples.append(Example(path.strip(), {}))
        elif kind == "output":
            examples[-1] = replace(last, output="\n".join(content))
        else:
            examples[-1] = replace(last, files={**last.files, path: _content(kind, content)})
    return tuple(example for example in examples if example.files)


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """The third-level headings and the fences in order: a heading as it is, a fence by info and lines."""
    inside, info, content = "", "", list[str]()
    for line in text.split("\n"):
        before, inside = inside, fence_behind(line, inside)
        if inside and not before:
            info, content = line.lstrip("`").strip(), []
        elif before and not inside:
            yield info, content
        elif inside:
            content.append(line)
        elif line.startswith("### "):
            yield line, []


def _content(kind: str, lines: list[str]) -> bytes | None:
    if kind == "delete":
        return None
    text = "".join(line + "\n" for line in lines)
    return unescaped(text) if kind == "escaped" else text.encode()


def unescaped(text: str) -> bytes:
    r"""Bytes of a text with escapes: `\xNN` is that byte, `\uNNNN` and `\UNNNNNNNN` that character.

    >>> unescaped(r"a\x80\ufeff\r")
    b'a\x80\xef\xbb\xbf\r'
    """
    simple = {"r": b"\r", "n": b"\n", "t": b"\t", "0": b"\0", "\\": b"\\"}
    widths = {"x": 2, "u": 4, "U": 8}
    out, at = bytearray(), 0
    while at < len(text):
        mark = text[at + 1 : at + 2]
        if text[at] == "\\" and mark in widths:
            digits = text[at + 2 : at + 2 + widths[mark]]
            out += (
                bytes([int(digits, 16)])
                if mark == "x"
                else chr(int(digits, 16)).encode("utf-8", "surrogatepass")
            )
            at += 2 + widths[mark]
        elif text[at] == "\\" and mark in simple and mark:
            out += simple[mark]
            at += 2
        else:
            out += text[at].encode()
            at += 1
    return bytes(out)


def base_files() -> dict[str, bytes]:
    """The files of the base package, by workspace-relative path."""
    files: dict[str, bytes] = {}
    for folder, _, names in sorted(os.walk(BASE)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, BASE).replace(os.sep, "/")] = file.read()
    return files


def workspace_of(example: Example) -> dict[str, bytes]:
    """All files of an example: the base package with what the example replaces, adds or removes."""
    files = base_files()
    for path, content in example.files.items():
        if content is None:
            files = {
                known: data
                for known, data in files.items()
                if known != path and not known.startswith(path + "/")
            }
        else:
            files[path] = content
    return files
