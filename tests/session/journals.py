"""Small journals for tests: a root, events, and the log as it lies on the disk."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ppgp_tui.session.canonical import new_id
from ppgp_tui.session.journal import Appended, Event, Journal, Refused

NOW = 1_790_000_000_000
LOG = Path("state/events.jsonl")
RUN = Path(".ppgp/run")


def journal_of(root: Path, **settings) -> Journal:
    settings = {"clock": lambda: NOW, **settings}
    return Journal(root, root.parent / "user" / "ppgp-tui" / "roots" / "0", **settings)


def new_journal(folder: Path, **settings) -> Journal:
    """A session in `folder/repo`, its user state in `folder/user`."""
    root = folder / "repo"
    root.mkdir()
    journal = journal_of(root, **settings)
    assert not isinstance(journal.create(), Refused)
    return journal


def state_of(journal: Journal) -> Path:
    return journal.root.parent / "user/ppgp-tui/roots/0"


def event(kind: str = "session.started", cause: str | None = None, **payload) -> Event:
    return {
        "id": new_id("event"),
        "schema_version": 1,
        "ts_ms": NOW,
        "actor": {"kind": "system", "id": "ppgp-tui"},
        "kind": kind,
        "payload": payload,
        "causation_id": cause,
        "correlation_id": None,
    }


def pair(word: str = "a", cause: str | None = None) -> list[Event]:
    """A batch of two lines that only make sense together."""
    first = event("note.created", cause, word=word)
    return [first, event("note.paired", first["id"], word=word)]


def append(journal: Journal, *batch: Event) -> Appended:
    result = journal.append(lambda _view: list(batch))
    assert isinstance(result, Appended), result
    return result


def refused(journal: Journal, *batch: Event) -> Refused:
    result = journal.append(lambda _view: list(batch))
    assert isinstance(result, Refused), result
    return result


def log_bytes(journal: Journal) -> bytes:
    return (journal.root / LOG).read_bytes()


def add_by_hand(journal: Journal, data: bytes) -> None:
    """Another program writes to the log."""
    with (journal.root / LOG).open("ab") as log:
        log.write(data)


def logged(journal: Journal) -> list[dict]:
    return [json.loads(line) for line in log_bytes(journal).splitlines()]


def ids(events: Sequence[Event]) -> list[str]:
    return [each["id"] for each in events]


def torn(journal: Journal) -> list[bytes]:
    folder = journal.root / RUN / "torn"
    return [path.read_bytes() for path in sorted(folder.iterdir())] if folder.exists() else []


def git(root: Path, *arguments: str) -> str:
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
    }
    identity = ("-c", "user.name=dev", "-c", "user.email=dev@example.org")
    run = subprocess.run(
        ["git", *identity, *arguments], cwd=root, env=environ, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
