"""Which lines of the safe copy were cut out of the log: missing there and in no commit.

Git is asked while no lock is held; under the lock the answer is used only for lines it covers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import history, safecopy
from ppgp_tui.session.journal.log import Log
from ppgp_tui.session.journal.safecopy import Check, Verdict


@dataclass(frozen=True, slots=True)
class Cut:
    """What is missing from the log that we once wrote to it."""

    lines: tuple[bytes, ...] = ()
    """Cut lines, oldest first: they exist nowhere but in the safe copy."""
    committed: int = 0
    """Missing lines that a commit reachable from HEAD still has."""
    unknown: str = ""
    """Why Git could not be asked; then `lines` is empty and says nothing."""


def judge(root: Path, path: PurePosixPath, state: Folder, log: Log | None) -> Verdict:
    """Ask Git which of the missing lines were committed; no lock may be held.

    Raises `GitUnknownError` and OSError.
    """
    found = safecopy.check(state, log)
    if not found.missing:
        return Verdict(None)
    head = history.head(root)
    earlier = found.verdict
    if earlier is not None and earlier.head == head and found.missing.keys() <= earlier.asked:
        return earlier
    kept = history.committed(root, path, set(found.missing.values()))
    offsets = frozenset(at for at, raw in found.missing.items() if raw in kept)
    return Verdict(head, frozenset(found.missing), offsets)


def cut(found: Check, verdict: Verdict) -> Cut | None:
    """Apply Git's answer to a check; None when it does not cover every missing line."""
    if verdict.unknown:
        return Cut(unknown=verdict.unknown)
    if not found.missing.keys() <= verdict.asked:
        return None
    lines = [raw for at, raw in sorted(found.missing.items()) if at not in verdict.committed]
    return Cut(tuple(lines), len(found.missing) - len(lines))
