"""What the repository says about the claims of a plan. An edge: asks Git and reads files, no more.

Git is asked a handful of times, however many commits and files are claimed.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from ppgp_tui.audit.asserting import is_test_file
from ppgp_tui.audit.facts import OURS, AgeFact, CommitFact, Facts, FileFact
from ppgp_tui.audit.hollow import is_harness
from ppgp_tui.audit.means import named_by
from ppgp_tui.audit.model import AuditPlan
from ppgp_tui.session.engine.bound import unwatched
from ppgp_tui.session.files.reading import CannotReadError, is_folder, read_inside
from ppgp_tui.session.git import GitUnknownError, ask

_CODE: Final = (
    ".bats", ".c", ".cc", ".clj", ".cpp", ".cs", ".css", ".dart", ".ex", ".exs", ".go", ".h",
    ".hpp", ".hs", ".java", ".jl", ".js", ".jsx", ".kt", ".lua", ".mjs", ".php", ".pl", ".proto",
    ".py", ".r", ".rb", ".rs", ".scala", ".sh", ".sql", ".swift", ".ts", ".tsx", ".vue", ".zig",
)  # fmt: skip
LARGEST: Final = 4 * 1024 * 1024
"""Bytes of a file that is looked into."""
_REVERTS = re.compile(r"\bThis reverts commit ([0-9a-f]{40})\b")
_HARNESS_MOST: Final = 200
_TESTS_MOST: Final = 2_000
_DATED_MOST: Final = 50
_CODE_MOST: Final = 20_000
_CLOCKS_S: Final = 120
"""By which the clocks of machines differ."""


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
        ages = {path: _age(root, path, listed, dirty) for path in dated}
        shallow = ask(root, "rev-parse", "--is-shallow-repository").text == "true"
        ignored = _ignored(root)
    except GitUnknownError as error:
        return Facts(False, None, (), files, {}, {}, {}, str(error))
    scripts = named_by(check.argv for check in plan.checks)
    around = [path for path in (*listed, *ignored) if is_harness(path)][:_HARNESS_MOST]
    return Facts(
        True, head, dirty, files, commits, ages, _tests(root, listed), shallow=shallow,
        scripts=texts_of(root, scripts), harness=texts_of(root, around),
        ignored=frozenset({*scripts, *files}) & frozenset(ignored),
    )  # fmt: skip


def texts_of(root: Path, paths: Iterable[str]) -> dict[str, str]:
    """The texts of those of these files that are there and can be read."""
    facts = ((path, _file(root, path)) for path in paths)
    return {path: fact.text for path, fact in facts if fact.text is not None}


def texts_at(root: Path, commit: str, paths: Iterable[str]) -> dict[str, str]:
    """The texts of `paths` in `commit`, those that were there. Raises `GitUnknownError`."""
    wanted = [path for path in paths if "\n" not in path]
    given = b"".join(f"{commit}:./".encode() + os.fsencode(path) + b"\n" for path in wanted)
    blobs = blobs_of(ask(root, "cat-file", "--batch", given=given).out)
    return {
        path: data.decode("utf-8", "replace")
        for path, data in zip(wanted, blobs, strict=False)
        if data is not None and len(data) <= LARGEST
    }


def blobs_of(out: bytes) -> list[bytes | None]:
    """The contents that `git cat-file --batch` printed; None for what is missing or no blob."""
    found: list[bytes | None] = []
    at = 0
    while (stop := out.find(b"\n", at)) >= 0:
        head = out[at:stop].split()
        at = stop + 1
        if len(head) != 3 or not head[2].isdigit():
            found.append(None)
            continue
        size = int(head[2])
        found.append(out[at : at + size] if head[1] == b"blob" else None)
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
    paths = [os.fsdecode(path) for path in listed if path]
    return texts_at(root, commit, [path for path in paths if is_test_file(path)][:_TESTS_MOST])


def _file(root: Path, path: str) -> FileFact:
    clean = PurePosixPath(path)
    if clean.is_absolute() or ".." in clean.parts or not _leads_inside(root, path):
        return FileFact("unread", f"{path} is outside the repository, so it is not looked at")
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
        return FileFact("file", size=len(found.data))
    return FileFact("file", text=text, size=len(found.data))


def _leads_inside(root: Path, path: str) -> bool:
    try:
        real, top = os.path.realpath(root / path), os.path.realpath(root)
    except (OSError, ValueError):
        return True  # then reading it says what is wrong
    return real == top or real.startswith(top.rstrip(os.sep) + os.sep)


def _dirty(root: Path, document: str) -> tuple[str, ...]:
    """`ls-files` and not `status`: that would run filters which the repository names."""
    changed = ask(root, "diff-index", "--name-only", "-z", "--relative", "HEAD", "--")
    more = ask(root, "ls-files", "--others", "--exclude-standard", "-z")
    paths = {path for said in (changed, more) if not said.code for path in said.out.split(b"\0")}
    hidden = [path for path in unwatched(root) if _differs(root, path)]
    names = sorted({*(os.fsdecode(path) for path in paths if path), *hidden})
    return tuple(name for name in names if not name.startswith(OURS) and name != document)


def _differs(root: Path, path: str) -> bool:
    """Whether a file is another one than in HEAD, read and not believed."""
    committed = ask(root, "rev-parse", "--verify", "--quiet", f"HEAD:./{path}").text
    return committed != ask(root, "hash-object", "--", path).text


def _listed(root: Path) -> list[str]:
    said = ask(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return list(dict.fromkeys(os.fsdecode(path) for path in said.out.split(b"\0") if path))


def _ignored(root: Path) -> list[str]:
    """Files that Git ignores, but for those in folders that are ignored whole."""
    said = ask(root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    return [os.fsdecode(path) for path in said.out.split(b"\0") if path]


def _tests(root: Path, listed: Iterable[str]) -> dict[str, str]:
    return texts_of(root, [path for path in listed if is_test_file(path)][:_TESTS_MOST])


def _commits(root: Path, names: list[str]) -> dict[str, CommitFact]:
    if not names:
        return {}
    given = "".join(f"{name}^{{commit}}\n" for name in names).encode()
    said = ask(root, "cat-file", "--batch-check", given=given).out.decode().splitlines()
    reachable = set(ask(root, "rev-list", "HEAD").text.split())
    reverted = _reverted(root)
    found = {}
    for name, line in zip(names, said, strict=False):
        words = line.split()
        known = words[0] if len(words) == 3 and words[1] == "commit" else None
        if known is None or known not in reachable:
            found[name] = CommitFact(known)
        else:
            found[name] = CommitFact(known, True, _is_empty(root, known), reverted.get(known, ""))
    return found


def _is_empty(root: Path, commit: str) -> bool:
    """Whether a commit with one parent or none changes nothing; a merge may well."""
    return not ask(root, "diff-tree", "--root", "-r", "-m", "--name-only", commit).text


def _reverted(root: Path) -> dict[str, str]:
    """Commits that a later one takes back, as Git writes it, unless that one is taken back too."""
    said = ask(root, "log", "-z", "--format=%H%n%b", "--grep=^This reverts commit ", "HEAD").text
    found: dict[str, str] = {}
    for one in filter(None, said.split("\0")):  # the newest first
        commit, _, words = one.partition("\n")
        if commit not in found:
            found.update((gone, commit) for gone in _REVERTS.findall(words))
    return found


# --- age ---------------------------------------------------------------------------------------


def _age(root: Path, path: str, listed: list[str], dirty: tuple[str, ...]) -> AgeFact:
    """When `path` last changed, and a code file that changed after it.

    Committed evidence is compared by history, where no clock can lie; the rest by the disk's
    times, because evidence is often made before the code that it speaks of is committed.
    """
    said = ask(root, "log", "-1", "--format=%H %ct", "HEAD", "--", path).text.split()
    if path not in dirty and len(said) == 2:
        commit, changed_s = said[0], int(said[1])
        later = ask(root, "diff-tree", "-r", "--name-only", "-z", "--relative", commit, "HEAD")
        names = [os.fsdecode(name) for name in later.out.split(b"\0") if name]
        newer = next((name for name in names if _is_code(name)), "")
        newer = newer or _later_on_disk(root, dirty, changed_s)
        return AgeFact(changed_s, newer, changed_s > time.time() + _CLOCKS_S)
    disk_s = _disk_s(root, path)
    if disk_s is None:
        return AgeFact(None)
    newer = _later_on_disk(root, listed[:_CODE_MOST], disk_s)
    return AgeFact(int(disk_s), newer, disk_s > time.time() + _CLOCKS_S)


def _later_on_disk(root: Path, paths: Iterable[str], than_s: float) -> str:
    for path in paths:
        if _is_code(path):
            changed_s = _disk_s(root, path)
            if changed_s is not None and changed_s > than_s:
                return path
    return ""


def _disk_s(root: Path, path: str) -> float | None:
    try:
        return (root / path).lstat().st_mtime
    except (OSError, ValueError):
        return None


def _is_code(path: str) -> bool:
    return not path.startswith(OURS) and PurePosixPath(path).suffix.casefold() in _CODE
