"""What a runner and a person leave beside the log: `live.json` and `pause.json`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ppgp_tui.persist.disk import outputs, side
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.live import Live, Runner
from ppgp_tui.persist.orders import Pause

ID = "0123456789ab"
LIVE = Live(Runner(12, None, "ward"), "running", 5, 3, 1.5, 9, "", 13, "0003.log")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "config" / "persist")


def test_the_last_word_is_read_as_it_was_written(home: Home) -> None:
    assert side.read_live(home, ID) is None
    side.write_live(home, ID, LIVE)
    side.write_live(home, ID, LIVE._replace(phase="ended"))
    assert side.read_live(home, ID) == LIVE._replace(phase="ended")


def test_a_pause_stands_until_it_is_taken_back(home: Home) -> None:
    order = Pause("user:anna", 7, "look")
    side.write_pause(home, ID, order)
    assert side.read_pause(home, ID) == order
    assert side.clear_pause(home, ID)
    assert side.read_pause(home, ID) is None
    assert not side.clear_pause(home, ID)


def test_f22_they_are_for_their_user_alone(home: Home) -> None:
    before = os.umask(0)
    try:
        side.write_live(home, ID, LIVE)
    finally:
        os.umask(before)
    folder = home.loop(ID)
    modes = [path.stat().st_mode & 0o777 for path in (home.path, folder.parent, folder)]
    assert modes == [0o700] * 3
    assert [path.name for path in folder.iterdir()] == ["live.json"]
    assert (folder / "live.json").stat().st_mode & 0o777 == 0o600


def test_an_id_that_leads_elsewhere_is_none(home: Home) -> None:
    with pytest.raises(ValueError, match="is not a loop id"):
        side.write_live(home, "../../../etc", LIVE)


def test_pipes_links_and_endless_files_are_not_read(home: Home, tmp_path: Path) -> None:
    folder = side.private_folder(home, ID)
    pause = folder / "pause.json"
    os.mkfifo(pause)
    assert side.read_pause(home, ID) is None
    pause.unlink()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(json.dumps({"schema": 1, "by": "user:x", "at_ms": 1, "reason": ""}))
    pause.symlink_to(elsewhere)
    assert side.read_pause(home, ID) is None
    pause.unlink()
    pause.write_text('{"schema": 1, "by": "user:x", "at_ms": 1, "reason": "' + "x" * 70_000 + '"}')
    assert side.read_pause(home, ID) is None


@pytest.mark.parametrize("where", ["loops", f"loops/{ID}"])
def test_a_link_in_the_folders_place_leads_nowhere(home: Home, tmp_path: Path, where: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / ID).mkdir(parents=True)
    for folder in (elsewhere, elsewhere / ID):
        (folder / "pause.json").write_text("mine")
    link = home.path / where
    link.parent.mkdir(parents=True)
    link.symlink_to(elsewhere)
    before = sorted(elsewhere.rglob("*"))
    with pytest.raises(OSError, match="a link, which could lead elsewhere"):
        side.write_live(home, ID, LIVE)
    with pytest.raises(OSError, match="a link, which could lead elsewhere"):
        side.clear_pause(home, ID)
    with pytest.raises(OSError, match="a link, which could lead elsewhere"):
        outputs.begin(home, ID, 1, 1)
    assert sorted(elsewhere.rglob("*")) == before


def test_what_a_crash_left_behind_is_no_obstacle(home: Home) -> None:
    folder = side.private_folder(home, ID)
    (folder / f".live.json.{os.getpid()}").write_text("{")
    side.write_live(home, ID, LIVE)
    assert side.read_live(home, ID) == LIVE


@given(data=some.binary(max_size=200))
def test_whatever_the_files_hold_nothing_is_raised(
    data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = Home(tmp_path_factory.mktemp("persist"))
    folder = side.private_folder(home, ID)
    for name in ("live.json", "pause.json"):
        (folder / name).write_bytes(data)
    assert side.read_live(home, ID) is None
    assert side.read_pause(home, ID) is None


@pytest.mark.parametrize("odd", ["1e999", "-1", "1" + "0" * 400, "NaN", "true", '"x"', "9" * 5000])
def test_a_number_that_is_no_moment_is_no_word_and_no_pause(home: Home, odd: str) -> None:
    folder = side.private_folder(home, ID)
    live = json.dumps({"schema": 1, **LIVE._asdict(), "runner": LIVE.runner._asdict()})
    (folder / "live.json").write_text(live.replace('"since_ms": 5', f'"since_ms": {odd}'))
    (folder / "pause.json").write_text(f'{{"schema": 1, "by": "user:anna", "at_ms": {odd}}}')
    assert side.read_live(home, ID) is None
    assert side.read_pause(home, ID) is None


@pytest.mark.parametrize("odd", ["1e999", "NaN", "1" + "0" * 400, "true"])
def test_a_number_that_nobody_can_calculate_with_is_left_out(home: Home, odd: str) -> None:
    folder = side.private_folder(home, ID)
    live = json.dumps({"schema": 1, **LIVE._asdict(), "runner": LIVE.runner._asdict()})
    for known in ('"counted_s": 1.5', '"until_ms": 9', '"agent_pid": 13'):
        assert known in live
        live = live.replace(known, known[: known.index(":") + 2] + odd)
    (folder / "live.json").write_text(live)
    found = LIVE._replace(counted_s=0.0, until_ms=None, agent_pid=None)
    assert side.read_live(home, ID) == found
