"""A git revision as files in memory: read from the repository's objects, without a checkout and without a change."""

from __future__ import annotations

import os
import posixpath
import subprocess
from collections.abc import Iterable, Iterator, Mapping

from skillc.cli.errors import Stop
from skillc.report.reasons import reason
from skillc.source.reader import READ_LIMIT, DictReader
from skillc.value import value
from skillc.wording import say

_OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
"""What git tells its hooks about the repository that they run for: here the folder decides."""
_LINK, _FILE = "120000", "100"
_LEVELS = 40
"""Links that are followed one after the other before they count as a loop."""


@value
class Repository:
    """A git repository, and the folder of it that was asked for: `prefix` is its path inside, `""` at the top. `home`
    is where git keeps it."""

    folder: str
    prefix: str
    home: str


@value
class Revision:
    """A commit (or a tree) by its full id, and the id of its tree."""

    id: str
    tree: str


@value
class Tree:
    """The names below a folder of a revision: objects of files with their sizes, objects of links, submodules, and the
    files and folders whose names are not UTF-8, with their bytes escaped."""

    repository: Repository
    files: Mapping[str, tuple[str, int]]
    links: Mapping[str, str]
    modules: tuple[str, ...] = ()
    undecodable: frozenset[str] = frozenset()


def repository_at(folder: str) -> Repository | None:
    """The repository that `folder` lies in; None when it lies in none. Stops where git is missing or refuses."""
    done = _git(folder, "rev-parse", "--absolute-git-dir", "--show-prefix")
    if done.returncode == 0:
        home, _, prefix = os.fsdecode(done.stdout).partition("\n")
        return Repository(folder, prefix.rstrip("\n").rstrip("/"), home)
    reason = _reason(done)
    if "not a git repository" in reason:
        return None
    raise Stop(say("git cannot read the repository of `{folder}`: {reason}", folder=folder, reason=reason))


def find_revision(repository: Repository, name: str) -> Revision | None:
    """The commit or tree that git knows as `name`; None when it knows none."""
    found = _resolved(repository, name)
    tree = found and _resolved(repository, f"{found}^{{tree}}")
    commit = found and _resolved(repository, f"{found}^{{commit}}")
    return Revision(commit or tree, tree) if tree else None


