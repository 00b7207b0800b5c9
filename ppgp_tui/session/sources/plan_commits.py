"""The versions of `todo.json` in Git, for a plan that no log holds.

One `git log` and one `git cat-file` for all of them. Where a merge took over the plan of one side,
that side is the history, with its authors; where it made a new plan of two, the merge is a revision
of its own and the side that was merged in is left out.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from ppgp_tui.session.canonical import UnserialisableError, digest
from ppgp_tui.session.files.reading import Stamp
from ppgp_tui.session.git import GitUnknownError, ask
from ppgp_tui.session.members import whole
from ppgp_tui.session.plan_history.gathering import RevisionLog
from ppgp_tui.session.plan_history.history import Decoded, PlanHistory
from ppgp_tui.session.plan_history.revision import Revision
from ppgp_tui.session.sources.repo import refs_stamp

MOST: Final = 1_000
"""Commits of the file that are read, the newest ones."""
_LARGEST: Final = 1024 * 1024
"""Bytes of a plan that are read."""
_SEPARATOR: Final = "\x1f"


class _Commit(NamedTuple):
    id: str
    parent: str
    ts_ms: int
    author: str
    subject: str


class PlanCommits:
    """Asks Git about one file. Not thread-safe."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._key: tuple[str, tuple[Stamp | None, ...]] | None = None
        self._found = PlanHistory()

    def look(self, path: str) -> PlanHistory:
        """The history of the file `path` as HEAD has it; asked again only when refs moved."""
        key = path, refs_stamp(self._root)
        if key != self._key:
            self._found = read_commits(self._root, path)
            self._key = key
        return self._found


def read_commits(root: Path, path: str) -> PlanHistory:
    """Every version of the plan in `path` that HEAD leads to, oldest first."""
    try:
        commits, left_out, older = _line_of_commits(root, path)
        versions = list(_contents(root, path, commits))
    except GitUnknownError as error:
        return PlanHistory(where=path, note=str(error))
    log, unread = RevisionLog(), 0
    kept: list[bytes] = []
    before: str | None = None
    for commit, data in zip(commits, versions, strict=True):
        value = _plan(data)
        if value is None:
            unread += 1
            continue
        known = _digest(value)
        if known is not None and known == before:
            continue
        before = known
        revision = Revision(
            number=whole(value.get("revision")),
            at=len(kept),
            id=commit.id,
            ts_ms=commit.ts_ms,
            by=commit.author,
            origin="commit",
            said=commit.subject,
            digest=(known or "").removeprefix("sha256:")[:16],
        )
        log.add(revision, value)
        kept.append(zlib.compress(data))
    if not kept:
        return PlanHistory(where=path, note=f"no commit holds {path}")
    log.older = older

    def read(revision: Revision) -> Any:
        return _plan(zlib.decompress(kept[revision.at]))

    return PlanHistory("git", log.now, path, _note(left_out, unread, older), Decoded(read))


def _line_of_commits(root: Path, path: str) -> tuple[list[_Commit], int, int]:
    """The commits that changed the file, one behind the other, oldest first.

    Besides: how many of them lie on branches that were merged in, and how many are older than the
    ones that are read.
    """
    form = _SEPARATOR.join(("%H", "%P", "%ct", "%an", "%s"))
    answer = ask(
        root, "log", "--parents", f"--format={form}", "-z", f"--max-count={2 * MOST}", "HEAD",
        "--", path,
    )  # fmt: skip
    if answer.code:
        raise GitUnknownError("it is in no commit")
    listed = {commit.id: commit for commit in _listed(answer.out)}
    line: list[_Commit] = []
    at = next(iter(listed), "")
    while at in listed:
        commit = listed.pop(at)
        line.append(commit)
        at = commit.parent
    older = max(0, len(line) - MOST)
    return line[:MOST][::-1], len(listed), older


def _listed(out: bytes) -> Iterator[_Commit]:
    for entry in out.decode("utf-8", "replace").split("\0"):
        words = entry.split(_SEPARATOR, 4)
        if len(words) == 5 and words[2].isdigit():
            parent = words[1].split(" ")[0]
            yield _Commit(words[0], parent, int(words[2]) * 1000, words[3], words[4])


def _contents(root: Path, path: str, commits: Sequence[_Commit]) -> Iterator[bytes]:
    """The file in each commit; empty where it is not there, or too big for a plan."""
    if not commits:
        return
    asked = "".join(f"{commit.id}:./{path}\n" for commit in commits).encode()
    out = ask(root, "cat-file", "--batch", given=asked).out
    at = 0
    for _ in commits:
        end = out.find(b"\n", at)
        if end < 0:
            raise GitUnknownError("git cat-file did not answer every question")
        words = out[at:end].rsplit(b" ", 2)
        at = end + 1
        if len(words) != 3 or words[1] != b"blob" or not words[2].isdigit():
            yield b""
            continue
        size = int(words[2])
        yield out[at : at + size] if size <= _LARGEST else b""
        at += size + 1


def _plan(data: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("tasks"), list) else None


def _digest(value: Any) -> str | None:
    try:
        return digest(value)
    except UnserialisableError:
        return None


def _note(left_out: int, unread: int, older: int) -> str:
    said = []
    if older:
        said.append(f"{older:,} older {'commit' if older == 1 else 'commits'} not read")
    if left_out:
        of = "commit of a merged branch" if left_out == 1 else "commits of merged branches"
        said.append(f"{left_out:,} {of} left out")
    if unread:
        said.append(f"{unread:,} {'commit holds' if unread == 1 else 'commits hold'} no plan")
    return ", ".join(said)
