"""A user with a repository and agents that are but shell scripts."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from tests.cli.acting import Place
from tests.cli.running import Said


class Connected:
    """The place, with a home folder of its own and `bin` in front of everything on PATH."""

    def __init__(self, place: Place, folder: Path) -> None:
        self.place = place
        self.root = place.root
        self.home = folder / "home it is"
        self.bin = folder / "bin"
        for one in (self.home, self.bin):
            one.mkdir()
        python = Path(sys.executable).parent
        self.environ = {
            "HOME": str(self.home),
            "PATH": f"{self.bin}{os.pathsep}{python}{os.pathsep}/usr/bin{os.pathsep}/bin",
            "SHELL": "/bin/sh",
            "XDG_DATA_HOME": str(folder / "the data"),
            "CLAUDE_CONFIG_DIR": "",
            "CODEX_HOME": "",
        }
        self.data = folder / "the data" / "ppgp-tui"
        self.local = self.root / ".claude" / "settings.local.json"
        self.user = self.home / ".claude" / "settings.json"
        self.codex = self.root / ".codex" / "hooks.json"

    def act(self, *words: object) -> Said:
        return self.place.act(*words, environ=self.environ)

    def json(self, *words: object) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.act(*words, "--json").out)
        return said

    def agent(self, name: str, script: str) -> Path:
        """A program of that name on PATH."""
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    def write(self, path: Path, text: str, mode: int = 0o644) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        path.chmod(mode)
        return path
