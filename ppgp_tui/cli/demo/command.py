"""`ppgp-tui demo`: make the repository, start its agents, show the app, clean up.

What a person answers there is signed with a key of the demo's own: their data and state folders,
and the home of their restart loops, are in the demo's place too, and are gone with it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select

from ppgp_tui.cli.demo.looping import end, home_of
from ppgp_tui.persist.disk.home import HOME_VARIABLE

READY_S = 30
"""How long the history may take to be told."""


class DemoError(Exception):
    """The demo could not be prepared; the text says why."""


def run_demo(
    show: Callable[[Path], int], *, speed: float, seed: int, keep: bool, say: Callable[[str], None]
) -> int:
    """Play the demo and return what `show` returned.

    Args:
        show: Opens the app on a folder and returns when it is closed.
        speed: How many times faster than told.
        seed: Decides ids and the ordinary work between the beats.
        keep: Leave the repository and say where it is; so it is too when the app left the trace of
            a crash there.
        say: Told what a person should read when the app is closed.

    Raises:
        DemoError: The agent ended before its history was on disk.
    """
    place = Path(tempfile.mkdtemp(prefix="ppgp-tui-demo-"))
    try:
        root = place / "importer"
        with _own_folders(place, root), _agent(place, root, speed, seed, keep) as agent:
            code = show(root)
            if agent.poll() is not None:
                say(f"the demo's agent had ended: {_last_words(place)}")
        return code
    finally:
        if keep or any(place.glob("state/ppgp-tui/roots/*/crash-*.log")):
            say(f"kept {place / 'importer'}")
        else:
            shutil.rmtree(place, ignore_errors=True)


@contextmanager
def _own_folders(place: Path, root: Path) -> Iterator[None]:
    """Keep the user's data, state and loops out of it; settings, keys and themes stay theirs."""
    own = {f"XDG_{name}_HOME": str(place / name.lower()) for name in ("DATA", "STATE")}
    own[HOME_VARIABLE] = str(home_of(root).path)
    home_of(root).path.mkdir(mode=0o700)  # there from the start, so that the app watches it
    before = {name: os.environ.get(name) for name in own}
    os.environ.update(own)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _agent(
    place: Path, root: Path, speed: float, seed: int, keep: bool
) -> Iterator[subprocess.Popen[bytes]]:
    """Start the agents in a session of their own: keys meant for the app never reach them."""
    words = ["--seed", str(seed), "--speed", str(speed)]
    words += [] if keep else ["--orphan-removes", str(place)]
    with (place / "agent.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "ppgp_tui.cli.demo.agent", str(root), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=place,
            start_new_session=True,
        )
    try:
        assert process.stdout is not None
        heard, _, _ = select([process.stdout], [], [], READY_S)
        if not heard or process.stdout.readline() != b"ready\n":
            raise DemoError(f"the demo's agent did not start: {_last_words(place)}")
        yield process
    finally:
        process.terminate()
        process.wait()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # what it had started, had it been killed
        end(root)  # a loop that the person started then
        if process.stdout is not None:
            process.stdout.close()


def _last_words(place: Path) -> str:
    lines = (place / "agent.log").read_text("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
