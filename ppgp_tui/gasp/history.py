"""Asks Git how the append-only files came to be. An edge: this runs processes, and only reads.

One `git rev-list` a path and one `git cat-file` for all of them, never a process a commit. Most
histories are proved without reading an old content at all: an old content that is a prefix of the
file as it is now has the name that Git gives to that prefix.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Final, NamedTuple, TypeVar

from ppgp_tui.gasp.checks.append_only import ALWAYS, Broken, History, PathHistory
from ppgp_tui.gasp.checks.repository import Unreadable
from ppgp_tui.gasp.repo import read_text

_SAFE: Final = (
    "--no-pager", "--no-optional-locks",
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
    "-c", "log.showSignature=false",
    "-c", "protocol.allow=never",
)  # fmt: skip
"""No program that the repository names is run, and nothing is fetched."""
_KEPT: Final = (
    "GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH",
)  # fmt: skip
"""Git's own variables that name no other repository."""
_LIMIT_S: Final = 600.0
_T = TypeVar("_T")


class _Object(NamedTuple):
    """What stands at a path in a commit."""

    name: str
    kind: str
    size: int


class _GitError(Exception):
    """Git could not be asked, or said no; the message is its own."""


def read_history(root: str, environ: Mapping[str, str] = os.environ) -> History:
    """Return what Git knows of the append-only files below `root`."""
    git = _Git(root, environ)
    try:
        if git.run("rev-parse", "--git-dir") is None:
            return History("no repository")
        if git.run("rev-parse", "--verify", "--quiet", "HEAD") is None:
            return History("no commits")
    except _GitError:
        return History("no repository")
    unlisted = None
    paths = set(ALWAYS)
    try:
        listed = git.ask("ls-files", "--", "facts.jsonl", "*/facts.jsonl")
        paths |= {line for line in listed.decode("utf-8", "replace").split("\n") if line}
    except _GitError as error:
        unlisted = str(error)
    ordered = sorted(paths, key=str.encode)
    with git:
        return History("walked", tuple(_path(git, root, path) for path in ordered), unlisted)


def _path(git: _Git, root: str, path: str) -> PathHistory:
    try:
        listed = git.ask("rev-list", "--reverse", "--full-history", "HEAD", "--", path)
        commits = listed.decode().split()
        if not commits:
            return PathHistory(path)
        objects = git.objects([f"{commit}:./{path}" for commit in commits])
        working = _working(root, path)
        steps = list(zip(commits, objects, strict=True))
        if isinstance(working, bytes) and _only_grew(objects, working):
            return PathHistory(path)
        return _walk(git, path, steps, working)
    except _GitError as error:
        return PathHistory(path, unknown=str(error))


def _working(root: str, path: str) -> bytes | Unreadable | None:
    full = os.path.join(root, path)
    return read_text(full) if os.path.exists(full) else None


def _only_grew(objects: Sequence[_Object | None], now: bytes) -> bool:
    """Whether every content is a prefix of the next one and of `now`, which is UTF-8.

    False too where that is only not plain to see.
    """
    size = 0
    known = set[str]()
    for found in objects:
        if found is None or found.kind != "blob" or not size <= found.size <= len(now):
            return False
        size = found.size
        if found.name in known:
            continue
        if now[size : size + 1] and now[size] & 0xC0 == 0x80:  # it ends within a character
            return False
        digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        if len(found.name) == 64:
            digest = hashlib.sha256(b"blob %d\0" % size)
        digest.update(memoryview(now)[:size])
        if digest.hexdigest() != found.name:
            return False
        known.add(found.name)
    return True


def _walk(
    git: _Git,
    path: str,
    steps: Sequence[tuple[str, _Object | None]],
    working: bytes | Unreadable | None,
) -> PathHistory:
    """Compare every content with the one before it, as the protocol's checker does."""
    broken: list[Broken] = []
    before: _Content | None = None
    name = ""
    for commit, found in steps:
        if found is None:
            if before is not None:
                broken.append(Broken(commit, "deleted"))
            before = None
            continue
        if before is not None and found.name == name:
            continue
        now = _Content(git.content(found, f"{commit}:./{path}"))
        if before is not None and not now.begins_with(before):
            broken.append(Broken(commit, "edited"))
        before, name = now, found.name
    if before is None:
        return PathHistory(path, tuple(broken))
    if working is None:
        return PathHistory(path, tuple(broken), "missing")
    if isinstance(working, Unreadable):
        return PathHistory(path, tuple(broken), working)
    same = _Content(working).begins_with(before)
    return PathHistory(path, tuple(broken), "appended" if same else "edited")


