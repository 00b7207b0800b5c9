"""Where a user's own files are: settings, state and data outside every repository."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platformdirs.unix import Unix


def config_folder() -> Path:
    """Settings, themes and keys: `$XDG_CONFIG_HOME/ppgp-tui`."""
    return _folders().user_config_path


def data_folder() -> Path:
    """The user's keys and what they trust: `$XDG_DATA_HOME/ppgp-tui`."""
    return _folders().user_data_path


def state_folder() -> Path:
    """What may be lost without harm to a repository: `$XDG_STATE_HOME/ppgp-tui`."""
    return _folders().user_state_path


def root_folder(root: Path) -> Path:
    """The part of the state folder that belongs to `root`."""
    return state_folder() / "roots" / root_key(root)


def root_key(root: Path) -> str:
    """16 hex digits that stand for `root`: of the SHA-256 of its real path."""
    real = os.fsencode(os.path.realpath(root))
    return hashlib.sha256(real).hexdigest()[:16]


def loops_memory(home: Path) -> Path:
    """What was read of the loops' log in `home`, so that it need not be read whole again."""
    return state_folder() / "loops" / root_key(home)


@cache
def login() -> str:
    """The name the user is logged in by, as in the actor `user:LOGIN`; empty when unknown."""
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


@cache
def _folders() -> Unix:
    """The XDG rules on every platform, as terminal programs are expected to keep them."""
    from platformdirs.unix import Unix

    return Unix("ppgp-tui", appauthor=False)
