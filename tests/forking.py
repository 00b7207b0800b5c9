"""Programs of this package without the time that the start of Python takes.

`Forked` is a `subprocess.Popen` of the hook program or of `ppgp-tui`. A process that has imported
the package forks for each of them, and what comes of it is a process like any other: a child of
whoever started it, with its own words, environment, folder, streams and end. Only in the system's
list of processes it has another's command line. Elsewhere than on Linux it is started anew.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import importlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from ppgp_tui.agents.hook import fast
from tests.waiting import PATIENCE_S

REPOSITORY = Path(__file__).resolve().parents[1]
PROGRAM = Path(sys.executable).with_name("ppgp-tui")
HOOK = str(Path(fast.__file__))
_ADOPT, _ADOPTS = 36, 37
"""Linux's PR_SET_CHILD_SUBREAPER and PR_GET_CHILD_SUBREAPER."""
_LONGEST = 1 << 20
_IMPORTED = (
    "ppgp_tui.agents.hook.main", "ppgp_tui.agents.hook.events", "ppgp_tui.cli.entry",
    "ppgp_tui.cli.commands", "ppgp_tui.session.live.store", "ppgp_tui.session.settings.settings",
)  # fmt: skip


class Forked(subprocess.Popen[bytes]):
    """A process of one of the two programs."""

    def _execute_child(self, args: Any, *more: Any) -> None:
        if sys.platform != "linux":
            super()._execute_child(args, *more)  # type: ignore[misc]
            return
        executable, before, _, kept, folder, environ, _, _, shell, *streams = more
        assert not any((executable, before, kept, shell)), "only a new start can do that"
        stdin, _, _, stdout, _, stderr = ends = streams[:6]
        said = {
            "words": [str(word) for word in args],
            "folder": os.fspath(folder or Path.cwd()),
            "environ": dict(os.environ if environ is None else environ),
            "own_session": bool(streams[11]),
        }
        given = [end if end >= 0 else own for own, end in enumerate((stdin, stdout, stderr))]
        with _adopting():
            socket.send_fds(forker(), [json.dumps(said).encode()], given)
            self.pid = int(forker().recv(64))
        self._child_created = True
        self._close_pipe_fds(*ends)  # type: ignore[attr-defined]


def run(
    words: list[Any], *, timeout: float = PATIENCE_S, check: bool = False, **more: Any
) -> subprocess.CompletedProcess[bytes]:
    """What `subprocess.run` with `capture_output` does."""
    with Forked(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more) as child:
        try:
            out, err = child.communicate(timeout=timeout)
        except BaseException:
            child.kill()
            raise
    done = subprocess.CompletedProcess(words, child.returncode, out, err)
    if check:
        done.check_returncode()
    return done


@contextmanager
def _adopting() -> Iterator[None]:
    """Grandchildren that lose their parent become children of this process."""
    system, before = ctypes.CDLL(None), ctypes.c_int()
    system.prctl(_ADOPTS, ctypes.byref(before), 0, 0, 0)
    system.prctl(_ADOPT, 1, 0, 0, 0)
    try:
        yield
    finally:
        system.prctl(_ADOPT, before.value, 0, 0, 0)


@functools.cache
def forker() -> socket.socket:
    """The way to the process that forks, which begins with the first call and ends with us."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        subprocess.Popen(
            [sys.executable, "-m", "tests.forking"], cwd=REPOSITORY, stdin=theirs.fileno(),
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
    return ours


def _serve() -> dict[str, Any]:
    """Fork for whoever asks; in the process that has been forked, return what it is to be."""
    for name in _IMPORTED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=os.dup(0)) as asked:
        while True:
            words, given, _, _ = socket.recv_fds(asked, _LONGEST, 3)
            if not words:
                os._exit(0)
            between = os.fork()
            if not between:
                between = os.getpid()
                if not os.fork():
                    break
                os._exit(0)
            for descriptor in given:
                os.close(descriptor)
            os.waitpid(between, 0)
        while os.getppid() == between:
            time.sleep(0.0005)  # until whoever asked is the parent
        asked.send(str(os.getpid()).encode())
    for number, descriptor in enumerate(given):
        os.dup2(descriptor, number)
        os.close(descriptor)
    said: dict[str, Any] = json.loads(words)
    return said


def _be(said: dict[str, Any]) -> None:
    """Be the program that was asked for, as far as it has not begun yet."""
    if said["own_session"]:
        os.setsid()
    os.chdir(said["folder"])
    os.environ.clear()
    os.environ.update(said["environ"])
    time.tzset()
    _open_streams()
    words = said["words"]
    if HOOK in words:
        os.execv = _become_package  # type: ignore[assignment]
        fast.main(words[words.index(HOOK) + 1 :])
    assert words[0] == str(PROGRAM), words
    from ppgp_tui.cli.entry import main

    sys.argv = words
    main()


def _open_streams() -> None:
    encoding, _, wanted = os.environ.get("PYTHONIOENCODING", "utf-8").partition(":")
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        errors = "backslashreplace" if name == "stderr" else "strict"
        made = open(number, mode, encoding=encoding, errors=wanted or errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, made)
        setattr(sys, f"__{name}__", made)


def _become_package(_: str, words: list[str]) -> NoReturn:
    """What a hook executes when it is not one for the fast way: Python, with a text to run."""
    code = words.index("-c")
    sys.argv = ["-c", *words[code + 2 :]]
    _open_streams()
    exec(words[code + 1], {"__name__": "__main__"})
    raise AssertionError("the package always ends the process")


if __name__ == "__main__":
    _be(_serve())
