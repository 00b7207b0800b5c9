"""A repository, its person, and agents that call the hook program as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ppgp_tui.session.actions import answering, control, plan
from ppgp_tui.session.actions import goal as goals
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.files import places
from tests.forking import HOOK, Forked

Json = dict[str, Any]

DATA = Path(__file__).resolve().parents[2] / "data" / "hooks"
FOLDERS = {"claude": "claude-code", "codex": "codex", "gemini": "gemini-cli"}

GENEROUS_S = 180.0
"""Longer than anything takes on a busy machine."""

DOCUMENT = """\
# Goal

## GOAL
Retry survives a timeout

## PHASE
EXECUTE

## DEFINITION_OF_DONE
- [ ] The counter is on disk

## INVARIANTS
- No new dependency

## NEXT_EXECUTABLE_ACTION
Write the test of the counter.
"""


def recorded(agent: str, name: str) -> Json:
    """A payload that a real agent sent."""
    said: Json = json.loads((DATA / FOLDERS[agent] / f"{name}.json").read_text("utf-8"))
    return said


@dataclass
class Heard:
    """What came out of one hook."""

    code: int
    stdout: str
    stderr: str
    took_s: float

    @property
    def said(self) -> Json:
        """The answer as JSON; empty for none."""
        return json.loads(self.stdout) if self.stdout else {}

    @property
    def specific(self) -> Json:
        """The part under `hookSpecificOutput`."""
        return dict(self.said.get("hookSpecificOutput", {}))

    @property
    def is_silent(self) -> bool:
        """Nothing was said and the agent goes on."""
        return (self.code, self.stdout, self.stderr) == (0, "", "")


@dataclass
class Scene:
    """One root and the person beside it."""

    home: Path
    root: Path
    environ: dict[str, str] = field(default_factory=dict)

    # The person ---------------------------------------------------------------------------------

    @property
    def person(self) -> Engine:
        """The person's engine."""
        return Engine(self.root, Actor("user", "dev"))

    def begins(self) -> None:
        """A session with an empty log."""
        assert isinstance(self.person.journal.create(), tuple)

    def writes(self, text: str = DOCUMENT) -> None:
        """The goal document."""
        (self.root / "docs").mkdir(exist_ok=True)
        (self.root / "docs" / "ACTIVE_GOAL.md").write_text(text, "utf-8")

    def wants(self, objective: str = "Retry survives a timeout") -> None:
        """A goal, active at once."""
        assert goals.create(self.person, objective).code == "done"

    def plans(self, *tasks: tuple[str, str]) -> None:
        """A plan: key and status of each task."""
        known = [{"key": key, "subject": f"Do {key}", "status": status} for key, status in tasks]
        engine = Engine(self.root, Actor("agent", "planner"))
        revision = self.ledger()["todo"]["revision"]
        result = plan.revise(
            engine, {"revision": revision, "tasks": known, "removed": []}, as_tool=False
        )
        assert result.code == "done", result

    def ledger(self) -> Json:
        """What is recorded."""
        from ppgp_tui.session.actions.recorded import recorded as look

        return look(self.person).ledger.as_json()

    def holds(self) -> str:
        """A pause; returns its id."""
        result = control.hold(self.person)
        assert result.ok, result
        return str(result.data["hold"]["id"])

    def releases(self) -> None:
        """The end of the pause."""
        assert control.release(self.person).ok

    def answers(self, request: str, option: str | None, **words: str) -> None:
        """A signed answer."""
        key = SigningKey(Pins(places.data_folder(), self.root))
        said = Said(option, **words)  # type: ignore[arg-type]
        result = answering.answer(self.person, request, said, key=key)
        assert result.code == "done", result

    # Agents -------------------------------------------------------------------------------------

    def start(
        self,
        agent: str,
        payload: Json | bytes,
        *words: str,
        program: type[subprocess.Popen[bytes]] = Forked,
        **environ: str,
    ) -> subprocess.Popen[bytes]:
        """Begin one hook, forked; its stdin is written and closed."""
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        hook = program(
            [sys.executable, "-I", "-S", HOOK, agent, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**self.environ, **environ},
            cwd=self.root,
        )
        assert hook.stdin is not None
        hook.stdin.write(data)
        hook.stdin.close()
        hook.stdin = None
        return hook

    def hear(self, hook: subprocess.Popen[bytes], began: float | None = None) -> Heard:
        """Wait for a hook to end."""
        out, err = hook.communicate(timeout=GENEROUS_S)
        took = time.monotonic() - began if began is not None else 0.0
        return Heard(hook.returncode, out.decode(), err.decode(), took)

    def hook(self, agent: str, payload: Json | bytes, *words: str, **more: Any) -> Heard:
        """One hook from beginning to end."""
        began = time.monotonic()
        return self.hear(self.start(agent, payload, *words, **more), began)

    def payload(self, agent: str, name: str, **changed: Any) -> Json:
        """A recorded payload, of a session in this root; None takes a member out."""
        said = {**recorded(agent, name), "cwd": str(self.root), **changed}
        return {key: value for key, value in said.items() if value is not None}

    # Looking ------------------------------------------------------------------------------------

    @property
    def run(self) -> Path:
        """`.ppgp/run`."""
        return self.root / ".ppgp" / "run"

    def calls(self, key: str) -> list[list[str]]:
        """The words of the calls, without the times."""
        try:
            lines = (self.run / "agents" / f"{key}.calls").read_text().splitlines()
        except FileNotFoundError:
            return []
        return [line.split(" ")[1:] for line in lines]

    def told(self, key: str) -> Json:
        """The session's file."""
        said: Json = json.loads((self.run / "agents" / f"{key}.json").read_text())
        return said

    def held(self) -> list[Json]:
        """The waits that are in force."""
        folder = self.run / "held"
        if not folder.is_dir():
            return []
        return [json.loads(path.read_text()) for path in sorted(folder.glob("hold_*.json"))]

    def requests(self) -> list[Json]:
        """The requests on disk."""
        folder = self.run / "requests"
        if not folder.is_dir():
            return []
        return [json.loads(path.read_text()) for path in sorted(folder.glob("req_*.json"))]

    def events(self, *kinds: str) -> list[Json]:
        """The recorded events of these kinds, or all but the paired operations."""
        whole, _, _ = (self.root / "state/events.jsonl").read_bytes().rpartition(b"\n")
        lines = whole.splitlines()
        events = [json.loads(line) for line in lines]
        if not kinds:
            return [event for event in events if event["kind"] != "state.ops_applied"]
        return [event for event in events if event["kind"] in kinds]


def made(tmp_path: Path) -> Iterator[Scene]:
    """A Git repository with nothing in it, and the person's own folders."""
    root = tmp_path / "root"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        **{
            f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("STATE", "CONFIG", "DATA")
        },
    }
    places._folders.cache_clear()
    yield Scene(tmp_path, root.resolve(), environ)
    places._folders.cache_clear()
