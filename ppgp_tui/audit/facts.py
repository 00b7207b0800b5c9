"""What the repository says about the claims of a plan. An edge: asks Git and reads files, no more.

Git is asked a handful of times, however many commits and files are claimed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from ppgp_tui.audit.asserting import is_test_file
from ppgp_tui.audit.model import AuditPlan
from ppgp_tui.session.files import CannotReadError, is_folder, read_inside
from ppgp_tui.session.git import GitUnknownError, ask

_OURS: Final = (
    "state/", ".ppgp/", ".agent/", "memory/", "journal/", "snapshots/", "transcripts/",
)  # fmt: skip
_PROSE: Final = (".md", ".rst", ".txt", ".log", ".out", ".html")
LARGEST: Final = 4 * 1024 * 1024
"""Bytes of a file that is looked into."""
_TESTS_MOST: Final = 2_000
_DATED_MOST: Final = 50


class FileFact(NamedTuple):
    """What stands at a path."""

    kind: str
    """`file`, `folder`, `absent`, or `unread`."""
    why: str = ""
    """For `unread`: why it cannot be read."""
    text: str | None = None
    """Of a file that is text and not too large."""
    lines: int = 0


class CommitFact(NamedTuple):
    """What Git knows of a commit's name."""

    hash: str | None
    """None: there is no such commit, or more than one."""
    reachable: bool = False
    """It is in the history of HEAD."""


class AgeFact(NamedTuple):
    """When a file last changed, beside the code."""

    changed_s: int | None
    newer_code: str = ""
    """A code file that changed later; empty: none did, as far as Git and the disk know."""


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


def gather(root: Path, plan: AuditPlan) -> Facts:
    """Ask Git and the files what the checks of `plan` need; what is not there is a fact too."""
    files = {check.path: _file(root, check.path) for check in plan.checks if check.path}
    claimed = [check.commit for check in plan.checks if check.commit]
    dated = [check.path for check in plan.checks if check.kind == "evidence_age"][:_DATED_MOST]
    try:
        if ask(root, "rev-parse", "--git-dir").code:
            return Facts(False, None, (), files, {}, {}, {}, "there is no Git repository here")
        head = ask(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").text or None
        dirty = _dirty(root, plan.document)
        listed = _listed(root)
        commits = _commits(root, claimed) if head else {name: CommitFact(None) for name in claimed}
        ages = {path: _age(root, path, head, dirty) for path in dated}
    except GitUnknownError as error:
        return Facts(False, None, (), files, {}, {}, {}, str(error))
    return Facts(True, head, dirty, files, commits, ages, _tests(root, listed))


def texts_at(root: Path, commit: str, paths: Iterable[str]) -> dict[str, str]:
    """The texts of `paths` in `commit`, those that were there. Raises `GitUnknownError`."""
    wanted = list(paths)
    given = "".join(f"{commit}:./{path}\n" for path in wanted if "\n" not in path).encode()
    out = ask(root, "cat-file", "--batch", given=given).out
    found: dict[str, str] = {}
    at = 0
    for path in (path for path in wanted if "\n" not in path):
        stop = out.index(b"\n", at)
        head = out[at:stop].split()
        at = stop + 1
        if len(head) != 3 or not head[2].isdigit():
            continue
        size = int(head[2])
        if head[1] == b"blob" and size <= LARGEST:
            found[path] = out[at : at + size].decode("utf-8", "replace")
        at += size + 1
    return found


def test_files(root: Path) -> dict[str, str]:
    """The texts of the test files in the work tree by path; none where Git cannot be asked."""
    try:
        return _tests(root, _listed(root))
    except GitUnknownError:
        return {}


def test_files_at(root: Path, commit: str) -> dict[str, str]:
    """The texts of the test files in `commit` by path. Raises `GitUnknownError`."""
    listed = ask(root, "ls-tree", "-r", "-z", "--name-only", commit).out.split(b"\0")
    paths = [path.decode("utf-8", "surrogateescape") for path in listed if path]
    return texts_at(root, commit, [path for path in paths if is_test_file(path)][:_TESTS_MOST])


def _file(root: Path, path: str) -> FileFact:
    clean = PurePosixPath(path)
    if clean.is_absolute() or ".." in clean.parts:
        return FileFact("unread", f"{path} is outside the repository")
    if is_folder(root / clean):
        return FileFact("folder")
    try:
        found = read_inside(root, path, LARGEST)
    except CannotReadError as error:
        return FileFact("unread", error.why)
    if found is None:
        return FileFact("absent")
    try:
        text = found.data.decode("utf-8")
    except UnicodeDecodeError:
        return FileFact("file")
    return FileFact("file", text=text, lines=len(text.splitlines()))


def _dirty(root: Path, document: str) -> tuple[str, ...]:
    """`ls-files` and not `status`: that would run filters which the repository names."""
    changed = ask(root, "diff-index", "--name-only", "-z", "--relative", "HEAD", "--")
    more = ask(root, "ls-files", "--others", "--exclude-standard", "-z")
    paths = {path for said in (changed, more) if not said.code for path in said.out.split(b"\0")}
    names = sorted(path.decode("utf-8", "surrogateescape") for path in paths if path)
    return tuple(name for name in names if not name.startswith(_OURS) and name != document)


def _listed(root: Path) -> list[str]:
    said = ask(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return [path.decode("utf-8", "surrogateescape") for path in said.out.split(b"\0") if path]


def _tests(root: Path, listed: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in [path for path in listed if is_test_file(path)][:_TESTS_MOST]:
        fact = _file(root, path)
        if fact.text is not None:
            found[path] = fact.text
    return found


def _commits(root: Path, names: list[str]) -> dict[str, CommitFact]:
    if not names:
        return {}
    given = "".join(f"{name}^{{commit}}\n" for name in names).encode()
    said = ask(root, "cat-file", "--batch-check", given=given).out.decode().splitlines()
    reachable = set(ask(root, "rev-list", "HEAD").text.split())
    found = {}
    for name, line in zip(names, said, strict=False):
        words = line.split()
        known = words[0] if len(words) == 3 and words[1] == "commit" else None
        found[name] = CommitFact(known, known in reachable)
    return found


def _age(root: Path, path: str, head: str | None, dirty: tuple[str, ...]) -> AgeFact:
    """When `path` last changed, and a code file that changed after it."""
    changed = _changed_s(root, path, dirty)
    if changed is None:
        return AgeFact(None)
    for other in dirty:
        if other != path and _is_code(other):
            then = _disk_s(root, other)
            if then is not None and then > changed:
                return AgeFact(changed, other)
    if head is not None:
        said = ask(root, "log", f"--since={changed + 1}", "--format=", "--name-only", "-z", "HEAD")
        for name in said.out.decode("utf-8", "surrogateescape").split("\0"):
            if name.strip() and name.strip() != path and _is_code(name.strip()):
                return AgeFact(changed, name.strip())
    return AgeFact(changed)


def _changed_s(root: Path, path: str, dirty: tuple[str, ...]) -> int | None:
    """The commit that last changed it; the disk's time where it is in none, or changed since."""
    if path not in dirty:
        said = ask(root, "log", "-1", "--format=%ct", "HEAD", "--", path).text
        if said.isdigit():
            return int(said)
    return _disk_s(root, path)


def _disk_s(root: Path, path: str) -> int | None:
    try:
        return int((root / path).lstat().st_mtime)
    except (OSError, ValueError):
        return None


def _is_code(path: str) -> bool:
    return not path.startswith(_OURS) and not path.endswith(_PROSE) and "." in path
