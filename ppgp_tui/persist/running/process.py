"""One run of the agent: started, listened to, ended."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from ppgp_tui.persist.command import Call
from ppgp_tui.persist.course import Ran

_LOOK_S = 0.1


def run_agent(
    call: Call,
    *,
    cwd: Path,
    environ: Mapping[str, str],
    pty: bool,
    output: BinaryIO | None,
    on_out: Callable[[bytes], None],
    on_err: Callable[[bytes], None],
    on_start: Callable[[int], None],
    stop: Callable[[], str | None],
    grace_s: float = 5.0,
) -> Ran:
    """Run the agent to its end and say how that was.

    `environ` is its whole environment. What it prints goes to `on_out` and `on_err` at once and to
    `output`. `stop` is asked every 0.1 s: a word ends the run, TERM, then KILL after `grace_s`.
    """
    began = time.monotonic()
    try:
        child = subprocess.Popen(
            call.argv, cwd=cwd, env=environ, stdin=subprocess.DEVNULL if call.stdin is None
            else subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        code = 127 if isinstance(error, FileNotFoundError) else 126
        return Ran(code, time.monotonic() - began, None, (f"{call.argv[0]}: {error.strerror}",))
    on_start(child.pid)
    if child.stdin is not None:
        with suppress(BrokenPipeError):
            child.stdin.write(call.stdin or b"")
            child.stdin.close()
    tail, cut, killed_at = b"", None, 0.0
    with selectors.DefaultSelector() as ready:
        for stream, pass_on in ((child.stdout, on_out), (child.stderr, on_err)):
            assert stream is not None
            ready.register(stream, selectors.EVENT_READ, pass_on)
        while ready.get_map():
            for key, _ in ready.select(_LOOK_S):
                data = os.read(key.fd, 65_536)
                if not data:
                    ready.unregister(key.fileobj)
                    continue
                key.data(data)
                if output is not None:
                    output.write(data)
                tail = (tail + data)[-65_536:]
            if cut is None and (cut := stop()) is not None:
                os.killpg(child.pid, signal.SIGTERM)
                killed_at = time.monotonic() + grace_s
            if cut is not None and time.monotonic() > killed_at:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
    code = child.wait()
    name = signal.Signals(-code).name if code < 0 else None
    lines = tuple(tail.decode("utf-8", "replace").splitlines()[-20:])
    return Ran(128 - code if code < 0 else code, time.monotonic() - began, name, lines, cut)
