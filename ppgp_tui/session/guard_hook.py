"""Where Git looks for its hooks, and putting the guard of the append-only files there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from ppgp_tui.gasp.guard import CHAINED, HOOKS, guard, is_guard
from ppgp_tui.session import git
from ppgp_tui.session.files.safe import Folder

State = Literal["missing", "guard", "other guard", "taken"]

_MODE: Final = 0o755
_MOST: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Hooks:
    """The folder of hooks that Git uses for one root."""

    folder: Path
    own: bool
    """It belongs to this repository alone; else a setting `core.hooksPath` names it."""
    text: str
    """The guard as it should be here."""
    states: dict[str, State]
    """What lies at each name of `HOOKS`."""

    @property
    def is_guarded(self) -> bool:
        """Git runs the guard before each commit."""
        return self.states["pre-commit"] in ("guard", "other guard")

    def wanted(self, *, insist: bool) -> tuple[str, ...]:
        """The names under which `install` would put the guard.

        Without `insist` nobody else's hook is touched, nor a folder that others may share.
        """
        if insist:
            return tuple(name for name, state in self.states.items() if state != "guard")
        if not self.own or self.states["pre-commit"] == "taken":
            return ()
        return tuple(name for name, state in self.states.items() if state == "missing")


def look(root: Path) -> Hooks | None:
    """What Git would run for a commit in `root`; None where there is no repository.

    Raises `git.GitUnknownError` and OSError.
    """
    said = git.ask(
        root, "rev-parse", "--path-format=absolute", "--git-common-dir", "--git-path", "hooks"
    )
    if said.code:
        return None
    common, folder = (Path(os.fsdecode(line)) for line in said.out.splitlines()[:2])
    prefix = os.fsdecode(git.ask(root, "rev-parse", "--show-prefix").out).rstrip("\n")
    text = guard(prefix)
    own = os.path.realpath(folder) == os.path.join(os.path.realpath(common), "hooks")  # noqa: PTH118
    states = {name: _state(folder / name, text) for name in HOOKS}
    return Hooks(folder, own, text, states)


def install(hooks: Hooks, *, insist: bool = False) -> tuple[str, ...]:
    """Put the guard where `wanted` says; return the names made. Raises OSError.

    A hook that is in the way gets another name, under which the guard runs it.
    """
    made = []
    with Folder.open(hooks.folder.parent, hooks.folder.name, create=True) as folder:
        for name in hooks.wanted(insist=insist):
            data = hooks.text.encode("utf-8", "surrogateescape")
            if hooks.states[name] == "taken":
                _set_aside(folder, name)
            exclusive = hooks.states[name] != "other guard"
            folder.publish(name, data, exclusive=exclusive, mode=_MODE)
            made.append(name)
    return tuple(made)


def _set_aside(folder: Folder, name: str) -> None:
    """Give a hook its new name; nothing that already has that name is overwritten."""
    here, aside = folder.descriptor, name + CHAINED
    os.link(name, aside, src_dir_fd=here, dst_dir_fd=here, follow_symlinks=False)
    folder.remove(name)


def _state(path: Path, text: str) -> State:
    try:
        if path.is_symlink() or not path.is_file():
            return "taken" if os.path.lexists(path) else "missing"
        with path.open("rb") as file:
            there = file.read(_MOST).decode("utf-8", "surrogateescape")
    except OSError:
        return "taken"
    if there == text:
        return "guard" if os.access(path, os.X_OK) else "other guard"
    return "other guard" if is_guard(there) else "taken"
