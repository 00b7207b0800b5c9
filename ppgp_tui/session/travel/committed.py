"""The goal document of a moment as Git has it: that of the newest commit which touched it by then.

Which commits touched it is asked once, what a commit holds when a moment needs it. What lay in the
work tree between two commits nobody knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.session.files.reading import Stamp
from ppgp_tui.session.git import GitUnknownError, ask
from ppgp_tui.session.picture.moment import Committed
from ppgp_tui.session.sources.repo import refs_stamp

MOST: Final = 2_000
"""Commits that are known, the newest ones."""
LARGEST: Final = 1024 * 1024
"""Bytes of a document that are read."""
LIMIT_S: Final = 5.0
_KEPT: Final = 16
"""Documents that are kept, to go back and on between them."""
_FILES: Final = (b"100644", b"100755")
_NO_TIME: Final = "this event has no time, so no commit is known to be of before it"
_ALONE: Final = "a log by itself has no document beside it"
_UNCOMMITTED: Final = "no commit by then holds the document"


class _Commit(NamedTuple):
    id: str
    at_ms: int


class CommittedDocuments:
    """Asks Git about one repository. Not thread-safe: one thread travels."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._key: tuple[Sequence[str], tuple[Stamp | None, ...]] = ((), ())
        self._commits: Sequence[_Commit] | str | None = None
        self._read: dict[_Commit, Committed | str] = {}

    def known(self, paths: Sequence[str], ts_ms: int | None) -> Committed | str | None:
        """The document of that moment, or why there is none; None before Git was asked.

        `paths` are those where it may have lain, the first one that is there counts.
        """
        if not paths:
            return _ALONE
        if ts_ms is None:
            return _NO_TIME
        if (paths, refs_stamp(self._root)) != self._key or self._commits is None:
            return None
        if isinstance(self._commits, str):
            return self._commits
        newest = _newest(self._commits, ts_ms)
        return _UNCOMMITTED if newest is None else self._read.get(newest)

    def ask(self, paths: Sequence[str], ts_ms: int | None) -> Committed | str:
        """The same, asking Git for what is not known."""
        key = paths, refs_stamp(self._root)
        if key != self._key:
            self._key, self._commits, self._read = key, None, {}
        if (found := self.known(paths, ts_ms)) is not None:
            return found
        if self._commits is None:
            self._commits = _touched(self._root, paths)
        if isinstance(self._commits, str) or ts_ms is None:
            return str(self._commits)
        newest = _newest(self._commits, ts_ms)
        if newest is None:
            return _UNCOMMITTED
        while len(self._read) >= _KEPT:
            del self._read[next(iter(self._read))]
        self._read[newest] = _document(self._root, newest, paths)
        return self._read[newest]


def _newest(commits: Sequence[_Commit], ts_ms: int) -> _Commit | None:
    """The newest at or before `ts_ms`; of several of one second the one that came last."""
    before = (commit for commit in commits if commit.at_ms <= ts_ms)
    return max(before, key=lambda commit: commit.at_ms, default=None)


def _touched(root: Path, paths: Sequence[str]) -> Sequence[_Commit] | str:
    """The commits that HEAD leads to and that touched one of `paths`, the newest first."""
    try:
        answer = ask(
            root, "log", "--format=%H %ct", f"--max-count={MOST}", "HEAD", "--", *paths,
            limit_s=LIMIT_S,
        )  # fmt: skip
    except GitUnknownError as error:
        return str(error)
    if answer.code:
        return _UNCOMMITTED
    words = (line.split(" ") for line in answer.text.splitlines())
    return [_Commit(one, int(at_s) * 1000) for one, at_s in words if at_s.isdecimal()]


def _document(root: Path, commit: _Commit, paths: Sequence[str]) -> Committed | str:
    try:
        listed = ask(root, "ls-tree", "-z", "-l", commit.id, "--", *paths, limit_s=LIMIT_S)
        entries = dict(_entry(entry) for entry in listed.out.split(b"\0") if b"\t" in entry)
        path = next((path for path in paths if path.encode() in entries), None)
        if path is None:
            return Committed(commit.id, commit.at_ms, paths[0], None)
        mode, _, blob, size = entries[path.encode()]
        if mode not in _FILES:
            return f"{path} is no file in commit {commit.id[:7]}"
        if int(size) > LARGEST:
            return f"{path} in commit {commit.id[:7]} has more than {LARGEST:,} bytes"
        data = ask(root, "cat-file", "blob", blob.decode(), limit_s=LIMIT_S).out
    except GitUnknownError as error:
        return str(error)
    # How large a document may be is a setting of now: of then nothing is said about it.
    return Committed(commit.id, commit.at_ms, path, data, read_goal(data, path, LARGEST))


def _entry(entry: bytes) -> tuple[bytes, list[bytes]]:
    """Path, then mode, kind, object and size of one entry of a tree."""
    about, _, path = entry.partition(b"\t")
    return path, about.split()
