"""Output is kept for each run: bounded, private, and never at the run's cost."""

import os
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist.disk import outputs
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.outputs import HEAD, LARGEST, Output

LOOP = "0123456789ab"
PIECE = st.binary(max_size=3 * HEAD).map(lambda one: one.replace(b"[", b"("))
NOTE = re.compile(rb"\n\[(\d+) bytes are left out here\]\n")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "persist")


def folder(home: Home) -> Path:
    return home.loop(LOOP) / "output"


def names(home: Home) -> list[str]:
    return sorted(one.name for one in folder(home).iterdir())


def keep(home: Home, iteration: int, data: bytes, attempt: int = 1) -> None:
    with outputs.begin(home, LOOP, iteration, attempt) as output:
        output.write(data)


def test_what_a_run_prints_can_be_read_while_it_prints(home: Home) -> None:
    with outputs.begin(home, LOOP, 3, 1) as output:
        output.write(b"one\n")
        assert output.name == "0003.log"
        assert outputs.tail(home, LOOP, "0003.log") == b"one\n"
        output.write(b"\x1b[1mtwo")
        assert outputs.tail(home, LOOP, "0003.log") == b"one\n\x1b[1mtwo"
        assert outputs.tail(home, LOOP, "0003.log", limit=3) == b"two"


def test_a_number_that_begins_again_has_a_file_of_its_own(home: Home) -> None:
    keep(home, 10_000, b"late")
    keep(home, 2, b"again", attempt=2)
    keep(home, 2, b"first")
    kept = outputs.kept(home, LOOP)
    assert [(one.name, one.iteration, one.attempt, one.size) for one in kept] == [
        ("0002.log", 2, 1, 5),
        ("0002-2.log", 2, 2, 5),
        ("10000.log", 10_000, 1, 4),
    ]


def test_only_the_user_may_read_it(home: Home) -> None:
    earlier = os.umask(0)
    try:
        keep(home, 1, b"a secret")
    finally:
        os.umask(earlier)
    assert stat.S_IMODE((folder(home) / "0001.log").stat().st_mode) == 0o600
    for one in (folder(home), *folder(home).parents[:3]):
        assert stat.S_IMODE(one.stat().st_mode) == 0o700


@pytest.mark.parametrize("already", range(23))
def test_the_last_twenty_are_kept_however_many_there_were(home: Home, already: int) -> None:
    keep(home, 1, b"1")
    for number in range(1, already + 1):
        (folder(home) / f"{number:04}.log").write_bytes(b"old")
    keep(home, already + 1, b"new")
    last = [f"{number:04}.log" for number in range(1, already + 2)][-20:]
    assert [one.name for one in outputs.kept(home, LOOP)] == last


def test_files_of_other_names_are_neither_shown_nor_removed(home: Home) -> None:
    keep(home, 1, b"1")
    (folder(home) / "notes.txt").write_text("mine")
    for number in range(2, 30):
        keep(home, number, b"x")
    assert (folder(home) / "notes.txt").read_text() == "mine"
    assert len(outputs.kept(home, LOOP)) == 20


def test_what_a_killed_run_left_half_done_is_removed(home: Home) -> None:
    keep(home, 1, b"1")
    (folder(home) / "0001.log.fresh").write_bytes(b"half")
    keep(home, 2, b"2")
    assert names(home) == ["0001.log", "0002.log"]


def test_fifty_megabytes_stay_within_the_bound_and_end_with_the_end(home: Home) -> None:
    line = b"x" * 63 + b"\n"
    with outputs.begin(home, LOOP, 1, 1) as output:
        output.write(b"the first line\n")
        for _ in range(800):
            output.write(line * 1024)
        output.write(b"the last line\n")
        assert output.lost is None
    whole = (folder(home) / "0001.log").read_bytes()
    assert LARGEST // 2 < len(whole) <= LARGEST
    assert whole.startswith(b"the first line\n")
    assert whole.endswith(b"the last line\n")
    (note,) = NOTE.finditer(whole)
    assert len(whole) - len(note[0]) + int(note[1]) == 800 * 65_536 + 29
    assert names(home) == ["0001.log"]


def test_one_endless_line_is_bounded_too(home: Home) -> None:
    with outputs.begin(home, LOOP, 1, 1) as output:
        for _ in range(100):
            output.write(b"y" * 65_536)
    assert (folder(home) / "0001.log").stat().st_size <= LARGEST


@given(
    pieces=st.lists(
        st.binary(max_size=3 * HEAD).map(lambda one: one.replace(b"[", b"(")), max_size=12
    ),
    largest=st.integers(2 * HEAD + 200, 4 * HEAD),
)
def test_beginning_and_end_are_what_was_printed_and_the_gap_is_told(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], largest: int
) -> None:
    path = tmp_path_factory.mktemp("output")
    with Output(os.open(path, os.O_RDONLY), "0001.log", largest=largest) as output:
        for piece in pieces:
            output.write(piece)
    printed, whole = b"".join(pieces), (path / "0001.log").read_bytes()
    if len(printed) <= largest:
        assert whole == printed
        return
    assert len(whole) <= max(largest, largest // 2 + HEAD + 64)
    (note,) = NOTE.finditer(whole)
    head, last = whole[: note.start()], whole[note.end() :]
    assert printed.startswith(head)
    assert printed.endswith(last)
    assert len(head) + int(note[1]) + len(last) == len(printed)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told_and_does_not_end_the_run(tmp_path: Path) -> None:
    with Output(os.open(tmp_path, os.O_RDONLY), "0001.log") as output:
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, output._file)
        os.close(full)
        assert output.write(b"lost") == 4
        assert output.write(b"lost too") == 8
        assert output.lost == "0001.log: No space left on device"


def test_nothing_is_written_through_links(home: Home, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    keep(home, 1, b"1")
    (mine / "precious").write_text("precious")
    (folder(home) / "0002.log").symlink_to(mine / "precious")
    keep(home, 2, b"2")
    assert (mine / "precious").read_text() == "precious"
    (folder(home) / "0001.log").unlink()
    (folder(home) / "0001.log").symlink_to(mine / "precious")
    assert outputs.tail(home, LOOP, "0001.log") == b""
    folder(home).rename(tmp_path / "aside")
    folder(home).symlink_to(mine)
    with pytest.raises(OSError, match="output"):
        outputs.begin(home, LOOP, 3, 1)
    assert outputs.kept(home, LOOP) == ()


@pytest.mark.parametrize(
    "name", ["../0001.log", "0001.log/", "/etc/passwd", "live.json", "1.log", ""]
)
def test_no_name_leads_elsewhere(home: Home, name: str) -> None:
    keep(home, 1, b"1")
    assert outputs.tail(home, LOOP, name) == b""


def test_a_loop_that_kept_nothing_has_nothing(home: Home) -> None:
    assert outputs.kept(home, LOOP) == ()
    assert outputs.tail(home, LOOP, "0001.log") == b""
    with pytest.raises(ValueError, match="12 hexadecimal"):
        outputs.kept(home, "../elsewhere")
