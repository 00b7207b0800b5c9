"""Addresses behind words on the screen (OSC 8): files here, commits at a known forge.

Only two kinds of address are ever made, and every part that comes from a file is percent-encoded,
so that nothing in it can end the escape code or lead elsewhere.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import quote

_FORGES = {
    "github.com": "commit",
    "gitlab.com": "-/commit",
    "codeberg.org": "commit",
    "bitbucket.org": "commits",
    "git.sr.ht": "commit",
}
"""Forges by host, and where below a repository they show a commit."""
_REMOTE = re.compile(
    r"(?:(?:https?|ssh|git)://(?:[^@/\s]+@)?(?P<host>[A-Za-z0-9.-]+)(?::\d+)?/"
    r"|(?:[^@/\s:]+@)?(?P<scp>[A-Za-z0-9.-]+):(?!/))"
    r"(?P<path>[A-Za-z0-9_.~/-]+?)(?:\.git)?/?"
)
_HASH = re.compile(r"[0-9a-f]{7,64}")


class Links(NamedTuple):
    """Makes addresses for one repository."""

    root: str
    """Its absolute path."""
    host: str = ""
    """Name of this machine: a terminal elsewhere then knows that the file is not there."""
    web: str = ""
    """Address below which commits are shown; see `commits_at`."""

    def address(self, target: str) -> str:
        """The address of `file:PATH` or `commit:HASH`; empty where there is none.

        A path is relative to the root; one that leads out of it has no address.
        """
        kind, _, name = target.partition(":")
        if kind == "file":
            return self._file(name)
        if kind == "commit" and self.web and _HASH.fullmatch(name):
            return f"{self.web}/{name}"
        return ""

    def _file(self, name: str) -> str:
        path = PurePosixPath(name)
        if not name or "\0" in name or path.is_absolute() or ".." in path.parts:
            return ""
        full = str(PurePosixPath(self.root) / path)
        return f"file://{quote(self.host, safe='')}{quote(full, safe='/', errors='replace')}"


def commits_at(remote: str) -> str:
    """Where the forge of a Git remote shows commits, without any password; empty if unknown."""
    found = _REMOTE.fullmatch(remote.strip())
    host = (found["host"] or found["scp"]).lower() if found else ""
    if found is None or host not in _FORGES:
        return ""
    parts = found["path"].strip("/").split("/")
    if len(parts) < 2 or any(part in ("", ".", "..") for part in parts):
        return ""
    return f"https://{host}/{quote('/'.join(parts), safe='/~')}/{_FORGES[host]}"
