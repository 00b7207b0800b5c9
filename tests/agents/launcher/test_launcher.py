"""An agent under the launcher, in a real tmux: frozen, thawed, suspended, interrupted, ended."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.agents.connect.detect import KNOWN
from ppgp_tui.session.process import is_alive
from tests.cli.running import PROGRAM
from tests.e2e.terminal import Terminal
from tests.session.journals import git
from tests.waiting import PATIENCE_S

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]

AGENT = Path(__file__).with_name("ticking.py")
A_WHILE_S = 0.6


class Pane:
    """A tmux server of its own, a repository, and a folder in which the agent leaves its signs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "repo"
        self.root.mkdir()
        git(self.root, "init", "-q")
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "SHELL": "/bin/sh",
        }
        self.socket = folder / "tmux"
        self.ppgp("init")

    def tmux(self, *words: str, check: bool = True) -> str:
        command = ["tmux", "-f", "/dev/null", "-S", str(self.socket), *words]
        environ = self.environ
        done = subprocess.run(
            command, capture_output=True, text=True, env=environ, cwd=self.root, check=check
        )
        return done.stdout

    def open(self, *words: str) -> None:
        """A pane whose first process runs these words."""
        self.tmux("new-session", "-d", "-x", "100", "-y", "30", "-c", str(self.root), *words)
        self.tmux("set-option", "-g", "remain-on-exit", "on")

    def launch(self, *, below_shell: bool = False, python: str = sys.executable) -> None:
        """The ticking agent under the launcher, as the pane's first process or from a shell."""
        words = [str(PROGRAM), "run", "--", python, str(AGENT), str(self.folder)]
        if below_shell:
            self.open("bash", "--norc", "--noprofile")
            self.type(" ".join(words))
        else:
            self.open(*words)
        self.until(lambda: "ready" in self.text() and bool(self.record()))

    def text(self) -> str:
        return self.tmux("capture-pane", "-p")

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-l", text)
        self.tmux("send-keys", "Enter")

    def ppgp(self, *words: str, code: int = 0) -> dict[str, Any]:
        """A command of the person, in another terminal."""
        environ = self.environ
        done = subprocess.run(
            [str(PROGRAM), *words, "--json"], capture_output=True, text=True, env=environ,
            cwd=self.root, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    def record(self) -> dict[str, Any]:
        """What the launcher says; empty before it says anything."""
        found = list((self.root / ".ppgp" / "run" / "agents").glob("*.json"))
        said: dict[str, Any] = json.loads(found[0].read_text()) if found else {}
        return said

    def count(self, name: str) -> int:
        path = self.folder / name
        return path.stat().st_size if path.exists() else 0

    def goes_on(self, name: str = "ticks") -> None:
        """Wait until it ticks further than it has."""
        before = self.count(name)
        self.until(lambda: self.count(name) > before)

    def rests(self, name: str = "ticks") -> bool:
        before = self.count(name)
        time.sleep(A_WHILE_S)
        return self.count(name) == before

    def typed(self) -> str:
        path = self.folder / "typed"
        return path.read_text() if path.exists() else ""

    def interruptions(self) -> list[str]:
        log = (self.root / "state" / "events.jsonl").read_text().splitlines()
        events = [json.loads(line) for line in log]
        return [one["payload"]["what"] for one in events if one["kind"] == "human.interrupted"]

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, self.text()
            time.sleep(0.05)


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Pane]:
    found = Pane(tmp_path)
    yield found
    found.tmux("kill-server", check=False)
    pid = found.record().get("pid", 0)
    if pid and is_alive(pid):
        os.killpg(pid, signal.SIGKILL)


def test_freezing_codex_tells_of_the_service_that_goes_on(pane: Pane, tmp_path: Path) -> None:
    (codex := tmp_path / "codex").symlink_to(sys.executable)
    pane.launch(python=str(codex))
    key = pane.record()["session"]
    warnings = pane.ppgp("agents", "freeze", key)["warnings"]
    assert [text for text in warnings if "background service" in text]
    assert pane.ppgp("agents", "thaw", key)["warnings"] == []


def test_it_is_frozen_and_thawed_and_keys_typed_meanwhile_arrive(pane: Pane) -> None:
    pane.launch()
    key = pane.record()["session"]
    assert (pane.folder / "named").read_text() == key
    assert pane.ppgp("agents", "freeze", key)["message"] == f"{key} is frozen"
    time.sleep(0.1)
    assert pane.rests()
    assert pane.rests("child")
    pane.type("hello")
    assert pane.typed() == ""
    listed = pane.ppgp("agents", "list")["data"]["agents"]
    assert [one["frozen_since_ms"] is not None for one in listed] == [True]
    assert pane.ppgp("agents", "freeze", key)["code"] == "unchanged"
    assert pane.ppgp("agents", "thaw", key)["code"] == "done"
    pane.until(lambda: pane.typed() == "hello\n")
    pane.goes_on()
    pane.goes_on("child")
    assert pane.ppgp("agents", "thaw", key)["code"] == "unchanged"
    assert pane.interruptions() == ["freeze", "thaw"]


