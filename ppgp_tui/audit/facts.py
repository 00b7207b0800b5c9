"""What the repository says about the claims of a plan, as values. `looking` finds them out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

OURS: Final = (
    "state/", ".ppgp/", ".agent/", "memory/", "journal/", "snapshots/", "transcripts/",
)  # fmt: skip
"""The session's own folders: no code, and no evidence of any (CONTRACTS 9)."""


class FileFact(NamedTuple):
    """What stands at a path."""

    kind: Literal["file", "folder", "absent", "unread"]
    why: str = ""
    """For `unread`: why it cannot be read."""
    text: str | None = None
    """Of a file that is text and not too large."""
    size: int = 0
    """Bytes of a file."""


class CommitFact(NamedTuple):
    """What Git knows of a commit's name."""

    hash: str | None
    """None: there is no such commit, or more than one."""
    reachable: bool = False
    """It is in the history of HEAD."""
    empty: bool = False
    """It changes nothing."""
    reverted: str = ""
    """A later commit of that history which takes it back."""


class AgeFact(NamedTuple):
    """When a file last changed, beside the code."""

    changed_s: int | None
    """Unix seconds; None: nobody knows."""
    newer_code: str = ""
    """A code file that changed later; empty: none did, as far as Git and the disk know."""
    future: bool = False
    """It says that it was made at a time which has not come."""


class Facts(NamedTuple):
    """Everything that the checks of one plan need."""

    git: bool
    head: str | None
    dirty: tuple[str, ...]
    """Changed and untracked paths, without the session's own files."""
    files: Mapping[str, FileFact]
    commits: Mapping[str, CommitFact]
    ages: Mapping[str, AgeFact]
    tests: Mapping[str, str]
    """Texts of the test files in the work tree by path."""
    why: str = ""
    """Why Git could not be asked; empty otherwise."""
    scripts: Mapping[str, str] = {}
    """Texts of the scripts that commands name, and of the files with recipes of known tools."""
    harness: Mapping[str, str] = {}
    """Texts of what is run around tests, ignored files too."""
    ignored: frozenset[str] = frozenset()
    """Named files that Git ignores, so that no digest holds what they say."""
    shallow: bool = False
    """Git has only the newest part of the history, so a commit that is not there may exist."""
