"""F24: rows of loops that closed long ago leave the log for the archive, and none is lost."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import pytest

from ppgp_tui.persist.disk import archive as module
from ppgp_tui.persist.disk.archive import Archived, DamagedError, archive
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.log import ClosedError, LoopLog
from ppgp_tui.persist.reading import read
from ppgp_tui.persist.row import Row, time_ms
from tests.persist.disk import original
from tests.persist.disk.conftest import full_at
from tests.persist.logs import log, row, spawned

NOW = time_ms("2026-11-30T02:00:00+00:00") or 0
OLD, OLDER, OPEN, FRESH = "a" * 12, "b" * 12, "c" * 12, "d" * 12


def at(day: str, *rows: Row) -> list[Row]:
    return [one._replace(ts=f"{day}T00:00:00+00:00") for one in rows]


def closed(loop_id: str, day: str) -> list[Row]:
    rows = (spawned(loop_id), row("ITERATING", 1, loop_id), row("SUCCESS", 1, loop_id))
    return at(day, *rows)


OF_OLD, OF_OLDER = closed(OLD, "2026-10-05"), closed(OLDER, "2026-09-05")
OF_OPEN = at("2026-01-01", spawned(OPEN), row("ITERATING", 1, OPEN))
OF_FRESH = closed(FRESH, "2026-11-20")


@pytest.fixture
def grown(home: Home) -> Home:
    """A home whose log holds the rows of four loops in turns."""
    home.path.mkdir(parents=True)
    mixed = [*OF_OPEN[:1], *OF_OLD[:2], *OF_OLDER, *OF_FRESH, *OF_OLD[2:], *OF_OPEN[1:]]
    home.log.write_bytes(log(*mixed))
    return home


def test_f24_loops_closed_over_thirty_days_ago_move_to_the_file_of_their_month(grown: Home) -> None:
    """F24: the file only grows."""
    done = archive(grown, NOW)
    october, september = (grown.archive / f"state-2026-{month}.jsonl" for month in ("10", "09"))
    assert done == Archived(2, 6, (october, september))
    assert october.read_bytes() == log(*OF_OLD)
    assert september.read_bytes() == log(*OF_OLDER)
    assert grown.log.read_bytes() == log(OF_OPEN[0], *OF_FRESH, OF_OPEN[1])
    assert original.states(grown.path) == {OPEN: "ITERATING", FRESH: "SUCCESS"}


@pytest.mark.parametrize("planted", ["archive", "archive/state-2026-10.jsonl"])
def test_a_link_in_the_archives_place_is_not_followed(
    grown: Home, tmp_path: Path, planted: str
) -> None:
    """Rows hold commands: appended to a file of their writer's choice they could be run."""
    elsewhere = tmp_path / "elsewhere"
    link = grown.path / planted
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(elsewhere)
    elsewhere.mkdir() if planted == "archive" else elsewhere.write_text("mine\n")
    before, log_before = elsewhere.stat(), grown.log.read_bytes()
    with pytest.raises(OSError, match="a link, which could lead elsewhere"):
        archive(grown, NOW)
    assert elsewhere.stat().st_mtime_ns == before.st_mtime_ns
    assert grown.log.read_bytes() == log_before


def test_f24_open_loops_stay_however_old_and_can_go_on(grown: Home) -> None:
    writer = LoopLog(grown)
    writer.read()
    archive(grown, NOW)
    writer.append(row("ITERATING", 2, OPEN))
    with pytest.raises(ClosedError):
        writer.append(row("ITERATING", 2, FRESH))


def test_a_later_archiving_adds_to_the_month(grown: Home) -> None:
    archive(grown, NOW, days=60)
    assert [path.name for path in grown.archive.iterdir()] == ["state-2026-09.jsonl"]
    with grown.log.open("ab") as file:
        file.write(log(*closed("e" * 12, "2026-09-07")))
    archive(grown, NOW)
    september = (grown.archive / "state-2026-09.jsonl").read_bytes()
    assert september == log(*OF_OLDER, *closed("e" * 12, "2026-09-07"))


