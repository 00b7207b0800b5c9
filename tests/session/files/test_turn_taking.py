"""One writer at a time, and nobody waits for one that was stopped."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from pathlib import Path

from ppgp_tui.session.files.launches import mark, read
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.files.turn_taking import take_turn
from tests.waiting import PATIENCE_S


def opened(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)


def test_the_next_one_waits_until_the_folder_is_free(tmp_path: Path) -> None:
    first, second = opened(tmp_path), opened(tmp_path)
    assert take_turn(first)
    threading.Timer(0.2, os.close, [first]).start()
    assert take_turn(second, PATIENCE_S)
    os.close(second)


def test_one_that_never_ends_is_waited_for_only_so_long(tmp_path: Path) -> None:
    first, second = opened(tmp_path), opened(tmp_path)
    assert take_turn(first)
    began = time.monotonic()
    assert not take_turn(second, 0.1)
    assert time.monotonic() - began >= 0.1
    os.close(second)
    os.close(first)


def test_an_agent_frozen_while_its_hook_wrote_can_be_thawed(tmp_path: Path) -> None:
    launch = (
        '{"pid":1,"pid_start":1,"group":2,"session":1,"program":"claude","exit":null,'
        '"frozen_ms":1790000000000}'
    )
    (tmp_path / "claude-run-1.json").write_text(f'{{"schema":1,"pid":2,"launch":{launch}}}')
    frozen = opened(tmp_path)
    fcntl.flock(frozen, fcntl.LOCK_EX)
    with Folder.open(tmp_path) as agents:
        mark(agents, "claude-run-1", None)
        said = read(agents, "claude-run-1")
    os.close(frozen)
    assert said is not None
    assert said["launch"]["frozen_ms"] is None
