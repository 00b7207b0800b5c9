"""The key a person's answers are signed with: made on first use, or one the user chose.

The key is pinned by the public half that its first signature carries, so no `.pub` file has to
agree with it. Every signature is checked against the pins before it is handed out: nobody is told
"answered" about an answer that no waiter would take.
"""

from __future__ import annotations

import base64
import binascii
import os
import stat
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ppgp_tui.session.authority import ssh_keygen
from ppgp_tui.session.authority.pins import (
    ALLOWED,
    FOLDER,
    NAMESPACE,
    Pins,
    UnusablePinsError,
    pin_line,
)
from ppgp_tui.session.files.safe import FOLDER_MODE, Folder
from ppgp_tui.session.text import one_line

KEY: Final = "key"
PUBLIC: Final = "key.pub"

_HEAD, _FOOT = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"


class KeyProblemError(Exception):
    """No answer can be signed; the message says why and what to do."""


class SigningKey:
    """Signs a person's answers. `key` is `file` (our own), `agent`, or the path of an SSH key.

    A path that ends in `.pub` means the private half is held by the SSH agent. `askpass` is a
    program that may ask the person for a passphrase; without it nothing ever asks.
    """

    def __init__(self, pins: Pins, *, key: str = "file", askpass: str | None = None) -> None:
        self.pins = pins
        self.key = key
        self.askpass = askpass

    def sign(self, text: bytes) -> str | None:
        """Return the armoured signature of `text`, verified against the pinned keys.

        Makes and pins the key on first use. None where answers go unsigned: no `ssh-keygen` and
        no pinned key. Raises `KeyProblemError`. Takes up to a minute where a person is asked, so
        call it without holding a lock.
        """
        pinned = self._pinned()
        program = self.pins.program()
        if program is None:
            if pinned is None:
                return None
            text_of_why = f"{self.pins.path} pins a key, so answers must be signed"
            raise KeyProblemError(f"{text_of_why}, but ssh-keygen is not installed")
        with self._private(program, pinned) as path:
            signature = self._sign(program, path, text)
        if pinned is None:
            self._pin(public_key(signature), exclusive=True)
        checked = self.pins.check(text, signature)
        if checked.word == "forged":
            raise KeyProblemError(
                f"the key chosen by authority.key = {self.key!r} is not the one pinned in "
                f"{self.pins.path}; choose the pinned one, or remove that file to pin this one"
            )
        if checked.word != "verified":
            raise KeyProblemError(checked.why)
        return signature

    def pin(self) -> str:
        """Pin the chosen key in place of whatever was pinned; return its public half.

        Choosing keys grants: callers ask `identity.refuse_reason` first.
        """
        program = self.pins.program()
        if program is None:
            raise KeyProblemError("ssh-keygen is not installed; install OpenSSH")
        with self._private(program, None) as path:
            public = public_key(self._sign(program, path, b"ppgp"))
        self._pin(public, exclusive=False)
        return public

    # Which key ----------------------------------------------------------------------------------

    @contextmanager
    def _private(self, program: str, pinned: tuple[str, ...] | None) -> Iterator[str]:
        """What `ssh-keygen -f` is to be given."""
        if self.key == "file":
            yield str(self._own(program, pinned))
        elif self.key == "agent":
            with self._held_by_agent(pinned) as path:
                yield path
        else:
            yield str(self._chosen())

    def _own(self, program: str, pinned: tuple[str, ...] | None) -> Path:
        path = self.pins.folder / KEY
        try:
            self.pins.data.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
            with Folder.open(self.pins.data, FOLDER, create=True) as folder:
                if folder.status(KEY) is None:
                    if pinned is not None:
                        text = f"{self.pins.path} pins a key and {path} is not there"
                        raise KeyProblemError(f"{text}; put it back, or remove the first to renew")
                    self._make(program, folder)
        except OSError as error:
            raise KeyProblemError(f"{error.filename or path}: {error.strerror}") from error
        return _private_file(path)

    def _make(self, program: str, folder: Folder) -> None:
        with tempfile.TemporaryDirectory(prefix=".new-", dir=folder.path) as new:
            made = Path(new) / KEY
            command = [program, "-q", "-t", "ed25519", "-N", "", "-C", "ppgp-tui", "-f", str(made)]
            ran = self._run(command, b"")
            if ran.code != 0:
                raise KeyProblemError(f"no key could be made: {_last_line(ran.said)}")
            with suppress(FileExistsError):  # somebody made one at the same moment: use that
                folder.publish(KEY, made.read_bytes(), exclusive=True)
                folder.publish(PUBLIC, made.with_name(PUBLIC).read_bytes())

    def _chosen(self) -> Path:
        path = Path(os.path.expanduser(self.key))  # noqa: PTH111  # an unknown user stays as it is
        if not path.is_absolute():
            raise KeyProblemError(f"authority.key: {self.key!r} is not an absolute path")
        try:
            self.pins.must_be_outside(path)
        except UnusablePinsError:
            text = f"authority.key: {path} lies inside the repository"
            raise KeyProblemError(f"{text}, where an agent could read it") from None
        if path.suffix == ".pub":
            if not path.is_file():
                raise KeyProblemError(f"authority.key: there is no public key {path}")
            return path
        return _private_file(path)

    @contextmanager
    def _held_by_agent(self, pinned: tuple[str, ...] | None) -> Iterator[str]:
        adder = ssh_keygen.find_program("ssh-add", self.pins.environ)
        if adder is None:
            raise KeyProblemError("ssh-add is not installed; install OpenSSH")
        ran = self._run([adder, "-L"], b"", agent=True)
        keys = [line for line in ran.out.decode("utf-8", "replace").splitlines() if " " in line]
        if ran.code != 0 or not keys:
            raise KeyProblemError("no SSH agent holds a key; start one and run ssh-add KEY")
        wanted = [line for line in keys if pinned is None or _is_pinned(line, pinned)]
        if not wanted:
            text = f"the SSH agent does not hold the key pinned in {self.pins.path}"
            raise KeyProblemError(f"{text}; run ssh-add with that key")
        if len(wanted) > 1 and pinned is None:
            text = f"the SSH agent holds {len(wanted)} keys; say which one"
            raise KeyProblemError(f"{text}: authority.key = path of its .pub file")
        with tempfile.TemporaryDirectory(prefix="ppgp-public-") as folder:
            path = Path(folder) / "agent.pub"
            path.write_text(wanted[0] + "\n")
            yield str(path)

    # Signing ------------------------------------------------------------------------------------

    def _sign(self, program: str, path: str, text: bytes) -> str:
        ran = self._run(
            [program, "-Y", "sign", "-q", "-f", path, "-n", NAMESPACE],
            text,
            askpass=self.askpass,
            agent=self.key != "file",
        )
        if ran.code == 0:
            return ran.out.decode("ascii", "replace")
        raise KeyProblemError(_explained(path, ran.said))

    def _run(
        self, command: list[str], stdin: bytes, *, askpass: str | None = None, agent: bool = False
    ) -> ssh_keygen.Ran:
        environ = ssh_keygen.surroundings(self.pins.environ, askpass=askpass, agent=agent)
        limit_s = ssh_keygen.PERSON_LIMIT_S if agent or askpass else ssh_keygen.LIMIT_S
        try:
            return ssh_keygen.run(command, stdin, environ, limit_s=limit_s)
        except ssh_keygen.NoAnswerError as error:
            raise KeyProblemError(str(error)) from error

    def _pinned(self) -> tuple[str, ...] | None:
        try:
            return self.pins.pinned()
        except UnusablePinsError as error:
            raise KeyProblemError(str(error)) from error

    def _pin(self, public: str, *, exclusive: bool) -> None:
        try:
            self.pins.must_be_outside(self.pins.folder)
            self.pins.data.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
            with (
                Folder.open(self.pins.data, FOLDER, create=True) as folder,
                suppress(FileExistsError),  # pinned meanwhile; the check after this decides
            ):
                folder.publish(ALLOWED, pin_line(public).encode(), exclusive=exclusive)
        except UnusablePinsError as error:
            raise KeyProblemError(str(error)) from error
        except OSError as error:
            path = error.filename or self.pins.path
            raise KeyProblemError(f"{path}: {error.strerror}; the key was not pinned") from error


