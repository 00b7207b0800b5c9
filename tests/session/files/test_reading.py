"""Opening a file below the root for reading: inside only, regular files only, never blocking."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from ppgp_tui.session.files.reading import CannotReadError, read_inside
from tests.unprivileged import nobody, open_place


def refused(root: Path, path: str, largest: int = 1000) -> CannotReadError:
    with pytest.raises(CannotReadError) as caught:
        read_inside(root, path, largest)
    return caught.value


def test_a_file_is_read_with_its_time(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x\x00\xff")
    os.utime(tmp_path / "a", ns=(0, 5_000_000_000))
    found = read_inside(tmp_path, "a")
    assert found is not None
    assert (found.data, found.changed_ms) == (b"x\x00\xff", 5_000)


def test_nothing_there_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert read_inside(tmp_path, "docs/a") is None
    assert read_inside(tmp_path, "file/a") is None
    assert read_inside(tmp_path / "gone", "a") is None


def test_a_socket_is_named_as_what_it_is(tmp_path: Path) -> None:
    listening = socket.socket(socket.AF_UNIX)
    home = Path.cwd()
    os.chdir(tmp_path)  # the path of a socket must be short
    try:
        listening.bind("s")
    finally:
        os.chdir(home)
        listening.close()
    assert refused(tmp_path, "s").why == "s is a socket, not a file"


def test_a_link_inside_the_root_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"x")
    (tmp_path / "link").symlink_to("real")
    found = read_inside(tmp_path, "link")
    assert found is not None
    assert found.data == b"x"


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret").write_bytes(b"x")
    (tmp_path / "root-too").mkdir()
    (tmp_path / "root-too" / "a").write_bytes(b"x")
    (root / "a").symlink_to(tmp_path / "secret")
    (root / "docs").symlink_to(tmp_path / "root-too")
    assert refused(root, "a").code == "link-outside"
    assert refused(root, "docs/a").code == "link-outside"
    assert "docs/a" in refused(root, "docs/a").why


def test_a_root_that_is_itself_a_link_is_no_way_out(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_bytes(b"x")
    (tmp_path / "root").symlink_to(tmp_path / "real")
    assert read_inside(tmp_path / "root", "a") is not None


def test_a_link_loop_and_a_link_to_nothing_are_named(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "c").symlink_to("nowhere")
    assert refused(tmp_path, "a").code == "link-loop"
    assert refused(tmp_path, "c").code == "dangling-link"


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path, "folder").why == "folder is a folder, not a file"
    assert refused(tmp_path, "pipe").why == "pipe is a named pipe, not a file"


def test_a_file_that_is_too_big_is_named_with_its_size(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 1001)
    error = refused(tmp_path, "a")
    assert error.code == "too-big"
    assert "1,001 bytes" in error.why


def test_a_file_without_permission_says_how_to_get_it() -> None:
    with open_place() as place, nobody():
        (place / "a").write_bytes(b"x")
        (place / "a").chmod(0)
        error = refused(place, "a")
    assert (error.code, error.mend) == ("permission", "chmod u+r a")


def test_a_path_nobody_can_have_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, "a\0b").code == "no-path"
    assert refused(tmp_path, "x" * 5000).code == "read-failed"


def test_a_folder_nobody_may_enter_is_named_as_what_to_mend() -> None:
    with open_place() as place, nobody():
        (place / "docs").mkdir()
        (place / "docs" / "a").touch()
        (place / "docs").chmod(0)
        assert refused(place, "docs/a").mend == "chmod u+rx docs"
