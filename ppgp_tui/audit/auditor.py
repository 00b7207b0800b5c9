"""The independent auditor: a program that reads a prompt and writes an answer. An edge.

It starts with a fresh context in the *auditor* profile (CONTRACTS 9): the repository read-only, the
network, and a throw-away HOME with copies of the credential files that its kind needs and nothing
else. Known programs go by their name; any other reads the prompt on standard input.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.audit import command, machine, process, sandbox
from ppgp_tui.audit.judge import Ran
from ppgp_tui.audit.tree import look_at

_CREDENTIALS_MOST: Final = 1024 * 1024


class Preset(NamedTuple):
    """How a known agent is asked once, without its sessions, hooks and settings."""

    argv: tuple[str, ...]
    credentials: tuple[str, ...] = ()
    """Files of the person's home that are copied for it."""
    variables: tuple[str, ...] = ()
    """Variables of the person's that it may have."""
    settings: Mapping[str, str] = {}
    """Variables that are set for it."""


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
            return command.unborn(argv, f"{argv[0]} is not installed")
        root = os.path.realpath(self.root)
        if os.path.realpath(program).startswith(f"{root}/") or program.startswith(f"{root}/"):
            return command.unborn(argv, f"{program} is of the repository that it would judge")
        try:
            start = self._start(program)
        except (machine.NoPlaceError, OSError) as error:
            return command.unborn(argv, str(error))
        return process.run(
            start._replace(given=text.encode()), shown=argv, limits=self.limits,
            on_output=on_output, cancelled=cancelled,
        )  # fmt: skip

    def _start(self, program: str) -> process.Start:
        known = {name: self._environ[name] for name in self.preset.variables
                 if name in self._environ}  # fmt: skip
        known |= self.preset.settings
        files = self._files()
        bwrap, _ = machine.bubblewrap()
        tree = look_at(self.root)
        if not bwrap:
            environ = command.bare_environment(self._environ) | known
            words = [program, *self.preset.argv[1:]]
            return process.Start(words, environ, False, tree.root, files=files)
        place = machine.place(tree, self._environ, bwrap=bwrap)
        program, place = machine.with_program(place, program, self._environ)
        words = sandbox.auditor(
            bwrap, place, [program, *self.preset.argv[1:]], self.limits, files=[*files]
        )
        return process.Start(words, sandbox.environment(place) | known, True, files=files)

    def _files(self) -> dict[str, bytes]:
        """What stands in its HOME: copies of the credentials that are there."""
        found = {}
        for name in self.preset.credentials:
            with suppress(OSError), open(self._home / name, "rb") as file:  # noqa: PTH123
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
