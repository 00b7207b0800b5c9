"""The independent auditor: a program that reads a prompt and writes an answer. An edge.

It starts with a fresh context in the *auditor* profile (CONTRACTS 9): the repository read-only, the
network, and a throw-away HOME with copies of the credential files that its kind needs and nothing
else. Known programs go by their name; any other reads the prompt on standard input.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.audit import machine, process, sandbox
from ppgp_tui.audit.judge import Ran

_BARE: Final = {"PATH": "/usr/bin:/bin"}


class Preset(NamedTuple):
    """How a known agent is asked once, without its sessions, hooks and settings."""

    argv: tuple[str, ...]
    credentials: tuple[str, ...] = ()
    """Files of the person's home that are copied for it."""
    variables: tuple[str, ...] = ()
    """Variables it may have."""


PRESETS: Final[Mapping[str, Preset]] = {
    "claude": Preset(
        ("claude", "-p", "--output-format", "text", "--allowedTools", "Read,Grep,Glob"),
        (".claude/.credentials.json",),
        ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"),
    ),
    "codex": Preset(
        (
            "codex", "exec", "--skip-git-repo-check", "--ephemeral",
            "--dangerously-bypass-approvals-and-sandbox", "-",
        ),
        (".codex/auth.json",),
        ("OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_API_KEY"),
    ),
    "gemini": Preset(
        ("gemini", "--output-format", "text"),
        (".gemini/oauth_creds.json", ".gemini/google_accounts.json"),
        ("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
    ),
    "pi": Preset(
        ("pi", "-p", "--no-session", "--no-extensions", "--tools", "read,grep,find,ls"),
        (".pi/agent/auth.json", ".pi/agent/models.json"),
        ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"),
    ),
}  # fmt: skip
"""By the name in the settings."""


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
            return Ran(argv, "unborn", None, 0.0, "", f"{argv[0]} is not installed")
        place = tempfile.mkdtemp(prefix="ppgp-audit-")
        try:
            self._copy_credentials(Path(place))
            command, environ = self._command([program, *argv[1:]], place)
            return process.run(
                command, shown=argv, limits=self.limits, cwd=self.root, environ=environ,
                on_output=on_output, cancelled=cancelled, given=text.encode(),
            )  # fmt: skip
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _command(self, argv: Sequence[str], home: str) -> tuple[list[str], dict[str, str]]:
        known = {name: self._environ[name] for name in self.preset.variables
                 if name in self._environ}  # fmt: skip
        bwrap, _ = machine.bubblewrap()
        if bwrap:
            place = machine.place(self.root, self._environ)
            command = sandbox.auditor(bwrap, place, argv, self.limits, home=home, variables=known)
            return command, dict(_BARE)
        own = {name: self._environ[name] for name in ("LANG", "PATH") if name in self._environ}
        return list(argv), {**own, **known, "HOME": home, "TERM": "dumb", "NO_COLOR": "1"}

    def _copy_credentials(self, home: Path) -> None:
        for name in self.preset.credentials:
            source = self._home / name
            with suppress(OSError):
                (home / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                (home / name).write_bytes(source.read_bytes())
                (home / name).chmod(0o600)


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
