"""On what kind of file system a path lies, as far as that can be known."""

from __future__ import annotations

import os

TABLE = "/proc/self/mountinfo"
_NAMES = "9p afs ceph cifs fuse.glusterfs fuse.sshfs gpfs lustre ncpfs nfs nfs4 smb3 smbfs virtiofs"
NETWORK = frozenset(_NAMES.split())


def network_kind(path: str, table: str) -> str | None:
    """The kind of network file system that `path` (absolute, no links) lies on; None for any other.

    `table` are the lines of mountinfo; the longest mount point above the path decides.

    >>> network_kind("/srv/x", "22 1 0:30 / /srv rw - nfs4 host:/srv rw")
    'nfs4'
    """
    best, kind = "", None
    for line in table.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        point = _plain(fields[4])
        inside = path == point or path.startswith(os.path.join(point, ""))
        if inside and len(point) >= len(best):
            best, kind = point, after.split(" ")[0]
    return kind if kind in NETWORK else None


def _plain(text: str) -> str:
    """A mount point as it is: blanks and backslashes are written by number."""
    for escape, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(escape, char)
    return text


def mount_table() -> str:
    """The lines of mountinfo; nothing on a system that has none."""
    try:
        with open(TABLE, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""
