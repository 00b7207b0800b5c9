"""Which commands of a repository a person has let run, by their exact words.

A command from a document or a repository's settings is somebody else's until a person has seen it
whole. What was trusted is kept outside the repository (CONTRACTS 11), by root.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from ppgp_tui.session.canonical import canonical, digest
from ppgp_tui.session.files.safe import Folder

NAME: Final = "trusted.json"


def fingerprint(argv: Sequence[str]) -> str:
    """The digest of a program and its arguments."""
    return digest(list(argv))


def trusted(state: Path) -> frozenset[str]:
    """Fingerprints of what was trusted; `state` is the root's folder in the user's state folder.

    A file that cannot be read trusts nothing.
    """
    try:
        with Folder.open(state) as folder:
            said: Any = json.loads(folder.read(NAME))
    except (OSError, ValueError):
        return frozenset()
    listed = said.get("commands") if isinstance(said, dict) else None
    if not isinstance(listed, list):
        return frozenset()
    return frozenset(
        fingerprint(one["argv"])
        for one in listed
        if isinstance(one, dict) and isinstance(one.get("argv"), list)
        and all(isinstance(word, str) for word in one["argv"])
    )  # fmt: skip


def untrusted(commands: Iterable[Sequence[str]], state: Path) -> list[tuple[str, ...]]:
    """Those of `commands` that nobody has let run yet, each once."""
    known = trusted(state)
    asked = dict.fromkeys(tuple(argv) for argv in commands)
    return [argv for argv in asked if fingerprint(argv) not in known]


def trust(commands: Iterable[Sequence[str]], state: Path, *, at_ms: int) -> None:
    """Remember that a person let these commands run. Raises OSError."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    with Folder.open(state) as folder:
        try:
            said: Any = json.loads(folder.read(NAME))
        except (FileNotFoundError, ValueError):
            said = {}
        kept = said.get("commands") if isinstance(said, dict) else None
        listed = [one for one in kept if isinstance(one, dict)] if isinstance(kept, list) else []
        known = {canonical(one.get("argv")) for one in listed}
        listed += (
            {"argv": list(argv), "at_ms": at_ms}
            for argv in dict.fromkeys(tuple(argv) for argv in commands)
            if canonical(list(argv)) not in known
        )
        folder.publish(NAME, canonical({"schema": 1, "commands": listed}) + b"\n")
