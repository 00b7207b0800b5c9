"""The cursor is a row, not a place in a list, and its row keeps its place on the screen."""

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ui.rows.layout import Pane
from ppgp_tui.ui.rows.row import Row, heading
from ppgp_tui.ui.rows.row_list import RowList
from ppgp_tui.ui.rows.row_search import seek, seek_finding
from tests.ui.lists import line_of_cursor, numbered, pane, row, rows, seen, shown

# --- moving -----------------------------------------------------------------------------------


def test_the_cursor_starts_on_the_first_row_and_passes_over_headings() -> None:
    made = shown((heading("A"), row("a"), heading("B"), row("b")))
    assert made.cursor == "a"
    made.move(1)
    assert made.cursor == "b"
    made.move(1)
    assert made.cursor == "b"
    made.move(-1)
    assert made.cursor == "a"


def test_moving_off_the_screen_scrolls_by_as_little_as_shows_the_row() -> None:
    made = shown(numbered(0, 20))
    for _ in range(5):
        made.move(1)
    assert made.cursor == "5"
    assert seen(made) == ["1.0", "2.0", "3.0", "4.0", "5.0"]
    made.move(-1)
    assert seen(made) == ["1.0", "2.0", "3.0", "4.0", "5.0"]


def test_on_the_first_row_the_heading_above_it_is_in_view_again() -> None:
    made = shown((heading("A"), *numbered(0, 20)))
    made.bottom_row()
    made.top_row()
    assert seen(made)[0] == ".0"
    made.bottom_row()
    for _ in range(30):
        made.move(-1)
    assert seen(made)[0] == ".0"


def test_a_row_of_several_lines_is_shown_whole() -> None:
    made = shown((*numbered(0, 3), row("tall", 4), row("last")))
    for _ in range(3):
        made.move(1)
    assert made.cursor == "tall"
    assert seen(made) == ["2.0", "tall.0", "tall.1", "tall.2", "tall.3"]


def test_a_row_taller_than_the_pane_is_read_through_before_the_cursor_leaves_it() -> None:
    made = shown((row("tall", 12), row("next")))
    steps = 0
    while made.cursor == "tall":
        made.move(1)
        steps += 1
        assert steps < 10
    assert steps > 2
    made.move(-1)
    assert made.cursor == "tall"


def test_a_page_keeps_the_cursor_on_its_line_of_the_screen() -> None:
    made = shown(numbered(0, 100), 10)
    for _ in range(4):
        made.move(1)
    before = line_of_cursor(made)
    made.page(9)
    assert made.cursor == "13"
    assert line_of_cursor(made) == before
    made.page(-9)
    assert made.cursor == "4"


def test_paging_at_the_ends_reaches_the_last_and_the_first_row() -> None:
    made = shown(numbered(0, 12), 10)
    made.page(9)
    made.page(9)
    assert made.cursor == "11"
    made.page(-9)
    made.page(-9)
    assert made.cursor == "0"


def test_words_without_a_row_for_the_cursor_scroll_line_by_line() -> None:
    made = shown(tuple(heading(str(at)) for at in range(20)))
    assert made.cursor == ""
    made.move(1)
    assert made.top == 1
    made.page(5)
    assert made.top == 6


def test_paging_reads_the_words_that_follow_the_last_row() -> None:
    made = shown((row("a"), *(heading(str(at)) for at in range(30))))
    made.page(4)
    made.page(4)
    assert made.top == 8


def test_below_the_last_row_the_words_that_follow_are_scrolled_into_view() -> None:
    made = shown((row("a"), *(heading(str(at)) for at in range(8))))
    made.move(1)
    made.move(1)
    assert made.top == 2
    assert made.cursor == "a"


# --- a million rows ----------------------------------------------------------------------------


@dataclass
class Million(Sequence[Row]):
    """Rows made on demand, which count how often they were asked."""

    count: int
    asked: int = 0

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Row:  # type: ignore[override]
        self.asked += 1
        return row(str(self.count - 1 - index))

    def place(self, key: str) -> int | None:
        index = self.count - 1 - int(key)
        return index if 0 <= index < self.count else None


