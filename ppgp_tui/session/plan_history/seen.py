"""Which revision of the plan a person looked at last: `seen.json` in the user's folder of the root.

Never in the repository. A second app that looks at the same root writes the same file, so what is
written is what was read last with the newer look put in, under a lock.
"""

from __future__ import annotations

import fcntl
import json
from pathlib import Path
from typing import Any, Final, NamedTuple

from ppgp_tui.session.files.own import read_at_once
from ppgp_tui.session.files.places import root_folder
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.members import text, whole
from ppgp_tui.session.plan_history.history import PlanHistory
from ppgp_tui.session.plan_history.revision import Revision

FILE: Final = "seen.json"
_LARGEST: Final = 64 * 1024


class Looked(NamedTuple):
    """A look at the plan: which revision it was, and when."""

    number: int | None
    digest: str
    """16 hex digits of the plan's digest; empty where it has none."""
    at_ms: int

    @classmethod
    def at(cls, revision: Revision, at_ms: int) -> Looked:
        """A look at `revision`."""
        return cls(revision.number, revision.digest, at_ms)

    def place(self, history: PlanHistory) -> int | None:
        """Where that revision is in `history`; None where it is not there, or is another one."""
        revisions = history.revisions
        if self.number is not None:
            return revisions.numbered(self.number, self.digest)
        if not self.digest:
            return None
        found = (at for at in range(len(revisions) - 1, -1, -1) if self._is(revisions[at]))
        return next(found, None)

    def _is(self, revision: Revision) -> bool:
        return revision.digest == self.digest


def last_looked(root: Path) -> Looked | None:
    """The last look at the plan of `root`; None where there was none, or nobody can tell."""
    try:
        return _looked(json.loads(read_at_once(root_folder(root) / FILE, _LARGEST)))
    except (OSError, ValueError, RecursionError):
        return None


def keep_looked(root: Path, looked: Looked) -> Looked:
    """Remember `looked` unless a newer look is remembered; return the one that is.

    Raises OSError where the user's folder cannot be written.
    """
    path = root_folder(root)
    anchor, parts = path.parents[2], path.parts[-3:]
    anchor.mkdir(0o700, parents=True, exist_ok=True)
    with Folder.open(anchor, *parts, create=True) as folder:
        fcntl.flock(folder.descriptor, fcntl.LOCK_EX)  # given back with the descriptor
        said = _said(folder)
        known = _looked(said)
        if known is not None and known.at_ms >= looked.at_ms:
            return known
        plan = {"revision": looked.number, "digest": looked.digest, "at_ms": looked.at_ms}
        data = json.dumps({**said, "schema": 1, "plan": plan}, separators=(",", ":"))
        folder.publish(FILE, data.encode() + b"\n")
    return looked


def _said(folder: Folder) -> dict[str, Any]:
    """Everything in the file; nothing where it is missing or damaged."""
    try:
        said = json.loads(folder.read(FILE))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _looked(said: Any) -> Looked | None:
    plan = said.get("plan") if isinstance(said, dict) else None
    if not isinstance(plan, dict):
        return None
    at_ms = whole(plan.get("at_ms"))
    if at_ms is None:
        return None
    return Looked(whole(plan.get("revision")), text(plan.get("digest")), at_ms)
