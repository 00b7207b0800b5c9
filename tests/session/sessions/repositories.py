"""Repositories with a session in each, and a row to compare with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ppgp_tui.session.picture.glance import Glance
from ppgp_tui.session.sessions.known import path_key
from ppgp_tui.session.sessions.row import SessionRow
from tests.session.status.reading import DOCUMENT, LOG, NOW, git, write
from tests.session.status.test_log import line


@dataclass
class Repositories:
    """A folder with repositories, and the environment of their user."""

    folder: Path
    environ: dict[str, str]

    def make(self, name: str, goal: str = "Resume after a kill", branch: str = "main") -> Path:
        """A repository with a goal and an empty log, committed."""
        root = self.folder / name
        root.mkdir(parents=True)
        git(root, "init", "-q", "-b", branch)
        write(root, DOCUMENT, f"# ACTIVE_GOAL\n\n## GOAL\n\n{goal}\n\n## PHASE\n\nEXECUTE\n")
        write(root, LOG, b"")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "x")
        return root

    def worktree(self, of: Path, name: str) -> Path:
        """A further work tree of the repository `of`, on a branch of that name."""
        path = self.folder / name
        git(of, "worktree", "add", "-q", "-b", name, str(path))
        return path


def asked(request: str = "req_" + "1" * 32, **members: object) -> bytes:
    """A log line that asks a person."""
    said = {"question": "Publish 0.2.0?", "kind": "question", "class": "C", "created_ms": NOW}
    digest = "sha256:" + "a" * 64
    payload = {"id": request, "request": {**said, **members}, "digest": digest}
    return line("authority.requested", payload, NOW)


def log(root: Path, *lines: bytes) -> None:
    """Append `lines` to the log of `root`."""
    with (root / LOG).open("ab") as file:
        file.writelines(lines)


_NOTHING = Glance(
    run="none", run_since_ms=None, agents_in_run=0, agents=0, needs=0, needs_oldest_ms=None,
    blockers=0, audit=None, phase=None, phase_inferred=False, done=0, claimed=0, total=0,
    last_event_ms=None,
)  # fmt: skip


def row(path: str = "/src/a", **glance: object) -> SessionRow:
    """A row of which the glance says only what is given."""
    seen = _NOTHING._replace(**glance)  # type: ignore[arg-type]
    return SessionRow(path_key(path), path, "known", "main", "A goal", seen, NOW)
