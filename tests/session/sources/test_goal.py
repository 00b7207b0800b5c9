"""Which file is the goal document, and what is said when it cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.session.settings.settings import Settings
from ppgp_tui.session.sources import goal
from ppgp_tui.session.sources.goal import GoalLook, GoalSource

GOAL = "## GOAL\nShip it\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    return tmp_path


def look(root: Path, settings: Settings | None = None) -> GoalLook:
    return GoalSource(root, lambda: 1000).look(settings or Settings())


def test_the_document_in_docs_is_the_first_choice(root: Path) -> None:
    (root / "ACTIVE_GOAL.md").write_text("## GOAL\nOther\n")
    assert look(root).look.path == "ACTIVE_GOAL.md"
    (root / "docs/ACTIVE_GOAL.md").write_text(GOAL)
    found = look(root)
    assert (found.look.path, found.look.value.goal) == ("docs/ACTIVE_GOAL.md", "Ship it")
    assert [(p.code, p.path) for p in found.problems] == [("two-goals", "ACTIVE_GOAL.md")]


def test_settings_may_name_another_document(root: Path) -> None:
    (root / "docs/ACTIVE_GOAL.md").write_text("## GOAL\nOther\n")
    (root / "TARGET.md").write_text(GOAL)
    found = look(root, Settings(goal="TARGET.md"))
    assert (found.look.value.goal, found.problems) == ("Ship it", ())


def test_a_folder_with_that_name_is_passed_over(root: Path) -> None:
    (root / "docs/ACTIVE_GOAL.md").mkdir()
    found = look(root)
    assert found.look.value.health == "MISSING"
    assert [reason.text for reason in found.look.value.reasons] == [
        "docs/ACTIVE_GOAL.md is a folder, not a file"
    ]
    (root / "ACTIVE_GOAL.md").write_text(GOAL)
    assert look(root).look.value.goal == "Ship it"


def test_nothing_there_is_missing(root: Path) -> None:
    found = look(root)
    assert (found.look.state, found.look.value.health) == ("absent", "MISSING")
    assert found.look.path == "docs/ACTIVE_GOAL.md"


@pytest.mark.parametrize(
    ("target", "code"),
    [("ACTIVE_GOAL.md", "link-loop"), ("gone.md", "dangling-link"), ("../../x", "link-outside")],
)
def test_a_link_that_cannot_be_followed_is_malformed_and_says_why(
    root: Path, target: str, code: str
) -> None:
    (root.parent / "x").write_text("outside")
    (root / "docs/ACTIVE_GOAL.md").symlink_to(target)
    reading = look(root).look.value
    assert reading.health == "MALFORMED"
    assert [reason.code for reason in reading.reasons] == [code]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\x01\x02" * 100,
        b"\xff\xfe" + GOAL.encode("utf-16-le"),
        b"## GOAL\n\xc3\x28\n",
        b"\xef\xbb\xbf## GOAL\r\nShip it\r\n",
        b"## GOAL\nShip it",
        b"\x1bPNG\r\n" * 1000,
    ],
)
def test_any_bytes_give_a_reading(root: Path, data: bytes) -> None:
    (root / "docs/ACTIVE_GOAL.md").write_bytes(data)
    found = look(root)
    assert found.look.state == "found"
    assert found.look.data == data


def test_a_last_good_reading_stays_when_the_file_turns_unreadable(root: Path) -> None:
    source = GoalSource(root, lambda: 1000)
    (root / "docs/ACTIVE_GOAL.md").write_text(GOAL)
    source.look(Settings())
    (root / "docs/ACTIVE_GOAL.md").unlink()
    (root / "docs/ACTIVE_GOAL.md").symlink_to("ACTIVE_GOAL.md")
    found = source.look(Settings()).look
    assert (found.state, found.code, found.value.goal) == ("unread", "link-loop", "Ship it")
    assert found.stale_since_ms == 1000


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "file is empty"), (b"\x00" * 100, "not readable text (100 % control characters)")],
    ids=["emptied", "overwritten"],
)
def test_a_last_good_reading_stays_when_the_bytes_are_no_document_any_more(
    root: Path, data: bytes, said: str
) -> None:
    source = GoalSource(root, lambda: 1000)
    (root / "docs/ACTIVE_GOAL.md").write_text(GOAL)
    source.look(Settings())
    (root / "docs/ACTIVE_GOAL.md").write_bytes(data)
    found = source.look(Settings())
    while not found.look.settled:
        found = source.look(Settings())
    assert (found.look.state, found.look.value.goal) == ("unread", "Ship it")
    assert found.look.why == f"docs/ACTIVE_GOAL.md: {said}"

    (root / "docs/ACTIVE_GOAL.md").write_text(GOAL.replace("Ship it", "Ship that"))
    assert source.look(Settings()).look.value.goal == "Ship that"


def test_another_file_may_become_the_document(root: Path) -> None:
    source = GoalSource(root, lambda: 1000)
    (root / "ACTIVE_GOAL.md").write_text("## GOAL\nOld\n")
    assert source.look(Settings()).look.value.goal == "Old"
    (root / "ACTIVE_GOAL.md").rename(root / "docs/ACTIVE_GOAL.md")
    (root / "docs/ACTIVE_GOAL.md").write_text(GOAL)
    found = source.look(Settings())
    while not found.look.settled:
        assert found.look.value.goal == "Old"
        found = source.look(Settings())
    assert (found.look.path, found.look.value.goal) == ("docs/ACTIVE_GOAL.md", "Ship it")


def test_a_long_document_is_left_for_later_and_says_so(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goal, "LONG", 10)
    (root / "docs/ACTIVE_GOAL.md").write_text(GOAL)
    source = GoalSource(root, lambda: 1000)
    briefly = source.look(Settings(), briefly=True).look
    assert (briefly.state, briefly.value.goal) == ("reading", None)
    assert [reason.code for reason in briefly.value.reasons] == ["reading"]
    assert source.look(Settings()).look.value.goal == "Ship it"


def test_roles_name_the_files_that_play_them(root: Path) -> None:
    (root / "MASTER.md").touch()
    (root / "docs/CONSTITUTION.md").touch()
    (root / "docs/ROADMAP.md").mkdir()
    (root / "MY_MEMORY.md").touch()
    roles = dict(look(root, Settings(memory="MY_MEMORY.md")).roles)
    assert roles == {
        "CONSTITUTION": "MASTER.md",
        "ROADMAP": None,
        "MEMORY": "MY_MEMORY.md",
        "ACTIVE_GOAL": None,
    }


def test_every_document_of_the_wild_is_read(shared_cases: Path, root: Path) -> None:
    documents = sorted((shared_cases / "ppgp").glob("*.md"))
    assert documents
    for document in documents:
        (root / "docs/ACTIVE_GOAL.md").write_bytes(document.read_bytes())
        assert look(root).look.state == "found"
