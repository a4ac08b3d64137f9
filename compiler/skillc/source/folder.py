"""Looking into folders safely: links that lead out, loops and devices are refused unread (SPEC 2.6)."""

from __future__ import annotations

from skillc.diagnostic import Diagnostic, Label, finding
from skillc.source.decode import decode
from skillc.source.document import PackageFolder
from skillc.source.names import SKILL, folded, id_problems, is_device, is_id, is_ignored, near, place
from skillc.source.paths import join
from skillc.source.reader import Entry, Reader
from skillc.text import Source
from skillc.value import field, value
from skillc.wording import say

_REFUSED = {
    "outside": say("leads out of the workspace"),
    "loop": say("is a link that leads back to itself"),
    "broken": say("is a link that leads nowhere"),
    "special": say("is neither a file nor a folder"),
    "undecodable": say("has a name that is not UTF-8"),
}


@value
class Item:
    """A file or folder that may be read. `real` is where links lead."""

    name: str
    path: str
    is_folder: bool
    real: str


@value(frozen=False)
class Walk:
    """One walk over a workspace: where it reads and what it found."""

    reader: Reader
    found: list[Diagnostic] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    """Paths that exist and were refused with a finding: nobody may report them missing."""
    unopened: set[str] = field(default_factory=set)
    """Folders that cannot be opened, which have their finding: nobody may report what they lack."""
    linked: set[str] = field(default_factory=set)
    """Where links lead that were followed."""
    packages: list[PackageFolder] = field(default_factory=list)
    """The packages that there are, read or not."""
    lost: list[tuple[str, Item, str]] = field(default_factory=list)
    """Each SKILL.md that stands where no worker is read, the item that is unknown, and its help as such."""

    def report(self, slug: str, path: str, message: str, help: str = "", *related: Label) -> None:
        self.found.append(finding(slug, place(path), message, help, related))


def entries(walk: Walk, path: str) -> tuple[Entry, ...]:
    """What stands in a folder; unsafe-path, and nothing, when it cannot be opened."""
    try:
        return walk.reader.entries(path)
    except OSError as error:
        walk.unopened.add(path)
        _unreadable(walk, path, say("the folder cannot be read: {reason}", reason=_reason(error)))
        return ()


def items(walk: Walk, path: str, root: str, named: str = "") -> list[Item]:
    """The files and folders of a folder that count: not ignored, unless somebody `named` it, and no link that
    leads out of `root`.

    unsafe-path for what is refused, bad-id for what Windows cannot hold.
    """
    kept = []
    for entry in entries(walk, path):
        if is_ignored(entry.name) and entry.name != named:
            continue
        inner = join(path, entry.name)
        if entry.target is None and entry.kind in ("file", "dir"):
            kept.append(Item(entry.name, inner, entry.kind == "dir", inner))
            continue
        reason = _REFUSED.get(entry.kind)
        if entry.target is not None and not _below(entry.target, root):
            reason = say("is a link that leads out of `{root}`", root=root)
        if reason:
            walk.refused.add(inner)
            walk.report(
                "unsafe-path",
                inner,
                say("`{entry}` {reason}", entry=entry.name, reason=reason),
                say("rename it") if entry.kind == "undecodable" else say("put the file itself here"),
            )
        else:
            real = inner if entry.target is None else entry.target
            if real != inner:
                walk.linked.add(real)
            kept.append(Item(entry.name, inner, entry.kind == "dir", real))
    return kept


def _below(path: str, root: str) -> bool:
    return not root or path == root or path.startswith(root + "/")


def read_source(walk: Walk, path: str) -> Source | None:
    """The canonical text of a file; None, with a finding, when it cannot be had."""
    try:
        data = walk.reader.read(path)
    except OSError as error:
        _unreadable(walk, path, say("the file cannot be read: {reason}", reason=_reason(error)))
        return None
    source, found = decode(path, data)
    walk.found.extend(found)
    return source


