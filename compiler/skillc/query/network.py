"""All packages as one network of nodes: workers, tags, sources and the user, joined by who gives what to whom.

A tag that is written and a tag that is read are two vertices, even under one name: `规则.*` as somebody reads it holds
`规则.草稿`, as somebody writes it it need not, so a way may lead from what is written to what is read and never
through a read pattern to another one. The user stands at two ends likewise: what a user gives does not follow from what
a user sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from skillc.graph import PatternIndex, TagGraph, any_role
from skillc.model.package import Worker
from skillc.tags import ONE, REST, ROLE, WHOLE, Pattern, covers
from skillc.value import value

Kind = Literal["worker", "template", "missing", "tag", "source", "user", "package"]
KINDS: tuple[Kind, ...] = ("worker", "template", "missing", "tag", "source", "user")
"""What a node may be; `package` stands for whole packages where they are selected, and is never printed."""
EdgeKind = Literal[
    "reads",
    "writes",
    "gives",
    "matches",
    "promotes",
    "accepts",
    "updates",
    "reviews",
    "shows",
    "asks",
    "unknown",
]
MATCHES: EdgeKind = "matches"
UNNAMED = frozenset((ONE, ROLE, REST, WHOLE))
"""The parts of a pattern that hold no name."""
Arrow = tuple[int, EdgeKind]


@value
class Vertex:
    """One end of a node. `label` names the node in all output; a `silent` vertex is never printed."""

    kind: Kind
    package: str
    name: str
    label: str
    pattern: Pattern | None = None
    worker: Worker | None = None
    silent: bool = False


class Network:
    """Vertices by number, with the arrows `into` and `out` of each, in the order in which they were made.

    `named` gives the vertices of a node by package and name: workers, sources and the user under theirs, tags under
    their text, in `tags`.
    """

    def __init__(self) -> None:
        self.vertices: list[Vertex] = []
        self.into: list[list[Arrow]] = []
        self.out: list[list[Arrow]] = []
        self.named: dict[tuple[str, str], list[int]] = {}
        self.tags: dict[tuple[str, str], list[int]] = {}
        self.written: dict[str, PatternIndex[int]] = {}
        self.read: dict[str, PatternIndex[int]] = {}
        self.graphs: dict[str, TagGraph] = {}
        self._views: dict[tuple[str, Pattern], tuple[int, ...]] = {}

    def add(self, vertex: Vertex) -> int:
        """A new vertex; its number."""
        number = len(self.vertices)
        self.vertices.append(vertex)
        self.into.append([])
        self.out.append([])
        names = self.tags if vertex.kind == "tag" else self.named
        names.setdefault((vertex.package, vertex.name), []).append(number)
        return number

    def join(self, start: int, end: int, kind: EdgeKind) -> None:
        """An arrow in the direction in which things flow."""
        self.out[start].append((end, kind))
        self.into[end].append((start, kind))

    def covered(self, package: str, pattern: Pattern) -> list[int]:
        """The vertices of the tags that are all of the pattern, whatever the role is."""
        found = (*self.written[package].entries(pattern), *self.read[package].entries(pattern))
        return [number for own, number in found if covers(any_role(pattern), any_role(own))]

    def knows(self, package: str, pattern: Pattern) -> bool:
        """Whether somebody declares tags of the pattern by a name: who takes any tag whatever names none, so a slip of
        the pen is no tag for being read by `**`."""
        found = (*self.written[package].entries(pattern), *self.read[package].entries(pattern))
        return any(own == pattern or not UNNAMED.issuperset(own.parts) for own, _ in found)

    def view(self, package: str, pattern: Pattern) -> tuple[int, ...]:
        """Two vertices for the tags of a pattern as somebody asks for them: all that may be written under it leads to
        the one, and all that may be read under it follows from the other. None where no tag can be of it. A pattern that
        nobody declares has no name of its own."""
        key = (package, pattern)
        if key not in self._views:
            self._views[key] = tuple(self._viewed(package, pattern))
        return self._views[key]

    def _viewed(self, package: str, pattern: Pattern) -> Iterator[int]:
        written = self.written[package].overlapping(pattern)
        read = self.read[package].overlapping(pattern)
        if not written and not read:
            return
        silent = not pattern.is_tag and (package, pattern.text) not in self.tags
        end, start = (self.add(tag_vertex(package, pattern, silent)) for _ in range(2))
        for number in written:
            self.join(number, end, MATCHES)
        for number in read:
            self.join(start, number, MATCHES)
        yield from (end, start)


def tag_vertex(package: str, pattern: Pattern, silent: bool = False) -> Vertex:
    """A vertex of a tag. A name that could be a worker's has `tag:` before it.

    >>> tag_vertex("novel/basic", Pattern(("大纲", "草稿"))).label
    'novel/basic:大纲.草稿'
    """
    text = pattern.text
    before = "tag:" if looks_like_id(text) else ""
    return Vertex("tag", package, text, f"{package}:{before}{text}", pattern, silent=silent)


def looks_like_id(name: str) -> bool:
    """Whether a name could be that of a package or of a worker.

    >>> looks_like_id("role-decide"), looks_like_id("worker.persona")
    (True, False)
    """
    return bool(name) and all(char in "abcdefghijklmnopqrstuvwxyz0123456789-" for char in name)
