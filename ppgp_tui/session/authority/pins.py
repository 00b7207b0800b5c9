"""Whose signatures count: the public keys the user pinned, outside every repository.

Read anew at each check, so a key made while an agent waits is known to it.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from ppgp_tui.session.authority import ssh_keygen
from ppgp_tui.session.authority.damage import DamagedError, read_bounded
from ppgp_tui.session.files.reading import Stamp, stamp_of
from ppgp_tui.session.files.safe import Folder

FOLDER: Final = "authority"
ALLOWED: Final = "allowed_signers"
NAMESPACE: Final = "ppgp-authority"
PRINCIPAL: Final = "ppgp-user"

_MOST = 64 * 1024
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR)


@dataclass(frozen=True, slots=True)
class Checked:
    """What is known about the signature of an answer."""

    word: Literal["verified", "unsigned_allowed", "unsigned", "forged", "unverifiable"]
    """`verified` and `unsigned_allowed` (no key pinned, no `ssh-keygen`: nothing to go by) let an
    answer through. `unverifiable` may be another word later: something is missing or too slow."""
    why: str = ""


class UnusablePinsError(Exception):
    """The pinned keys cannot be trusted or read; the message says why and what to do."""


class Pins:
    """The pinned keys in the user's data folder, as seen from the repository at `root`."""

    def __init__(self, data: Path, root: Path, environ: Mapping[str, str] = os.environ) -> None:
        self.data = data
        self.root = root
        self.environ = environ

    @property
    def folder(self) -> Path:
        """Where the key and the pins are."""
        return self.data / FOLDER

    @property
    def path(self) -> Path:
        """The file of pinned keys."""
        return self.folder / ALLOWED

    def program(self) -> str | None:
        """`ssh-keygen`, or None where it is not installed."""
        return ssh_keygen.find_program("ssh-keygen", self.environ)

    def stamp(self) -> Stamp | None:
        """Changes when other keys are pinned."""
        try:
            return stamp_of(self.path.lstat())
        except OSError:
            return None

    def pinned(self) -> tuple[str, ...] | None:
        """The lines that pin a key; None when nothing was ever pinned.

        Raises `UnusablePinsError` for pins that others could have written or that say nothing:
        such a file is never taken for "nothing pinned".
        """
        self.must_be_outside(self.folder)
        try:
            with Folder.open(self.data, FOLDER) as folder:
                _not_open(folder.path, os.fstat(folder.descriptor))
                data = read_bounded(folder, ALLOWED, _MOST)
                found = folder.status(ALLOWED)
                if found is not None:
                    _not_open(self.path, found)
        except DamagedError as error:
            raise UnusablePinsError(f"{self.path} is {error}; mend or remove it") from None
        except OSError as error:
            if error.errno in _NOT_THERE and not self.folder.is_symlink():
                return None
            raise UnusablePinsError(f"{error.filename or self.path}: {error.strerror}") from error
        lines = [line.strip() for line in data.decode("utf-8", "replace").splitlines()]
        keys = tuple(line for line in lines if line and not line.startswith("#"))
        if not keys:
            raise UnusablePinsError(f"{self.path} pins no key; remove it to begin anew")
        return keys

    def must_be_outside(self, path: Path) -> None:
        """Raise `UnusablePinsError` when `path` lies in the repository, where agents write."""
        real, root = os.path.realpath(path), os.path.realpath(self.root)
        if os.path.commonpath([real, root]) == root:
            text = f"{path} lies inside the repository {root}, where an agent could change it"
            raise UnusablePinsError(f"{text}; set XDG_DATA_HOME to a folder outside it")

    def check(self, text: bytes, signature: str | None) -> Checked:
        """Say whether `signature` is one of `text` by a pinned key."""
        try:
            pinned = self.pinned()
        except UnusablePinsError as error:
            return Checked("unverifiable", str(error))
        program = self.program()
        if pinned is None and program is None:
            return Checked("unsigned_allowed", "no key is pinned and ssh-keygen is not installed")
        if signature is None:
            return Checked("unsigned", "answers here must be signed")
        if pinned is None:
            return Checked("unverifiable", f"no key is pinned in {self.path}")
        if program is None:
            text_of_why = "a key is pinned but ssh-keygen is not installed: install OpenSSH"
            return Checked("unverifiable", text_of_why)
        try:
            return self._verify(program, text, signature)
        except (OSError, ssh_keygen.NoAnswerError) as error:
            return Checked("unverifiable", f"the signature could not be checked: {error}")

    def _verify(self, program: str, text: bytes, signature: str) -> Checked:
        descriptor, name = tempfile.mkstemp(prefix="ppgp-signature-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(signature.encode("utf-8", "surrogatepass"))
            command = [program, "-Y", "verify", "-f", str(self.path), "-I", PRINCIPAL]
            command += ["-n", NAMESPACE, "-s", name]
            ran = ssh_keygen.run(command, text, ssh_keygen.surroundings(self.environ))
        finally:
            with suppress(FileNotFoundError):
                Path(name).unlink()
        if ran.code == 0:
            return Checked("verified")
        return Checked("forged", "not the signature of a pinned key over this answer")


def pin_line(public: str) -> str:
    """The line of `allowed_signers` for a public key `KEYTYPE BASE64`."""
    return f'{PRINCIPAL} namespaces="{NAMESPACE}" {public}\n'


def _not_open(path: Path, found: os.stat_result) -> None:
    if found.st_mode & 0o022:
        raise UnusablePinsError(f"{path} can be written by others; chmod go-w {path}")
