"""Where a finding is, for formats that know files only: a folder is named by the file that speaks for it."""

from __future__ import annotations

from urllib.parse import quote

from skillc.text import Span

_SPEAKERS = {
    "novel": "orchestrator.md",
    "dialogue": "orchestrator.md",
    "workers": "SKILL.md",
    "templates": "SKILL.md",
}


def file_of(span: Span) -> str:
    """The path of the finding's file: `orchestrator.md` for a package's folder, `SKILL.md` for a worker's.

    >>> from skillc.text import Source
    >>> file_of(Source("skills/novel/basic", "").span())
    'skills/novel/basic/orchestrator.md'
    """
    parts = span.path.split("/")
    speaker = _SPEAKERS.get(parts[-2]) if len(parts) > 1 and not span.source.text else None
    if speaker and "." not in parts[-1]:
        return f"{span.path}/{speaker}"
    return span.path or "."


def uri_of(span: Span) -> str:
    """The file as a relative URI: percent-encoded UTF-8, no scheme, never empty. Paths of workspaces have `/` on
    every system, so that a backslash is part of a name.

    >>> from skillc.text import Source
    >>> uri_of(Source("workers/写手/SKILL.md", "x").span())
    'workers/%E5%86%99%E6%89%8B/SKILL.md'
    """
    return quote(file_of(span), safe="/-._~", errors="surrogatepass")
