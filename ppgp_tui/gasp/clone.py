"""Cloning somebody's repository without running anything of it or asking anybody.

No hook, no submodule, no filter, no transport but the plain ones; nothing is asked on the terminal.
The files come out as they are committed, byte for byte. A clone appears whole or not at all.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

LIMIT_S: Final = 900.0
TRANSPORTS: Final = "file:git:http:https:ssh"

_ASKS: Final = ("SSH_ASKPASS", "SSH_ASKPASS_REQUIRE")
_QUIET: Final = (
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.fsmonitor=false",
    "-c", "submodule.recurse=false",
    "-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60",
)  # fmt: skip
_AS_COMMITTED: Final = "* -text -filter -ident -working-tree-encoding -eol\n"


class CloneError(Exception):
    """Nothing was cloned; the message says why, `mend` what to do next."""

    def __init__(self, text: str, mend: str) -> None:
        super().__init__(text)
        self.mend = mend


def clone(source: str, into: Path, *, whole: bool = True, limit_s: float = LIMIT_S) -> None:
    """Clone `source` (an address or a path) to `into`, which must not exist or be empty.

    Without `whole` only the newest commit of HEAD's branch comes along, where the other side can
    give that alone. Raises `CloneError`.
    """
    _must_be_plain(source)
    _must_be_free(into)
    source = str(Path(source).resolve()) if os.path.lexists(source) else source
    try:
        above = into.parent
        with tempfile.TemporaryDirectory(prefix=f".{into.name}.", dir=above) as folder:
            made = Path(folder) / "clone"
            _fetch(source, made, whole=whole, limit_s=limit_s)
            _check_out(made, limit_s)
            made.rename(into)
    except OSError as error:
        where = error.filename or into
        text = f"{where}: {(error.strerror or str(error)).lower()}"
        raise CloneError(text, "name a folder that can be written to") from error


def _fetch(source: str, made: Path, *, whole: bool, limit_s: float) -> None:
    words = (
        *_QUIET, "clone", "--quiet", "--no-checkout", "--no-local", "--no-recurse-submodules",
        "--template=",
    )  # fmt: skip
    newest = ("--depth=1", "--single-branch", "--no-tags")
    places = ("--", source, str(made))
    code, said = _git((*words, *(() if whole else newest), *places), made.parent, limit_s)
    if code and not whole and "shallow" in said:
        code, said = _git((*words, *places), made.parent, limit_s)
    if code:
        raise CloneError(f"{source} cannot be cloned: {said}", _advice(said))


def _check_out(made: Path, limit_s: float) -> None:
    """Write the files of HEAD. The user's own settings could name filters, so they are left out."""
    attributes = made / ".git" / "info" / "attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text(_AS_COMMITTED)
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    code, said = _git((*_QUIET, "rev-parse", "--verify", "HEAD^{commit}"), made, limit_s, alone)
    if code:
        raise CloneError(
            "the repository is empty: it has no commit on its branch",
            "commit there first, or name a branch with state: git clone -b BRANCH, then restore it",
        )
    code, said = _git((*_QUIET, "read-tree", "-m", "-u", "HEAD"), made, limit_s, alone)
    if code:
        raise CloneError(f"the files cannot be written: {said}", "see what git says")
    attributes.unlink()


def _git(
    words: tuple[str, ...], folder: Path, limit_s: float, more: dict[str, str] | None = None
) -> tuple[int, str]:
    """Run Git in a session of its own; its exit code and what it said last."""
    try:
        process = subprocess.Popen(
            ["git", *words], cwd=folder, env=_surroundings() | (more or {}),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
    except FileNotFoundError:
        raise CloneError("git is not installed", "install git") from None
    with process:
        try:
            _, said = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            _end(process)
            text = f"git was not done after {limit_s:g} s"
            raise CloneError(text, "clone it yourself, then restore the folder") from None
        except BaseException:
            _end(process)
            raise
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines()]
    told = [line for line in lines if line.startswith(("fatal:", "error:", "ERROR"))] or lines
    return process.returncode, told[-1].removeprefix("fatal: ") if told else "git said nothing"


def _end(process: subprocess.Popen[bytes]) -> None:
    # Not reaped yet, so the number still means this process and the group it leads.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _surroundings() -> dict[str, str]:
    """The environment without Git's own variables and without anybody to ask."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") and name not in _ASKS
    }
    return kept | {
        "LC_ALL": "C",
        "GIT_ALLOW_PROTOCOL": TRANSPORTS,
        "GIT_ASKPASS": "",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "SSH_ASKPASS_REQUIRE": "never",
    }


def _must_be_plain(source: str) -> None:
    if "::" in source.partition("/")[0]:
        text = f"{source} names a program to fetch with, which is not run"
        raise CloneError(text, "name an https, ssh, git or file address, or a path")
    if not source or "\0" in source or "\n" in source:
        raise CloneError(f"{source!r} is no address", "name an address or a path")


def _must_be_free(into: Path) -> None:
    try:
        if not os.path.lexists(into):
            return
        if into.is_symlink() or any(into.iterdir()):
            raise CloneError(f"{into} is not empty", "name a folder that does not exist yet")
    except NotADirectoryError:
        raise CloneError(f"{into} is a file", "name a folder that does not exist yet") from None


def _advice(said: str) -> str:
    if any(word in said for word in ("prompts disabled", "Authentication", "Permission denied")):
        return "it wants a password or key: clone it yourself, then restore the folder"
    if "transport" in said and "not allowed" in said:
        return "name an https, ssh, git or file address, or a path"
    if "dubious ownership" in said:
        return "if you trust its owner: git config --global --add safe.directory PATH"
    if "does not exist" in said or "not appear to be a git repository" in said:
        return "check the address"
    return "check the address and the connection"
