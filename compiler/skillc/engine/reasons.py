"""What a package is made of, in four parts, and which of them differ from the last time (SPEC 15.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256

from skillc.artifact.encoding import canonical
from skillc.value import value
from skillc.wording import Said, say

PARTS = ("body", "contract", "workspace", "compiler")
Inputs = Mapping[str, Mapping[str, str]]
"""By part: each input by its name, with its digest or value."""
_BODIES = ("SKILL.md", "shared-context.md")


@value
class Reason:
    """One input that is not what it was: `change` is added, removed or changed; of a package also unwritten,
    where nothing changed, but what was made of it the last time was for a look alone."""

    part: str
    name: str
    change: str

    def told(self) -> Said:
        """The reason as a sentence.

        >>> Reason("body", "workers/outline/SKILL.md", "changed").told()
        'the text of `workers/outline/SKILL.md` changed'
        """
        return _TOLD[self._kind][self.change](self.name.removesuffix("/"))

    @property
    def _kind(self) -> str:
        if self.part != "contract" or not self.name.endswith("/"):
            return self.part
        return "folder" if self.name == "/" else "listing"


_TOLD: Mapping[str, Mapping[str, Callable[[str], Said]]] = {
    "package": {
        "added": lambda _: say("the package is new"),
        "removed": lambda _: say("the package is gone"),
        "changed": lambda _: say("the package changed"),
        "unwritten": lambda _: say("nothing was written of it the last time"),
    },
    "body": {
        "added": lambda name: say("the text of `{name}` is new", name=name),
        "removed": lambda name: say("the text of `{name}` is gone", name=name),
        "changed": lambda name: say("the text of `{name}` changed", name=name),
    },
    "contract": {
        "added": lambda name: say("`{name}` is new", name=name),
        "removed": lambda name: say("`{name}` is gone", name=name),
        "changed": lambda name: say("`{name}` changed", name=name),
    },
    "listing": {
        "added": lambda name: say("the list of files in `{name}` is new", name=name),
        "removed": lambda name: say("the list of files in `{name}` is gone", name=name),
        "changed": lambda name: say("the list of files in `{name}` changed", name=name),
    },
    "folder": {
        "added": lambda _: say("the list of files in the package's folder is new"),
        "removed": lambda _: say("the list of files in the package's folder is gone"),
        "changed": lambda _: say("the list of files in the package's folder changed"),
    },
    "workspace": {
        "added": lambda name: say("`{name}` of the workspace is new", name=name),
        "removed": lambda name: say("`{name}` of the workspace is gone", name=name),
        "changed": lambda name: say("`{name}` of the workspace changed", name=name),
    },
    "compiler": {
        "added": lambda name: say("the compiler ({name}) is new", name=name),
        "removed": lambda name: say("the compiler ({name}) is gone", name=name),
        "changed": lambda name: say("the compiler ({name}) changed", name=name),
    },
    "output": {
        "added": lambda name: say("`{name}` in the build folder is new", name=name),
        "removed": lambda name: say("`{name}` in the build folder is gone", name=name),
        "changed": lambda name: say("`{name}` in the build folder changed", name=name),
    },
}
"""By kind and change: the whole sentence, since no language builds all of them of two parts."""


def told_of(reasons: Iterable[Reason]) -> list[Said]:
    """The reasons as sentences, each change once: what is told of a file is not told again of its text, nor of the
    folder that it came to or went from."""
    given = list(reasons)
    files = {(r.name, r.change) for r in given if r.part == "contract" and not r.name.endswith("/")}
    moved = {name.rpartition("/")[0] + "/" for name, change in files if change != "changed"}
    moved |= {
        r.name.rstrip("/").rpartition("/")[0] + "/"
        for r in given
        if r.part == "contract" and r.name.endswith("/") and r.change != "changed"
    }
    return [
        reason.told()
        for reason in given
        if not (reason.part == "body" and (reason.name, reason.change) in files)
        and not (reason.part == "contract" and _is_listing_of(reason, moved, files))
    ]


def _is_listing_of(reason: Reason, moved: set[str], files: set[tuple[str, str]]) -> bool:
    """Whether a folder tells no more than what is in it does."""
    if not reason.name.endswith("/"):
        return False
    if reason.change == "changed":
        return reason.name in moved
    return any(name.startswith(reason.name) and change == reason.change for name, change in files)


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