def test_ctrl_c_reaches_the_agent_alone_and_its_exit_code_is_the_launchers(pane: Pane) -> None:
    pane.launch(below_shell=True)
    pane.tmux("send-keys", "C-c")
    pane.until(lambda: pane.count("interrupts") == 1)
    pane.goes_on()
    pane.type("exit 7")
    pane.until(lambda: pane.record()["launch"]["exit"] == 7)
    pane.type("echo code $?")
    pane.until(lambda: "code 7" in pane.text())
    said = pane.record()
    assert (said["state"], said["launch"]["exit"]) == ("ended", 7)
    refused = pane.ppgp("agents", "freeze", said["session"], code=1)
    assert "it has ended" in refused["message"]


def test_it_is_ended_when_asked_and_made_to_when_it_will_not(pane: Pane) -> None:
    pane.launch()
    key, pid = pane.record()["session"], pane.record()["pid"]
    pane.type("stubborn")
    pane.until(lambda: "stubborn now" in pane.text())
    pane.ppgp("agents", "freeze", key)
    began = time.monotonic()
    result = pane.ppgp("agents", "kill", key)
    assert "did not end by itself and was killed" in result["message"]
    assert time.monotonic() - began > 4
    pane.until(lambda: not is_alive(pid) and pane.record()["launch"]["exit"] == 137)
    assert pane.interruptions() == ["freeze", "kill"]


def test_ctrl_z_gives_the_shell_back_and_fg_the_agent(pane: Pane) -> None:
    pane.launch(below_shell=True)
    pane.tmux("send-keys", "C-z")
    pane.until(lambda: "Stopped" in pane.text())
    assert pane.rests()
    pane.type("echo $((40+2))")
    pane.until(lambda: "\n42\n" in pane.text())
    pane.type("fg")
    pane.goes_on()
    pane.type("again")
    pane.until(lambda: "again" in pane.typed())
    key = pane.record()["session"]
    pane.ppgp("agents", "freeze", key)
    assert pane.rests()
    pane.ppgp("agents", "thaw", key)
    pane.goes_on()
    pane.type("exit 3")
    pane.type("echo code $?")
    pane.until(lambda: "code 3" in pane.text())


def test_as_the_first_process_of_a_pane_ctrl_z_stops_nothing_for_good(pane: Pane) -> None:
    pane.launch()
    pane.tmux("send-keys", "C-z")
    pane.goes_on()
    pane.type("still here")
    pane.until(lambda: "still here" in pane.typed())


def test_without_the_launcher_freezing_is_refused_with_the_reason(pane: Pane) -> None:
    pane.open(sys.executable, str(AGENT), str(pane.folder))
    pane.until(lambda: "ready" in pane.text())
    agents = pane.root / ".ppgp" / "run" / "agents"
    agents.mkdir(parents=True)
    pid = int(pane.tmux("display-message", "-p", "#{pane_pid}"))
    beat = {"schema": 1, "agent": "claude", "session": "1", "pid": pid, "state": "working"}
    (agents / "claude-1.json").write_text(json.dumps(beat))
    refused = pane.ppgp("agents", "freeze", "claude-1", code=1)
    assert "was not started by ppgp-tui run" in refused["message"]
    pane.goes_on()
    assert pane.interruptions() == []


def test_a_record_of_another_process_moves_nobody(pane: Pane) -> None:
    pane.launch()
    path = next((pane.root / ".ppgp" / "run" / "agents").glob("*.json"))
    said = pane.record()
    for change in ({"pid_start": 1}, {"launch": {**said["launch"], "group": os.getpgrp()}}):
        path.write_text(json.dumps({**said, **change}))
        refused = pane.ppgp("agents", "freeze", said["session"], code=1)
        assert "nothing was done" in refused["message"]
        pane.goes_on()


def test_the_sessions_of_an_agent_belong_to_its_launch(pane: Pane) -> None:
    pane.launch()
    said = pane.record()
    agents = pane.root / ".ppgp" / "run" / "agents"
    beat = {
        "schema": 1, "agent": "claude", "session": "0f3a", "pid": said["pid"],
        "pid_start": said["pid_start"], "state": "working", "launched": said["session"],
    }  # fmt: skip
    (agents / "claude-0f3a.json").write_text(json.dumps(beat))
    listed = pane.ppgp("agents", "list")["data"]["agents"]
    assert [(one["session"], one["launched"]) for one in listed] == [
        ("claude-0f3a", said["session"])
    ]
    pane.ppgp("agents", "freeze", "claude-0f3a")
    assert pane.rests()
    pane.ppgp("agents", "thaw", "claude-0f3a")
    pane.goes_on()


