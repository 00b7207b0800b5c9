"""What arrives, goes and is replaced leaves the row under the cursor where it is."""

from ppgp_tui.ui.rows.row import Row, heading
from ppgp_tui.ui.rows.row_list import RowList
from tests.ui.lists import line_of_cursor, numbered, pane, row, rows, seen, shown

# --- what arrives -----------------------------------------------------------------------------


def test_rows_that_arrive_above_scroll_the_list_by_as_much() -> None:
    made = shown(numbered(0, 20))
    made.go_to("7")
    before = line_of_cursor(made)
    made.show(pane((*rows("new1", "new2"), *numbered(0, 20))), 5)
    assert made.cursor == "7"
    assert line_of_cursor(made) == before


def test_even_in_a_list_that_fits_the_focused_row_does_not_move() -> None:
    made = shown(rows("a", "b"), 10)
    made.show(pane(rows("new", "a", "b")), 10)
    assert made.cursor == "a"
    assert line_of_cursor(made) == 0
    made.move(1)
    made.move(-1)
    made.move(-1)
    assert seen(made)[:3] == ["new.0", "a.0", "b.0"]


def test_what_needs_a_person_is_never_pushed_out_above_the_cursor() -> None:
    made = shown(rows("now", "next"), height=8, urgent_first=True)
    made.show(pane(rows("question", "more", "now", "next"), urgent_first=True), 8)
    assert (made.top, made.cursor) == (0, "now")
    assert seen(made)[0] == "question.0"


def test_a_reader_who_scrolled_away_from_the_top_keeps_the_place() -> None:
    made = shown(numbered(0, 20), urgent_first=True)
    made.bottom_row()
    place = line_of_cursor(made)
    made.show(pane((*rows("question"), *numbered(0, 20)), urgent_first=True), 5)
    assert (made.cursor, line_of_cursor(made)) == ("19", place)


def test_a_row_that_vanishes_stays_in_its_place_until_the_cursor_leaves() -> None:
    made = shown(rows("a", "b", "c"), 10)
    made.go_to("b")
    made.show(pane(rows("a", "c")), 10)
    assert seen(made)[:3] == ["a.0", "b.0", "c.0"]
    assert made.gone
    made.show(pane(rows("new", "a", "c", "d")), 10)
    assert [line for line in seen(made) if line] == ["a.0", "b.0", "c.0", "d.0"]
    made.move(1)
    assert made.cursor == "c"
    assert not made.gone
    assert "b.0" not in seen(made)


def test_a_row_that_comes_back_is_an_ordinary_row_again() -> None:
    made = shown(rows("a", "b", "c"), 10)
    made.go_to("b")
    made.show(pane(rows("a", "c")), 10)
    made.show(pane(rows("a", "b", "c")), 10)
    assert not made.gone
    assert seen(made)[:4] == ["a.0", "b.0", "c.0", ""]


def test_the_only_row_may_vanish_too() -> None:
    made = shown(rows("a"), 3)
    made.show(pane((heading("nothing here"),)), 3)
    assert made.gone
    assert made.row == row("a")
    made.move(1)
    assert made.cursor == "a"


def test_rows_the_person_filtered_out_leave_no_ghost() -> None:
    made = shown(rows("a", "b", "c"), 10)
    made.go_to("b")
    made.show(pane(rows("a", "c")), 10, "c")
    assert not made.gone
    assert made.cursor == "a"


def test_rows_of_another_moment_leave_no_ghost_and_the_present_is_as_it_was_left() -> None:
    made = shown(rows("a", "b", "c"), 10)
    made.go_to("b")
    made.show(pane(rows("a", "c")), 10, moment=4)
    assert not made.gone
    assert made.cursor == "c"
    made.show(pane(rows("a")), 10, moment=3)
    assert (made.cursor, made.gone) == ("a", False)
    made.show(pane(rows("a", "b", "c")), 10)
    assert (made.cursor, made.gone) == ("b", False)


def test_a_moment_without_any_row_has_no_cursor() -> None:
    made = shown(rows("a", "b"), 10)
    made.show(pane([heading("nothing was there")]), 10, moment=1)
    assert (made.cursor, made.gone) == ("", False)


def test_a_pane_that_shows_another_thing_starts_anew() -> None:
    made = shown(numbered(0, 20), about="one")
    made.bottom_row()
    made.show(pane(numbered(5, 30), about="two"), 5)
    assert made.cursor == "5"
    assert made.top == 0
    assert not made.gone


def test_a_pane_nobody_visited_has_no_cursor() -> None:
    made = RowList()
    made.show(pane(rows("a", "b")), 5)
    made.show(pane(rows("c")), 5)
    assert made.cursor == ""
    assert not made.gone


def test_a_pane_nobody_visited_stays_at_its_top_whatever_its_rows_do() -> None:
    made = RowList()
    made.show(pane([heading("Plan"), *rows("running", "next", "done", "old", "older")]), 4)
    made.show(pane([heading("Plan"), *rows("next", "done", "old", "older", "running")]), 4)
    assert seen(made) == [".0", "next.0", "done.0", "old.0"]


def test_the_cursor_stays_in_view_when_the_pane_shrinks() -> None:
    made = shown(numbered(0, 30), 20)
    made.go_to("19")
    made.show(pane(numbered(0, 30)), 4)
    assert "19.0" in seen(made)
    made.show(pane(numbered(0, 30)), 25)
    assert "19.0" in seen(made)


# --- newest first ------------------------------------------------------------------------------


def newest(count: int) -> tuple[Row, ...]:
    return rows(*(str(number) for number in reversed(range(count))))


def test_the_newest_is_followed_until_the_cursor_leaves_the_top() -> None:
    made = shown(newest(10), newest_first=True)
    made.show(pane(newest(12), newest_first=True), 5)
    assert made.cursor == "11"
    assert made.newer is None
    made.move(1)
    assert made.newer == 0
    made.show(pane(newest(15), newest_first=True), 5)
    assert made.cursor == "10"
    assert made.newer == 3
    made.top_row()
    assert made.newer is None
    assert made.cursor == "14"


def test_an_unvisited_log_shows_the_newest() -> None:
    made = RowList()
    made.show(pane(newest(10), newest_first=True), 5)
    made.show(pane(newest(12), newest_first=True), 5)
    assert seen(made)[0] == "11.0"


def test_scrolling_away_with_the_wheel_holds_what_is_in_view() -> None:
    made = shown(newest(40), newest_first=True)
    made.scroll(10)
    before = seen(made)
    made.show(pane(newest(45), newest_first=True), 5)
    assert seen(made) == before
