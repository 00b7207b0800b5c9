"""The files beside the log that the checks of GASP read (reference section 2)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ppgp_tui.session.live.watch import Concern

_ENTRIES: Final = 200
"""Files of identity and snapshots of which changes are noticed at once."""


def conformance_files(root: Path) -> Concern:
    """All of them, Git's left out."""
    manifest, snapshots = manifest_files(root), snapshot_files(root)
    journals = (root / "JOURNAL.md", root / "journal/JOURNAL.md")
    files = (*manifest.files, *snapshots.files, *journals)
    return Concern(files, (*manifest.folders, *snapshots.folders))


def manifest_files(root: Path) -> Concern:
    """What checks 3 and 6 read beside the log."""
    identity = root / "identity"
    files = (root / "AGENT.md", root / "IDENTITY.md", *_below(identity))
    return Concern(files, (identity, root / ".agent/packs"))


def snapshot_files(root: Path) -> Concern:
    """What check 2 reads beside the log."""
    folder = root / "snapshots"
    try:
        kept = sorted(folder.iterdir())[:_ENTRIES]
    except OSError:
        return Concern((), (folder,))
    return Concern(tuple(one / "graph.json" for one in kept), (folder,))


def _below(folder: Path) -> Iterator[Path]:
    """Files and folders below `folder`, the first of them."""
    count = 0
    for path, folders, files in os.walk(folder):
        for name in (*folders, *files):
            if (count := count + 1) > _ENTRIES:
                return
            yield Path(path, name)
