"""The demo's Git repository: made without anybody's identity or settings."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path


class Repository:
    """A work tree. Where git is not installed it is a plain folder, and nothing is committed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._git = shutil.which("git")

    def begin(self) -> None:
        """Make it, with nothing in it yet."""
        self.root.mkdir(parents=True, exist_ok=True)
        self._run("init", "--quiet")
        self._run("symbolic-ref", "HEAD", "refs/heads/main")

    def branch(self, name: str) -> None:
        """Go on in a new branch that follows main."""
        self._run("checkout", "--quiet", "-b", name)
        self._run("branch", "--quiet", "--set-upstream-to=main")

    def write(self, path: str, text: str, ts_ms: int) -> None:
        """Replace one file, as of `ts_ms`; a reader never sees half of it."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(target.name + ".new")
        fresh.write_text(text, "utf-8")
        os.utime(fresh, ns=(ts_ms * 1_000_000, ts_ms * 1_000_000))
        fresh.replace(target)

    def commit(self, message: str, who: str, ts_ms: int) -> None:
        """Commit everything that is not ignored."""
        self._run("add", "--all")
        self._run("commit", "--quiet", "--no-verify", "--message", message, who=who, ts_ms=ts_ms)

    def _run(self, *words: str, who: str = "demo", ts_ms: int = 0) -> None:
        if self._git is None:
            return
        when = f"@{ts_ms // 1000} +0000"
        person = {"NAME": who, "EMAIL": f"{who}@demo.invalid", "DATE": when}
        signed = {
            f"GIT_{role}_{key}": value
            for role in ("AUTHOR", "COMMITTER")
            for key, value in person.items()
        }
        plain = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        inherited = {name: value for name, value in os.environ.items() if name[:4] != "GIT_"}
        subprocess.run(
            [self._git, "-C", str(self.root), *words],
            check=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=30,
            env={**inherited, **plain, **signed},
        )
