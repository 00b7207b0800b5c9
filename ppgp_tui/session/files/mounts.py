"""Whether a file system tells of changes that others make, by the kind of its mount."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

_DEAF: Final = frozenset(
    {
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "glusterfs", "lustre",
        "9p", "drvfs", "vboxsf", "vmhgfs", "virtiofs", "prl_fs", "osxfs", "fakeowner", "grpcfuse",
        "fuse",
    }
)  # fmt: skip
"""Network mounts, and folders that a virtual machine or container shares with its host."""

_MOUNTS: Final = Path("/proc/self/mountinfo")
_OCTAL = re.compile(r"\\([0-7]{3})")


def deaf_mount(path: Path) -> str | None:
    """The kind of the mount at `path` if it does not tell of others' changes, else None."""
    try:
        table = _MOUNTS.read_text("utf-8", "surrogateescape")
    except OSError:
        return None
    kind = mount_kind(table, os.path.realpath(path))
    return kind if kind in _DEAF or kind.startswith("fuse.") else None


def mount_kind(table: str, path: str) -> str:
    """The file system that holds `path`, from the text of `mountinfo`; empty when unknown.

    The mount with the longest path counts, of several on one path the last.
    """
    best, kind = -1, ""
    for line in table.splitlines():
        left, _, right = line.partition(" - ")
        fields = left.split(" ")
        if len(fields) < 5 or not right:
            continue
        point = _OCTAL.sub(lambda code: chr(int(code[1], 8)), fields[4])
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= best:
            best, kind = len(point), right.split(" ", 1)[0]
    return kind
