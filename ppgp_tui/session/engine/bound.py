"""What a claim of completion is about: the contract, the plan and the code, as digests.

A verdict is stale as soon as one of them differs. Recording things and committing the log never
make it so: the log's own folders and the goal document are left out of the code.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.engine.observed import contract
from ppgp_tui.session.git import GitUnknownError, surroundings, without_filters

_OURS: Final = (
    "state/", ".ppgp/", ".agent/", "memory/", "journal/", "snapshots/", "transcripts/",
)  # fmt: skip
_LIMIT_S: Final = 60
_SUBMODULE: Final = "160000"
_SAFE: Final = (
    "core.fsmonitor=false", "core.trustctime=true", "core.checkStat=default",
    "core.ignoreStat=false",
)  # fmt: skip


__all__ = ["CodeState", "GitUnknownError", "bound", "code_state", "sha256_hex"]


@dataclass(frozen=True, slots=True)
class CodeState:
    """The work tree as a digest, and the commit it stands on (for display)."""

    digest: str
    commit: str | None


def bound(reading: GoalReading, ledger: Ledger, code: CodeState) -> Json:
    """Return `{contract, plan, code, commit, evidence, goal}`.

    The objective stands in for no document. `commit` and `evidence` make no verdict stale: evidence
    that is added is what a new claim may rest on.
    """
    goal = ledger.goal
    if reading.health == "MISSING":
        agreed = digest(goal["objective"] if goal else "")
    else:
        agreed = contract(reading)
    return {
        "contract": agreed,
        "plan": digest(ledger.todo["tasks"]),
        "code": code.digest,
        "commit": code.commit,
        "evidence": _evidence(reading),
        "goal": goal["id"] if goal else None,
    }


def _evidence(reading: GoalReading) -> str:
    """Digest of what the document says of its own conditions, and shows for it."""
    field = reading.field_named("VERIFICATION_EVIDENCE")
    said = [
        [criterion.state, *(item.text for item in criterion.evidence)] for criterion in reading.dod
    ]
    return digest({"dod": said, "evidence": field.text if field else ""})


def code_state(root: Path, *, document_path: str) -> CodeState:
    """Digest HEAD overlaid with every changed and untracked file that is not ignored.

    Nothing is written, no Git object either. Raises `GitUnknownError`. Takes no lock: ask before.
    """
    entries = dict(_committed(root))
    changed = _changed(root)
    inner = [path for path, (mode, _) in entries.items() if mode == _SUBMODULE]
    changed += [path for path in inner if path not in changed and (root / path / ".git").exists()]
    for path in changed:
        entries.pop(path, None)
    entries.update(_on_disk(root, changed))
    lines = [
        f"{mode} {blob} ".encode() + os.fsencode(path) + b"\n"
        for path, (mode, blob) in sorted(entries.items())
        if not path.startswith(_OURS) and path != document_path
    ]
    return CodeState("sha256:" + hashlib.sha256(b"".join(lines)).hexdigest(), _head(root))


def sha256_hex(data: bytes) -> str:
    """Plain SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


def _committed(root: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    if _head(root) is None:
        return
    for entry in _git(root, "ls-tree", "-r", "-z", "HEAD").split(b"\0"):
        if entry:
            about, path = entry.split(b"\t", 1)
            mode, _, blob = about.decode().split(" ")
            yield os.fsdecode(path), (mode, blob)


def _changed(root: Path) -> list[str]:
    """Changed and untracked paths below the root, relative to it."""
    prefix = _git(root, "rev-parse", "--show-prefix").decode().strip("\n")
    said = _git(
        root, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames",
        "--ignore-submodules=dirty", ".",
    )  # fmt: skip
    seen = [os.fsdecode(entry[3:]).removeprefix(prefix) for entry in said.split(b"\0") if entry]
    return [*dict.fromkeys((*seen, *unwatched(root)))]


def unwatched(root: Path) -> list[str]:
    """Paths that Git was told not to look at (`assume-unchanged`, `skip-worktree`)."""
    listed = _git(root, "ls-files", "-v", "-z").split(b"\0")
    return [os.fsdecode(one[2:]) for one in listed if one[:1].islower() or one[:1] == b"S"]


def _on_disk(root: Path, paths: list[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Path, mode and Git's hash of those paths that are in the work tree."""
    plain: list[tuple[str, str]] = []
    for path in paths:
        full = root / path
        try:
            found = full.lstat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        if stat.S_ISLNK(found.st_mode):
            target = os.fsencode(full.readlink())
            yield path, ("120000", _hash(root, "--stdin", given=target)[0])
        elif stat.S_ISDIR(found.st_mode):
            yield path, (_SUBMODULE, _repository_in(full))
        elif "\n" in path or path.startswith('"'):  # Git would read another name from a list
            yield path, (_mode(found), _hash(root, "--", path)[0])
        elif stat.S_ISREG(found.st_mode):
            plain.append((path, _mode(found)))
    names = b"".join(os.fsencode(path) + b"\n" for path, _ in plain)
    blobs = _hash(root, "--stdin-paths", given=names) if plain else []
    for (path, mode), blob in zip(plain, blobs, strict=True):
        yield path, (mode, blob)


def _repository_in(full: Path) -> str:
    """The commit on which a repository inside of this one stands; else what is in it, as a digest.

    Git is asked there by us: asking it from here would run what that repository's settings name.
    """
    inside = _git(full, "rev-parse", "--show-prefix").decode().strip("\n")
    head = None if inside else _head(full)
    if head is None or _changed(full):
        return code_state(full, document_path="").digest
    return head


def _mode(found: os.stat_result) -> str:
    return "100755" if found.st_mode & stat.S_IXUSR else "100644"


def _hash(root: Path, *arguments: str, given: bytes = b"") -> list[str]:
    return _git(root, "hash-object", *arguments, given=given).decode().split()


def _head(root: Path) -> str | None:
    try:
        return _git(root, "rev-parse", "--verify", "--quiet", "HEAD").decode().strip()
    except GitUnknownError as error:
        if "exit 1" in str(error):
            return None  # a repository without a commit
        raise


def _git(root: Path, *arguments: str, given: bytes = b"") -> bytes:
    # Inside a Git hook, Git's own variables name another index or work tree.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = kept | {
        "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
    }  # fmt: skip
    environment["PATH"] = surroundings()["PATH"]
    if arguments[0] in ("status", "hash-object"):
        environment |= without_filters(root)
    # Else a program of the repository's choice is run, or an edit can be hidden from the index.
    safe = [word for setting in _SAFE for word in ("-c", setting)]
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *safe, *arguments],
            input=given,
            capture_output=True,
            timeout=_LIMIT_S,
            env=environment,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GitUnknownError(f"git {arguments[0]}: {error}") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise GitUnknownError(
            f"git {arguments[0]}: exit {done.returncode} {said[-1] if said else ''}".strip()
        )
    return done.stdout
