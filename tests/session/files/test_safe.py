"""Files below a folder others can write to: whole or not at all, and never through a link."""

import os
import socket
import stat
import threading
from pathlib import Path, PurePosixPath

import pytest

from ppgp_tui.session.files.safe import Folder, UnsafePathError, components

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def folder(tmp_path):
    with Folder.open(tmp_path) as opened:
        yield opened


def names(path):
    return sorted(each.name for each in path.iterdir())


# Publishing --------------------------------------------------------------------------------------


def test_what_is_published_is_there_with_its_bytes_for_the_user_alone(folder, tmp_path):
    folder.publish("control.json", b"{}\n")
    assert folder.read("control.json") == b"{}\n"
    assert stat.S_IMODE((tmp_path / "control.json").stat().st_mode) == 0o600
    assert names(tmp_path) == ["control.json"]


def test_publishing_replaces_and_can_keep_a_mode(folder, tmp_path):
    folder.publish("goal.md", b"old")
    folder.publish("goal.md", b"new", mode=0o644)
    assert folder.read("goal.md") == b"new"
    assert stat.S_IMODE((tmp_path / "goal.md").stat().st_mode) == 0o644
    assert names(tmp_path) == ["goal.md"]


def test_an_exclusive_name_is_won_once_and_keeps_the_winners_bytes(folder, tmp_path):
    folder.publish("answer.json", b"first", exclusive=True)
    with pytest.raises(FileExistsError):
        folder.publish("answer.json", b"second", exclusive=True)
    assert folder.read("answer.json") == b"first"
    assert names(tmp_path) == ["answer.json"]


def test_of_many_who_want_an_exclusive_name_exactly_one_gets_it(folder, tmp_path):
    won, start = [], threading.Barrier(8)

    def race(number):
        start.wait()
        try:
            folder.publish("end.json", b"%d" % number, exclusive=True)
            won.append(number)
        except FileExistsError:
            pass

    racers = [threading.Thread(target=race, args=(number,)) for number in range(8)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert [b"%d" % number for number in won] == [folder.read("end.json")]
    assert names(tmp_path) == ["end.json"]


def test_a_reader_sees_the_old_or_the_new_bytes_and_never_a_part(folder):
    texts = {b"a" * 100_000, b"b" * 200_000}
    folder.publish("state", b"a" * 100_000)
    done = threading.Event()

    def write():
        for _ in range(30):
            for text in texts:
                folder.publish("state", text)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    while not done.is_set():
        assert folder.read("state") in texts
    writer.join()


def test_when_it_fails_the_old_file_stays_and_nothing_is_left_lying(folder, tmp_path):
    folder.publish("state", b"old")
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match=r"[Dd]irectory"):
        folder.publish("taken", b"new")
    with pytest.raises(OSError, match=r"[Nn]ame too long"):
        folder.publish("n" * 250, b"new")
    assert names(tmp_path) == ["state", "taken"]


def test_what_a_killed_writer_left_is_swept_and_what_a_live_one_writes_is_not(folder, tmp_path):
    dead = os.fork()
    if dead == 0:
        os._exit(0)
    os.waitpid(dead, 0)
    left = tmp_path / f".state.{dead}-01234567.tmp"
    young = tmp_path / f".state.{dead}-76543210.tmp"
    mine = tmp_path / f".state.{os.getpid()}-01234567.tmp"
    nobody = tmp_path / f".state.{'9' * 30}-01234567.tmp"
    other = tmp_path / ".notes.tmp"
    for path in (left, young, mine, nobody, other):
        path.touch()
        if path is not young:
            os.utime(path, (1, 1))
    assert folder.names() == [".notes.tmp"]
    folder.sweep()
    assert names(tmp_path) == sorted(path.name for path in (young, mine, other))


def test_removing_what_is_not_there_is_fine(folder):
    folder.remove("nothing")
    assert folder.status("nothing") is None


# Links and strangers -----------------------------------------------------------------------------