def test_of_a_million_rows_only_those_in_view_are_made() -> None:
    million = Million(1_000_000)
    made = shown(million, 40, uniform=True, newest_first=True)
    list(made.visible())
    made.page(39)
    made.bottom_row()
    assert made.cursor == "0"
    list(made.visible())
    made.show(pane(Million(1_000_100), uniform=True, newest_first=True), 40)
    assert made.cursor == "0"
    assert million.asked < 300


# --- finding ----------------------------------------------------------------------------------


def test_the_next_match_goes_round_the_end() -> None:
    made = shown(rows("a1", "b", "a2", "c"), 10)

    def wanted(of: Row) -> bool:
        return of.key.startswith("a")

    assert seek(made, wanted, 1) == "a2"
    made.go_to("a2")
    assert seek(made, wanted, 1) == "a1"
    assert seek(made, wanted, -1) == "a1"
    assert seek(made, lambda of: of.key == "zz", 1) is None


def test_findings_are_stepped_through_both_ways() -> None:
    content = (row("a"), row("f1", 1, "finding"), row("b"), row("f2", 1, "finding"))
    made = shown(content, 10)
    assert seek_finding(made, 1) == "f1"
    made.go_to("f1")
    assert seek_finding(made, 1) == "f2"
    assert seek_finding(made, -1) == "f2"
    made.go_to("b")
    assert seek_finding(made, -1) == "f1"
    assert seek_finding(shown(rows("a", "b")), 1) is None


def test_a_row_is_revealed_without_moving_the_cursor_and_only_when_asked_anew() -> None:
    made = shown(numbered(0, 50), 8)
    made.show(pane(numbered(0, 50), reveal="30"), 8)
    assert "30.0" in seen(made)
    assert made.cursor == "0"
    made.scroll(-100)
    made.show(pane(numbered(0, 50), reveal="30"), 8)
    assert "30.0" not in seen(made)


def test_the_scroll_bar_is_there_only_while_something_is_hidden() -> None:
    assert list(shown(numbered(0, 5), 5).thumb()) == []
    made = shown(numbered(0, 50), 10)
    assert made.thumb() == range(2)
    made.bottom_row()
    assert made.thumb() == range(8, 10)


# --- always -----------------------------------------------------------------------------------

lists = st.lists(st.integers(0, 30), max_size=25, unique=True)
acts = st.lists(
    st.one_of(
        st.tuples(st.just("show"), lists),
        st.tuples(st.just("tall"), st.integers(1, 12)),
        st.tuples(st.just("move"), st.sampled_from([-1, 1])),
        st.tuples(st.just("page"), st.sampled_from([-7, -3, 3, 7])),
        st.tuples(st.just("scroll"), st.integers(-5, 5)),
        st.tuples(st.sampled_from(["top", "bottom"]), st.none()),
    ),
    max_size=25,
)


@given(lists, acts, st.booleans())
def test_whatever_happens_the_view_is_full_and_the_cursor_is_on_a_row(
    first: list[int], steps: list[tuple[str, object]], newest_first: bool
) -> None:
    def made_of(numbers: list[int]) -> Pane:
        content = tuple(row(str(number), 1 + number % 3) for number in numbers)
        return pane((heading("H"), *content), newest_first=newest_first)

    of, height = RowList(), 6
    now = made_of(first)
    of.show(now, height)
    of.visit()
    for name, value in steps:
        if name == "show":
            now = made_of(value)  # type: ignore[arg-type]
            of.show(now, height)
            of.visit()
        elif name == "tall":
            height = value  # type: ignore[assignment]
            of.show(now, height)
        elif name in ("top", "bottom"):
            of.top_row() if name == "top" else of.bottom_row()
        else:
            getattr(of, name)(value)
        assert len(list(of.visible())) == height
        assert of.top >= 0
        assert of.row is not None or of.pile.next(0, 1) is None
        if name in ("top", "bottom") and of.index is not None:
            assert -of.pile.tall(of.index) < line_of_cursor(of) < height
