"""Runs a command in a throw-away copy of a work tree, where there is no sandbox. A script.

It gets JSON on its standard input, which stays open: when that ends, whoever started it is gone or
does not want the command any more. Then, and when the command is over, everything that the command
started is killed and the copy is removed. Standard library only.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

ADOPT = 36
"""Linux's PR_SET_CHILD_SUBREAPER: orphans of the command become children of this process."""
FAILED = 125


def main() -> int:
    """Read what to do, do it, clean up; the exit code is the command's."""
    said = json.loads(sys.stdin.buffer.readline())
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)
    place = Path(tempfile.mkdtemp(prefix="ppgp-audit-"))
    try:
        return _run(said, place)
    finally:
        _kill_below()
        shutil.rmtree(place, ignore_errors=True)


def _run(said: dict[str, object], place: Path) -> int:
    tree, home = place / "tree", place / "home"
    home.mkdir()
    copied = subprocess.Popen(
        ["cp", "-a", "--", str(said["root"]), str(tree)], stdin=subprocess.DEVNULL
    )
    if _wait(copied) != 0:
        return FAILED
    environ = {**said["environ"], "HOME": str(home), "TMPDIR": str(home)}  # type: ignore[dict-item]
    argv = [str(word) for word in said["argv"]]  # type: ignore[attr-defined]
    try:
        child = subprocess.Popen(
            argv, cwd=tree, env=environ, stdin=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as error:
        sys.stdout.write(f"{argv[0]}: {error.strerror}\n")
        return 127
    return _wait(child)


def _wait(child: subprocess.Popen[bytes]) -> int:
    """Wait for the end of the child, or of whoever started this."""
    while child.poll() is None:
        ready, _, _ = select.select([sys.stdin], [], [], 0.05)
        if ready and not os.read(sys.stdin.fileno(), 4096):
            child.kill()
            child.wait()
            return FAILED
    code = child.returncode
    return code if code >= 0 else 128 - code


def _kill_below() -> None:
    """Kill every process that descends from this one, until none is left."""
    for _ in range(50):
        below = [*_children(os.getpid())]
        if not below:
            return
        for pid in below:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _children(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            stat = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            parents.setdefault(int(stat[1]), []).append(int(folder.name))
    found, waiting = [], [pid]
    while waiting:
        below = parents.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


if __name__ == "__main__":
    sys.exit(main())