class _Content:
    """Bytes that are compared as text in which what is no UTF-8 is replaced."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        try:
            data.decode()
            self._is_text = True
        except UnicodeDecodeError:
            self._is_text = False

    def begins_with(self, other: _Content) -> bool:
        if self._is_text and other._is_text:
            return self._data.startswith(other._data)
        mine, theirs = (it._data.decode("utf-8", "replace") for it in (self, other))
        return mine.startswith(theirs)


class _Git:
    """Git in one folder. As a context it ends the process that hands out contents."""

    def __init__(self, root: str, environ: Mapping[str, str]) -> None:
        self._command = ["git", "-C", root or ".", *_SAFE]
        self._environ = {
            name: value
            for name, value in environ.items()
            if not name.startswith("GIT_") or name in _KEPT
        } | {
            "LC_ALL": "C",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_TERMINAL_PROMPT": "0",
        }
        self._batch: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        if self._batch is not None:
            self._batch.kill()
            self._batch.communicate()
            self._batch = None

    def run(self, *words: str) -> bytes | None:
        """What the command prints; None when it says no."""
        done = self._done(words, b"")
        return done.stdout if done.returncode == 0 else None

    def ask(self, *words: str, given: bytes = b"") -> bytes:
        """What the command prints; raises when it says no."""
        done = self._done(words, given)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise _GitError(said or f"git ended with {done.returncode}")
        return done.stdout

    def objects(self, specs: Sequence[str]) -> list[_Object | None]:
        """What stands at each `commit:path`; None where nothing does."""
        given = b"".join(spec.encode() + b"\n" for spec in specs)
        form = "--batch-check=%(objectname) %(objecttype) %(objectsize)"
        lines = self.ask("cat-file", form, given=given).split(b"\n")
        found = [_object(line) for line in lines[: len(specs)]]
        if len(found) != len(specs):
            raise _GitError("git cat-file did not answer every question")
        return found

    def content(self, found: _Object, spec: str) -> bytes:
        """What `git show` prints for an object; `spec` is how it was asked for."""
        data = self._data(found)
        if found.kind != "tree":
            return data
        entries = _tree(data, len(found.name) // 2)
        names = b"".join(name + (b"/" if is_tree else b"") + b"\n" for name, is_tree in entries)
        return b"tree " + spec.encode() + b"\n\n" + names

    def _data(self, found: _Object) -> bytes:
        if self._batch is None:
            self._batch = self._begun(
                lambda: subprocess.Popen(
                    [*self._command, "cat-file", "--batch"],
                    env=self._environ,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
            )
        batch = self._batch
        assert batch.stdin is not None
        assert batch.stdout is not None
        try:
            batch.stdin.write(found.name.encode() + b"\n")
            batch.stdin.flush()
        except OSError as error:
            raise _GitError(f"git cat-file ended: {error.strerror}") from error
        header = batch.stdout.readline().split()
        if len(header) != 3:
            raise _GitError(f"git cat-file has no {found.name}")
        return _exactly(batch.stdout, int(header[2]) + 1)[:-1]

    def _done(self, words: Sequence[str], given: bytes) -> subprocess.CompletedProcess[bytes]:
        return self._begun(
            lambda: subprocess.run(
                [*self._command, *words],
                env=self._environ,
                input=given,
                capture_output=True,
                timeout=_LIMIT_S,
                check=False,
            )
        )

    def _begun(self, begin: Callable[[], _T]) -> _T:
        try:
            return begin()
        except (OSError, ValueError) as error:
            raise _GitError(f"git cannot be started: {error}") from error
        except subprocess.TimeoutExpired as error:
            raise _GitError(f"git did not answer within {_LIMIT_S:g} s") from error


def _object(line: bytes) -> _Object | None:
    words = line.decode("utf-8", "replace").rsplit(" ", 2)
    if len(words) == 3 and words[1] in ("blob", "tree") and words[2].isdigit():
        return _Object(words[0], words[1], int(words[2]))
    return None


def _tree(data: bytes, id_length: int) -> Iterator[tuple[bytes, bool]]:
    at = 0
    while at < len(data):
        end = data.index(b"\0", at)
        mode, _, name = data[at:end].partition(b" ")
        yield name, mode == b"40000"
        at = end + 1 + id_length


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) != count:
        raise _GitError("git cat-file ended in the middle of an object")
    return data
