"""Who commits the log, and what Git's settings would do to it."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Final

from ppgp_tui.session import git, guard_hook
from ppgp_tui.session.doctor.finding import Finding
from ppgp_tui.session.doctor.log_file import OpenLog
from ppgp_tui.session.files.root import git_top

COMMITS: Final = 2000
"""So many commits of the log are looked at."""
MERGES: Final = 200
_PIECE: Final = 1 << 20
_LONG_S: Final = 7 * 86_400


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit that changed the log."""

    id: str
    author: str
    at_s: int


def committed(root: Path, log: OpenLog) -> Iterator[Finding]:
    """How Git holds the log: commits, ignore rules, merging, line ends, guard."""
    if git_top(root) is None:
        why = "the agent's state is a Git repository; without one, check 4 fails"
        yield Finding("warning", "the log is in no Git repository", why, f"git init {root}")
        return
    yield from _ignored(root, log.path)
    yield from _who_commits(root, log)
    yield from _attributes(root, log.path)
    yield from _merges(root, log.path)
    yield from _machine_files(root)
    yield _guard(root)


def commits_of(root: Path, path: str) -> tuple[Commit, ...]:
    """The newest commits reachable from HEAD that changed the file, the newest first."""
    said = git.ask(
        root, "log", f"--max-count={COMMITS}", "--format=%H%x00%an%x00%ct", "HEAD", "--", path
    )
    found = []
    for line in said.text.splitlines() if said.code == 0 else ():
        commit, author, moment = line.split("\0")
        found.append(Commit(commit, author, int(moment)))
    return tuple(found)


# Commits --------------------------------------------------------------------------------------


def _who_commits(root: Path, log: OpenLog) -> Iterator[Finding]:
    blob = git.ask(root, "rev-parse", "--verify", "--quiet", f"HEAD:./{log.path}").text
    how = f"git add {log.path} && git commit, at the end of each run"
    if not blob:
        why = "nobody commits it for you; a clone does not have it, and git clean -x takes it away"
        text = f"the log is in no commit ({_lines(log.lines_since(0))})"
        state = "warning" if log.size else "note"
        yield Finding(state, text, why, how, log.path)  # type: ignore[arg-type]
        return
    commits = commits_of(root, log.path)
    if commits:
        last = commits[0]
        names = Counter(commit.author for commit in commits).most_common(3)
        who = ", ".join(f"{name} {count}" for name, count in names)
        newest = f"last {_ago(last.at_s)} by {last.author} ({last.id[:7]})"
        text = f"the log is committed by {who}; {newest}"
        yield Finding("ok", text, "nobody commits it for you: this program never does")
    size = int(git.ask(root, "cat-file", "-s", blob).text or 0)
    if not _begins_with(log.file, size, blob):
        why = "committed lines of the log were changed or removed here, which check 4 forbids"
        mend = f"keep new lines elsewhere, then git restore --source=HEAD {log.path}"
        yield Finding("error", "the log does not begin with what is committed", why, mend, log.path)
        return
    waiting = log.lines_since(size)
    if not waiting:
        yield Finding("ok", "every line of the log is committed")
        return
    why = "git stash, reset --hard and clean take uncommitted lines away"
    old = bool(commits) and time.time() - commits[0].at_s > _LONG_S
    text = f"{_lines(waiting)} of the log {'is' if waiting == 1 else 'are'} not committed"
    yield Finding("warning" if old else "note", text, why, how, log.path)


def _lines(number: int) -> str:
    return f"{number:,} line{'' if number == 1 else 's'}"


def _begins_with(file: BinaryIO, size: int, blob: str) -> bool:
    """Whether the first `size` bytes of the file are the content of that blob."""
    name = hashlib.sha256() if len(blob) == 64 else hashlib.sha1(usedforsecurity=False)
    name.update(b"blob %d\0" % size)
    file.seek(0)
    while size and (piece := file.read(min(size, _PIECE))):
        name.update(piece)
        size -= len(piece)
    return not size and name.hexdigest() == blob


def _ago(moment_s: int) -> str:
    seconds = max(0, int(time.time()) - moment_s)
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {unit} ago"
    return "just now"


# Ignore rules and attributes ------------------------------------------------------------------


def _ignored(root: Path, path: str) -> Iterator[Finding]:
    words = ("check-ignore", "--no-index", "--verbose", "-z", "--stdin")
    said = git.ask(root, *words, given=path.encode() + b"\0")
    fields = said.out.decode("utf-8", "replace").split("\0")
    if said.code == 0 and len(fields) >= 4 and not fields[2].startswith("!"):
        source, line, rule = fields[:3]
        why = "git add leaves it out, so no commit and no clone ever has it"
        number = int(line) if line.isdigit() else None
        mend = f"take the rule away, or add !{path} after it"
        yield Finding("error", f"the log is ignored by the rule {rule}", why, mend, source, number)


def _attributes(root: Path, path: str) -> Iterator[Finding]:
    names = ("merge", "text", "eol", "filter", "working-tree-encoding")
    said = git.ask(root, "check-attr", "-z", *names, "--", path)
    fields = said.out.decode("utf-8", "replace").split("\0")
    values = dict(zip(fields[1::3], fields[2::3], strict=False))
    if values.get("merge") == "union":
        yield _union(root, path)
    yield from _line_ends(root, path, values)
    for name in ("filter", "working-tree-encoding"):
        if (value := values.get(name)) not in (None, "unspecified", "unset"):
            why = "what is committed is not what is in the file, so check 4 sees an edited log"
            mend = f"{path} -filter -working-tree-encoding, as last line of .gitattributes"
            yield Finding(
                "error", f"{name}={value} is set for the log", why, mend, ".gitattributes"
            )


