"""Where the real agents come from: npm, by package name and pinned, outside this repository."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

GIVEN = "PPGP_E2E_AGENTS"
"""The variable that names a folder with the agents in it, as npm has put them there."""
PACKAGES = {
    "claude": "@anthropic-ai/claude-code@2.1.197",
    "codex": "@openai/codex@0.171.0",
    "gemini": "@google/gemini-cli@0.61.0",
    "pi": "@earendil-works/pi-coding-agent@0.74.2",
}
LIMIT_S = 300

_PROGRAMS = {
    "claude": "@anthropic-ai/claude-code-linux-*/claude",
    "codex": "@openai/codex-linux-*/vendor/*/bin/codex",
    "gemini": "@google/gemini-cli/bundle/gemini.js",
    "pi": "@earendil-works/pi-coding-agent/dist/cli.js",
}
"""Below `node_modules`: the program itself, where the package brings one for this machine."""


class MissingError(Exception):
    """The agents cannot be had here; the message says why."""


def install(folder: Path) -> None:
    """Install the agents into `folder`. Raises `MissingError`."""
    npm = shutil.which("npm")
    if npm is None:
        raise MissingError("npm is not installed")
    words = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", *PACKAGES.values()]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        raise MissingError(f"npm did not install them within {LIMIT_S} s") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or ["npm said nothing"]
        raise MissingError(f"npm could not install them: {lines[0]}")


def program(name: str, environ: Mapping[str, str] = os.environ) -> Path | None:
    """The program of that agent in the folder that `GIVEN` names."""
    modules = Path(environ.get(GIVEN, "")) / "node_modules"
    return next(iter(modules.glob(_PROGRAMS[name])), None) if environ.get(GIVEN) else None
