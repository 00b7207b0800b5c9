"""A real repository with a session in it, and the people and agents who act there."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ppgp_tui.session.actions import start
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.fold import fold
from ppgp_tui.session.engine.ledger import Ledger
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import Appended
from ppgp_tui.session.settings.settings import Settings, load_settings
from tests.session import journals
from tests.session.engine.desk import HUMAN

Json = dict[str, Any]

T0 = 1_790_000_000_000
LOG = Path("state/events.jsonl")
RUN = Path(".ppgp/run")
TODO = Path(".ppgp/todo.json")
GOAL = Path(".ppgp/goal.json")
DOCUMENT = Path("docs/ACTIVE_GOAL.md")

TEXT = """\
# Retry survives a timeout

## GOAL
Retry survives a timeout.

## PHASE
EXECUTE

## DEFINITION_OF_DONE
- [ ] the counter is on disk
- [ ] a test kills the process

## INVARIANTS
- no new dependency

## HUMAN_AUTHORITY_REQUIRED
- Publish 0.2.0 to the index?
- Rename the command?

## NEXT_EXECUTABLE_ACTION
Write the test.
"""


@dataclass
class Repository:
    """Everything of one root, with a clock that goes on by a second at each look."""

    folder: Path
    now_ms: int = T0

    @property
    def root(self) -> Path:
        return self.folder / "repo"

    @property
    def state(self) -> Path:
        """The root's folder in the user's state folder."""
        return self.folder / "user" / "ppgp-tui" / "roots" / "0"

    def clock(self) -> int:
        self.now_ms += 1000
        return self.now_ms

    def engine(self, actor: Actor = HUMAN, **more: Any) -> Engine:
        settings: Settings = load_settings(self.root, self.folder / "user" / "config.toml")
        return Engine(
            self.root, actor, **{"clock": self.clock, "state": self.state, "settings": settings}
            | more,
        )  # fmt: skip

    @property
    def pins(self) -> Pins:
        """Nobody's key is pinned and there is no ssh-keygen: answers go unsigned."""
        return Pins(self.folder / "data", self.root, {"PATH": str(self.folder / "nothing")})

    @property
    def key(self) -> SigningKey:
        return SigningKey(self.pins)

    def init(self) -> "Repository":
        self.root.mkdir(parents=True, exist_ok=True)
        good(start.init(self.engine()))
        return self

    def write(self, path: Path | str, text: str | bytes) -> Path:
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text.encode() if isinstance(text, str) else text)
        return full

    def read(self, path: Path | str) -> bytes:
        return (self.root / path).read_bytes()

    def json(self, path: Path | str) -> Any:
        return json.loads(self.read(path))

    def git(self, *arguments: str) -> str:
        return journals.git(self.root, *arguments)

    def events(self) -> list[Json]:
        return [json.loads(line) for line in self.read(LOG).splitlines()]

    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.events()]

    def newest(self, kind: str) -> Json:
        return next(event for event in reversed(self.events()) if event["kind"] == kind)

    def ledger(self) -> Ledger:
        """What the next act will find."""
        found: list[Ledger] = []
        looked = self.engine().journal.append(lambda view: found.append(fold(view)) or ())
        assert isinstance(looked, Appended), looked
        return found[0]

    def request_state(self, request_id: str) -> str:
        return str(self.ledger().requests[request_id]["state"])


def repository(folder: Path, text: str | bytes | None = None, *, git: bool = False) -> Repository:
    """A root with a session, perhaps a goal document and Git."""
    made = Repository(folder)
    made.root.mkdir(parents=True)
    if text is not None:
        made.write(DOCUMENT, text)
    if git:
        made.git("init", "--quiet", "-b", "main")
        made.git("commit", "--quiet", "--allow-empty", "-m", "Begin")
    return made.init()


def good(result: Result) -> Result:
    """The result of an act that must have done what was asked, or found nothing to do."""
    assert result.ok, result
    return result


def refused(result: Result, code: str = "refused") -> str:
    """The message of an act that must have been refused, with nothing recorded."""
    assert (result.ok, result.code, result.events) == (False, code, ()), result
    return result.message


def task(key: str, status: str = "pending", after: tuple[str, ...] = ()) -> Json:
    made: Json = {"key": key, "subject": f"Do {key}", "status": status}
    return made | ({"dependsOn": list(after)} if after else {})


def run_git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=False)
