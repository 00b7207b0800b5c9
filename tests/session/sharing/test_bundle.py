"""Texts packed into one file."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
from pathlib import Path

import pytest

from ppgp_tui.session.sharing.bundle import packed, publish

TEXTS = {"README.txt": "what is in it\n", "crashes/a.log": "käse\n"}


def unpacked(data: bytes) -> dict[str, str]:
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(data))) as archive:
        return {
            member.name: (archive.extractfile(member) or io.BytesIO()).read().decode()
            for member in archive.getmembers()
        }


def test_what_is_packed_comes_out_below_one_folder() -> None:
    found = unpacked(packed("bug", TEXTS, 1_790_000_000_000))
    assert found == {"bug/README.txt": "what is in it\n", "bug/crashes/a.log": "käse\n"}


def test_the_same_texts_are_the_same_bytes_and_belong_to_nobody() -> None:
    data = packed("bug", TEXTS, 1_790_000_000_000)
    assert data == packed("bug", TEXTS, 1_790_000_000_000)
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(data))) as archive:
        owners = {(one.uid, one.gid, one.uname, one.gname) for one in archive.getmembers()}
    assert owners == {(0, 0, "", "")}


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(b"mine")
    with pytest.raises(FileExistsError, match="--force"):
        publish(path, b"new")
    assert path.read_bytes() == b"mine"
    publish(path, b"new", force=True)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["a.tar.gz"]


def test_a_link_is_replaced_and_never_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"mine")
    (tmp_path / "link").symlink_to("target")
    with pytest.raises(FileExistsError):
        publish(tmp_path / "link", b"new")
    publish(tmp_path / "link", b"new", force=True)
    assert (tmp_path / "target").read_bytes() == b"mine"


def test_a_folder_is_no_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="name a file"):
        publish(tmp_path, b"new", force=True)