def test_a_crash_between_archive_and_log_moves_nothing_twice(
    grown: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = module.rewrite

    def crash_at_the_log(path: object, content: object) -> None:
        if path == grown.log:
            raise OSError("power lost")
        really(path, content)  # type: ignore[arg-type]

    before = grown.log.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(module, "rewrite", crash_at_the_log)
        with pytest.raises(OSError, match="power lost"):
            archive(grown, NOW)
    assert grown.log.read_bytes() == before
    archive(grown, NOW)
    assert (grown.archive / "state-2026-10.jsonl").read_bytes() == log(*OF_OLD)


def test_on_a_full_disk_the_log_stays_as_it_was(grown: Home) -> None:
    before = grown.log.read_bytes()
    with full_at(100), pytest.raises(OSError, match="File too large"):
        archive(grown, NOW)
    assert grown.log.read_bytes() == before
    assert not list(grown.path.rglob("*.new"))


@pytest.mark.parametrize("damage", [b"no row\n", b'{"torn'])
def test_a_damaged_log_is_to_be_mended_first(grown: Home, damage: bytes) -> None:
    with grown.log.open("ab") as file:
        file.write(damage)
    before = grown.log.read_bytes()
    with pytest.raises(DamagedError, match="--mend"):
        archive(grown, NOW)
    assert grown.log.read_bytes() == before


def test_a_loop_that_does_not_say_when_it_closed_stays(home: Home) -> None:
    home.path.mkdir(parents=True)
    home.log.write_bytes(log(*(one._replace(ts="long ago") for one in OF_OLD)))
    assert archive(home, NOW) == Archived()
    assert not home.archive.exists()


def test_a_last_row_without_line_end_moves_whole(home: Home) -> None:
    home.path.mkdir(parents=True)
    home.log.write_bytes(log(*OF_OPEN, *OF_OLD)[:-1])
    archive(home, NOW)
    lines = (home.archive / "state-2026-10.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["to_state"] for line in lines] == ["SPAWNED", "ITERATING", "SUCCESS"]
    assert home.log.read_bytes() == log(*OF_OPEN)


def test_f22_the_archive_is_for_its_user_alone(grown: Home) -> None:
    archive(grown, NOW)
    modes = [
        stat.S_IMODE(path.stat().st_mode) for path in (grown.archive, *grown.archive.iterdir())
    ]
    assert modes == [0o700, 0o600, 0o600]


def test_a_home_without_a_log_has_nothing_to_archive(home: Home) -> None:
    assert archive(home, NOW) == Archived()


def test_a_loop_that_somebody_still_writes_of_stays_with_its_end(grown: Home) -> None:
    """Without the end its next late row would open it again."""
    late = at("2026-11-29", row("ITERATING", 2, OLD))
    grown.log.write_bytes(grown.log.read_bytes() + log(*late))
    assert archive(grown, NOW).loops == 1
    assert original.states(grown.path).keys() == {OPEN, FRESH, OLD}


def test_a_loop_with_late_rows_that_are_old_too_moves_with_them(grown: Home) -> None:
    late = at("2026-10-06", row("ITERATING", 2, OLD))
    grown.log.write_bytes(grown.log.read_bytes() + log(*late))
    assert archive(grown, NOW).loops == 2
    assert (grown.archive / "state-2026-10.jsonl").read_bytes() == log(*OF_OLD, *late)


@pytest.mark.parametrize("ts", ["2025-W01-1", "20250101", "0001-01-01T00:00:00+23:59"])
def test_the_archive_is_named_after_a_month_however_the_time_is_written(
    home: Home, ts: str
) -> None:
    home.path.mkdir(parents=True)
    home.log.write_bytes(log(*(one._replace(ts=ts) for one in closed(OLD, "2025-01-01"))))
    (file,) = archive(home, NOW).files
    assert re.fullmatch(r"state-\d{4}-\d\d\.jsonl", file.name)


def test_every_archived_row_can_be_read_whatever_the_files_began_and_ended_with(
    grown: Home,
) -> None:
    october = grown.archive / "state-2026-10.jsonl"
    october.parent.mkdir()
    october.write_bytes(log(*closed("e" * 12, "2026-10-01"))[:-1])
    grown.log.write_bytes(b"\xef\xbb\xbf" + log(*OF_OLD, *OF_FRESH))
    archive(grown, NOW)
    assert read(october.read_bytes()).good_rows == 6