def test_when_the_launcher_is_killed_the_shell_has_its_terminal_back(pane: Pane) -> None:
    pane.launch(below_shell=True)
    said = pane.record()
    os.kill(said["launch"]["pid"], signal.SIGKILL)
    pane.until(lambda: "Killed" in pane.text())
    pane.type("for the read the agent was in")
    pane.until(lambda: pane.type("echo $((40+2))") or "\n42\n" in pane.text())
    pane.goes_on()
    refused = pane.ppgp("agents", "freeze", said["session"], code=1)
    assert "is gone, so nobody would look after its terminal" in refused["message"]
    assert "has ended" in pane.ppgp("agents", "kill", said["session"])["message"]
    (gone,) = pane.ppgp("agents", "list")["data"]["agents"]
    assert gone["state"] == "gone"


def test_its_record_comes_back_so_that_a_frozen_agent_can_be_thawed(pane: Pane) -> None:
    pane.launch()
    key = pane.record()["session"]
    pane.ppgp("agents", "freeze", key)
    time.sleep(6)
    shutil.rmtree(pane.root / ".ppgp" / "run")
    pane.until(lambda: pane.record().get("session") == key)
    assert pane.rests()
    assert pane.ppgp("agents", "thaw", key)["code"] == "done"
    pane.goes_on()


def test_term_for_the_launcher_is_for_the_agent(pane: Pane) -> None:
    pane.launch()
    said = pane.record()
    pane.ppgp("agents", "freeze", said["session"])
    os.kill(said["launch"]["pid"], signal.SIGTERM)
    pane.until(lambda: pane.record()["launch"]["exit"] == 143)


def test_agent_and_app_side_by_side(pane: Pane) -> None:
    pane.open("bash", "--norc", "--noprofile")
    pane.tmux("resize-window", "-x", "140", "-y", "40")
    words = [str(PROGRAM), "run", "--split", "--", sys.executable, str(AGENT), str(pane.folder)]
    pane.type(" ".join(words))
    pane.until(lambda: "ready" in pane.text())
    pane.until(lambda: len(pane.tmux("list-panes").splitlines()) == 2)
    panes = pane.tmux("list-panes", "-F", "#{pane_width} #{pane_active}").splitlines()
    assert [line.split()[1] for line in panes] == ["1", "0"]
    widths = [int(line.split()[0]) for line in panes]
    assert widths[0] >= 60
    assert widths[1] >= 50
    pane.until(lambda: "ppgp" in pane.tmux("capture-pane", "-p", "-t", ".1").lower())


def test_outside_tmux_it_opens_a_session_of_both(pane: Pane, tmp_path: Path) -> None:
    server = tmp_path / f"tmux-{os.getuid()}" / "default"
    environ = {**pane.environ, "TMUX": "", "TMUX_TMPDIR": str(tmp_path)}
    words = ["run", "--root", str(pane.root), "--split", "--"]
    agent = [sys.executable, str(AGENT), str(pane.folder)]
    with Terminal([str(PROGRAM), *words, *agent], columns=130, lines=40, env=environ) as terminal:
        pane.socket = server
        end = time.monotonic() + PATIENCE_S
        while not (pane.record() and "ready" in terminal.text()):
            assert time.monotonic() < end, terminal.text()
            terminal.read(0.2)
        record = pane.record()
        first = pane.tmux("list-panes", "-F", "#{pane_id} #{pane_pid} #{pane_width}").split()
        assert first[:2] == [record["pane"], str(record["launch"]["pid"])]
        assert int(first[2]) >= 60
        pane.ppgp("agents", "freeze", record["session"])
        assert pane.rests()
        pane.ppgp("agents", "kill", record["session"])
        pane.tmux("kill-server")


@pytest.mark.skipif(
    any(Path(folder, name).exists() for folder in KNOWN for name in ("claude", "codex")),
    reason="an agent is installed for everybody here",
)
@pytest.mark.parametrize("words", [("--split",), ()], ids=["split", "plain"])
def test_without_tmux_or_agent_a_plain_message(pane: Pane, words: tuple[str, ...]) -> None:
    done = subprocess.run(
        [str(PROGRAM), "run", *words], capture_output=True, text=True, cwd=pane.root,
        env={**pane.environ, "PATH": "/nowhere", "TMUX": "x"}, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (done.returncode, "no agent was found" in done.stderr) == (2, True)
    done = subprocess.run(
        [str(PROGRAM), "run", *words, "--", "/bin/echo", "hello"], capture_output=True, text=True,
        env={**pane.environ, "PATH": "/nowhere", "TMUX": "x"}, stdin=subprocess.DEVNULL,
        cwd=pane.root,
    )  # fmt: skip
    if words:
        assert (done.returncode, "tmux is not installed" in done.stderr) == (1, True)
    else:
        assert (done.returncode, done.stdout) == (0, "hello\n")
