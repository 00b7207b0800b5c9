"""Around the writing: what must be true before, and what a person must still do afterwards."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ppgp_tui.agents.adapters import NAMES, adapter
from ppgp_tui.agents.connect.connecting import (
    CannotConnectError,
    connected_places,
    has_entries,
)
from ppgp_tui.agents.connect.detect import Installed, compared
from ppgp_tui.agents.connect.receipts import load
from ppgp_tui.agents.connect.targets import MANNERS, SCOPES, Scope, command
from ppgp_tui.agents.connect.trial import trial

EVERYWHERE = "every repository of yours"


def must_not_be_elsewhere(
    name: str, scope: Scope, root: Path, environ: Mapping[str, str], path: Path
) -> None:
    """An agent adds its settings up, so it would run the hooks of two files one after the other.

    For all repositories, those count as well of which a receipt tells.

    Raises `CannotConnectError`.
    """
    for _, other, where in connected_places((name,), SCOPES, root, environ):
        if other != scope and os.path.realpath(where) != os.path.realpath(path):
            raise CannotConnectError(
                f"{name} is connected in {where} already, and would run every hook twice; "
                f"take that out first: ppgp-tui disconnect {name} --{other}"
            )
    for said, receipt in load().items() if scope == "user" else ():
        if receipt.agent == name and receipt.root and has_entries(Path(said)):
            raise CannotConnectError(
                f"{name} is connected in {said} already, and would run every hook twice there; "
                f"take that out first: ppgp-tui disconnect {name} --{receipt.scope} "
                f"--root {shlex.quote(receipt.root)}"
            )


def prepare(name: str, environ: Mapping[str, str], *, strict: bool = False) -> None:
    """Put the hook program in its place and see it run. Raises `CannotConnectError`."""
    from ppgp_tui.agents.hook.upkeep import install

    if not sys.executable:
        raise CannotConnectError("the path of this Python is unknown; nothing was written")
    try:
        install()
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise CannotConnectError(f"{error.filename}: {said}; nothing was written") from None
    words = command(name, strict=strict)
    why = trial(words, environ, by_shell=MANNERS[name].runs_shell)
    if why is not None:
        said = f"the hook does not run, {why}; nothing was written. It was: {shlex.join(words)}"
        raise CannotConnectError(said)


def about_version(name: str, found: Installed | None) -> str:
    """What is known of the installed version, in a sentence."""
    known = adapter(name)
    title, tried = (known.title, known.tried) if known else (name, "")
    if found is None:
        return f"{title} was not found on PATH; the hooks wait for it"
    if found.version is None:
        return f"{title} at {found.program} did not say its version"
    how = {
        "tried": "the version all of this was tried with",
        "newer": f"newer than {tried}, with which all of this was tried",
        "older": f"older than {tried}, with which all of this was tried: some hooks may be missing",
    }
    return f"{title} {found.version} at {found.program}, {how[compared(name, found.version)]}"


def still_to_do(name: str, scope: Scope, root: Path, path: Path) -> list[str]:
    """What is not active yet, and how to activate it; a line each."""
    lines = []
    if scope != "user" and not (root / ".ppgp").is_dir():
        lines.append("there is no session here yet, so the hooks do nothing: ppgp-tui init")
    if name == "claude":
        lines.append(
            "Claude Code runs hooks in folders you have trusted (it asks at the first start); "
            "sessions under way take them up by themselves"
        )
    if name == "codex":
        lines.append(
            "not active yet: Codex runs no hook that you have not trusted, and says nothing of it; "
            "start codex here and trust them when it asks, or type /hooks there"
        )
        if scope != "user":
            lines.append("Codex reads hooks of a repository only if you trust the project itself")
    if scope == "local" and not _is_ignored(root, path):
        lines.append(
            f"{path.relative_to(root)} names paths of this machine and is not ignored by Git: "
            "do not commit it"
        )
    if scope == "shared":
        lines.append(
            f"{path.relative_to(root)} is shared, and names paths of this machine: on others the "
            "hooks would be missing"
        )
    return lines


def mcp_command(name: str) -> str:
    """The agent's own command that adds our MCP server, for tools to read, ask and propose."""
    ours = shlex.join([*own_program(), "mcp"])
    return f"{MANNERS[name].program} mcp add ppgp -- {ours}"


def own_program() -> list[str]:
    """The words that start ppgp-tui from anywhere."""
    beside = Path(sys.executable).parent / "ppgp-tui"
    if beside.is_file():
        return [str(beside)]
    return [sys.executable, "-c", "from ppgp_tui.cli.entry import main; main()"]


def named(names: tuple[str, ...], found: Mapping[str, Installed]) -> tuple[str, ...]:
    """The agents meant: those named, else the installed ones. Raises `CannotConnectError`."""
    for name in names:
        if name not in NAMES:
            known = ", ".join(NAMES)
            raise CannotConnectError(f"{name} cannot be connected; known agents are {known}")
    if names:
        return tuple(dict.fromkeys(names))
    if not found:
        programs = " or ".join(MANNERS[name].program for name in NAMES)
        raise CannotConnectError(
            f"no agent was found: looked for {programs} on PATH and where they install themselves; "
            "name one to connect it all the same"
        )
    return tuple(found)


def _is_ignored(root: Path, path: Path) -> bool:
    from ppgp_tui.session import git

    with suppress(git.GitUnknownError):
        return git.ask(root, "check-ignore", "-q", "--", str(path)).code != 1
    return True
