"""A person's things, with a repository among them, and what can be told of them afterwards.

`SECRET` stands in everything that a command of an audit may not read, and nowhere else.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ppgp_tui.audit import command
from ppgp_tui.audit.judge import Ran
from ppgp_tui.audit.sandbox import Limits
from tests.waiting import PATIENCE_S

SECRET = "correct-horse-battery-staple"
ESCAPED = "ESCAPED"
"""What an attack prints when it has reached what it should not."""
MIB = 1024 * 1024
TIGHT = Limits(seconds=20, output=MIB, memory=256 * MIB, processes=64, disk=32 * MIB, files=1_000)
PYTHON = os.path.realpath(sys.executable)
PATH = f"{Path(PYTHON).parent}:/usr/bin:/bin"
_COMMIT = "git -c user.name=x -c user.email=x commit -qam x"
_PRIVATE = (
    ".ssh/id_ed25519", ".config/gh/hosts.yml", ".claude/.credentials.json", ".codex/auth.json",
    ".netrc", ".bash_history", "notes/diary.txt", ".local/share/ppgp-tui/authority/key",
    ".local/state/ppgp-tui/roots/0123456789abcdef/trusted.json", ".config/ppgp-tui/config.toml",
)  # fmt: skip


class Victim:
    """A home with secrets in it, and a repository with uncommitted changes in that."""

    def __init__(self, place: Path, name: str = "a project (é)") -> None:
        self.home = place / "home"
        self.root = self.home / name
        for private in _PRIVATE:
            _write(self.home / private, SECRET)
        self.environ = {"PATH": PATH, "HOME": str(self.home), "API_TOKEN": SECRET}
        _write(self.root / "README.md", "a project\n")
        _write(self.root / "tools/run.sh", "#!/bin/sh\necho ran\n")
        (self.root / "tools/run.sh").chmod(0o755)
        _write(self.root / "odd\nname", "two lines\n")
        _write(self.root / ".ppgp/run/answers/one.json", SECRET)
        self.git("init", "-q", "-b", "main")
        self.git("add", "README.md", "tools")
        self.git("commit", "-q", "-m", "Begin")
        _write(self.root / "README.md", "a project, changed\n")

    def git(self, *words: str) -> str:
        """Ask Git for something in the repository."""
        own = ("-c", "user.name=Dev", "-c", "user.email=dev@example.org")
        done = subprocess.run(
            ["git", *own, *words], cwd=self.root, env=self.environ, check=True, capture_output=True
        )
        return done.stdout.decode()

    def runs(
        self,
        *argv: str,
        limits: Limits = TIGHT,
        cancelled: Callable[[], bool] = lambda: False,
        on_output: Callable[[bytes], None] = lambda _: None,
    ) -> Ran:
        """Run a command as an audit does."""
        return command.run(
            self.root, argv, limits, self.environ, cancelled=cancelled, on_output=on_output
        )

    def runs_python(self, script: str, limits: Limits = TIGHT) -> Ran:
        """Run a script as an audit does; it knows where everything is."""
        return self.runs(PYTHON, "-c", self.script(script), limits=limits)

    def script(self, text: str) -> str:
        """A script that knows where the person's things are."""
        known = f"ROOT, HOME, HOST = {str(self.root)!r}, {str(self.home)!r}, {os.getpid()}\n"
        known += f"COMMIT = {_COMMIT!r}\n"
        return "import os, sys\n" + known + text + "\nprint('TRIED', flush=True)\n"

    def digest(self) -> str:
        """Of everything in the home: names, kinds, modes, times, contents."""
        return digest(self.home)


def digest(folder: Path) -> str:
    """Of all that is in a folder; nothing changes without changing it."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        facts = path.lstat()
        said = (str(path), stat.filemode(facts.st_mode), facts.st_mtime_ns, facts.st_nlink)
        found.update(repr(said).encode())
        if stat.S_ISREG(facts.st_mode):
            found.update(path.read_bytes())
        elif stat.S_ISLNK(facts.st_mode):
            found.update(os.fsencode(path.readlink()))
    return found.hexdigest()


def is_running(mark: str) -> bool:
    """Whether any process has these words in its command line."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in words and int(folder.name) != os.getpid():
            return True
    return False


def lasting_copies() -> set[Path]:
    """Copies of work trees on the disk that do not go away; those of other tests do."""
    waiting_for = set(Path("/tmp").glob("ppgp-audit-*"))
    until = time.monotonic() + PATIENCE_S
    while waiting_for and time.monotonic() < until:
        waiting_for = {one for one in waiting_for if one.exists()}
        time.sleep(0.02)
    return waiting_for


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
