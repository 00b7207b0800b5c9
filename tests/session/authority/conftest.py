"""A repository, a person with a key and an agent's question, all with the real ssh-keygen."""

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.session.authority.answer import Answer, signed_text, write
from ppgp_tui.session.authority.answer_files import create_answer
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.authority.request_files import create_request
from ppgp_tui.session.canonical import digest, new_id
from ppgp_tui.session.engine.requests import build
from ppgp_tui.session.files.safe import Folder

T0 = 1_790_000_000_000
REPO = "0123456789abcdef" * 2
HERE = {name: value for name, value in os.environ.items() if not name.startswith("SSH_")}


@pytest.fixture(scope="session", autouse=True)
def _ssh_keygen_is_there() -> None:
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is not installed; install OpenSSH to run these tests")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    (root / ".ppgp" / "run").mkdir(parents=True)
    return root


@pytest.fixture
def run(root: Path):
    with Folder.open(root, ".ppgp", "run") as folder:
        yield folder


@pytest.fixture
def pins(tmp_path: Path, root: Path) -> Pins:
    return Pins(tmp_path / "data", root, HERE)


@pytest.fixture
def without_openssh(tmp_path: Path, root: Path) -> Pins:
    return Pins(tmp_path / "data", root, {"PATH": str(tmp_path / "nothing")})


def a_request(**changed: Any) -> dict[str, Any]:
    about: dict[str, Any] = {
        "request_id": new_id("req"),
        "repo": REPO,
        "question": "Publish 0.2.0?",
        "asker": {"actor": "agent:claude-1", "cwd": "/somewhere"},
        "created_ms": T0,
    }
    return build(**about | changed)


@dataclass
class Person:
    """Somebody at the keys, whose answers carry a signature."""

    key: SigningKey
    now_ms: int = T0 + 1000
    signs: Callable[[bytes], str | None] | None = field(default=None)

    def answer(
        self,
        request: Mapping[str, Any],
        option: str | None = "yes",
        *,
        attempt: int = 1,
        repo: str | None = None,
        **said: Any,
    ) -> Answer:
        about = {
            "request": request["id"],
            "digest": digest(request),
            "attempt": attempt,
            "answered_ms": self.now_ms,
            "option": option,
            **said,
        }
        signed = signed_text(repo=repo or request["repo"], **about)
        sign = self.signs or self.key.sign
        return Answer(
            **about,
            decision=new_id("dec"),
            by="user:dev",
            signed=signed,
            signature=sign(signed.encode()),
        )


@pytest.fixture
def person(pins: Pins) -> Person:
    return Person(SigningKey(pins))


@pytest.fixture
def request_asked(run: Folder) -> dict[str, Any]:
    request = a_request()
    create_request(run, request)
    return request


def plant(run: Folder, request: Mapping[str, Any], attempt: int, data: bytes | Answer) -> None:
    """Put bytes where an answer is expected, as any program in the repository could."""
    if isinstance(data, Answer):
        data = write(data)
    with run.child("answers", create=True) as folder:
        folder.publish(f"{request['id']}.{attempt}.json", data)


def deliver(run: Folder, answer: Answer) -> Answer:
    create_answer(run, answer)
    return answer


HOSTILE = {
    "nothing": b"",
    "not JSON": b"yes",
    "NUL": b"\0" * 100,
    "NUL inside": b'{"schema":1,\0}',
    "five megabytes": b'{"schema":1,"note":"' + b"a" * 5_000_000 + b'"}',
    "deep nesting": b"[" * 200_000,
    "deep object": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "not UTF-8": b'{"schema":1,"note":"\xff\xfe"}',
    "lone surrogate": b'{"schema":1,"note":"\\ud800"}',
    "not a number": b'{"schema":1,"answered_ms":NaN}',
    "huge number": b'{"schema":1,"answered_ms":' + b"9" * 5000 + b"}",
    "a list": b"[]",
    "a key twice": b'{"schema":1,"schema":1}',
    "another schema": b'{"schema":2}',
    "a true schema": b'{"schema":true}',
}
