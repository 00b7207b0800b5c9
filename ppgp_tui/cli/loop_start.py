"""Starting a restart loop from the app: in a window of its own in tmux, or beside the terminal."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ppgp_tui.session.engine.result import Result

if TYPE_CHECKING:
    from subprocess import Popen

LIMIT_S: Final = 5.0
LOOK_S: Final = 1.0
"""So long it is looked whether a loop is refused at once."""
_STAYS: Final = (
    '"$@"; code=$?; printf "\\nThe loop ended, exit code %s. Enter closes this window. " "$code";'
    " read -r _"
)
_PASSED: Final = (
    "PATH", "PPGP_ROOT", "BROOMVA_PERSIST_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
    "XDG_DATA_HOME",
)  # fmt: skip
_NAME = re.compile(r"[^\w.-]+", re.ASCII)


def start_loop(
    root: Path, options: Sequence[str], environ: Mapping[str, str] | None = None
) -> Result:
    """Start `persist iterate` with `options` in `root`. See `Crew.start_loop`."""
    from ppgp_tui.agents.connect.steps import own_program

    environ = os.environ if environ is None else environ
    words = [*own_program(), "persist", "iterate", *options]
    try:
        if environ.get("TMUX"):
            return _in_window(root, words, environ)
        return _beside(root, words, environ)
    except (OSError, subprocess.SubprocessError) as error:
        return Result("persist.start", "refused", f"the loop could not be started: {error}")


def _in_window(root: Path, words: Sequence[str], environ: Mapping[str, str]) -> Result:
    """A window that stays until the person has read how the loop ended."""
    prompt = root / words[-1]
    name = prompt.parent.name if prompt.name == "PROMPT.md" and prompt.parent.name else prompt.stem
    name = f"loop-{_NAME.sub('-', name)}"
    # A window gets the environment of the tmux server, which may be another one.
    ours = [f"-e{name}={environ[name]}" for name in _PASSED if name in environ]
    subprocess.run(
        ["tmux", "new-window", "-d", "-n", name, "-c", str(root), *ours, "--",
         "/bin/sh", "-c", _STAYS, "persist", *words],
        capture_output=True, text=True, timeout=LIMIT_S, check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return Result("persist.start", "done", f"the loop runs in the tmux window {name}")


def _beside(root: Path, words: Sequence[str], environ: Mapping[str, str]) -> Result:
    """A process of its own session; it goes on when this terminal is closed."""
    output = _output_file(root)
    with open(output, "xb", opener=_private) as file:
        process = subprocess.Popen(
            words, cwd=root, env=dict(environ), stdin=subprocess.DEVNULL, stdout=file,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    code = _ended(process)
    if code is None:
        said = f"the loop runs beside this terminal (process {process.pid}), output in {output}"
        return Result("persist.start", "done", said)
    said = _last_line(output) or f"it ended at once with exit code {code}, see {output}"
    return Result("persist.start", "done" if code == 0 else "refused", said)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _ended(process: Popen[bytes]) -> int | None:
    try:
        return process.wait(LOOK_S)
    except subprocess.TimeoutExpired:
        return None


def _output_file(root: Path) -> Path:
    from ppgp_tui.session.files.places import root_folder

    folder = root_folder(root) / "loops"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 1_000_000_000:09}.txt"


def _last_line(output: Path) -> str:
    lines = output.read_bytes()[-4_096:].decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""