def test_missing_folders_are_made_only_when_asked(tmp_path):
    with pytest.raises(FileNotFoundError):
        Folder.open(tmp_path, ".ppgp", "run")
    with Folder.open(tmp_path, ".ppgp", "run", create=True) as run:
        run.publish("a", b"")
    assert stat.S_IMODE((tmp_path / ".ppgp/run").stat().st_mode) == 0o700
    assert names(tmp_path / ".ppgp/run") == ["a"]


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("link", [".ppgp", ".ppgp/run"])
def test_a_folder_that_is_a_link_is_not_entered(tmp_path, link, create):
    outside = tmp_path / "outside"
    (outside / "run").mkdir(parents=True)
    root = tmp_path / "root"
    (root / link).parent.mkdir(parents=True)
    (root / link).symlink_to(outside)
    with pytest.raises(UnsafePathError, match="is a link or not a folder; it was not followed"):
        Folder.open(root, ".ppgp", "run", create=create)
    assert names(outside) == ["run"]
    assert names(outside / "run") == []


def test_a_link_in_the_way_to_the_anchor_is_the_users_own(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "home").symlink_to("real")
    with Folder.open(tmp_path / "home", "state", create=True) as state:
        state.publish("a", b"1")
    assert (tmp_path / "real/state/a").read_bytes() == b"1"


def test_a_file_that_is_a_link_is_neither_read_nor_written(folder, tmp_path):
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "link").symlink_to("secret")
    (tmp_path / "dangling").symlink_to("made")
    for name in ("link", "dangling"):
        with pytest.raises(UnsafePathError, match="is a link"):
            folder.read(name)
        with pytest.raises(UnsafePathError, match="is a link"):
            folder.open_file(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    assert names(tmp_path) == ["dangling", "link", "secret"]


def test_publishing_over_a_link_replaces_the_link_and_not_what_it_names(folder, tmp_path):
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "state").symlink_to("secret")
    folder.publish("state", b"ours")
    assert (tmp_path / "secret").read_bytes() == b"secret"
    assert not (tmp_path / "state").is_symlink()
    (tmp_path / "answer").symlink_to("made")
    with pytest.raises(FileExistsError):
        folder.publish("answer", b"ours", exclusive=True)
    assert not (tmp_path / "made").exists()


def test_an_open_folder_stays_the_same_when_a_link_takes_its_name(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "outside").mkdir()
    with Folder.open(tmp_path, "run") as run:
        (tmp_path / "run").rename(tmp_path / "moved")
        (tmp_path / "run").symlink_to("outside")
        run.publish("a", b"1")
    assert names(tmp_path / "outside") == []
    assert names(tmp_path / "moved") == ["a"]


def make_socket(name):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(name)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, make_socket])
def test_a_pipe_a_folder_or_a_socket_is_not_read_and_does_not_stop_us(tmp_path, make, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make("odd")
    with Folder.open(tmp_path) as folder, pytest.raises(OSError):  # noqa: PT011
        folder.read("odd")


@root_only
@pytest.mark.parametrize("theirs", [".ppgp", ".ppgp/run", ".ppgp/run/log"])
def test_what_belongs_to_somebody_else_is_not_used(tmp_path, theirs):
    (tmp_path / ".ppgp/run").mkdir(parents=True)
    (tmp_path / ".ppgp/run/log").touch()
    os.chown(tmp_path / theirs, 4711, 4711)
    with pytest.raises(UnsafePathError, match="belongs to user 4711, not to you"):  # noqa: SIM117
        with Folder.open(tmp_path, ".ppgp", "run") as run:
            run.read("log")


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/etc", "a\0b"])
def test_a_name_that_could_lead_elsewhere_is_no_name(folder, name):
    for use in (folder.read, folder.remove, folder.status, folder.child):
        with pytest.raises(UnsafePathError):
            use(name)
    with pytest.raises(UnsafePathError):
        folder.publish(name, b"")


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x", "", "."])
def test_a_path_that_could_leave_the_root_has_no_components(path):
    with pytest.raises(UnsafePathError, match="not a path inside the root"):
        components(PurePosixPath(path))


def test_a_path_inside_is_its_names():
    assert components(PurePosixPath("state/./events.jsonl")) == ("state", "events.jsonl")


def test_descriptors_are_given_back(tmp_path):
    before = len(names(Path("/dev/fd")))
    for _ in range(3):
        with Folder.open(tmp_path, "a", "b", create=True) as folder:
            folder.publish("x", b"1")
            folder.read("x")
            folder.close()
        (tmp_path / "a/link").unlink(missing_ok=True)
        (tmp_path / "a/link").symlink_to("b")
        with pytest.raises(UnsafePathError):
            Folder.open(tmp_path, "a", "link")
    assert len(names(Path("/dev/fd"))) == before
