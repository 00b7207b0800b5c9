"""Where files and commits are, found out beside the screen once its first picture is painted."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from threading import Thread

from ppgp_tui.ui.terminal.links import Links, commits_at, host_of


def find_links(root: Path, found: Callable[[Links], None]) -> None:
    """Find out the addresses for the repository at `root`; `found` is called from a thread."""
    Thread(target=lambda: found(links_of(root)), name="links", daemon=True).start()


def links_of(root: Path) -> Links:
    """Addresses for the repository at `root`; Git is asked for its remote, and touches nothing."""
    from ppgp_tui.session.git import GitUnknownError, ask

    try:
        said = ask(root, "config", "--get", "remote.origin.url", limit_s=5.0)
        remote = said.text if said.code == 0 else ""
    except GitUnknownError:
        remote = ""
    return Links(str(root), host_of(os.environ, socket.gethostname()), commits_at(remote))