def _unreadable(walk: Walk, path: str, message: str) -> None:
    walk.report("unsafe-path", path, message, say("check its permissions"))


def _reason(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return say("permission is denied")
    return say("it is gone") if isinstance(error, FileNotFoundError) else say("the system refuses")


def stray(
    walk: Walk, item: Item, help: str = say("move it out of the package if no one needs it here")
) -> None:
    """stray-file for what the format does not know; bad-id when Windows could not hold it; misnamed-file for a
    SKILL.md, the item itself or directly in it, which is read nowhere but below `workers`."""
    if is_device(item.name):
        message = say("`{name}` is a device on Windows, where the file cannot exist", name=item.name)
        walk.report("bad-id", item.path, message, say("choose another name"))
        return
    skill = _lost_skill(walk, item)
    if skill:
        walk.lost.append((skill, item, help))
    else:
        _unknown(walk, item, help)


def report_lost(walk: Walk) -> None:
    """misnamed-file for each SKILL.md that no worker is read from. To be asked when all is read: a worker may be
    a link to it."""
    for skill, item, help in walk.lost:
        if skill in walk.linked or item.path in walk.linked:
            _unknown(walk, item, help)
        else:
            message = say("`{path}` stands where no worker is read", path=skill)
            way_out = say("a worker is `workers/<id>/SKILL.md` in its package")
            walk.report("misnamed-file", item.path, message, way_out)


def _unknown(walk: Walk, item: Item, help: str) -> None:
    what = say("folder") if item.is_folder else say("file")
    walk.report(
        "stray-file",
        item.path,
        say("the {what} `{name}` is unknown to the format and not read", what=what, name=item.name),
        help,
    )


def _lost_skill(walk: Walk, item: Item) -> str | None:
    """The path of a SKILL.md that stands where no worker is read."""
    if not item.is_folder:
        return item.path if item.name.casefold() == SKILL.casefold() else None
    inside = (e.name for e in entries(Walk(walk.reader), item.path) if e.kind == "file")
    return next((join(item.path, name) for name in inside if name.casefold() == SKILL.casefold()), None)


def clashes(walk: Walk, named: list[Item], what: str) -> None:
    """name-clash for folders of one name under case folding and NFC, whatever system this is (SPEC 1.3)."""
    first: dict[str, Item] = {}
    for item in named:
        other = first.setdefault(folded(item.name), item)
        if other is not item:
            message = say(
                "the {what}s `{name}` and `{other}` have one name where case does not count",
                what=what,
                name=item.name,
                other=other.name,
            )
            label = Label(place(other.path), say("`{other}`", other=other.name))
            walk.report("name-clash", item.path, message, say("rename one of them"), label)


def check_id(walk: Walk, item: Item, what: str) -> None:
    if not is_id(item.name):
        walk.found.extend(id_problems(item.name, what, place(item.path)))


def almost(walk: Walk, item: Item, known: str, required: bool) -> None:
    """misnamed-file, or near-miss-name where the format works without the file."""
    slug = "misnamed-file" if required else "near-miss-name"
    if item.name == known:
        message = (
            say("`{name}` is a folder, but the format knows a file of this name", name=known)
            if item.is_folder
            else say("`{name}` is a file, but the format knows a folder of this name", name=known)
        )
        walk.report(slug, item.path, message, say("give it another name, or put here what belongs here"))
    elif required:
        message = say("`{name}` is not the format's name `{known}`", name=item.name, known=known)
        walk.report(
            slug,
            item.path,
            message,
            say("did you mean `{known}`? rename it, or move what it holds there", known=known),
        )
    else:
        message = say("`{name}` looks like `{known}` and is not read", name=item.name, known=known)
        walk.report(
            slug,
            item.path,
            message,
            say("rename it to `{known}` if it is meant to be read", known=known),
        )


def nearest(item: Item, files: tuple[str, ...], folders: tuple[str, ...]) -> str | None:
    """The known name of the item's own kind that it comes near to."""
    return near(item.name, folders if item.is_folder else files)
