"""`make e2e`: the real agents, offline, under the hands of the real app.

Installs Claude Code, Codex, Gemini CLI and Pi from npm into a scratch folder, unless
PPGP_E2E_AGENTS names one that has them. Everything after that happens without a network: the model
is `model.py`, and where the system allows it the tests run in a network namespace with nothing in
it but the loopback. Words that are given are passed on to pytest.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.e2e.real import agents
from tests.e2e.terminal import REPOSITORY

_ALONE = (
    "unshare",
    "--map-root-user",
    "--net",
    "--mount",
    "sh",
    "-c",
    'ip link set lo up && exec "$@"',
    "sh",
)


def main(words: list[str]) -> int:
    """Run the tests; 0 where they cannot be run here."""
    if shutil.which("tmux") is None:
        _say("skipped: tmux is not installed")
        return 0
    if os.environ.get(agents.GIVEN):
        return _run(words, os.environ[agents.GIVEN])
    with tempfile.TemporaryDirectory(prefix="ppgp-tui-e2e-") as folder:
        _say(f"installing {', '.join(agents.PACKAGES.values())} into {folder}")
        try:
            agents.install(Path(folder))
        except agents.MissingError as error:
            _say(f"skipped: {error}")
            return 0
        return _run(words, folder)


def _run(words: list[str], folder: str) -> int:
    alone = _ALONE if _may_be_alone() else ()
    if not alone:
        _say("the network stays within reach: network namespaces are not allowed here")
    pytest = [sys.executable, "-m", "pytest", "-n", "2", "tests/e2e/real", *words]
    environ = {**os.environ, agents.GIVEN: str(Path(folder).resolve())}
    return subprocess.run([*alone, *pytest], cwd=REPOSITORY, env=environ).returncode


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _may_be_alone() -> bool:
    try:
        return subprocess.run([*_ALONE, "true"], capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
