"""The independent auditor: a program that reads a prompt and writes an answer. An edge.

It starts with a fresh context in the *auditor* profile (CONTRACTS 9): the repository read-only, the
network, and a throw-away HOME with copies of the credential files that its kind needs and nothing
else. Known programs go by their name; any other reads the prompt on standard input.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.audit import command, machine, process, sandbox
from ppgp_tui.audit.judge import Ran
from ppgp_tui.audit.tree import look_at

_CREDENTIALS_MOST: Final = 1024 * 1024


_PROXIES: Final = ("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy")


_HOMES: Final = {".claude": "CLAUDE_CONFIG_DIR", ".codex": "CODEX_HOME"}
"""Variables that name another place for a folder of the home."""


class Preset(NamedTuple):
    """How a known agent is asked once, without its sessions, hooks, settings and memories."""

    argv: tuple[str, ...]
    """It reads the prompt on its standard input and writes the answer on its standard output."""
    sandboxed: tuple[str, ...] = ()
    """What is added where it is in a sandbox, so that one of its own is needless."""
    alone: tuple[str, ...] = ()
    """What is added where it is in none."""
    credentials: tuple[str, ...] = ()
    """Files of the person's home that are copied for it."""
    variables: tuple[str, ...] = ()
    """Variables of the person's that it may have, beside those that name a proxy."""
    told: Mapping[str, str] = {}
    """Settings that it takes as arguments `-c NAME=VALUE`, by the person's variable."""
    settings: Mapping[str, str] = {}
    """Variables that are set for it."""
    covered: tuple[str, ...] = ()
    """Names in the repository that it would obey: a sandbox covers them, and without one it is not
    asked where they are."""
    own: Callable[[Mapping[str, str]], Mapping[str, bytes]] = lambda _: {}
    """Files of its HOME beside the credentials, by the person's variables."""


