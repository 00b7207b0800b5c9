"""Words on the screen that are links, and cells that are the same whether they are or not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from textual.strip import Strip

from ppgp_tui.ui.app.linking import links_of
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.rows.linked import fit, target_of
from ppgp_tui.ui.rows.row import Line, Span, draw
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.terminal.links import Links
from ppgp_tui.ui.views import VIEWS
from ppgp_tui.ui.widgets.canvas import difference
from tests.ui import picture
from tests.ui.pressing import press
from tests.ui.stand_in import look, seat, text

LINKS = Links("/home/dev/importer", "box", "https://github.com/dev/importer/commit")
PLAIN = look()
LINKED = replace(PLAIN, links=LINKS)
FILE = Span("docs/ACTIVE_GOAL.md", "ink", link="file:docs/ACTIVE_GOAL.md")


def addresses(segments: list[Segment]) -> list[tuple[str, str]]:
    return [(one.text, one.style.link) for one in segments if one.style and one.style.link]


def drawn(line: Line, with_look: Look = LINKED, width: int = 40) -> list[Segment]:
    return draw(line, width, with_look)


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("docs/ACTIVE_GOAL.md", "file:docs/ACTIVE_GOAL.md"),
        ("src/importer/cursor.py:41", "file:src/importer/cursor.py"),
        ("src/importer/cursor.py:41-48", "file:src/importer/cursor.py"),
        ("schema.sql:20", "file:schema.sql"),
        ("AGENT.md", "file:AGENT.md"),
        ("4e1f09c", "commit:4e1f09c"),
        ("commit 4e1f09c", "commit:4e1f09c"),
        ("41 passed", ""),
        ("1234567", ""),
        ("schema.sql:" + "9" * 5_000, ""),
        ("2 of 3 writers", ""),
        ("see docs/x.md", ""),
        ("/etc/passwd", ""),
        ("https://example.test/x.md", ""),
        ("0.2.0", ""),
        ("", ""),
    ],
)
def test_words_that_name_a_file_or_a_commit_and_nothing_else(words: str, target: str) -> None:
    assert target_of(words) == target


def test_the_words_are_a_link_and_the_blanks_around_them_are_not() -> None:
    segments = drawn(Line((Span("  "), FILE, Span("  "))))
    assert addresses(segments) == [
        ("docs/ACTIVE_GOAL.md", "file://box/home/dev/importer/docs/ACTIVE_GOAL.md")
    ]


def test_a_cut_path_still_leads_to_the_whole_one() -> None:
    segments = drawn(Line((FILE,), cut="middle"), width=16)
    ((words, address),) = addresses(segments)
    assert "…" in words
    assert address.endswith("docs/ACTIVE_GOAL.md")


def test_without_links_and_behind_a_sheet_there_are_none() -> None:
    assert not addresses(drawn(Line((FILE,)), PLAIN))
    assert not addresses(drawn(Line((FILE,)), LINKED.muted))


@given(st.text(max_size=30), st.integers(8, 60))
def test_a_link_takes_no_cell_more_or_less(words: str, width: int) -> None:
    line = Line((Span(words, link=f"file:{words}"),), (Span("12s", "soft"),))
    linked, plain = (Strip(draw(line, width, one)) for one in (LINKED, PLAIN))
    assert linked.text == plain.text
    assert linked.cell_length == plain.cell_length == width


def test_the_same_link_drawn_again_is_the_same_line() -> None:
    line = Line((FILE,))
    assert difference(Strip(drawn(line)), Strip(drawn(line))) == []


@pytest.mark.parametrize("width", [48, 80, 120, 160])
@pytest.mark.parametrize("view", ["1", "2", "3", "4", "5", "6"])
def test_every_view_reads_the_same_with_links(view: str, width: int) -> None:
    plain = press(seat(picture.full(), width, 30, VIEWS), view)
    linked = press(seat(picture.full(), width, 30, VIEWS, drawn_with=LINKED), view)
    assert text(plain) == text(linked)


def test_the_origin_of_a_row_is_a_link() -> None:
    of = press(seat(picture.full(), 80, 24, VIEWS, drawn_with=LINKED), "o")
    found = [one for strip in screen_lines(of) for one in addresses(list(strip))]
    assert ("docs/ACTIVE_GOAL.md", "file://box/home/dev/importer/docs/ACTIVE_GOAL.md") in found


def test_links_of_another_repository_are_not_drawn_with() -> None:
    of = seat(picture.full(), 80, 24, VIEWS)
    fit(of, LINKS)
    assert of.look.links == LINKS
    fit(of, LINKS._replace(root="/elsewhere"))
    assert of.look.links is None


def test_another_seat_keeps_its_own_links() -> None:
    first = seat(picture.full(), 80, 24, VIEWS, drawn_with=LINKED)
    other = seat(replace(picture.full(), root=Path("/elsewhere")), 80, 24, VIEWS)
    other.take_over(first)
    assert other.look.links is None
    first.take_over(other)
    assert first.look.links == LINKS


def test_a_folder_without_git_has_links_to_its_files(tmp_path: Path) -> None:
    found = links_of(tmp_path)
    assert found.root == str(tmp_path)
    assert found.web == ""
    assert found.address("file:a b.md").endswith("/a%20b.md")
