"""`e`: which file a row stands for, and when a person is asked before it is opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.session.model import Origin
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.acts.editing import ask_first, outside
from ppgp_tui.ui.rows.linked import file_of
from ppgp_tui.ui.rows.row import Row
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.desk import Person
from tests.ui.pressing import press
from tests.ui.stand_in import seat, text, told

DOCUMENT = Origin("docs/ACTIVE_GOAL.md", 31)


@pytest.mark.parametrize(
    ("row", "file"),
    [
        (None, ("", 0)),
        (Row("a", ()), ("", 0)),
        (Row("a", (), DOCUMENT), ("docs/ACTIVE_GOAL.md", 31)),
        (Row("a", (), Origin("state/events.jsonl")), ("state/events.jsonl", 0)),
        (Row("a", (), DOCUMENT, "some words"), ("docs/ACTIVE_GOAL.md", 31)),
        (Row("a", (), DOCUMENT, "src/importer/cursor.py:41"), ("src/importer/cursor.py", 41)),
        (Row("a", (), DOCUMENT, "src/importer/cursor.py:41-48"), ("src/importer/cursor.py", 41)),
        (Row("a", (), None, "src/importer/batch.py"), ("src/importer/batch.py", 0)),
        (Row("a", (), DOCUMENT, "4e1f09c"), ("docs/ACTIVE_GOAL.md", 31)),
    ],
)
def test_a_row_stands_for_the_file_it_names_or_else_was_read_from(
    row: Row | None, file: tuple[str, int]
) -> None:
    assert file_of(row) == file


def test_e_opens_the_line_of_the_row_under_the_cursor() -> None:
    of = press(seat(picture.full(), 80, 24, VIEWS), "5", "j", "e")
    ((path, line),) = told(of).edited
    assert path == "docs/ACTIVE_GOAL.md"
    assert line > 0


def test_e_works_where_the_origin_is_shown_too() -> None:
    of = press(seat(picture.full(), 80, 24, VIEWS), "5", "j", "o", "e")
    assert told(of).edited


def test_in_a_card_e_is_an_option_and_opens_nothing() -> None:
    of = Person(*picture.requests(), width=80, height=24).press("enter").look().press("e")
    assert told(of.seat).edited == []
    assert of.toast == "there is no option e"


def test_a_row_without_a_file_says_so() -> None:
    of = seat(picture.empty(), 80, 24, VIEWS)
    press(of, "4", "e")
    assert told(of).edited == []
    assert of.toast == "nobody knows a file for this row"


def test_a_file_is_outside_when_its_links_lead_there(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "root", tmp_path / "elsewhere.md"
    (root / "docs").mkdir(parents=True)
    elsewhere.write_text("")
    (root / "docs/in.md").write_text("")
    (root / "docs/out.md").symlink_to(elsewhere)
    assert not outside(root, root / "docs/in.md")
    assert not outside(root, root / "docs/new.md")
    assert outside(root, root / "docs/out.md")
    assert outside(root, elsewhere)
    assert outside(root, tmp_path / "root.md")


def test_a_file_outside_is_shown_whole_and_opened_after_a_yes(tmp_path: Path) -> None:
    of = Person(*picture.requests(), width=80, height=24)
    long = tmp_path / ("very-" * 20) / "notes.md"
    ask_first(of.seat, long, 7)
    of.seat.arrange()
    shown = "".join(line.strip() for line in text(of.seat))
    assert str(long) in shown.replace(" ", "")
    of.press("n")
    assert told(of.seat).edited == []
    ask_first(of.seat, long, 7)
    of.press("y")
    assert told(of.seat).edited == [(str(long), 7)]
    assert not any(isinstance(deed, deeds.Edit) for deed in of.deeds)
