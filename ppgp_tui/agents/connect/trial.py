"""Whether a hook command really runs: one harmless event, in a throw-away folder.

Every agent takes a hook that cannot run for a yes, so this is the time to find out.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ppgp_tui.agents.connect.detect import end_group

LIMIT_S: Final = 20.0
_EVENT: Final = "ppgp-tui trial"
"""No agent has such an event, so the hook looks at it and does nothing."""
_LEFT_OUT: Final = ("PPGP_ROOT", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR")


def trial(words: list[str], environ: Mapping[str, str], *, by_shell: bool = False) -> str | None:
    """Run a hook's command line as the agent will; return why it does not work, or None.

    `by_shell`: in the user's login shell. The command runs as strict, because otherwise it would
    pass over its own failing.
    """
    if "--strict" not in words:
        words = [*words, "--strict"]
    shell = environ.get("SHELL") or "/bin/sh"
    with tempfile.TemporaryDirectory(prefix="ppgp-tui-") as folder:
        Path(folder, ".ppgp").mkdir()
        event = {"hook_event_name": _EVENT, "session_id": "trial", "cwd": folder}
        return _run(
            [shell, "-lc", shlex.join(words)] if by_shell else words,
            json.dumps(event).encode(),
            folder,
            {name: value for name, value in environ.items() if name not in _LEFT_OUT},
        )


def _run(words: list[str], event: bytes, folder: str, environ: Mapping[str, str]) -> str | None:
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=dict(environ),
            start_new_session=True,
        )
    except OSError as error:
        return f"{words[0]} cannot be run: {(error.strerror or str(error)).lower()}"
    try:
        out, err = process.communicate(event, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        end_group(process)
        return f"it did not end within {LIMIT_S:g} s"
    if process.returncode:
        said = err.decode("utf-8", "replace").strip().splitlines()
        return f"it ended with {process.returncode}: {said[-1] if said else os.strerror(0)}"
    if out:
        return "something else is printed before the answer, perhaps by the profile of your shell"
    return None
