"""A file that others write too is replaced only while it holds what was read."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ppgp_tui.session.files import swap
from ppgp_tui.session.files.safe import Folder, UnsafePathError


@pytest.fixture
def folder(tmp_path: Path):
    (tmp_path / "goal.md").write_bytes(b"known\n")
    with Folder.open(tmp_path) as opened:
        yield opened


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def replace(folder: Folder, known: bytes = b"known\n") -> bool:
    return swap.replace_known(folder, "goal.md", known, b"new\n", mode=0o640)


def test_what_was_read_is_replaced_with_its_mode_and_nothing_is_left_behind(
    folder: Folder, tmp_path: Path
) -> None:
    assert replace(folder)
    assert (tmp_path / "goal.md").read_bytes() == b"new\n"
    assert (tmp_path / "goal.md").stat().st_mode & 0o777 == 0o640
    assert names(tmp_path) == ["goal.md"]


def test_what_somebody_wrote_before_stays(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "goal.md").write_bytes(b"theirs\n")
    assert not replace(folder)
    assert (tmp_path / "goal.md").read_bytes() == b"theirs\n"
    assert names(tmp_path) == ["goal.md"]


def in_place(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def by_rename(path: Path, data: bytes) -> None:
    other = path.with_name("theirs")
    other.write_bytes(data)
    other.replace(path)


@pytest.mark.parametrize("write", [in_place, by_rename])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_what_somebody_writes_at_that_very_moment_stays(
    folder: Folder, tmp_path: Path, monkeypatch, write: Callable[[Path, bytes], None], times: int
) -> None:
    """The other one writes just before each of the first exchanges."""
    real, left = swap._exchange, list(range(times))

    def exchange(*arguments):
        if left:
            write(tmp_path / "goal.md", f"theirs {left.pop(0)}\n".encode())
        return real(*arguments)

    monkeypatch.setattr(swap, "_exchange", exchange)
    assert not replace(folder)
    assert (tmp_path / "goal.md").read_bytes() == f"theirs {times - 1}\n".encode()
    assert names(tmp_path) == ["goal.md"]


def test_a_writer_that_had_opened_the_file_before_and_writes_after_loses_nothing(
    folder: Folder, tmp_path: Path, monkeypatch
) -> None:
    opened = (tmp_path / "goal.md").open("ab")
    real = swap._exchange
    done: list[bool] = []

    def exchange(*arguments):
        result = real(*arguments)
        if not done:
            done.append(True)
            opened.write(b"one more line\n")
            opened.close()
        return result

    monkeypatch.setattr(swap, "_exchange", exchange)
    assert not replace(folder)
    assert (tmp_path / "goal.md").read_bytes() == b"known\none more line\n"


def test_a_link_that_takes_the_place_of_the_file_is_put_back(
    folder: Folder, tmp_path: Path, monkeypatch
) -> None:
    real = swap._exchange
    done: list[bool] = []

    def exchange(*arguments):
        if not done:
            done.append(True)
            (tmp_path / "goal.md").unlink()
            (tmp_path / "goal.md").symlink_to("/etc/hostname")
        return real(*arguments)

    monkeypatch.setattr(swap, "_exchange", exchange)
    assert not replace(folder)
    assert (tmp_path / "goal.md").is_symlink()


def test_a_link_is_not_replaced(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "goal.md").rename(tmp_path / "real.md")
    (tmp_path / "goal.md").symlink_to("real.md")
    with pytest.raises(UnsafePathError):
        replace(folder)
    assert (tmp_path / "real.md").read_bytes() == b"known\n"


def test_where_two_files_cannot_change_places_one_is_renamed_over_the_other(
    folder: Folder, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(swap, "_exchange", lambda *_: False)
    assert replace(folder)
    assert (tmp_path / "goal.md").read_bytes() == b"new\n"
    assert not replace(folder), "it no longer holds what was known"
    assert names(tmp_path) == ["goal.md"]
