"""A real Git repository that no setting of whoever runs the tests can change."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.waiting import PATIENCE_S

_WHO = {
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.invalid",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.invalid",
}
_ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "LC_ALL": "C"}


class Repository:
    """A work tree, and Git in it."""

    def __init__(self, root: Path, *, init: bool = True) -> None:
        self.root = root
        if init:
            root.mkdir(exist_ok=True)
            self.git("init", "-q", "-b", "main")

    def run(self, *words: str, stdin: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
        """What `git WORDS` said and how it ended."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        return subprocess.run(
            ["git", "-C", str(self.root), *words],
            env=kept | _WHO | _ALONE | environ, input=stdin, capture_output=True, text=True,
            timeout=PATIENCE_S,
        )  # fmt: skip

    def git(self, *words: str, stdin: str = "", **environ: str) -> str:
        """What `git WORDS` printed; it must succeed."""
        done = self.run(*words, stdin=stdin, **environ)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file with its folders."""
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text if isinstance(text, bytes) else text.encode())
        return full

    def commit(self, message: str = "more", **environ: str) -> str:
        """Commit everything; the new commit's id."""
        self.git("add", "-A")
        self.git("commit", "-qm", message, **environ)
        return self.git("rev-parse", "HEAD").strip()
