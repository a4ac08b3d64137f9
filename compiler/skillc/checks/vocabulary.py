"""The tags that a package declares, and which of them a name in prose was meant to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from skillc.checks.lookalikes import differing, look_alike, simplified, skeleton
from skillc.checks.mentions import Mention
from skillc.checks.uses import tags_used
from skillc.graph import PatternIndex, TagGraph, drafts_of, new_names, patterns_of
from skillc.model.package import Catalogue
from skillc.once import once
from skillc.tags import REST, STAGES, WHOLE, Pattern, literal
from skillc.value import value

ORDINALS = frozenset(
    "0123456789０１２３４５６７８９零〇一二三四五六七八九十百千两甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥"
    "上中下前后左右东西南北内外大小主副正反男女父母春夏秋冬天地人日月阴阳"
)
"""Characters that tell members of one series apart: `第一章` is no slip of the pen for `第二章`."""
SHORT = 1
"""A segment of so few characters is a role or a number: another one is another one."""
WORD = 4
"""An ASCII segment with fewer letters is an abbreviation: one letter makes another one of it."""


@value
class Near:
    """The declared tags that a name was meant to be; `stage` tells that only their stage is missing."""

    tags: tuple[str, ...]
    stage: bool


@once
def vocabulary_of(graph: TagGraph) -> Vocabulary:
    """The vocabulary of a package."""
    return Vocabulary(graph)


class Vocabulary:
    """What a package declares. What needs time is worked out when a name is unknown."""

    def __init__(self, graph: TagGraph) -> None:
        self._graph = graph
        self._declared = tuple(dict.fromkeys(_declared(graph)))

    @cached_property
    def heads(self) -> frozenset[str]:
        """The first segments of all declared tags."""
        own = {pattern.parts[0] for pattern in self._declared}
        return frozenset(own) | _old_heads(self._graph.package.catalogue)

    @cached_property
    def texts(self) -> frozenset[str]:
        return frozenset(pattern.text for pattern in self._declared)

    @cached_property
    def _index(self) -> PatternIndex[bool]:
        return PatternIndex((pattern, True) for pattern in _known(self._graph, self._declared))

    def knows(self, pattern: Pattern) -> bool:
        """Whether some declared tag, or one that a source may give, is one of `pattern`."""
        around = _catalogue_index(self._graph.package.catalogue)
        return bool(self._index.overlapping(pattern) or around.overlapping(pattern))

    def begins(self, pattern: Pattern) -> bool:
        """Whether `pattern` is a declared tag with something behind it (`验收.记录.verdict`)."""
        return any(self.knows(Pattern(pattern.parts[:count])) for count in range(2, len(pattern.parts)))

    def near(self, name: str, glued: bool) -> Near | None:
        """The declared tags that `name` was meant to be: those of which it lacks only the stage, else those that a
        single edit makes of it, or that look like it. `glued`: words may stick to its ends, so that an edit there,
        or a declared tag inside it, proves nothing."""
        staged = self._stages.get(name)
        if staged and not glued:
            return Near(tuple(staged), True)
        found = sorted(
            text
            for text in self._one_edit_away(name)
            if _is_slip(name, text, glued) and not self._in_series(name, text)
        )
        if not found or (glued and self._stands_in(name)):
            return None
        return Near(tuple(found), False)

    def is_slip(self, mention: Mention) -> bool:
        """Whether unknown-tag speaks of a mention."""
        return not self.knows(mention.pattern) and self.near(mention.name, glued=False) is not None

    def _stands_in(self, text: str) -> bool:
        """Whether a declared tag is a part of `text`, looked for by the few lengths that there are."""
        windows = (text[at : at + size] for size in self._lengths for at in range(len(text) - size + 1))
        return any(window in self.texts for window in windows)

    def _in_series(self, name: str, text: str) -> bool:
        """Whether the character that makes `text` of `name` already tells declared tags apart: beside `人物.阿珍` and
        `人物.阿强`, `人物.阿明` is another person."""
        at = next((at for at, (a, b) in enumerate(zip(name, text, strict=False)) if a != b), len(text))
        if len(name) != len(text) or name[at + 1 :] != text[at + 1 :] or look_alike(name, text):
            return False
        others = self._shortened.get(text[:at] + text[at + 1 :], ())
        members = (
            o for o in others if len(o) == len(text) and o[:at] + o[at + 1 :] == text[:at] + text[at + 1 :]
        )
        return sum(member != name and not look_alike(member, text) for member in members) > 1

    @cached_property
    def _lengths(self) -> frozenset[int]:
        return frozenset(map(len, self.texts))

    @cached_property
    def _stages(self) -> dict[str, list[str]]:
        """Declared tags by what stands before their stage."""
        found: dict[str, list[str]] = {}
        for text in sorted(self.texts):
            object, _, last = text.rpartition(".")
            if last in STAGES and "." in object:
                found.setdefault(object, []).append(text)
        return found

    @cached_property
    def _shortened(self) -> dict[str, list[str]]:
        """Declared tags by all that one deletion makes of them, by themselves and by what they look like."""
        found: dict[str, list[str]] = {}
        for text in sorted(self.texts):
            for key in {*_deletions(text), text, *_looks(text)}:
                found.setdefault(key, []).append(text)
        return found

    def _one_edit_away(self, name: str) -> Iterable[str]:
        keys = {*_deletions(name), name, *_looks(name)}
        return {text for key in keys for text in self._shortened.get(key, ()) if text != name}


def _looks(text: str) -> Iterator[str]:
    yield "\0" + skeleton(text)
    yield "\0" + skeleton(simplified(text))


def _deletions(text: str) -> Iterator[str]:
    return (text[:at] + text[at + 1 :] for at in range(len(text)))


def _declared(graph: TagGraph) -> Iterator[Pattern]:
    """The patterns of all contracts, without the open ends of inputs: reading `博弈.*` declares no tag."""
    on_demand = (
        ref.pattern for worker in graph.package.templates for ref in (*worker.inputs, *worker.outputs)
    )
    for pattern in dict.fromkeys((*tags_used(graph), *on_demand)):
        yield pattern
        draft = drafts_of(pattern)
        if draft:
            yield draft
    for ready in graph.package.manifest.ready if graph.package.manifest else ():
        yield from patterns_of(ready.condition)


@once
def _old_heads(catalogue: Catalogue) -> frozenset[str]:
    """The first segments of tags that have another name now."""
    return frozenset(name.split(".")[0] for name in new_names(catalogue))


def _known(graph: TagGraph, declared: Iterable[Pattern]) -> Iterator[Pattern]:
    made = (*graph.package.workers, *graph.package.templates)
    outputs = {ref.pattern for worker in made for ref in worker.outputs}
    for pattern in declared:
        if pattern.parts[-1] not in (REST, WHOLE) or pattern in outputs:
            yield pattern


@once
def _catalogue_index(catalogue: Catalogue) -> PatternIndex[bool]:
    """What the catalogue says that there is, old names among them."""
    renamed = (name for pair in new_names(catalogue).items() for name in pair)
    patterns = (
        *(source.pattern for source in catalogue.sources),
        *(pattern for pattern in catalogue.deliverables if pattern.is_tag),
        *(pattern for pattern, _ in catalogue.docs),
        *(literal(name) for name in renamed),
    )
    return PatternIndex((pattern, True) for pattern in patterns)


def _is_slip(name: str, text: str, glued: bool) -> bool:
    """Whether one edit, or none but a look-alike, makes the declared `text` of `name`, and the two are not two
    members of a series."""
    if look_alike(name, text):
        return True
    if glued and (
        text.startswith(name) or text.endswith(name) or name.startswith(text) or name.endswith(text)
    ):
        return False
    written, meant = name.split("."), text.split(".")
    if len(written) != len(meant):
        return _joined(name) == _joined(text)
    pairs = [(a, b) for a, b in zip(written, meant, strict=True) if a != b]
    return len(pairs) == 1 and is_one_slip(*pairs[0])


def _joined(name: str) -> str:
    return name.replace(".", "").replace("．", "").replace("。", "")


def is_one_slip(written: str, meant: str) -> bool:
    """Whether one edit makes the segment `meant` of `written`, and the two are not two members of a series."""
    touched = _edited(written, meant)
    if touched is None or min(len(written), len(meant)) <= SHORT or all(map(_counts, touched)):
        return False
    return not touched.isascii() or min(len(written), len(meant)) >= WORD


def _edited(a: str, b: str) -> str | None:
    """The characters that one edit touches (put in, taken out, replaced, or two neighbours swapped); None when it
    takes more than one."""
    x, y = differing(a, b)
    if len(x) <= 1 and len(y) <= 1:
        return x + y
    return x if len(x) == len(y) == 2 and x == y[::-1] else None


def _counts(char: str) -> bool:
    return char in ORDINALS or (char.isascii() and not char.islower())
