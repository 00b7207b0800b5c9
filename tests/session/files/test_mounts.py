"""Which mounts do not tell of changes that others make."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.session.files import mounts
from ppgp_tui.session.files.mounts import deaf_mount, mount_kind

TABLE = """\
24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 24 0:40 / /mnt/share rw - nfs4 server:/share rw
31 24 0:41 / /mnt/c\\040drive rw - 9p C: rw,dirsync
32 24 0:42 / /home/me/far rw - fuse.sshfs me@far: rw
33 30 8:2 / /mnt/share/local rw shared:9 - xfs /dev/sdb1 rw
34 24 0:44 / /over rw - ext4 /dev/sdc rw
35 34 0:45 / /over rw - tmpfs none rw
36 24 0:46 / /vm rw - virtiofs host rw
broken line
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "ext4"),
        ("/home/me", "ext4"),
        ("/mnt/shared", "ext4"),
        ("/mnt/share", "nfs4"),
        ("/mnt/share/x/y", "nfs4"),
        ("/mnt/share/local/x", "xfs"),
        ("/mnt/c drive/x", "9p"),
        ("/home/me/far/x", "fuse.sshfs"),
        ("/over/x", "tmpfs"),
    ],
)
def test_the_longest_mount_counts_and_the_last_of_equals(path: str, kind: str) -> None:
    assert mount_kind(TABLE, path) == kind


@pytest.mark.parametrize(
    ("path", "deaf"),
    [
        ("/mnt/share/x", "nfs4"),
        ("/home/me/far", "fuse.sshfs"),
        ("/mnt/c drive", "9p"),
        ("/vm/x", "virtiofs"),
        ("/home/me", None),
        ("/over", None),
    ],
)
def test_network_and_shared_mounts_are_deaf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, deaf: str | None
) -> None:
    (tmp_path / "mountinfo").write_text(TABLE)
    monkeypatch.setattr(mounts, "_MOUNTS", tmp_path / "mountinfo")
    assert deaf_mount(Path(path)) == deaf


def test_where_the_system_does_not_tell_events_are_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mounts, "_MOUNTS", tmp_path / "none")
    assert deaf_mount(tmp_path) is None