def public_key(signature: str) -> str:
    """The public key `KEYTYPE BASE64` within an armoured SSH signature (OpenSSH PROTOCOL.sshsig).

    Raises `KeyProblemError` if it is no such signature.
    """
    try:
        body = signature.split(_HEAD, 1)[1].split(_FOOT, 1)[0]
        blob = base64.b64decode("".join(body.split()), validate=True)
        if blob[:6] != b"SSHSIG":
            raise ValueError
        key, _ = _ssh_string(blob[10:])  # after the magic word and the version
        kind, _ = _ssh_string(key)
        return f"{kind.decode('ascii')} {base64.b64encode(key).decode()}"
    except (IndexError, ValueError, binascii.Error, struct.error):
        raise KeyProblemError("ssh-keygen gave no signature") from None


def _ssh_string(data: bytes) -> tuple[bytes, bytes]:
    (size,) = struct.unpack_from(">I", data)
    if size > len(data) - 4:
        raise ValueError
    return data[4 : 4 + size], data[4 + size :]


def _is_pinned(public: str, pinned: tuple[str, ...]) -> bool:
    blob = public.split()[1]
    return any(blob in line.split() for line in pinned)


def _private_file(path: Path) -> Path:
    try:
        found = path.stat()
    except OSError as error:
        text = f"the key {path} cannot be used: {(error.strerror or '').lower()}"
        raise KeyProblemError(text) from error
    if not stat.S_ISREG(found.st_mode):
        raise KeyProblemError(f"the key {path} is not a file")
    if found.st_mode & 0o077:
        text = f"the key {path} can be read by others (mode {found.st_mode & 0o777:o})"
        raise KeyProblemError(f"{text}; run chmod 600 {path}")
    return path


def _explained(path: str, said: str) -> str:
    if "passphrase" in said:
        return (
            f"the key {path} has a passphrase and nothing may ask for it: hold it in an SSH agent "
            "(ssh-add), or name a program that asks in authority.askpass"
        )
    if "No private key found for public key" in said:
        return f"the SSH agent does not hold the private half of {path}; run ssh-add with that key"
    if "agent refused" in said:
        return f"the SSH agent refused to sign with {path}"
    if "load public key" in said:
        if path.endswith(".pub"):
            return f"{path} is not an SSH public key"
        return f"the public half of {path} is missing; run ssh-keygen -y -f {path} > {path}.pub"
    return f"ssh-keygen could not sign with {path}: {_last_line(said)}"


def _last_line(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return one_line(lines[-1]) if lines else "it said nothing"
