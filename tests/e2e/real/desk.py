"""A person's desk: a repository with a goal, the real agent in one window and the app in another.

Everything of the person's is in one folder. Nothing on it knows of the machine's own agents, keys
or settings, and the only address it knows is that of the model on the loopback.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.e2e.acting import PROGRAM, Place, Server, Window
from tests.e2e.real.agents import PACKAGES, program
from tests.e2e.real.model import Model
from tests.waiting import until

PATIENCE_S = 40.0
READ_S = 0.7
"""Longer than something must have been on the screen before a key acts on it."""
KEY = "test-key"
UNTRUSTED = "--dangerously-bypass-hook-trust"
"""What Codex is told where the person has not gone through its questions about the hooks."""


def codex_is_ready(screen: str) -> bool:
    """Whether Codex waits for a prompt."""
    return "fake-model" in screen and "Ask Codex to do anything" in screen


_CODEX = """\
model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false
approval_policy = "{approval}"
sandbox_mode = "{sandbox}"
[features]
plugins = false
[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
[tui]
screen_reader_detection_done = true
[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[projects."{root}"]
trust_level = "trusted"
"""


class Desk(Place):
    """The repository, its person, and the model that their agents ask."""

    def __init__(self, folder: Path, model: Model) -> None:
        super().__init__(folder)
        for name, value in (("name", "Dev"), ("email", "dev@example.org")):
            subprocess.run(["git", "config", f"user.{name}", value], cwd=self.root, check=True)
        self.model = model
        self.home = folder
        self.environ |= {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": model.url,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "FAKE_KEY": KEY,
            "CODEX_HOME": str(folder / ".codex"),
            **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"),
            "NO_PROXY": "127.0.0.1",
        }
        own = folder / ".local/bin"
        own.mkdir(parents=True)
        for name in PACKAGES:
            found = program(name)
            if found is not None:
                (own / name).symlink_to(found)
        (own / PROGRAM.name).symlink_to(PROGRAM)
        self.environ["PATH"] = f"{own}:{self.environ['PATH']}"
        self.server = Server(self.root, self.environ, folder.name)

    # What has to be in place before an agent starts without questions -----------------------------

    def knows_claude(self) -> None:
        """The person has started Claude Code here before and has trusted the repository."""
        version = PACKAGES["claude"].rpartition("@")[2]
        project = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        known = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "lastOnboardingVersion": version,
            "customApiKeyResponses": {"approved": [KEY], "rejected": []},
            "projects": {str(self.root): project},
        }
        (self.home / ".claude.json").write_text(json.dumps(known))

    def knows_codex(self, *, asks: bool = False) -> None:
        """The person has set up Codex and has trusted the repository; `asks` for permissions."""
        told = {"approval": "on-request", "sandbox": "workspace-write"} if asks else {
            "approval": "never", "sandbox": "danger-full-access"}  # fmt: skip
        (self.home / ".codex").mkdir(exist_ok=True)
        settings = _CODEX.format(url=self.model.url, root=self.root, **told)
        (self.home / ".codex/config.toml").write_text(settings)

    def knows_pi(self) -> None:
        """The person has told Pi where the model is, and has no key for another one."""
        for name in ("ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
            self.environ.pop(name, None)
        model = {"id": "fake-model", "contextWindow": 100_000, "maxTokens": 8_000}
        provider = {
            "baseUrl": self.model.url, "api": "anthropic-messages", "apiKey": KEY,
            "models": [model],
        }  # fmt: skip
        (self.home / ".pi/agent").mkdir(parents=True, exist_ok=True)
        file = self.home / ".pi/agent/models.json"
        file.write_text(json.dumps({"providers": {"fake": provider}}))

    def set_up(self, settings: str) -> None:
        """Write the person's own settings."""
        file = self.home / "config/ppgp-tui/config.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(settings)

    # What a person does ---------------------------------------------------------------------------

    def says(self, *words: str) -> str:
        """Run `ppgp-tui WORDS` as the person; return what it printed."""
        ran = subprocess.run(
            [PROGRAM, *words], cwd=self.root, env=self.environ,
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def claude(self, *words: str, via: str = "") -> Window:
        """Claude Code in a window, ready for a prompt."""
        window = self.server.window(110, 36)
        window.types(f"{via}claude {' '.join(words)}; echo ended $?")
        window.until(lambda text: "for shortcuts" in text, PATIENCE_S)
        return window

    def codex(self, *words: str, via: str = "") -> Window:
        """Codex in a window, ready for a prompt."""
        window = self.server.window(110, 36)
        window.types(f"{via}codex {' '.join(words)}; echo ended $?")
        window.until(codex_is_ready, PATIENCE_S)
        return window

    def prompts(self, window: Window, words: str) -> None:
        """Type a prompt into an agent's window and send it."""
        self.server.run("send-keys", "-t", window.name, "-l", words)
        window.until(lambda text: words in text, PATIENCE_S)
        time.sleep(0.4)  # an Enter that comes with the text is taken for a part of it
        window.key("Enter")

    def opens(self, app: Window, words: str) -> None:
        """Go to the one open request, whose text has these words, and read its card."""
        app.key("3")
        app.until(lambda text: words in text, PATIENCE_S)
        app.key("Enter")
        app.sees("m note", words)
        time.sleep(READ_S)

    def picks(self, app: Window, agent: str) -> None:
        """Put the cursor on the one agent there is, in the view of agents."""
        app.key("6")
        app.until(lambda text: agent in text and "hold it" in text, PATIENCE_S)
        time.sleep(READ_S)

    # What can be seen -----------------------------------------------------------------------------

    @property
    def run(self) -> Path:
        return self.root / ".ppgp/run"

    def order(self, name: str) -> Any:
        """One member of the order to the agents; nothing is ordered before the first one."""
        with suppress(FileNotFoundError):
            return self.control()[name]
        return None

    def hold(self) -> Any:
        """The pause that is ordered now."""
        return self.order("hold")

    def heartbeats(self) -> list[dict[str, Any]]:
        """What the hooks say of each session."""
        found = sorted((self.run / "agents").glob("*.json"))
        return [json.loads(one.read_bytes()) for one in found]

    def rests(self, why: str) -> dict[str, Any]:
        """Wait until a session rests for that reason; return what is said of it."""
        found: dict[str, Any] = until(
            lambda: next((one for one in self.heartbeats() if one.get("rests") == why), None),
            PATIENCE_S,
        )
        return found

    def until_idle(self) -> None:
        """Wait until the turn of the newest session is over, for its agent as well."""
        until(lambda: self.heartbeats()[-1]["last_event"] == "Stop", PATIENCE_S)
        time.sleep(READ_S)

    def calls(self) -> list[str]:
        """The lines that hooks wrote about tool calls."""
        return [
            line
            for file in sorted((self.run / "agents").glob("*.calls"))
            for line in file.read_text().splitlines()
        ]

    def has(self, name: str) -> bool:
        return (self.root / name).exists()

    def until_made(self, name: str) -> None:
        """Wait for a file that a tool of the agent makes."""
        until(lambda: self.has(name), PATIENCE_S)


def connected_to_claude(at: Desk) -> Desk:
    """The person works with Claude Code, which has our hooks."""
    at.knows_claude()
    at.says("connect", "claude", "--local", "--yes")
    return at


def connected_to_codex(at: Desk, *, asks: bool = False) -> Desk:
    """The person works with Codex, which has our hooks; `asks`: it asks for permissions."""
    at.knows_codex(asks=asks)
    at.says("connect", "codex", "--local", "--yes")
    return at


@contextmanager
def desk(folder: Path) -> Iterator[Desk]:
    """A desk that is cleared at the end, with everything that was started on it."""
    with Model() as model:
        made = Desk(folder, model)
        try:
            yield made
        finally:
            made.server.end()
            end_what_runs_in(folder)


def end_what_runs_in(folder: Path) -> None:
    """End the programs that agents have put there and started; Codex leaves a service behind."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "exe").readlink().is_relative_to(folder):
                os.kill(int(process.name), signal.SIGKILL)
