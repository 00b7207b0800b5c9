"""The user's own files, whatever lies where they should be."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ppgp_tui.session.files.own import read_at_once
from ppgp_tui.session.files.places import root_folder
from ppgp_tui.session.plan_history import seen
from ppgp_tui.session.sessions import known
from ppgp_tui.session.settings.settings import load_settings
from ppgp_tui.ui.looks.settings_file import read_settings
from ppgp_tui.ui.seat.memory import Choices, read_choices

ODD = (
    b"", b"{", b"[]", b"null", b'"x"', b'{"schema":99,"plan":{"revision":9}}', b'{"plan":[1]}',
    b"[" * 100_000, b'{"schema":' + b"9" * 5_000 + b"}", b"\xff\xfe", b'{"plan":{"at_ms":1e999}}',
)  # fmt: skip


def test_a_file_is_read_up_to_what_may_be_read(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abcdef")
    assert read_at_once(tmp_path / "x") == b"abcdef"
    assert read_at_once(tmp_path / "x", 3) == b"abc"


@pytest.mark.parametrize(
    "read",
    [
        lambda path: read_choices(path)[0] == Choices(),
        lambda path: not read_settings(path).values,
        lambda path: bool(load_settings(path.parent, path)),
    ],
)
def test_nobody_waits_for_a_named_pipe(read: Callable[[Path], bool], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.toml")
    assert read(tmp_path / "config.toml")


@pytest.mark.parametrize("data", [*ODD, None])
def test_a_damaged_last_look_is_none(
    data: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file = root_folder(tmp_path) / seen.FILE
    file.parent.mkdir(parents=True)
    os.mkfifo(file) if data is None else file.write_bytes(data)
    assert seen.last_looked(tmp_path) is None


def test_a_pipe_among_the_known_roots_names_none(tmp_path: Path) -> None:
    folder = tmp_path / "roots" / "0123456789abcdef"
    folder.mkdir(parents=True)
    os.mkfifo(folder / known.ROOT_FILE)
    assert known.known_roots(tmp_path) == ()