def _of_gemini(environ: Mapping[str, str]) -> dict[str, bytes]:
    """By which of its credentials it goes: with a base URL of one's own it asks to be told."""
    kind = "gemini-api-key" if environ.get("GEMINI_API_KEY") else "oauth-personal"
    said = {
        "security": {"auth": {"selectedType": kind}},
        "hooksConfig": {"enabled": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    }
    return {".gemini/settings.json": json.dumps(said).encode()}


PRESETS: Final[Mapping[str, Preset]] = {
    "claude": Preset(
        (
            "claude", "--print", "--output-format", "text", "--no-session-persistence",
            "--safe-mode", "--setting-sources", "user", "--strict-mcp-config",
            "--tools", "Read,Grep,Glob", "--allowedTools", "Read,Grep,Glob",
        ),
        credentials=(".claude/.credentials.json",),
        variables=(
            "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL",
            "CLAUDE_CODE_OAUTH_TOKEN",
        ),
        settings={
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1", "DISABLE_TELEMETRY": "1",
        },
    ),
    "codex": Preset(
        (
            "codex", "exec", "--skip-git-repo-check", "--ephemeral", "--ignore-user-config",
            "--ignore-rules", "--color", "never", "-c", "project_doc_max_bytes=0",
            "-c", "check_for_update_on_startup=false", "-c", "analytics.enabled=false",
            "--disable", "plugins",
        ),
        sandboxed=("--dangerously-bypass-approvals-and-sandbox", "-"),
        alone=("--sandbox", "read-only", "-"),
        credentials=(".codex/auth.json",),
        variables=("CODEX_API_KEY",),
        told={"OPENAI_BASE_URL": "openai_base_url", "OPENAI_MODEL": "model"},
    ),
    "gemini": Preset(
        ("gemini", "--output-format", "text", "--extensions", "none", "--skip-trust"),
        credentials=(".gemini/google_accounts.json", ".gemini/oauth_creds.json"),
        variables=("GEMINI_API_KEY", "GEMINI_MODEL", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
        settings={"GEMINI_CLI_NO_RELAUNCH": "true"},
        covered=(".env", ".gemini", "GEMINI.md"),
        own=_of_gemini,
    ),
    "pi": Preset(
        (
            "pi", "--print", "--no-session", "--no-extensions", "--no-skills",
            "--no-prompt-templates", "--no-context-files", "--offline",
            "--tools", "read,grep,find,ls",
        ),
        credentials=(".pi/agent/auth.json", ".pi/agent/models.json"),
        variables=("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY"),
        covered=(".pi",),
    ),
}  # fmt: skip
"""By the name in the settings; each is tried with the program itself."""


class Auditor:
    """One auditor for one audit."""

    def __init__(
        self,
        preset: Preset,
        root: Path,
        limits: sandbox.Limits,
        *,
        home: Path,
        environ: Mapping[str, str],
    ) -> None:
        """`home` is the person's, from which credentials are copied."""
        self.preset = preset
        self.root = root
        self.limits = limits
        self._home = home
        self._environ = environ

    def ask(
        self,
        text: str,
        *,
        on_output: Callable[[bytes], None],
        cancelled: Callable[[], bool],
    ) -> Ran:
        """Put the question and wait for the answer; nothing of it is left on the disk."""
        argv = self.preset.argv
        program = machine.program(argv[0], self.root, self._environ)
        if program is None:
            return command.unborn(argv, f"{argv[0]} is not installed")
        root = os.path.realpath(self.root)
        if os.path.realpath(program).startswith(f"{root}/") or program.startswith(f"{root}/"):
            return command.unborn(argv, f"{program} is of the repository that it would judge")
        try:
            start = self._start(program, cancelled)
        except (machine.NoPlaceError, OSError) as error:
            return command.unborn(argv, str(error))
        return process.run(
            start._replace(given=text.encode()), shown=argv, limits=self.limits,
            on_output=on_output, cancelled=cancelled,
        )  # fmt: skip

    def _start(self, program: str, cancelled: Callable[[], bool]) -> process.Start:
        allowed = (*self.preset.variables, *_PROXIES)
        known = {name: self._environ[name] for name in allowed if name in self._environ}
        known |= self.preset.settings
        files, tree = self._files(), look_at(self.root, stop=cancelled)
        bwrap, _ = machine.bubblewrap()
        rest = [*self.preset.argv[1:], *self._told()]
        if not bwrap and (found := next(machine.named(tree.root, self.preset.covered), "")):
            said = f"{found} is of the repository, and {self.preset.argv[0]} would obey it"
            raise machine.NoPlaceError(f"{said}: it is asked in a sandbox only")
        if not bwrap:
            environ = command.bare_environment(self._environ) | known
            words = [program, *rest, *self.preset.alone]
            return process.Start(words, environ, False, tree.root, files=files, answers=True)
        place = machine.covered(
            machine.place(tree, self._environ, bwrap=bwrap), self.preset.covered
        )
        program, place = machine.with_program(place, program, self._environ)
        words = [program, *rest, *self.preset.sandboxed]
        words = sandbox.auditor(bwrap, place, words, self.limits, files=[*files])
        environ = sandbox.environment(place) | known
        return process.Start(words, environ, True, files=files, answers=True)

    def _told(self) -> Iterator[str]:
        for variable, name in self.preset.told.items():
            if variable in self._environ:
                yield from ("-c", f"{name}={json.dumps(self._environ[variable])}")

    def _files(self) -> dict[str, bytes]:
        """What stands in its HOME: copies of the credentials that are there."""
        found = dict(self.preset.own(self._environ))
        for name in self.preset.credentials:
            folder, _, rest = name.partition("/")
            place = self._environ.get(_HOMES.get(folder, ""), "") or self._home / folder
            with suppress(OSError), Path(place, rest).open("rb") as file:
                found[name] = file.read(_CREDENTIALS_MOST)
        return found


def auditor_of(
    said: Sequence[str],
    root: Path,
    limits: sandbox.Limits,
    environ: Mapping[str, str] = os.environ,
) -> Auditor | None:
    """The auditor that the settings name: a known one, or a program with its arguments."""
    if not said:
        return None
    preset = PRESETS.get(said[0]) if len(said) == 1 else None
    home = Path(os.path.expanduser("~"))  # noqa: PTH111
    return Auditor(preset or Preset(tuple(said)), root, limits, home=home, environ=environ)
