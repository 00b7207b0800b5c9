"""A repository, the person at its terminal and the agent in its shell, through the real command."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ppgp_tui.cli.commands import ppgp_tui
from tests.cli.running import PROGRAM, Said
from tests.forking import Forked
from tests.waiting import PATIENCE_S

Json = dict[str, Any]

AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "0f3a9c21"}
"""The environment of a shell that belongs to an agent."""

OF_AGENTS = (
    "CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CODEX_SANDBOX", "GEMINI_SESSION_ID", "PI_SESSION_ID",
    "PPGP_AGENT", "PPGP_ROOT",
)  # fmt: skip


class Place:
    """One repository with the folders of one user around it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = folder / "repository"
        self.config = folder / "config" / "ppgp-tui" / "config.toml"
        self.data = folder / "data" / "ppgp-tui"
        self.root.mkdir()
        self.config.parent.mkdir(parents=True)
        self._patch = monkeypatch
        for name in OF_AGENTS:
            monkeypatch.delenv(name, raising=False)
        for name in ("config", "data", "state"):
            monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(folder / name))
        monkeypatch.setenv("LOGNAME", "dev")
        monkeypatch.chdir(self.root)

    def begin(self) -> Place:
        """Make it a session in which scripts of the person may grant."""
        self.allow_scripts()
        assert self.act("init").code == 0
        return self

    def allow_scripts(self) -> None:
        self.config.write_text("[authority]\nscripted = true\n")

    def act(
        self, *words: object, stdin: str = "", environ: Mapping[str, str] | None = None
    ) -> Said:
        """The command in this process: the same code, without the time a new one takes."""
        runner = CliRunner(env=dict(environ or {}))
        told = runner.invoke(ppgp_tui, [str(word) for word in words], stdin, prog_name="ppgp-tui")
        if told.exception is not None and not isinstance(told.exception, SystemExit):
            raise told.exception
        return Said(told.exit_code, told.stdout, told.stderr)

    def agent(self, *words: object, stdin: str = "") -> Said:
        """The command as an agent's shell runs it."""
        return self.act(*words, stdin=stdin, environ=AGENT)

    def json(self, *words: object, stdin: str = "", agent: bool = False) -> Json:
        """The result that `--json` prints; its exit code agrees with it."""
        said = (self.agent if agent else self.act)(*words, "--json", stdin=stdin)
        result: Json = json.loads(said.out)
        assert (said.code == 0) == result["ok"]
        assert said.err == ""
        return result

    def plan(self, *keys: str, **statuses: str) -> Json:
        """Set a plan of these keys, as the agent."""
        tasks = [
            {"key": key, "subject": f"Do {key}", "status": statuses.get(key, "pending")}
            for key in keys
        ]
        return self.json("todo", "set", stdin=json.dumps({"tasks": tasks}), agent=True)

    def ask(self, *words: object) -> str:
        """Ask as the agent; the id of the question."""
        result = self.json("ask", *words, agent=True)
        assert result["ok"], result
        return str(result["data"]["request"])

    def events(self, kind: str = "") -> list[Json]:
        lines = (self.root / "state" / "events.jsonl").read_text("utf-8").splitlines()
        return [event for event in map(json.loads, lines) if event["kind"].startswith(kind)]

    def snapshot(self) -> dict[str, bytes]:
        """Every file of the repository, to see that nothing was written."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and ".git" not in path.parts
        }

    # Real processes ------------------------------------------------------------------------------

    def start(self, *words: object, environ: Mapping[str, str] | None = None) -> Running:
        """Start the program; it has no terminal."""
        return Running(words, {**os.environ, **(environ or {})}, subprocess.DEVNULL)

    def at_terminal(
        self, *words: object, environ: Mapping[str, str] | None = None, answers: str = ""
    ) -> Said:
        """Run the program with a terminal on its standard input, as a person does."""
        controller, terminal = os.openpty()
        os.write(controller, answers.encode())
        try:
            return Running(words, {**os.environ, **(environ or {})}, terminal).end()
        finally:
            os.close(controller)
            os.close(terminal)


class Running:
    """A program that was started by a test, and ends with it."""

    def __init__(self, words: tuple[object, ...], environ: Mapping[str, str], stdin: int) -> None:
        self.process = Forked(
            [PROGRAM, *map(str, words)],
            env=environ, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._err = b""

    def until_said(self, words: str) -> str:
        """Read standard error until it holds `words`; return all of it."""
        assert self.process.stderr is not None
        descriptor, until = self.process.stderr.fileno(), time.monotonic() + PATIENCE_S
        while words.encode() not in self._err:
            left = until - time.monotonic()
            assert left > 0, f"not said: {words!r}, but {self._err!r}"
            if select.select([descriptor], [], [], left)[0]:
                piece = os.read(descriptor, 4096)
                assert piece, f"ended without saying {words!r}, but {self._err!r}"
                self._err += piece
        return self._err.decode()

    def end(self) -> Said:
        """What it printed and how it ended."""
        try:
            out, err = self.process.communicate(timeout=PATIENCE_S)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
        return Said(self.process.returncode, out.decode(), (self._err + err).decode())
