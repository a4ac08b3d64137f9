"""What the words of a query stand for: packages, workers, sources, tags, selectors (SPEC 17.4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from skillc.grammar import parse_pattern
from skillc.grammar.query import Fault, Word
from skillc.query.attributes import ATTRIBUTES, CLOSED, ORIGINS, Attributes
from skillc.query.network import Network, looks_like_id
from skillc.query.state import PARTS, PackageState
from skillc.query.walk import Vertices
from skillc.resemblance import Known
from skillc.text import Source, Text
from skillc.value import replace
from skillc.wording import Said, say, series

EVERYTHING = "..."
STATES = ("modified", *(f"modified.{part}" for part in PARTS), "new")
_OF_NAMES = ("package", "worker", "tag", "source")
_SELECTORS = (*_OF_NAMES, *ATTRIBUTES, "state")
_SELECTOR = re.compile(r"([a-z]+):(.*)", re.DOTALL)
_SOURCE = re.compile(r"\(([a-z]+)\)")
_LISTED = 8
"""How many names a sentence lists at most."""
Found = Vertices | Fault
States = Mapping[str, PackageState]


class Names:
    """The names of one network. Each word is looked up before anything is computed, since a tag that is asked for may
    get vertices of its own. `states` is None where the query is given nothing to compare with."""

    def __init__(self, network: Network, attributes: Attributes, states: States | None) -> None:
        self._network, self._attributes, self._states = network, attributes, states
        self._paths = tuple(network.graphs)
        self._declared = range(len(network.vertices))
        self._workers: dict[str, list[int]] = {}
        self._of_package: dict[str, list[int]] = {path: [] for path in self._paths}
        for number, vertex in enumerate(network.vertices):
            if vertex.kind in ("worker", "template", "missing"):
                self._workers.setdefault(vertex.name, []).append(number)
        self.count()

    def count(self) -> None:
        """Take up what belongs to each package by now: tags that were asked for are part of it, too."""
        for numbers in self._of_package.values():
            numbers.clear()
        for number, vertex in enumerate(self._network.vertices):
            self._of_package[vertex.package].append(number)

    def resolved(self, word: Word) -> Found:
        """The vertices that a word stands for, or why it stands for nothing."""
        text = word.text
        selector = _SELECTOR.fullmatch(text)
        if text == EVERYTHING:
            return frozenset(number for numbers in self._of_package.values() for number in numbers)
        if selector and selector[1] in _SELECTORS:
            return self._selected(word, selector[1], selector[2])
        if ":" in text:
            return self._inside(word, *text.split(":", 1))
        if "/" in text:
            return self._packages(word, text)
        return self._bare(word, text)

    def valued(self, word: Word, name: str, value: str) -> Found:
        """The nodes of which an attribute has the value."""
        known = self._attributes.known(name)
        if value not in known:
            message = say("`{value}` is no {name}", value=value, name=name)
            return self._fault(word, message, Known(known).nearest(value), _those(known))
        return frozenset(self._attributes.having(name, value, self._declared))

    def attribute(self, word: Word) -> Fault | None:
        """What is wrong with the name of an attribute."""
        if word.text in ATTRIBUTES:
            return None
        message = say("`{name}` is no attribute", name=word.text)
        return self._fault(word, message, Known(ATTRIBUTES).nearest(word.text), _those(ATTRIBUTES))

    def _selected(self, word: Word, method: str, value: str) -> Found:
        if method in CLOSED or method == "label":
            return self.valued(word, method, value)
        if method == "state":
            return self._in_state(word, value)
        return _BY_METHOD[method](self, word, value)

    def _in_state(self, word: Word, value: str) -> Found:
        if value not in STATES:
            message = say("`{value}` is no {name}", value=value, name="state")
            return self._fault(word, message, Known(STATES).nearest(value), _those(STATES))
        if self._states is None:
            help = say(
                "name an earlier build folder or workspace with `--state DIR`, or a revision with `--changed-since REV`"
            )
            return self._fault(word, say("`{word}` has nothing to compare with", word=word.text), None, help)
        found: set[int] = set()
        for path in self._paths:
            found |= set(self._modified(path, value, self._states[path]))
        return frozenset(found)

    def _modified(self, path: str, value: str, state: PackageState) -> Iterator[int]:
        part = value.partition(".")[2]
        for number in self._of_package[path]:
            vertex = self._network.vertices[number]
            if vertex.kind == "package":
                hit = state.added if value == "new" else state.differs and not part
            elif value == "new":
                hit = state.added or (vertex.kind == "worker" and vertex.name in state.new)
            elif vertex.kind == "worker" and not state.whole:
                parts = state.workers.get(vertex.name, frozenset())
                hit = part in parts if part else bool(parts)
            else:
                hit = state.whole or (vertex.name in state.tags and part in ("", "contract"))
            if hit:
                yield number

    def _packages(self, word: Word, text: str) -> Found:
        """The nodes of a package, of several (`novel/*`), or of all of one kind (`novel/...`)."""
        pattern = text.removesuffix(EVERYTHING) + "*" if text.endswith("/" + EVERYTHING) else text
        paths = [path for path in self._paths if _named(path, pattern)]
        if paths:
            return frozenset(number for path in paths for number in self._of_package[path])
        return self._unknown_package(word, text)

    def _unknown_package(self, word: Word, text: str) -> Fault:
        message = say("no package is named `{name}`", name=text)
        near = Known(self._package_names()).nearest(text)
        return self._fault(word, message, near, _those(self._paths))

    def _package_names(self) -> tuple[str, ...]:
        return (*self._paths, *(path.split("/")[-1] for path in self._paths))

    def _package(self, word: Word, name: str) -> Found:
        """As `_packages`, by a bare name too, which must be that of one."""
        if "/" in name:
            return self._packages(word, name)
        paths = [path for path in self._paths if _named(path.split("/")[-1], name)]
        if len(paths) > 1 and "*" not in name:
            return self._ambiguous(word, name, paths)
        return self._packages(word, paths[0]) if len(paths) == 1 else self._several(word, name, paths)

    def _several(self, word: Word, name: str, paths: Iterable[str]) -> Found:
        found = frozenset(number for path in paths for number in self._of_package[path])
        return found or self._unknown_package(word, name)

    def _inside(self, word: Word, package: str, name: str) -> Found:
        """A worker, a source or tags of one package, or of several."""
        found = self._package(word, package)
        if isinstance(found, Fault):
            near = Known(self._package_names()).nearest(package) or Known(_SELECTORS).nearest(package)
            help = found.help if near is None else say("did you mean `{near}`?", near=f"{near}:{name}")
            return replace(found, help=help)
        paths = list(dict.fromkeys(self._network.vertices[number].package for number in sorted(found)))
        before, _, rest = name.partition(":")
        if before in _OF_NAMES and rest:
            name = rest
        return self._in_packages(word, name, paths, before if rest else "")

    def _in_packages(self, word: Word, name: str, paths: list[str], kind: str) -> Found:
        inside = frozenset(paths)
        source = _SOURCE.fullmatch(name) or (re.fullmatch("(.*)", name) if kind == "source" else None)
        if source:
            found = self._sources(source[1], inside)
        elif kind != "tag" and _may_be_id(name):
            found = self._workers_named(name, inside)
            if not found and name in ORIGINS:
                found = self._sources(name, inside)
        else:
            return self._tags(word, name, paths)
        if not found and looks_like_id(name) and not kind:
            return self._tags(word, name, paths)
        return found or self._unknown(word, name, inside)

    def _workers_named(self, name: str, inside: frozenset[str]) -> Vertices:
        ids = [id for id in self._workers if fnmatchcase(id, name)] if "*" in name else [name]
        numbers = (number for id in ids for number in self._workers.get(id, ()))
        return frozenset(n for n in numbers if self._network.vertices[n].package in inside)

    def _sources(self, origin: str, inside: frozenset[str]) -> Vertices:
        keys = ((path, f"({origin})") for path in self._paths if path in inside)
        return frozenset(number for key in keys for number in self._network.named.get(key, ()))

    def _bare(self, word: Word, text: str) -> Found:
        """A package or a worker where only one has the name; else a source; else tags, in all packages."""
        everywhere = frozenset(self._paths)
        source = _SOURCE.fullmatch(text)
        if source:
            return self._sources(source[1], everywhere) or self._unknown(word, text, everywhere)
        if _may_be_id(text):
            found = self._thing(word, text, everywhere)
            if found:
                return found
        return self._tags(word, text, list(self._paths))

    def _thing(self, word: Word, text: str, everywhere: frozenset[str]) -> Found:
        workers = self._workers_named(text, everywhere)
        if "*" in text:
            return workers
        paths = [path for path in self._paths if path.split("/")[-1] == text]
        labels = [*paths, *(self._network.vertices[number].label for number in sorted(workers))]
        if len(labels) > 1:
            return self._ambiguous(word, text, labels)
        if paths:
            return self._packages(word, paths[0])
        return workers or (self._sources(text, everywhere) if text in ORIGINS else frozenset())

    def _tags(self, word: Word, text: str, paths: list[str]) -> Found:
        """The tags that a pattern covers, and a view of all that may be of it."""
        pattern, problems = parse_pattern(Text(text, Source("", text).span(0, len(text))))
        if pattern is None:
            first = problems[0]
            at = word.start + word.quoted + word.text.rindex(text)
            return Fault(first.message, first.help or "", at + first.span.start, at + first.span.end)
        found: set[int] = set()
        for path in paths if any(self._network.knows(path, pattern) for path in paths) else ():
            found.update(self._network.covered(path, pattern), self._network.view(path, pattern))
        return frozenset(found) or self._unknown(word, text, frozenset(paths))

    def _ambiguous(self, word: Word, name: str, labels: Iterable[str]) -> Fault:
        shown = series(f"`{label}`" for label in list(labels)[:_LISTED])
        message = say("`{name}` is ambiguous", name=name)
        return self._fault(word, message, None, say("say which one: {names}", names=shown))

    def _unknown(self, word: Word, name: str, inside: frozenset[str]) -> Fault:
        """Nothing is named so: what is named nearly so."""
        vertices = [v for v in self._network.vertices if v.package in inside and not v.silent]
        names = sorted({v.name for v in vertices})
        if len(inside) == len(self._paths):
            names += self._package_names()
        message = say("nothing is named `{name}`: no package, worker, source or tag", name=name)
        help = say("`...` stands for everything: `skillc query ...` lists all names")
        return self._fault(word, message, Known(names).nearest(name), help)

    def _fault(self, word: Word, message: Said | str, near: str | None, help: Said | str) -> Fault:
        return Fault(
            message, say("did you mean `{near}`?", near=near) if near else help, word.start, word.end
        )

    def _only_workers(self, word: Word, name: str) -> Found:
        found = self._workers_named(name, frozenset(self._paths))
        if found:
            return found
        message = say("no worker is named `{name}`", name=name)
        return self._fault(word, message, Known(self._workers).nearest(name), _those(self._workers))

    def _only_sources(self, word: Word, name: str) -> Found:
        if name.strip("()") not in ORIGINS:
            message = say("`{value}` is no {name}", value=name, name="source")
            return self._fault(word, message, Known(ORIGINS).nearest(name), _those(ORIGINS))
        return self._sources(name.strip("()"), frozenset(self._paths))

    def _only_tags(self, word: Word, name: str) -> Found:
        return self._tags(word, name, list(self._paths))


_BY_METHOD: Mapping[str, Callable[[Names, Word, str], Found]] = {
    "package": Names._package,
    "worker": Names._only_workers,
    "source": Names._only_sources,
    "tag": Names._only_tags,
}


def _may_be_id(text: str) -> bool:
    """Whether it could be an id, with `*` for parts of it; `**` is the pattern of all tags."""
    return "**" not in text and looks_like_id(text.replace("*", "x"))


def _named(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) if "*" in pattern else name == pattern


def _those(names: Iterable[str]) -> Said:
    """All names of one kind, or the first of them."""
    known = list(names)
    shown = series(f"`{name}`" for name in known[:_LISTED]) or say("none")
    if len(known) > _LISTED:
        return say("{n} are known; the first are {names}", n=len(known), names=shown)
    return say("known are {names}", names=shown)