def _union(root: Path, path: str) -> Finding:
    why = (
        "a merge would join the lines of both branches without asking; check 4 then fails for good,"
        " because the line order of one of them is not kept"
    )
    rebases = git.ask(root, "config", "--get", "pull.rebase").text in (
        "true",
        "merges",
        "interactive",
    )
    hooks = guard_hook.look(root)
    if rebases and hooks is not None and hooks.is_guarded:
        text = "merge=union is set for the log; the guard refuses such a merge, and pull rebases"
        return Finding("note", text, why, "go on rebasing", ".gitattributes")
    mend = (
        f"git config pull.rebase true and ppgp-tui gasp init (the guard); or take merge=union"
        f" for {path} out of .gitattributes"
    )
    return Finding("warning", "merge=union is set for the log", why, mend, ".gitattributes")


def _line_ends(root: Path, path: str, values: dict[str, str]) -> Iterator[Finding]:
    auto = git.ask(root, "config", "--get", "core.autocrlf").text
    text, eol = values.get("text", "unspecified"), values.get("eol", "unspecified")
    if text == "unset":
        return
    converts = auto in ("true", "input") and text in ("unspecified", "auto", "set")
    converts = converts or text in ("auto", "set") or eol in ("lf", "crlf")
    if converts:
        said = ", ".join(
            f"{name}={value}"
            for name, value in (("core.autocrlf", auto), ("text", text), ("eol", eol))
            if value not in ("", "false", "unspecified")
        )
        why = "Git may rewrite the line ends of lines that are there, which check 4 counts as edits"
        mend = f"add the line `{path} -text` to .gitattributes"
        yield Finding("warning", f"Git converts line ends of the log ({said})", why, mend)


def _machine_files(root: Path) -> Iterator[Finding]:
    """Lease and HEAD pointer belong to one machine."""
    if not (root / ".agent").is_dir():
        return
    for path in (".agent/lease", ".agent/HEAD"):
        if git.ask(root, "ls-files", "--error-unmatch", "--", path).code == 0:
            why = "every clone begins with the lease of a machine that is not there"
            yield Finding("warning", f"{path} is committed", why, f"git rm --cached {path}", path)
        elif git.ask(root, "check-ignore", "--no-index", "--quiet", path).code == 1:
            why = "it belongs to this machine and would be committed with git add"
            mend = "ppgp-tui gasp init adds the line to .gitignore"
            yield Finding("warning", f"{path} is not ignored", why, mend, ".gitignore")


# Merges ---------------------------------------------------------------------------------------


def _merges(root: Path, path: str) -> Iterator[Finding]:
    joined = joined_by_merge(root, path)
    if joined:
        names = ", ".join(commit[:7] for commit in joined[:5])
        why = (
            "both branches had appended: the log of one is no beginning of the other's, and check 4"
            " compares each commit with the one before it"
        )
        mend = (
            "if the merge is not published: git reset --keep HEAD~1, then rebase; if it is, check 4"
            " stays failed, as no repair is possible without rewriting history. From now on"
            " rebase: git config pull.rebase true"
        )
        yield Finding("error", f"a merge joined two logs ({names})", why, mend, path)
    elif git.ask(root, "remote").text and git.ask(root, "config", "--get", "pull.rebase").text in (
        "", "false",
    ):  # fmt: skip
        why = (
            "git pull makes a merge when both sides have appended, and then check 4 fails for good"
        )
        yield Finding("note", "git pull merges here", why, "git config pull.rebase true")


def joined_by_merge(root: Path, path: str) -> tuple[str, ...]:
    """Merge commits (of the newest) of which two parents had each lines of their own in the log."""
    said = git.ask(root, "rev-list", "--merges", "--parents", f"--max-count={MERGES}", "HEAD")
    merges = [line.split() for line in said.text.splitlines()] if said.code == 0 else []
    wanted = dict.fromkeys(parent for merge in merges for parent in merge[1:])
    if not wanted:
        return ()
    names = "".join(f"{commit}:./{path}\n" for commit in wanted).encode()
    listed = git.ask(
        root, "cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)", given=names
    )
    blobs: dict[str, tuple[str, int]] = {}
    for commit, line in zip(wanted, listed.text.splitlines(), strict=False):
        fields = line.split()
        if len(fields) == 3 and fields[1] == "blob":
            blobs[commit] = fields[0], int(fields[2])
    return tuple(
        merge[0]
        for merge in merges
        if _both_appended(root, {blobs[p] for p in merge[1:] if p in blobs})
    )


def _both_appended(root: Path, blobs: set[tuple[str, int]]) -> bool:
    contents = []
    for name, _ in sorted(blobs, key=lambda blob: blob[1]):
        contents.append(git.ask(root, "cat-file", "blob", name).out)
    return any(not b.startswith(a) for a, b in pairwise(contents))


def _guard(root: Path) -> Finding:
    hooks = guard_hook.look(root)
    if hooks is not None and hooks.is_guarded:
        return Finding("ok", "the guard refuses commits that change lines of the log")
    why = "an edit of the log can be committed unnoticed, and check 4 then fails for good"
    return Finding("note", "no guard looks at commits", why, "ppgp-tui gasp init")
