"""One file read whole: the last good value stays, and writers get a moment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ppgp_tui.session.sources import document as document_module
from ppgp_tui.session.sources.document import DamagedError, Document

Make = Callable[[float], Document[str]]


def parse(data: bytes | None) -> str:
    if data is None:
        return "nothing"
    if b"!" in data:
        raise DamagedError("there is a mark", data.count(b"\n") + 1, "take it away")
    return data.decode()


@pytest.fixture
def make(tmp_path: Path) -> Make:
    times = iter(range(1000, 100_000, 1000))
    return lambda settle_s: Document(
        tmp_path, "file", lambda: next(times), parse, settle_s=settle_s
    )


def test_before_the_first_look_nothing_is_known(make: Make) -> None:
    now = make(0).now
    assert (now.value, now.state, now.seen_ms) == ("nothing", "absent", None)


def test_the_newest_bytes_count(make: Make, tmp_path: Path) -> None:
    document = make(0)
    for said in ("one", "two"):
        (tmp_path / "file").write_text(said)
        look = document.look()
        assert (look.value, look.data, look.state) == (said, said.encode(), "found")


def test_a_damaged_file_keeps_the_picture_and_says_where_and_since_when(
    make: Make, tmp_path: Path
) -> None:
    document = make(0)
    (tmp_path / "file").write_text("good")
    document.look()
    (tmp_path / "file").write_text("a\nb!")
    look = document.look()
    assert (look.value, look.data, look.state) == ("good", b"good", "unread")
    assert (look.code, look.why, look.line, look.mend) == (
        "damaged", "there is a mark", 2, "take it away",
    )  # fmt: skip
    since = look.stale_since_ms
    assert since is not None
    assert document.look().stale_since_ms == since
    (tmp_path / "file").write_text("mended")
    look = document.look()
    assert (look.value, look.stale_since_ms, look.code) == ("mended", None, "")


def test_an_unreadable_file_keeps_the_picture(make: Make, tmp_path: Path) -> None:
    document = make(0)
    (tmp_path / "file").write_text("good")
    document.look()
    (tmp_path / "file").unlink()
    (tmp_path / "file").mkdir()
    look = document.look()
    assert (look.value, look.state, look.code) == ("good", "unread", "not-a-file")
    assert look.stale_since_ms is not None


def test_what_was_never_readable_is_not_stale(make: Make, tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    look = make(0).look()
    assert (look.value, look.state, look.stale_since_ms) == ("nothing", "unread", None)


@pytest.mark.parametrize("halfway", ["", "!", None])
def test_a_file_caught_halfway_gets_a_moment(
    make: Make, tmp_path: Path, halfway: str | None
) -> None:
    document = make(1000)
    path = tmp_path / "file"
    path.write_text("good")
    document.look()
    path.unlink() if halfway is None else path.write_text(halfway)
    look = document.look()
    assert (look.value, look.state, look.settled) == ("good", "found", False)
    path.write_text("better")
    look = document.look()
    assert (look.value, look.settled) == ("better", True)


@pytest.mark.parametrize(
    ("left", "value", "state"), [("", "", "found"), (None, "nothing", "absent")]
)
def test_after_that_moment_an_empty_or_missing_file_is_believed(
    make: Make, tmp_path: Path, left: str | None, value: str, state: str
) -> None:
    document = make(0)
    path = tmp_path / "file"
    path.write_text("good")
    document.look()
    path.unlink() if left is None else path.write_text(left)
    look = document.look()
    assert (look.value, look.state, look.stale_since_ms) == (value, state, None)


def test_a_file_emptied_for_good_is_damaged_where_its_reader_refuses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(data: bytes | None) -> str:
        if data == b"":
            raise DamagedError("nothing in it")
        return (data or b"").decode()

    moment = iter(range(1000))
    monkeypatch.setattr(document_module.time, "monotonic", lambda: next(moment) / 10)
    document = Document(tmp_path, "file", lambda: 1, refuse, settle_s=0.5)
    (tmp_path / "file").write_text("good")
    document.look()
    (tmp_path / "file").write_text("")

    looks = [document.look() for _ in range(8)]

    assert [look.settled for look in looks[:2]] == [False, False]
    assert (looks[-1].value, looks[-1].state, looks[-1].why) == ("good", "unread", "nothing in it")


def test_equal_bytes_are_not_parsed_again_unless_wanted(tmp_path: Path) -> None:
    parsed: list[bytes | None] = []

    def remember(data: bytes | None) -> int:
        parsed.append(data)
        return len(parsed)

    document = Document(tmp_path, "file", lambda: 0, remember)
    (tmp_path / "file").write_text("same")
    assert (document.look().value, document.look().value) == (2, 2)
    assert document.look(reread=True).value == 3
    assert parsed == [None, b"same", b"same"]
