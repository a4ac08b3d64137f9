"""What a package is made of, in four parts, and which of them differ from the last time (SPEC 15.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from skillc.artifact.codec import canonical
from skillc.wording import Said, say

PARTS = ("body", "contract", "workspace", "compiler")
Inputs = Mapping[str, Mapping[str, str]]
"""By part: each input by its name, with its digest or value."""
_BODIES = ("SKILL.md", "shared-context.md")


@dataclass(frozen=True, slots=True)
class Reason:
    """One input that is not what it was: `change` is added, removed or changed."""

    part: str
    name: str
    change: str

    def told(self) -> Said:
        """The reason as a sentence.

        >>> Reason("body", "workers/outline/SKILL.md", "changed").told()
        'the text of `workers/outline/SKILL.md` changed'
        """
        return _CHANGES[self.change](_INPUTS[self.part](self.name))


_INPUTS: Mapping[str, Callable[[str], Said]] = {
    "package": lambda name: say("the package"),
    "body": lambda name: say("the text of `{name}`", name=name),
    "contract": lambda name: say("`{name}`", name=name),
    "workspace": lambda name: say("`{name}` of the workspace", name=name),
    "compiler": lambda name: say("the compiler ({name})", name=name),
    "output": lambda name: say("`{name}` in the build folder", name=name),
}
_CHANGES: Mapping[str, Callable[[str], Said]] = {
    "added": lambda what: say("{what} is new", what=what),
    "removed": lambda what: say("{what} is gone", what=what),
    "changed": lambda what: say("{what} changed", what=what),
}


def inputs_of(
    folder: str,
    files: Mapping[str, bytes | None],
    listings: Iterable[tuple[str, str]],
    workspace: Mapping[str, str],
    compiler: Mapping[str, str],
) -> Inputs:
    """The inputs of the package in `folder`: the bytes of its files by path, the digests of its `listings`, and
    what stands around it. The text below the head of a SKILL.md or of the shared context is body; all else of a
    package is contract."""
    body: dict[str, str] = {}
    contract = dict(listings)
    for path in sorted(files):
        data = files[path]
        if not path.startswith(folder + "/"):
            continue
        name = path[len(folder) + 1 :]
        if data is None:
            contract[name] = "unreadable"
        elif name.rpartition("/")[2] in _BODIES:
            head, below = _split(data)
            contract[name], body[name] = _digest(head), _digest(below)
        else:
            contract[name] = _digest(data)
    return {"body": body, "contract": contract, "workspace": dict(workspace), "compiler": dict(compiler)}


def _split(data: bytes) -> tuple[bytes, bytes]:
    """The head of a file with its fences, and what stands below; all of it is head where no fence closes it."""
    if not data.lstrip(b"\xef\xbb\xbf").startswith(b"---"):
        return b"", data
    at = data.find(b"\n---", 3)
    end = data.find(b"\n", at + 1) if at >= 0 else -1
    return (data[: end + 1], data[end + 1 :]) if end >= 0 else (data, b"")


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def key_of(path: str, inputs: Inputs) -> bytes:
    """The name of what is made of these inputs: equal inputs, equal key, and no other."""
    return sha256(canonical({"path": path, **{part: inputs[part] for part in PARTS}})).digest()


def differences(old: Inputs, new: Inputs) -> Iterator[Reason]:
    """What differs, part by part, by name."""
    for part in PARTS:
        before, after = old.get(part, {}), new[part]
        for name in sorted({*before, *after}):
            if name not in before:
                yield Reason(part, name, "added")
            elif name not in after:
                yield Reason(part, name, "removed")
            elif before[name] != after[name]:
                yield Reason(part, name, "changed")
