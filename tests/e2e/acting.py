"""A repository with a goal, its person's apps in tmux windows, and agents beside them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ppgp_tui.session.actions import goal as goals
from ppgp_tui.session.actions import plan, start
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.files.places import root_key
from tests.e2e.terminal import REPOSITORY
from tests.waiting import PATIENCE_S, until

PROGRAM = Path(sys.executable).with_name("ppgp-tui")
AGENT = "claude-0f3a9c21"
OBJECTIVE = "Make the importer resumable"

_DOCUMENT = f"""\
# ACTIVE_GOAL

## GOAL

{OBJECTIVE}

## PHASE

EXECUTE

## DEFINITION_OF_DONE

- [ ] A killed import goes on
- [ ] No row is written twice

## HUMAN_AUTHORITY_REQUIRED

None.

## NEXT_EXECUTABLE_ACTION

- Start the importer again.
"""
_TIMES = re.compile(r"(?<![\w:])\d+(?:s|m|h\d\d)(?!\w)")

Child = subprocess.Popen[bytes]


def environ_of(home: Path) -> dict[str, str]:
    """The environment of a person at a terminal who has everything of theirs in `home`."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        **{f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE")},
    }


class Place:
    """One repository and the folders of its one user."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "importer"
        self.environ = environ_of(folder)
        self._state = folder / "state" / "ppgp-tui"
        (self.root / "docs").mkdir(parents=True)
        (self.root / "docs/ACTIVE_GOAL.md").write_text(_DOCUMENT)
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        person = self.engine(Actor("user", "dev"))
        tasks = [{"key": key, "subject": f"Do {key}", "status": "pending"} for key in ("T1", "T2")]
        for made in (
            start.init(person),
            goals.create(person, OBJECTIVE),
            plan.revise(person, {"tasks": tasks}),
        ):
            assert made.ok, made

    def engine(self, actor: Actor) -> Engine:
        """An engine with this user's folders."""
        return Engine(self.root, actor, state=self._state / "roots" / root_key(self.root))

    def events(self, kind: str) -> list[dict[str, Any]]:
        """The recorded events of one kind."""
        whole, _, _ = (self.root / "state/events.jsonl").read_bytes().rpartition(b"\n")
        lines = whole.splitlines()
        return [event for event in map(json.loads, lines) if event["kind"] == kind]

    def control(self) -> dict[str, Any]:
        """The order to the agents."""
        found: dict[str, Any] = json.loads((self.root / ".ppgp/run/control.json").read_bytes())
        return found

    @contextmanager
    def process(self, *words: str, **environ: str) -> Iterator[Child]:
        """A process in this place; it ends with the block at the latest."""
        child = subprocess.Popen(
            words, cwd=self.root, env={**self.environ, "PYTHONPATH": str(REPOSITORY), **environ},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            yield child
        finally:
            child.kill()
            child.communicate()

    @contextmanager
    def agent(self, kind: str, key: str = AGENT) -> Iterator[Child]:
        """An agent of `tests.e2e.agents` that has begun its work, in a `with`."""
        words = "-m", "tests.e2e.agents", kind, str(self.root), key
        with self.process(sys.executable, *words) as agent:
            until(lambda: self._tells_of(kind, key))
            yield agent

    def _tells_of(self, kind: str, key: str) -> bool:
        """Whether an agent has left its first sign: a record, or a heartbeat."""
        if kind == "deaf":
            return bool(self.events("goal.checkpointed"))
        return (self.root / f".ppgp/run/agents/{key}.json").exists()

    def asks(self, *words: str, key: str = AGENT) -> AbstractContextManager[Child]:
        """An agent's `ppgp-tui ask … --wait`, in a `with`."""
        return self.process(str(PROGRAM), "ask", *words, "--wait", "600", PPGP_AGENT=key)


class Server:
    """A tmux server of its own; each app of the person sits in a window with a shell."""

    def __init__(self, folder: Path, environ: Mapping[str, str], name: str) -> None:
        """Windows begin in `folder`, with exactly that environment."""
        self._folder = folder
        self._environ = environ
        self._name = f"ppgp-e2e-{os.getpid()}-{name}"
        self._windows = 0

    def window(self, columns: int = 80, lines: int = 24, **environ: str) -> Window:
        """A shell in a terminal of that size; `environ` is added to its environment."""
        shell = "bash --norc --noprofile"
        size = ("-x", str(columns), "-y", str(lines))
        told = [word for pair in environ.items() for word in ("-e", "=".join(pair))]
        name, root = f"w{self._windows}", str(self._folder)
        self.run("new-session", "-d", "-s", name, *size, *told, "-c", root, shell)
        window = Window(self, name)
        self._windows += 1
        window.until(lambda text: text.strip() != "")
        return window

    def app(self, columns: int = 80, lines: int = 24, **environ: str) -> Window:
        """The app on the repository, painted and live."""
        window = self.window(columns, lines, **environ)
        window.start_app()
        return window

    def run(self, *words: str) -> str:
        """Run one tmux command, or several with `;` between them."""
        ran = subprocess.run(
            ["tmux", "-L", self._name, "-f", "/dev/null", *words],
            capture_output=True, text=True, check=True, env=self._environ,
        )  # fmt: skip
        return ran.stdout

    def end(self) -> None:
        """End this server and nothing else, and leave no socket of it behind."""
        if self._windows:
            socket = self.run("display-message", "-p", "#{socket_path}").strip()
            self.run("kill-server")
            Path(socket).unlink(missing_ok=True)


class Window:
    """One terminal of a person."""

    def __init__(self, server: Server, name: str) -> None:
        self._server = server
        self.name = name

    def start_app(self, *words: str) -> None:
        """Start the app (or `ppgp-tui WORDS`) in the shell and wait until it is live."""
        self.types(f"{PROGRAM} {' '.join(words)}; echo ended $?")
        self.until(lambda text: OBJECTIVE in text and text.rstrip().endswith("live"))

    def text(self) -> str:
        """What is on the screen."""
        return self._server.run("capture-pane", "-p", "-t", self.name)

    def key(self, *names: str) -> None:
        """Press keys by tmux's names."""
        self._server.run("send-keys", "-t", self.name, *names)

    def types(self, words: str) -> None:
        """Type a line."""
        self._server.run("send-keys", "-t", self.name, "-l", words, ";",
                         "send-keys", "-t", self.name, "Enter")  # fmt: skip

    def until(self, holds: Callable[[str], bool], patience_s: float = PATIENCE_S) -> str:
        """Wait for a picture; return it."""
        end = time.monotonic() + patience_s
        while not holds(text := self.text()):
            assert time.monotonic() < end, f"never came:\n{text}"
            time.sleep(0.03)
        return text

    def sees(self, *words: str) -> str:
        """Wait until the screen shows all the words; return it."""
        return self.until(lambda text: all(word in text for word in words))

    def shell_pid(self) -> int:
        """The shell of the window."""
        return int(self._server.run("display-message", "-p", "-t", self.name, "#{pane_pid}"))


def lamp_of(screen: str) -> str:
    """The run lamp without its age: `= held, 0 events since`."""
    line = screen.split("\n")[1]
    return " ".join(_TIMES.sub("", line[:30]).replace(" ,", ",").split())


class Moment(NamedTuple):
    """One picture of a recording."""

    at_s: float
    lamp: str
    screen: str


class Recording:
    """Every different run lamp of a window, in order, with the whole screen at that moment."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._began = time.monotonic()
        self.moments: list[Moment] = []
        self.look()

    def look(self) -> str:
        """Take the picture in; return the lamp."""
        screen = self._window.text()
        lamp = lamp_of(screen)
        if not self.moments or self.moments[-1].lamp != lamp:
            self.moments.append(Moment(time.monotonic() - self._began, lamp, screen))
        return lamp

    def until(self, words: str, patience_s: float = PATIENCE_S) -> Moment:
        """Record until the lamp has these words; return that moment."""
        end = time.monotonic() + patience_s
        while words not in self.look():
            assert time.monotonic() < end, "\n".join([self.story(), self._window.text()])
            time.sleep(0.03)
        return self.moments[-1]

    def lamps(self) -> list[str]:
        """The words of the lamps, in order."""
        return [re.sub(r"^\W+", "", moment.lamp) for moment in self.moments]

    def story(self) -> str:
        """What was seen, and when."""
        return "\n".join(f"{moment.at_s:6.2f}s  {moment.lamp}" for moment in self.moments)


def odd_seconds() -> str:
    """A number of seconds that nobody else sleeps, to know the processes of one test by."""
    return f"{7000 + os.getpid() % 2000}.{time.monotonic_ns() % 100_000:05}"


def first_line(child: Child) -> str:
    """The first line a process prints."""
    assert child.stdout is not None
    return child.stdout.readline().decode().strip()
