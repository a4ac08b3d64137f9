"""Why the system refuses, in words that reports can tell in any language."""

from __future__ import annotations

import errno

from skillc.wording import Said, say

_KNOWN = {
    errno.ENOENT: say("No such file or directory"),
    errno.EACCES: say("Permission denied"),
    errno.EISDIR: say("Is a directory"),
    errno.ENOTDIR: say("Not a directory"),
    errno.EEXIST: say("File exists"),
    errno.ENOSPC: say("No space left on device"),
    errno.EROFS: say("Read-only file system"),
    errno.ENAMETOOLONG: say("File name too long"),
    errno.ELOOP: say("Too many levels of symbolic links"),
    errno.EBADF: say("it is closed"),
    errno.EIO: say("Input/output error"),
    errno.EPERM: say("Operation not permitted"),
    errno.EDQUOT: say("Disk quota exceeded"),
    errno.EMFILE: say("Too many open files"),
    errno.ECONNREFUSED: say("Connection refused"),
}


def reason(error: Exception) -> str:
    """The reason of an error of the system, else what the error says; what we said ourselves goes before.

    >>> reason(FileNotFoundError(errno.ENOENT, "any words"))
    'No such file or directory'
    """
    if not isinstance(error, OSError):
        return str(error)
    if isinstance(error.strerror, Said):
        return error.strerror
    return _KNOWN.get(error.errno or 0) or error.strerror or str(error)
