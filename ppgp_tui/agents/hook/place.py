"""Where one session of one agent is at home: its root, its key, its files in `.ppgp/run`.

Standard library and the session's cheapest modules only: this is imported for every call while a
pause stands. Nothing here may stop an agent: what cannot be written is remembered as a problem.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ppgp_tui.agents.adapters.shape import Adapter, Moment
from ppgp_tui.agents.hook import missed
from ppgp_tui.session.canonical import canonical, session_key
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.files.turn_taking import take_turn
from ppgp_tui.session.journal.lock import open_run
from ppgp_tui.session.process import start_of
from ppgp_tui.version import __version__

if TYPE_CHECKING:
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.settings.settings import Settings

Json = dict[str, Any]

AGENTS: Final = "agents"
PROBLEMS_KEPT: Final = 5

_MOST = 256 * 1024
_PANE = re.compile(r"%[0-9]{1,9}", re.ASCII)
_SHELLS = ("sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "busybox")


@dataclass
class Place:
    """One session, as the hook of one event finds it."""

    root: Path
    adapter: Adapter
    moment: Moment
    run: Folder | None
    """The open `.ppgp/run`; None where it is not there and cannot be made."""
    strict: bool = False
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    problems: list[str] = field(default_factory=list)
    """What could not be done, in words for a person; they go into the session's file."""

    @cached_property
    def key(self) -> str:
        """The session key."""
        return session_key(self.adapter.name, self.moment.session)

    @cached_property
    def settings(self) -> Settings:
        """The settings of the root."""
        from ppgp_tui.session.files.places import config_folder
        from ppgp_tui.session.settings.settings import load_settings

        return load_settings(self.root, config_folder() / "config.toml")

    @cached_property
    def state(self) -> Path:
        """The root's folder in the user's state folder."""
        from ppgp_tui.session.files.places import root_folder

        return root_folder(self.root)

    @cached_property
    def engine(self) -> Engine:
        """The engine, acting for this session."""
        from ppgp_tui.session.engine.draft import Actor
        from ppgp_tui.session.engine.engine import Engine

        actor = Actor("agent", self.key)
        return Engine(self.root, actor, state=self.state, settings=self.settings)

    @property
    def has_log(self) -> bool:
        """Whether anything can be recorded here."""
        return os.path.lexists(self.root / self.settings.log)

    @contextmanager
    def unhurt(self, doing: str) -> Iterator[None]:
        """Go on whatever goes wrong inside; it is told as a problem."""
        from ppgp_tui.session.journal.results import RefusalError

        try:
            yield
        except RefusalError as refusal:
            self.problem(f"{doing}: {refusal.refused.message}")
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            self.problem(f"{doing}: {why.lower()}")

    def problem(self, text: str) -> None:
        """Remember a problem, once."""
        if text not in self.problems:
            self.problems.append(text)

    # The session's file -------------------------------------------------------------------------

    def told(self) -> Json:
        """What the session's file says now; empty without one."""
        if self.run is None:
            return {}
        with suppress(OSError), self.run.child(AGENTS) as folder:
            return self._read(folder)
        return {}

    def tell(self, state: str | None = None, change: Callable[[Json], None] | None = None) -> None:
        """Replace the session's file: who it is, that it was heard of, and what `change` changes.

        `state` is `idle`, `working` or `ended`; None leaves it. `since_ms` moves with the state,
        and with each prompt of a person.
        """
        written = False
        with self.unhurt("the session's file was not written"):
            written = self.run is not None and self._write(self.run, state, change)
        with suppress(OSError, ValueError):
            if written:
                missed.forget(self.state, self.key)
            elif self.problems:
                missed.keep(self.state, self.key, self.problems)

    def _write(self, run: Folder, state: str | None, change: Callable[[Json], None] | None) -> bool:
        with run.child(AGENTS, create=True) as folder:
            take_turn(folder.descriptor)  # hooks of one session run side by side
            before = self._read(folder)
            if state == "idle" and before.get("state") == "ended" and self.moment.kind != "start":
                state = None  # a slow hook of the last turn does not call an ended session back
            said = self._identity(before)
            said["state"] = state or before.get("state") or "working"
            anew = said["state"] != before.get("state") or self.moment.kind in ("prompt", "start")
            if anew or not isinstance(before.get("since_ms"), int):
                said["since_ms"] = now_ms()
            if change is not None:
                change(said)
            folder.publish(f"{self.key}.json", canonical(said) + b"\n")
        return True

    def _identity(self, before: Json) -> Json:
        problems = (*before.get("problems", ()), *missed.kept(self.state, self.key), *self.problems)
        said = {
            **before,
            "schema": 1,
            "agent": self.adapter.name,
            "session": self.key,
            "root": str(self.root),
            "last_event": self.moment.event,
            "hook_version": __version__,
            "strict": self.strict,
            "problems": list(dict.fromkeys(problems))[-PROBLEMS_KEPT:],
        }
        if self.moment.kind not in ("permission", "after_model"):
            said.pop("asks", None)  # whatever it asked in its own window was answered there
        said.setdefault("run", None)
        said.setdefault("continued", 0)
        pid = agent_process()
        if before.get("pid") != pid:
            said["pid"], said["pid_start"] = pid, start_of(pid)
        environ = {} if is_service(pid) else self.environ  # a service has that of its first session
        pane, launched = environ.get("TMUX_PANE", ""), environ.get("PPGP_AGENT", "")
        seen = {
            "pane": pane if _PANE.fullmatch(pane) else "",
            "launched": launched[:160],
            "model": self.moment.model[:200],
            "mode": self.moment.mode[:60],
        }
        return said | {name: value for name, value in seen.items() if value}

    def _read(self, folder: Folder) -> Json:
        try:
            data = folder.read(f"{self.key}.json")
            said = json.loads(data) if len(data) <= _MOST else None
            canonical(said)  # what could not be written again is not read
        except (OSError, ValueError, RecursionError):
            return {}
        return said if isinstance(said, dict) and _is_sound(said) else {}


def now_ms() -> int:
    """The time in Unix milliseconds."""
    return time.time_ns() // 1_000_000


def open_folder(root: Path) -> Folder | None:
    """The open `.ppgp/run`, made where it is missing; None where that is not possible."""
    if not (root / ".ppgp").is_dir():
        return None
    with suppress(OSError):
        return open_run(root)
    with suppress(OSError):
        return Folder.open(root, ".ppgp", "run")
    return None


def agent_process() -> int:
    """The process of the agent: whoever started us, past the shells between."""
    pid = os.getppid()
    for _ in range(4):
        try:
            with Path(f"/proc/{pid}/stat").open(encoding="utf-8", errors="replace") as stat:
                name, _, fields = stat.read().partition("(")[2].rpartition(")")
        except OSError:
            break
        above = fields.split()[1] if len(fields.split()) > 1 else "0"
        if name not in _SHELLS or not above.isdigit() or int(above) <= 1:
            break
        pid = int(above)
    return pid


def is_service(pid: int) -> bool:
    """Whether the agent's process serves sessions of several windows, as Codex's service does."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return b"app-server" in words


def _is_sound(said: Json) -> bool:
    """Whether the members that are gone by are what they should be."""
    return (
        isinstance(said.get("continued", 0), int)
        and isinstance(said.get("problems", []), list)
        and all(isinstance(one, str) for one in said.get("problems", []))
    )
