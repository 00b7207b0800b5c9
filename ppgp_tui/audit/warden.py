"""Starts one program of an audit and leaves nothing of it behind, whatever becomes of its asker.

A script, standard library only. Its standard input is a socket: on it comes one line of JSON that
says what to run, and on it goes back one that says how it ended. When the other end is closed,
whoever started this is gone or does not want the program any more. Then, and when the program is
over, everything that it started is killed, and the copy of the work tree, if there is one, removed.
"""

from __future__ import annotations

import base64
import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, TypedDict

ADOPT = 36
"""Linux's PR_SET_CHILD_SUBREAPER: orphans of the program become children of this process."""
BEGAN = 3
"""What a sandbox writes to this descriptor shows that the program was about to start."""
TREE, WHOLE = 4, 5
"""Where a sandbox reads the work tree from, as a tar archive, and then that this was all of it."""
FILES = 6
"""Where the first of the files that a sandbox is given can be read; the others follow."""


_groups: list[int] = []
"""Of processes, one for each program that was started."""
_RESERVED = range(BEGAN, FILES + 32)


class Job(TypedDict):
    """What to run."""

    argv: list[str]
    environ: dict[str, str]
    given: str
    """For its standard input, in base64."""
    root: str | None
    """The work tree to copy; None: there is nothing to copy."""
    left_out: list[str]
    """Paths in it that are not copied into a sandbox."""
    names: list[str]
    """Paths of the files in the HOME of a program without a sandbox."""
    files: list[str]
    """What is in them, in base64."""
    sandbox: bool
    """`argv` is bubblewrap with its arguments."""


Report = dict[str, Any]
"""`ended` (`exited`, `signal`, `unborn`, `cancelled`), then `code` or `why`."""


class UnbornError(Exception):
    """Why the program was not started."""


class GoneError(Exception):
    """Nobody wants it any more."""


def main() -> None:
    """Read what to do, do it, clean up, say how it ended."""
    for number in _RESERVED:
        os.dup2(0, number, inheritable=False)
    with os.fdopen(os.dup(0), "rb", buffering=0) as asked:
        line = b""
        while not line.endswith(b"\n"):
            more = asked.read(65536)
            if not more:
                return
            line += more
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)
    said: Job = json.loads(line)
    try:
        report = _sandboxed(said) if said["sandbox"] else _in_a_copy(said)
    except UnbornError as error:
        report = {"ended": "unborn", "why": str(error)}
    except GoneError:
        report = {"ended": "cancelled"}
    with suppress(OSError):
        os.write(0, json.dumps(report).encode() + b"\n")


def _sandboxed(said: Job) -> Report:
    """The program is bubblewrap, and all that it starts ends with it."""
    began, mark = os.pipe()
    given: dict[int, int] = {BEGAN: mark}
    for at, words in enumerate(said["files"]):
        given[FILES + at] = _holding(words)
    tar, whole = None, None
    if said["root"] is not None:
        tar, given[TREE] = _archive(said["root"], said["left_out"])
        given[WHOLE], whole = os.pipe()
    try:
        child = _start(said, "/", given)
        if tar is not None and whole is not None:
            _hand_over(tar, whole, child)
        ended = _wait(child)
        os.set_blocking(began, False)
        try:
            if os.read(began, 1):
                return ended
        except BlockingIOError:
            pass
        raise UnbornError("the sandbox did not start" if tar is None else "the work tree does not "
                          "fit into the copy that it would run in")  # fmt: skip
    finally:
        _kill_below()


