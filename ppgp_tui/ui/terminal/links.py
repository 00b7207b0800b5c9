"""Addresses behind words on the screen (OSC 8): files here, commits at a known forge.

Only two kinds of address are ever made, and every part that comes from a file is percent-encoded,
so that nothing in it can end the escape code or lead elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
    """Where the terminal finds this machine's files, as it stands in an address; see `host_of`."""
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
        return f"file://{self.host}{quote(full, safe='/', errors='replace')}"


def host_of(environ: Mapping[str, str], machine: str) -> str:
    """The host that an address of a file names, percent-encoded.

    It is the machine, so that a terminal elsewhere knows that the file is not there. VS Code takes
    a host for a folder, and looks for files where its shell is anyway. Windows Terminal opens
    files of Windows, to which those of WSL are a share.
    """
    if environ.get("TERM_PROGRAM") == "vscode":
        return ""
    if environ.get("WT_SESSION") and not environ.get("SSH_CONNECTION"):
        share = environ.get("WSL_DISTRO_NAME", "")
        return f"wsl.localhost/{quote(share, safe='')}" if share else ""
    return quote(machine, safe="") if machine.isascii() else ""


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
