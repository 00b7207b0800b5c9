"""One row: what it says, and that it costs little to say it again."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.picture.glance import glance
from ppgp_tui.session.sessions import looking
from ppgp_tui.session.sessions.finding import Found
from ppgp_tui.session.sessions.looking import Looker
from ppgp_tui.session.sessions.row import By, SessionRow
from ppgp_tui.session.status import line as status
from tests.session.sessions.repositories import Repositories, asked, log
from tests.unprivileged import nobody, open_place


def now() -> int:
    """A moment after everything was written, so that it may be remembered."""
    return time.time_ns() // 1_000_000 + 10_000


def looker(here: Repositories, path: Path | str, by: By = "named", **more: bool) -> Looker:
    return Looker(Found(str(path), by), here.environ, now, **more)


def seen(of: Looker) -> SessionRow:
    found = of.look()
    assert found is not None
    return found


def test_a_row_says_what_the_session_says(here: Repositories) -> None:
    root = here.make("importer", goal="Resume after a kill", branch="fix/links")
    log(root, asked())
    row = seen(looker(here, root))
    session = LiveSession(root, clock=now)
    assert row.glance == glance(session.read_all())
    session.close()
    assert (row.name, row.branch, row.objective) == ("importer", "fix/links", "Resume after a kill")
    assert (row.group, row.glance.needs if row.glance else 0) == ("needs_you", 1)


def test_a_folder_below_a_root_is_that_root(here: Repositories) -> None:
    root = here.make("importer")
    assert seen(looker(here, root / "docs")).root == str(root)


def test_the_same_row_comes_back_while_no_file_differs(
    here: Repositories, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = here.make("importer")
    of = looker(here, root)
    seen(of)
    before = seen(of)
    monkeypatch.setattr(looking, "look_at", None)
    assert seen(of) is before


def test_a_new_line_of_the_log_makes_a_new_row_and_reads_nothing_else(
    here: Repositories, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = here.make("importer")
    of = looker(here, root)
    seen(of)
    monkeypatch.setattr(status, "_read_ground", None)
    log(root, asked())
    assert seen(of).group == "needs_you"


def test_a_named_place_that_is_not_there_is_said(here: Repositories) -> None:
    row = seen(looker(here, "/nowhere/at/all"))
    assert (row.group, row.since_ms is None) == ("unread", False)
    assert "/nowhere/at/all does not exist" in row.problem


@pytest.mark.parametrize("by", ["known", "setting"])
def test_nobody_misses_a_place_that_was_only_known_of(here: Repositories, by: By) -> None:
    assert looker(here, "/nowhere", by).look() is None
    (here.folder / "empty").mkdir()
    assert looker(here, here.folder / "empty", by).look() is None


def test_a_root_that_vanishes_keeps_its_last_picture_and_comes_back(here: Repositories) -> None:
    root = here.make("importer")
    log(root, asked())
    of = looker(here, root, "known")
    before = seen(of)
    shutil.move(root, here.folder / "away")
    gone = seen(of)
    assert gone.glance == before.glance
    assert gone.problem.endswith("its folder is gone")
    shutil.move(here.folder / "away", root)
    assert seen(of).problem == ""


def test_a_root_nobody_may_look_into_says_so(here: Repositories) -> None:
    with open_place() as place:
        root = place / "secret"
        root.mkdir()
        root.chmod(0)
        with nobody():
            assert "permission denied" in seen(looker(here, root)).problem


def test_requests_come_whole_where_they_are_wanted_and_as_the_session_has_them(
    here: Repositories,
) -> None:
    root = here.make("importer")
    log(root, asked())
    assert seen(looker(here, root)).requests == ()
    of = looker(here, root, with_requests=True)
    assert seen(of).requests == ()
    assert of.more
    session = LiveSession(root, clock=now)
    assert seen(of).requests == session.read_all().inbox.value
    session.close()


def test_an_answered_request_is_still_there_with_its_new_state(here: Repositories) -> None:
    from tests.session.status.test_log import line

    root = here.make("importer")
    log(root, asked())
    of = looker(here, root, with_requests=True)
    seen(of)
    assert [one.state for one in seen(of).requests] == ["waiting"]
    reason = {"id": "req_" + "1" * 32, "reason": "asker"}
    log(root, line("authority.withdrawn", reason, now()))
    assert [one.state for one in seen(of).requests] == ["withdrawn"]