def _archive(root: str, left_out: list[str]) -> tuple[subprocess.Popen[bytes], int]:
    """The work tree as a tar archive, read from the real one and never written to."""
    words = [f"--exclude=./{name}" for name in left_out]
    tar = subprocess.Popen(
        ["tar", "-C", root, "--anchored", "--no-wildcards", "--sparse", *words, "-cf", "-", "."],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert tar.stdout is not None
    return tar, tar.stdout.fileno()


def _hand_over(tar: subprocess.Popen[bytes], whole: int, child: subprocess.Popen[bytes]) -> None:
    """Say that the copy is whole when it is; a file that changes meanwhile makes it no less so."""
    assert tar.stdout is not None
    tar.stdout.close()
    made = _wait(tar, child)
    if made["ended"] == "exited" and made["code"] in (0, 1):
        with suppress(BrokenPipeError):
            os.write(whole, b"whole\n")
    os.close(whole)
    if made["ended"] == "exited" and made["code"] not in (0, 1):
        raise UnbornError("the work tree cannot be copied: it has files that cannot be read")


def _in_a_copy(said: Job) -> Report:
    """Without a sandbox: in a copy on the disk, with the given files in a HOME of its own."""
    place = Path(tempfile.mkdtemp(prefix="ppgp-audit-"))
    try:
        tree, home = place / "tree", place / "home"
        home.mkdir()
        words = ["cp", "-a", "--", str(said["root"]), str(tree)]
        if _wait(subprocess.Popen(words, stdin=subprocess.DEVNULL))["code"] != 0:
            raise UnbornError("the work tree cannot be copied")
        if (tree / ".git").is_file():
            (tree / ".git").unlink()  # it names the real repository, which Git would write to
        for name, words64 in zip(said["names"], said["files"], strict=True):
            (home / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            (home / name).touch(mode=0o600)
            (home / name).write_bytes(base64.b64decode(words64))
        said["environ"] |= {"HOME": str(home), "TMPDIR": str(home)}
        return _wait(_start(said, str(tree), {}))
    finally:
        _kill_below()
        _remove(place)


def _start(said: Job, cwd: str, given: dict[int, int]) -> subprocess.Popen[bytes]:
    question = _holding(said["given"])
    for number, descriptor in given.items():
        os.dup2(descriptor, number)
        if number != TREE:
            os.close(descriptor)
    try:
        child = subprocess.Popen(
            said["argv"], cwd=cwd, env=said["environ"], stdin=question, start_new_session=True,
            pass_fds=tuple(given),
        )  # fmt: skip
    except OSError as error:
        raise UnbornError(f"{said['argv'][0]}: {error.strerror}") from None
    finally:
        for number in (*given, question):
            os.close(number)
    _groups.append(child.pid)
    return child


def _holding(words: str) -> int:
    """A descriptor from which these bytes (in base64) can be read; nothing has a name."""
    with tempfile.TemporaryFile() as file:
        file.write(base64.b64decode(words))
        file.seek(0)
        return os.dup(file.fileno())


def _wait(child: subprocess.Popen[bytes], other: subprocess.Popen[bytes] | None = None) -> Report:
    """Wait for the end of the child; `other` is one without which it need not go on."""
    while child.poll() is None:
        ready, _, _ = select.select([0], [], [], 0.02)
        gone = ready and not os.read(0, 4096)
        if gone or (other is not None and other.poll() is not None):
            child.kill()
            child.wait()
            if gone:
                raise GoneError
            return {"ended": "signal", "code": None}
    code = child.returncode
    return {"ended": "exited", "code": code} if code >= 0 else {"ended": "signal", "code": -code}


def _kill_below() -> None:
    """Kill every process that descends from this one, until none is left.

    Where there is no `/proc`, those that stayed in the group of the program.
    """
    for group in _groups if not Path("/proc/self").exists() else ():
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    for _ in range(200):
        below = _below(os.getpid())
        for pid in below:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not below:
            return


def _below(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            stat = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            parents.setdefault(int(stat[1]), []).append(int(folder.name))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = parents.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _remove(place: Path) -> None:
    """Remove it, also where the program took away the right to."""
    for folder, names, _ in os.walk(place):
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                with suppress(OSError):
                    path.chmod(0o700)
    shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
