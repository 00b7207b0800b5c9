"""Whom a command of an audit tries to speak to: nobody outside hears of it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import socket
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ppgp_tui.audit import machine
from tests.e2e.audit.victim import ESCAPED, PYTHON, TIGHT, Victim
from tests.e2e.terminal import REPOSITORY

pytestmark = pytest.mark.skipif(not machine.bubblewrap()[0], reason=machine.bubblewrap()[1])


@contextmanager
def listening(family: int, kind: int, address: object) -> Iterator[tuple[object, list[bytes]]]:
    """Somebody who listens, and what was heard."""
    heard: list[bytes] = []
    with socket.socket(family, kind) as server:
        server.bind(address)  # type: ignore[arg-type]
        server.settimeout(0.1)
        if kind == socket.SOCK_STREAM:
            server.listen()
        over = threading.Event()

        def listen() -> None:
            while not over.is_set():
                with suppress(TimeoutError):
                    if kind == socket.SOCK_STREAM:
                        heard.append(server.accept()[0].recv(100))
                    else:
                        heard.append(server.recv(100))

        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield server.getsockname(), heard
        finally:
            over.set()
            thread.join()


SAYS = """
import socket
with socket.socket(socket.{family}, socket.{kind}) as client:
    client.settimeout(2)
    try:
        client.connect({address!r})
        client.send(b'hello')
        print('sent')
    except OSError as error:
        print(error)
"""


@pytest.mark.parametrize("kind", ["SOCK_STREAM", "SOCK_DGRAM"])
def test_the_loopback_of_the_machine_is_not_there(victim: Victim, kind: str) -> None:
    with listening(socket.AF_INET, getattr(socket, kind), ("127.0.0.1", 0)) as (address, heard):
        script = SAYS.format(family="AF_INET", kind=kind, address=address)
        ran = victim.runs_python(script)
        assert "TRIED" in ran.output
        assert heard == []
        subprocess.run([PYTHON, "-c", script], check=True)
    assert heard == [b"hello"]


@pytest.mark.parametrize("kind", ["SOCK_STREAM", "SOCK_DGRAM"])
@pytest.mark.parametrize("where", ["abstract", "in the tree", "in a folder that is not copied"])
def test_no_socket_of_the_machine_is_heard(victim: Victim, kind: str, where: str) -> None:
    folder = victim.root / "node_modules"
    folder.mkdir()
    os.chdir(victim.root)  # the names of sockets are short
    address = {
        "abstract": f"\0ppgp-{os.getpid()}-{kind}",
        "in the tree": "door",
        "in a folder that is not copied": "node_modules/door",
    }[where]
    with listening(socket.AF_UNIX, getattr(socket, kind), address) as (_, heard):
        script = SAYS.format(family="AF_UNIX", kind=kind, address=address)
        ran = victim.runs_python(script)
        assert "TRIED" in ran.output
        large = TIGHT._replace(files=0)
        read_only = victim.runs_python(script, limits=large)
        assert "TRIED" in read_only.output
        assert heard == []
        subprocess.run([PYTHON, "-c", script], check=True)
    assert heard == [b"hello"]
    os.chdir(REPOSITORY)


def test_no_pipe_of_the_machine_is_written_to(victim: Victim) -> None:
    os.mkfifo(victim.root / "pipe")
    pipe = os.open(victim.root / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    script = (
        "try: os.write(os.open(ROOT + '/pipe', os.O_RDWR | os.O_NONBLOCK), b'hello')\n"
        "except OSError as error: print(error)"
    )
    for limits in (TIGHT, TIGHT._replace(files=0)):
        assert "TRIED" in victim.runs_python(script, limits=limits).output
    assert not select.select([pipe], [], [], 0.2)[0] or os.read(pipe, 10) == b""
    os.close(pipe)


def test_no_name_is_asked_for_and_no_address_reached(victim: Victim) -> None:
    ran = victim.runs_python(
        """
import socket
print([name for _, name in socket.if_nameindex()])
for host in ('example.org', 'localhost.localdomain'):
    try:
        print('found', socket.getaddrinfo(host, 80))
    except OSError as error:
        print(error)
for address in (('1.1.1.1', 53), ('169.254.169.254', 80), ('10.0.0.1', 22)):
    with socket.socket() as client:
        client.settimeout(2)
        try:
            client.connect(address)
            print('reached', address)
        except OSError as error:
            print(error)
"""
    )
    assert ran.output.startswith("['lo']\n"), ran
    assert "reached" not in ran.output
    assert "found" not in ran.output
    assert "TRIED" in ran.output


def test_it_has_no_terminal_to_type_into(victim: Victim) -> None:
    """Run from a terminal, as a person does; what would be typed would be read after it."""
    attack = victim.script(
        f"""
import fcntl, termios
for name in (0, 1, 2, '/dev/tty', '/dev/console', '/dev/pts/0', '/proc/self/fd/0'):
    try:
        door = name if isinstance(name, int) else os.open(name, os.O_RDWR)
        for letter in 'INJECTED\\n':
            fcntl.ioctl(door, termios.TIOCSTI, letter.encode())
        print('{ESCAPED}', name)
    except OSError as error:
        print(name, error)
"""
    )
    audit = (
        "import sys, os, select\n"
        "from pathlib import Path\n"
        "from ppgp_tui.audit import command\n"
        "from tests.e2e.audit.victim import TIGHT\n"
        f"ran = command.run(Path({str(victim.root)!r}), [{PYTHON!r}, '-c', {attack!r}], TIGHT,"
        f" {victim.environ!r})\n"
        "print(ran.output)\n"
        "typed = os.read(0, 100) if select.select([0], [], [], 0.5)[0] else b''\n"
        "print('typed', typed, flush=True)\n"
    )
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(REPOSITORY)
        os.execv(sys.executable, [sys.executable, "-c", audit])
    said = b""
    with suppress(OSError):
        while more := os.read(terminal, 4096):
            said += more
    os.waitpid(pid, 0)
    os.close(terminal)
    assert b"TRIED" in said, said
    assert b"typed b''" in said, said
    assert ESCAPED.encode() not in said


def test_a_process_that_types_into_its_terminal_is_a_real_danger_here() -> None:
    """That the test above means something: without a sandbox the letters arrive, if at all."""
    legacy = Path("/proc/sys/dev/tty/legacy_tiocsti")
    if not legacy.exists() or legacy.read_text().strip() != "1":
        pytest.skip("this kernel lets nobody type into a terminal")
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSTI, b"x")
        fcntl.ioctl(0, termios.TIOCSTI, b"\n")
        os.write(1, b"typed " + os.read(0, 10))
        os._exit(0)
    said = b""
    with suppress(OSError):
        while more := os.read(terminal, 4096):
            said += more
    os.waitpid(pid, 0)
    os.close(terminal)
    assert b"typed x" in said