def _resolved(repository: Repository, name: str) -> str | None:
    done = _git(repository.folder, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
    return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else None


def read_tree(repository: Repository, revision: Revision, folder: str) -> Tree:
    """All names below `folder` (a path in the repository) in a revision; none where it has no such folder."""
    tree = _resolved(repository, f"{revision.tree}:{folder}") if folder else revision.tree
    if tree is None:
        return Tree(repository, {}, {})
    done = _git(repository.folder, "ls-tree", "-r", "-z", "-l", "--full-tree", tree)
    if done.returncode:
        raise Stop(say("git cannot list `{name}`: {reason}", name=revision.id, reason=_reason(done)))
    files: dict[str, tuple[str, int]] = {}
    links: dict[str, str] = {}
    modules, odd = [], set()
    for name, mode, object_id, size in _rows(done.stdout):
        path, is_readable = _decoded(name)
        if not is_readable:
            odd.add(path)
        elif mode == _LINK:
            links[path] = object_id
        elif mode.startswith(_FILE):
            files[path] = (object_id, size)
        else:
            modules.append(path)
    return Tree(repository, files, links, tuple(modules), frozenset(odd))


def _rows(listing: bytes) -> Iterator[tuple[bytes, str, str, int]]:
    """(path, mode, object, size) of each entry."""
    for row in filter(None, listing.split(b"\0")):
        about, _, name = row.partition(b"\t")
        mode, _, object_id, size = about.decode("ascii").split()
        yield name, mode, object_id, int(size) if size != "-" else 0


def _decoded(name: bytes) -> tuple[str, bool]:
    """A path, and whether all of it is UTF-8; else the path as far as the first name that is not, with that one's bytes
    escaped."""
    steps = []
    for step in name.split(b"/"):
        try:
            steps.append(step.decode("utf-8"))
        except UnicodeDecodeError:
            return "/".join([*steps, step.decode("utf-8", "backslashreplace")]), False
    return "/".join(steps), True


def files_of(tree: Tree, wanted: Iterable[str]) -> DictReader:
    """The files at or below the paths `wanted`, and what links there lead to, with their contents. A file that is larger
    than a reader reads is as large, and its contents are not read."""
    targets = _targets(tree)
    places, links = _reached(set(wanted), targets)
    below = tuple(f"{place}/" if place else "" for place in places)
    chosen = [path for path in tree.files if f"{path}/".startswith(below)]
    small = {path: tree.files[path][0] for path in chosen if tree.files[path][1] < READ_LIMIT}
    data = _contents(tree.repository, small.values())
    contents = {path: data[small[path]] if path in small else bytes(READ_LIMIT) for path in chosen}
    odd = {path: "undecodable" for path in tree.undecodable if path.startswith(below)}
    return DictReader(contents, odd | {link: targets[link] for link in links})


_NOWHERE = ("outside", "loop", "broken")


def _targets(tree: Tree) -> dict[str, str]:
    """Where each link leads, through all links on the way: a path, or why nowhere."""
    data = _contents(tree.repository, tree.links.values())
    texts = {path: os.fsdecode(data[object_id]) for path, object_id in tree.links.items()}
    folders = (path[:at] for path in tree.files for at, char in enumerate(path) if char == "/")
    known = {*tree.files, *folders, *tree.modules, ""} if texts else set()
    return {path: _followed(path, texts, known) for path in texts}


def _reached(places: set[str], targets: Mapping[str, str]) -> tuple[set[str], list[str]]:
    """`places` with those that links among them lead to, and these links."""
    links: list[str] = []
    found = True
    while found:
        found = False
        for link, target in targets.items():
            met = [
                place
                for place in places
                if f"{link}/".startswith(f"{place}/") or place.startswith(f"{link}/")
            ]
            if met and link not in links:
                links.append(link)
                found = True
                if target not in _NOWHERE:
                    places = places | {target + place[len(link) :] for place in met}
    return places, links


def _followed(path: str, links: Mapping[str, str], known: set[str]) -> str:
    for _ in range(_LEVELS):
        link = next((link for link in _above(path) if link in links), None)
        if link is None:
            return path if path in known else "broken"
        target = links[link]
        joined = posixpath.join(posixpath.dirname(link), target) + path[len(link) :]
        path = posixpath.normpath(joined)
        if target.startswith("/") or path == ".." or path.startswith("../"):
            return "outside"
        path = "" if path == "." else path
    return "loop"


def _above(path: str) -> Iterator[str]:
    """`path` and the folders above it, the topmost first."""
    steps = path.split("/")
    return ("/".join(steps[:count]) for count in range(1, len(steps) + 1))


def _contents(repository: Repository, objects: Iterable[str]) -> dict[str, bytes]:
    """The bytes of each object, as they are stored: no filter and no conversion of line ends."""
    wanted = list(dict.fromkeys(objects))
    if not wanted:
        return {}
    done = _git(repository.folder, "cat-file", "--batch", given="\n".join(wanted).encode() + b"\n")
    found, at = {}, 0
    for object_id in wanted:
        end = done.stdout.find(b"\n", at)
        head = done.stdout[at : end if end >= 0 else at].split()
        if len(head) != 3:
            raise Stop(say("git cannot read object {id}: {reason}", id=object_id, reason=_reason(done)))
        size = int(head[2])
        found[object_id] = done.stdout[end + 1 : end + 1 + size]
        at = end + size + 2
    return found


def _git(folder: str, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
    environment |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    try:
        return subprocess.run(
            ["git", "-C", folder, *arguments], input=given, capture_output=True, env=environment, check=False
        )
    except FileNotFoundError as error:
        raise Stop(say("git is not installed, or not in PATH")) from error
    except OSError as error:
        raise Stop(say("git cannot be started: {reason}", reason=reason(error))) from error
    except ValueError as error:
        raise Stop(say("git cannot be started: {reason}", reason=error)) from error


def _reason(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ") if lines else f"exit code {done.returncode}"
