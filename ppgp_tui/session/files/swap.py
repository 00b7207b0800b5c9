"""Replacing a file that others write too, without losing what they wrote in the meantime.

The new file and the old one change places in one step, so whatever stood there is still in our
hands afterwards. Is it not what we had read, the two change places again.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import time
from typing import Final

from ppgp_tui.session.files.safe import Folder

_SETTLE_S: Final = 0.01
"""A writer that opened the old file just before may still be writing to it."""
_NOT_HERE: Final = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM)


def replace_known(folder: Folder, name: str, known: bytes, new: bytes, *, mode: int) -> bool:
    """Put `new` at `name` if it still holds `known`; return whether it did.

    Others may write as they like; of those who call this, only one at a time (the journal's lock).
    Raises OSErrors, among them `UnsafePathError` for a link. Where the file system cannot exchange
    two files, a write in the same instant can be lost.
    """
    if folder.read(name) != known:
        return False
    temp = folder.temporary(name, new, mode=mode)
    try:
        if not _exchange(folder, temp, name):
            if folder.read(name) != known:
                return False
            os.replace(temp, name, src_dir_fd=folder.descriptor, dst_dir_fd=folder.descriptor)
            return True
        # At once, so that nobody reads ours in place of theirs; and again for a slow writer.
        if _content(folder, temp) == known:
            time.sleep(_SETTLE_S)
            if _content(folder, temp) == known:
                return True
        _put_back(folder, temp, name, new)
        return False
    finally:
        folder.remove(temp)
        folder.sync()


def _put_back(folder: Folder, temp: str, name: str, new: bytes) -> None:
    """Exchange until only what we know comes out: the newest of somebody else's stays at `name`."""
    there: bytes | None = new
    out = _content(folder, temp)
    while True:
        _exchange(folder, temp, name)
        left, there = there, out
        out = _content(folder, temp)
        if out == left:
            return


def _content(folder: Folder, name: str) -> bytes | None:
    """What the file holds; None for a link and whatever else nobody should read."""
    try:
        return folder.read(name)
    except OSError:
        return None


def _exchange(folder: Folder, one: str, other: str) -> bool:
    """Let two files of a folder change places at once; False where that cannot be done."""
    system = ctypes.CDLL(None, use_errno=True)
    call = getattr(system, "renameatx_np" if sys.platform == "darwin" else "renameat2", None)
    if call is None:
        return False
    here, exchange = folder.descriptor, 2  # RENAME_EXCHANGE, and RENAME_SWAP of macOS
    call.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    if call(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0:
        return True
    error = ctypes.get_errno()
    if error in _NOT_HERE:
        return False
    raise OSError(error, os.strerror(error), str(folder.path / other))
