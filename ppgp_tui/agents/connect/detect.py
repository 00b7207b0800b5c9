"""Which agents are installed, and in which version.

The only thing ever run here is `AGENT --version`, with a time limit, in an empty folder, with next
to no environment, and never a program that lies in the repository itself.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.agents.adapters import NAMES, adapter
from ppgp_tui.agents.connect.targets import MANNERS

LIMIT_S: Final = 10.0
KNOWN: Final = (
    "~/.local/bin",
    "~/.claude/local",
    "~/.npm-global/bin",
    "~/.bun/bin",
    "~/.volta/bin",
    "/usr/local/bin",
    "/opt/homebrew/bin",
)
"""Where agents install themselves, beside what is on PATH."""

_PASSED: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.]+)?")
_MOST: Final = 4096


class Installed(NamedTuple):
    """An agent's program."""

    name: str
    program: Path
    version: str | None
    """None: it did not say."""


def installed(root: Path, environ: Mapping[str, str]) -> dict[str, Installed]:
    """The agents there is an adapter for, by our names."""
    found = {}
    for name in NAMES:
        program = find(MANNERS[name].program, root, environ)
        if program is not None:
            found[name] = Installed(name, program, version_of(program, environ))
    return found


def find(program: str, root: Path, environ: Mapping[str, str]) -> Path | None:
    """The first such program on PATH or in the known folders, outside `root`."""
    home = environ.get("HOME")
    is_repository = not home or not Path(home).is_relative_to(root)
    for folder in _folders(environ):
        path = folder / program
        if path.is_file() and os.access(path, os.X_OK):
            if is_repository and _is_inside(path, root):
                continue
            return path
    return None


def version_of(program: Path, environ: Mapping[str, str], limit_s: float = LIMIT_S) -> str | None:
    """What `PROGRAM --version` says; None when it fails, says no number or takes too long."""
    with tempfile.TemporaryDirectory(prefix="ppgp-tui-") as folder:
        try:
            process = subprocess.Popen(
                [program, "--version"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env=little(environ),
                start_new_session=True,
            )
        except OSError:
            return None
        try:
            said, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            end_group(process)
            return None
    found = _VERSION.search(said[:_MOST].decode("utf-8", "replace"))
    return found[0] if found and process.returncode == 0 else None


def compared(name: str, version: str | None) -> str:
    """How a version stands to the one everything was tried with: `tried`, `newer`, `older`, ``."""
    known = adapter(name)
    if known is None or version is None:
        return ""
    mine, theirs = _numbers(version), _numbers(known.tried)
    return "tried" if mine == theirs else "newer" if mine > theirs else "older"


def little(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables a program needs to run at all."""
    kept = {name: environ[name] for name in _PASSED if name in environ}
    return {"PATH": os.defpath, "TERM": "dumb", **kept}


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a program that was started in a session of its own, and all it started there."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=1)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _folders(environ: Mapping[str, str]) -> Iterator[Path]:
    for word in environ.get("PATH", os.defpath).split(os.pathsep):
        if word.startswith("/"):
            yield Path(word)
    home = environ.get("HOME", "")
    for word in KNOWN:
        if not word.startswith("~") or home:
            yield Path(word.replace("~", home, 1))


def _is_inside(path: Path, root: Path) -> bool:
    return any(Path(one).is_relative_to(root) for one in (path, os.path.realpath(path)))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])
