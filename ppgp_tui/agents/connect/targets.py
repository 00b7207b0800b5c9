"""Which settings file of which agent takes the hooks, and what is written there."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from ppgp_tui.agents.adapters.shape import Adapter
from ppgp_tui.session.files.places import data_folder

Scope = Literal["local", "shared", "user"]
"""`local`: this repository, for this user; `shared`: this repository, committed; `user`: all."""

SCOPES: Final[tuple[Scope, ...]] = ("local", "shared", "user")

Json = dict[str, Any]


class Manner(NamedTuple):
    """How an agent is told of hooks."""

    program: str
    home: str
    """The variable that names the agent's own folder."""
    folder: str
    """The folder below the home folder, and below a repository."""
    files: Mapping[Scope, str]
    """In these folders; a scope that is missing does not exist there."""
    handler: Callable[[list[str], int], Json]
    """The entry that runs these words, with the time the agent gives them."""
    runs_shell: bool
    """Whether the agent gives the entry to the user's login shell."""
    takes_mark: bool
    """Whether it reads a file that begins with a byte order mark."""


def _claude(words: list[str], timeout_s: int) -> Json:
    return {"type": "command", "command": words[0], "args": words[1:], "timeout": timeout_s}


def _codex(words: list[str], timeout_s: int) -> Json:
    return {"type": "command", "command": shlex.join(words), "timeout": timeout_s}


MANNERS: Final = {
    "claude": Manner(
        "claude",
        "CLAUDE_CONFIG_DIR",
        ".claude",
        {"local": "settings.local.json", "shared": "settings.json", "user": "settings.json"},
        _claude,
        runs_shell=False,
        takes_mark=True,
    ),
    "codex": Manner(
        "codex",
        "CODEX_HOME",
        ".codex",
        {"local": "hooks.json", "user": "hooks.json"},
        _codex,
        runs_shell=True,
        takes_mark=False,
    ),
}
"""By our name of the agent."""


def settings_file(
    name: str, scope: Scope, root: Path, environ: Mapping[str, str], home: Path
) -> Path | None:
    """The file of that agent, not resolved; None where the agent has no such place."""
    manner = MANNERS[name]
    if scope not in manner.files:
        return None
    if scope != "user":
        return root / manner.folder / manner.files[scope]
    named = environ.get(manner.home)
    return (Path(named).expanduser() if named else home / manner.folder) / manner.files[scope]


def hook_file() -> Path:
    """The program that agents call; the same path for ever."""
    return data_folder() / "hook.py"


def command(name: str, *, strict: bool = False, python: str = sys.executable) -> list[str]:
    """The words that agents run; always the same, because agents ask for trust of a new one."""
    words = [python, "-I", "-S", str(hook_file()), name]
    return [*words, "--strict"] if strict else words


def groups(adapter: Adapter, words: list[str], *, blocks: bool = False) -> dict[str, Json]:
    """The entries of an agent, by event.

    `blocks`: the agent itself refuses a call whose hook failed, and knows how to be told so.
    """
    manner = MANNERS[adapter.name]
    found: dict[str, Json] = {}
    for entry in adapter.hooks:
        handler = manner.handler(words, entry.timeout_s)
        if blocks and adapter.kinds.get(entry.event) == "before_tool":
            handler["onFailure"] = "block"
        found[entry.event] = {"hooks": [handler]}
    return found
