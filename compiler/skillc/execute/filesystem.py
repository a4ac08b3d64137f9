"""Whether a path lies on a network file system, as far as the system tells: databases in files do badly there."""

from __future__ import annotations

import os

MOUNTS = "/proc/self/mountinfo"
NETWORK = frozenset(
    {
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "smb2",
        "ncpfs",
        "afs",
        "9p",
        "ceph",
        "glusterfs",
        "lustre",
        "gfs2",
        "ocfs2",
        "beegfs",
        "davfs",
        "fuse.sshfs",
        "fuse.glusterfs",
        "fuse.s3fs",
        "fuse.rclone",
        "fuse.ceph",
        "fuse.gcsfuse",
    }
)


def network_of(path: str, mounts: str = MOUNTS) -> str | None:
    r"""The kind of the network file system that `path` lies on (`nfs4`); None elsewhere, or where nobody can tell.

    `mounts` is the file in which Linux lists what is mounted where. On Windows only `\\server` paths are known.
    """
    if os.name == "nt":
        return "smb" if os.path.abspath(path).startswith("\\\\") else None
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return None
    place = os.path.realpath(path)
    found = ("", "")
    for line in lines:
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) > 4 and after:
            point = _unescaped(fields[4])
            if _lies_below(place, point) and len(point) >= len(found[0]):
                found = (point, after.split(" ")[0])
    return found[1] if found[1] in NETWORK else None


def _lies_below(place: str, point: str) -> bool:
    return place == point or place.startswith(point.rstrip("/") + "/")


def _unescaped(text: str) -> str:
    """Blanks and the like stand there as octal numbers."""
    for code in ("040", "011", "012", "134"):
        text = text.replace(f"\\{code}", chr(int(code, 8)))
    return text
