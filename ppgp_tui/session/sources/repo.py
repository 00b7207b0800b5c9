"""What Git knows: branch, distance, changed paths, age of the goal's lines, goals on other refs.

Only commands that read are run, through GitPython's command door, with optional locks off: looking
never writes into the repository, not even a refreshed index. Runs in one thread of its own, because
Git may take its time. Names read from Git are never passed back as revisions; object ids are.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ppgp_tui.session.files.reading import Stamp, stamp
from ppgp_tui.session.files.root import git_common_folder, git_folder, git_top
from ppgp_tui.session.model import Repo
from ppgp_tui.session.picture.repo_look import RepoLook

if TYPE_CHECKING:
    from git.cmd import Git

TIMEOUT_S: Final = 20
REFS: Final = 200
TOUCHED: Final = 500
"""Changed files of which the time is asked."""
LONGEST_BLAMED: Final = 512 * 1024
_OPTIONS: Final = (
    "-c", "core.fsmonitor=false",
    "-c", "log.showSignature=false",
    "-c", "core.quotePath=false",
)  # fmt: skip
"""The first two would run a program that the repository names."""
_ENVIRONMENT: Final = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}
_ELSEWHERE: Final = frozenset(
    f"GIT_{name}"
    for name in (
        "DIR", "WORK_TREE", "IMPLICIT_WORK_TREE", "INDEX_FILE", "OBJECT_DIRECTORY",
        "ALTERNATE_OBJECT_DIRECTORIES", "COMMON_DIR", "NAMESPACE", "PREFIX", "GRAFT_FILE",
        "SHALLOW_FILE", "REPLACE_REF_BASE", "NO_REPLACE_OBJECTS",
    )
)  # fmt: skip
"""Inside a Git hook these name another repository, index or work tree."""
_OWN: Final = ((".ppgp",), ("state",))
"""Folders at the root in which the session itself writes."""
_BLAME: Final = ("blame", "--porcelain", "--no-progress", "--no-textconv", "--")
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class GitFailedError(Exception):
    """Git said no, or did not answer in time; the message is its own last line."""


class RepoSource:
    """Asks Git. One object for one thread."""

    def __init__(self, root: Path, clock: Callable[[], int]) -> None:
        self._root = root
        self._clock = clock
        self._git: Git | None = None
        self._look = RepoLook()
        self._goal_key: tuple[str | None, str, Stamp | None] | None = None
        self._refs_key: object = None
        self._committed: tuple[str | None, int | None] = (None, None)

    def look(self, goal_path: str, candidates: Sequence[str]) -> RepoLook:
        """Ask what may have changed; what depends on the goal or on refs only when they moved."""
        now = self._clock()
        if git_top(self._root) is None:
            self._look = RepoLook(seen_ms=now)
        elif shutil.which("git") is None:
            self._look = self._failed("git is not installed", "install git", now)
        else:
            try:
                said = self._run("status", "--porcelain=v2", "--branch", "-z")
                repo = self._ask(_status(said), goal_path, candidates)
                touched = self._touched(repo, said, goal_path)
                written = self._goal_key[2] if self._goal_key else None
                written_ms = written.mtime_ns // 1_000_000 if written else None
                self._look = RepoLook(repo, touched, written_ms, found=True, seen_ms=now)
            except GitFailedError as error:
                self._look = self._failed(f"git: {error}", _mend(str(error)), now)
        return self._look

    def _failed(self, why: str, mend: str, now: int) -> RepoLook:
        before = self._look
        stale = before.stale_since_ms or (now if before.found and not before.why else None)
        return before._replace(found=True, seen_ms=now, stale_since_ms=stale, why=why, mend=mend)

    def _ask(self, repo: Repo, goal_path: str, candidates: Sequence[str]) -> Repo:
        before = self._look.repo
        goal_key = (repo.head, goal_path, stamp(self._root / goal_path))
        if goal_key != self._goal_key:
            since = self._commits_since(goal_path) if repo.head else None
            lines = self._line_ages(goal_path, goal_key[2]) if repo.head else {}
            self._goal_key = goal_key
        else:
            since, lines = before.commits_since_goal, before.goal_line_ms
        refs_key = (repo.head, refs_stamp(self._root))
        if refs_key != self._refs_key:
            others = self._other_goals(repo, candidates)
            self._refs_key = refs_key
        else:
            others = before.other_goals
        return repo._replace(commits_since_goal=since, goal_line_ms=lines, other_goals=others)

    def _touched(self, repo: Repo, said: str, goal_path: str) -> int | None:
        if repo.head != self._committed[0]:
            moment = self._run("log", "-1", "--format=%ct", "HEAD").strip() if repo.head else ""
            self._committed = repo.head, int(moment) * 1000 if moment.isdigit() else None
        times = [self._committed[1]]
        top = git_top(self._root) or self._root
        for path in _changed_paths(said):
            file = top / path
            inside = file.relative_to(self._root) if file.is_relative_to(self._root) else file
            if inside.parts[:1] not in _OWN and str(inside) != goal_path:
                found = stamp(file)
                times.append(found.mtime_ns // 1_000_000 if found else None)
        return max((moment for moment in times if moment is not None), default=None)

    def _commits_since(self, path: str) -> int | None:
        """Commits after the last one that changed the goal document; None if none ever did."""
        last = self._run("log", "-1", "--format=%H", "HEAD", "--", f":(literal){path}").strip()
        if not _HASH.fullmatch(last):
            return None
        return int(self._run("rev-list", "--count", f"{last}..HEAD"))

    def _line_ages(self, path: str, found: Stamp | None) -> Mapping[int, int]:
        """When each committed line of the document was last changed, by its number now."""
        if found is None or found.size > LONGEST_BLAMED:
            return {}
        try:
            said = self._run(*_BLAME, path)
        except GitFailedError:
            return {}
        return blamed(said)

    def _other_goals(self, repo: Repo, candidates: Sequence[str]) -> tuple[str, ...]:
        """Goals on other refs that differ from the one committed here."""
        listed = self._run(
            "for-each-ref", f"--count={REFS}", "--format=%(objectname) %(refname)",
            "refs/heads", "refs/remotes",
        )  # fmt: skip
        refs = [line.split(" ", 1) for line in listed.splitlines() if " " in line]
        prefix = self._run("rev-parse", "--show-prefix").strip("\n")
        commits = dict.fromkeys(commit for commit, _ in refs)
        head = [repo.head] if repo.head else []
        blobs = self._blobs([*head, *commits], [prefix + path for path in candidates])
        here = {blobs.get((commit, prefix + path)) for commit in head for path in candidates}
        found = []
        for commit, ref in refs:
            if ref == f"refs/heads/{repo.branch}" or ref.endswith("/HEAD"):
                continue
            for path in candidates:
                blob = blobs.get((commit, prefix + path))
                if blob is not None and blob not in here:
                    date = self._run("log", "-1", "--format=%cs", commit, "--", path).strip()
                    name = ref.removeprefix("refs/heads/").removeprefix("refs/remotes/")
                    found.append(f"{name}:{path} (last change {date})")
                    break
        return tuple(found)

    def _blobs(self, commits: Iterable[str], paths: Sequence[str]) -> dict[tuple[str, str], str]:
        """The blob at each path in each commit, where there is one; one process for all."""
        asked = [(commit, path) for commit in commits for path in paths if "\n" not in path]
        if not asked:
            return {}
        names = "".join(f"{commit}:{path}\n" for commit, path in asked)
        said = self._run("cat-file", "--batch-check=%(objecttype) %(objectname)", given=names)
        found = {}
        for key, line in zip(asked, said.splitlines(), strict=False):
            kind, _, name = line.partition(" ")
            if kind == "blob":
                found[key] = name
        return found

    def _run(self, *arguments: str, given: str | None = None) -> str:
        """What a Git command prints; raises `GitFailedError`."""
        from git.cmd import Git
        from git.exc import GitError

        if self._git is None:
            self._git = Git(str(self._root))
            self._git.update_environment(**_ENVIRONMENT)
        misleading = sorted(_ELSEWHERE.intersection(os.environ))
        command = [*_without(misleading), "git", *_OPTIONS, *arguments]
        try:
            if given is not None:
                return self._fed(command, given)
            said = self._git.execute(
                command,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
                kill_after_timeout=TIMEOUT_S,
            )
        except (GitError, OSError) as error:
            raise GitFailedError(_last_line(error)) from error
        return bytes(said).decode("utf-8", "replace")

    def _fed(self, command: list[str], given: str) -> str:
        import tempfile

        assert self._git is not None
        with tempfile.TemporaryFile() as names:
            names.write(given.encode("utf-8", "surrogateescape"))
            names.seek(0)
            said = self._git.execute(
                command, istream=names, stdout_as_string=False, kill_after_timeout=TIMEOUT_S
            )
        return bytes(said).decode("utf-8", "replace")


def _mend(said: str) -> str:
    """What to do about what Git said, where that is known."""
    if "dubious ownership" in said:
        return "if you trust it: git config --global --add safe.directory PATH"
    return ""


def blame_command(root: Path, path: str) -> tuple[list[str], dict[str, str]]:
    """The command, and its environment, whose output `blamed` reads."""
    kept = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    return ["git", "-C", str(root), *_OPTIONS, *_BLAME, path], {**kept, **_ENVIRONMENT}


def _without(names: list[str]) -> list[str]:
    """What starts a program without these variables; GitPython can only add to them."""
    return ["env", *(word for name in names for word in ("-u", name))] if names else []


def refs_stamp(root: Path) -> tuple[Stamp | None, ...]:
    """What changes when a branch moves, is made or is fetched, as far as files show it cheaply."""
    return tuple(stamp(path) for path in git_files(root) if path.name != "index")


def git_files(root: Path) -> tuple[Path, ...]:
    """The files and folders of Git that tell of commits, checkouts, fetches and staging."""
    top = git_top(root)
    git = git_folder(top) if top else None
    if git is None:
        return ()
    common = git_common_folder(git)
    return (
        git / "HEAD",
        git / "logs" / "HEAD",
        common / "packed-refs",
        common / "refs" / "heads",
        common / "FETCH_HEAD",
        git / "index",
    )


def _status(said: str) -> Repo:
    """The output of `status --porcelain=v2 --branch -z`."""
    branch: str | None = None
    head: str | None = None
    ahead: int | None = None
    behind: int | None = None
    detached = False
    dirty = 0
    entries = iter(said.split("\0"))
    for entry in entries:
        if entry.startswith("# branch.oid "):
            oid = entry[13:]
            head = oid if _HASH.fullmatch(oid) else None
        elif entry.startswith("# branch.head "):
            detached = entry[14:] == "(detached)"
            branch = None if detached else entry[14:]
        elif entry.startswith("# branch.ab "):
            counts = re.fullmatch(r"# branch\.ab \+(\d+) -(\d+)", entry)
            if counts:
                ahead, behind = int(counts[1]), int(counts[2])
        elif entry[:2] in ("1 ", "u ", "? "):
            dirty += 1
        elif entry[:2] == "2 ":
            dirty += 1
            next(entries, None)  # the path it was renamed from
    return Repo(True, branch, detached, head, dirty, ahead, behind)


def _changed_paths(said: str) -> Iterator[str]:
    """The first changed and untracked paths, relative to Git's top folder."""
    entries = iter(said.split("\0"))
    fields = {"1": 8, "u": 10, "?": 1, "2": 9}
    for _ in range(TOUCHED):
        entry = next(entries, "")
        while entry.startswith("#"):
            entry = next(entries, "")
        if not entry:
            return
        yield entry.split(" ", fields.get(entry[0], 1))[-1]
        if entry[0] == "2":
            next(entries, None)


def blamed(said: str) -> dict[int, int]:
    """Line number now → Unix milliseconds, from `blame --porcelain`; uncommitted lines left out."""
    times: dict[str, int] = {}
    lines: list[tuple[int, str]] = []
    commit = ""
    for line in said.split("\n"):
        if line.startswith("\t"):
            continue
        words = line.split(" ")
        if _HASH.fullmatch(words[0]) and len(words) >= 3 and words[2].isdigit():
            commit = words[0]
            lines.append((int(words[2]), commit))
        elif words[0] == "committer-time" and len(words) == 2 and words[1].isdigit():
            times[commit] = int(words[1]) * 1000
    return {
        number: times[commit] for number, commit in lines if commit.strip("0") and commit in times
    }


def _last_line(error: Exception) -> str:
    said = str(getattr(error, "stderr", "") or error)
    lines = [line.strip() for line in said.splitlines() if line.strip(" '")]
    named = [line for line in lines if "fatal:" in line or "error:" in line]
    line = (named or lines or ["it failed without a word"])[-1]
    words = (line.partition("fatal:")[2] or line).strip()
    return words.strip(" '") if words.count("'") % 2 else words
