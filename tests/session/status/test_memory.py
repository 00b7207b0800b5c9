"""What the status line keeps between calls: a memory, never a source."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ppgp_tui.session.files import places
from ppgp_tui.session.status import cache as status_cache
from tests.session.status.reading import (
    DOCUMENT,
    GOAL,
    LOG,
    NOW,
    agrees,
    cache_of,
    said_by_the_status,
    write,
)


def test_the_document_is_read_once_while_it_stays_the_same(
    root: Path, environ: dict[str, str], remembered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppgp_tui.session.status.line._read_ground", lambda *_: 1 / 0)
    assert said_by_the_status(root, environ)["phase"] == "EXECUTE"
    write(root, DOCUMENT, GOAL + "\n")
    with pytest.raises(ZeroDivisionError):
        said_by_the_status(root, environ)


def test_the_memory_is_outside_the_repository_and_only_for_its_owner(
    root: Path, remembered: Path
) -> None:
    assert not remembered.is_relative_to(root)
    assert remembered.parent == places.root_folder(root)
    assert remembered.stat().st_mode & 0o777 == 0o600
    kept = {path.name for path in remembered.parent.iterdir()}
    assert kept <= {"status.json", "reading.json"}


def test_nothing_is_written_into_the_repository(
    root: Path, environ: dict[str, str], remembered: Path
) -> None:
    assert sorted(str(path.relative_to(root)) for path in root.rglob("*")) == [
        "docs", DOCUMENT, "state", LOG,
    ]  # fmt: skip


def test_a_state_folder_inside_the_repository_is_not_used(
    root: Path, environ: dict[str, str]
) -> None:
    write(root, DOCUMENT, GOAL)
    inside = {**environ, "XDG_STATE_HOME": str(root / "state")}
    assert said_by_the_status(root, inside)["phase"] == "EXECUTE"
    assert not (root / "state").exists()


def test_a_state_folder_that_cannot_be_written_is_no_error(
    root: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    write(root, DOCUMENT, GOAL)
    blocked = {**environ, "XDG_STATE_HOME": str(write(tmp_path, "a-file", ""))}
    assert said_by_the_status(root, blocked)["phase"] == "EXECUTE"


@pytest.mark.parametrize(
    ("before_ns", "kept"),
    [(50_000_001, False), (200_000_001, True), (1_000_000_000, False), (3_000_000_000, True)],
    ids=["50 ms", "200 ms", "1 s, whole seconds", "3 s, whole seconds"],
)
def test_a_document_written_just_now_is_not_remembered(
    root: Path, environ: dict[str, str], before_ns: int, kept: bool
) -> None:
    file = write(root, DOCUMENT, GOAL)
    written = NOW * 1_000_000 - before_ns
    os.utime(file, ns=(written, written))
    said_by_the_status(root, environ)
    memory = status_cache.load(str(cache_of(root, environ)), str(root))
    assert (memory.get("ground") is not None) is kept


Spoil = Callable[[Path], object]


def swap(old: bytes, new: bytes) -> Spoil:
    return lambda file: file.write_bytes(file.read_bytes().replace(old, new))


@pytest.mark.parametrize(
    "spoil",
    [
        swap(b'"EXECUTE"', b'"CLOSED!"'),
        swap(b'"blockers":2', b'"blockers":9'),
        lambda file: file.write_bytes(file.read_bytes()[:-20]),
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(b"\xff\n{}"),
        lambda file: file.write_bytes(b"[]"),
        lambda file: (file.unlink(), file.mkdir()),
        lambda file: (file.unlink(), file.symlink_to(file.with_name("nowhere"))),
    ],
    ids=["edited", "edited number", "cut", "empty", "binary", "other", "a folder", "a link"],
)
def test_a_damaged_memory_is_as_good_as_none(
    root: Path, environ: dict[str, str], remembered: Path, spoil: Spoil
) -> None:
    spoil(remembered)
    agrees(root, environ)
    assert not remembered.with_name("nowhere").exists()


def test_the_memory_of_another_repository_is_not_believed(
    root: Path, environ: dict[str, str], remembered: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    write(other, DOCUMENT, GOAL.replace("EXECUTE", "SHIP"))
    place = cache_of(other, environ)
    place.parent.mkdir(parents=True)
    place.write_bytes(remembered.read_bytes())
    assert agrees(other, environ)["phase"] == "SHIP"


def test_the_memory_of_another_version_is_not_believed(
    root: Path, environ: dict[str, str], remembered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_cache, "__version__", "0.0.0")
    assert status_cache.load(str(remembered), str(root)) == {}
