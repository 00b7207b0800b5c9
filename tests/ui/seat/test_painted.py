"""What counts as painted, read and settled."""

from ppgp_tui.session.model import Control
from ppgp_tui.ui.rows.layout import Pane
from ppgp_tui.ui.rows.row import Line, Row
from ppgp_tui.ui.rows.row_list import RowList
from ppgp_tui.ui.seat.painted import Painted, Reading
from tests.ui.desk import other, question, reworded

A, B = question(), reworded(question())


def test_a_request_is_settled_400_ms_after_both_its_row_and_its_whole_text_were_painted() -> None:
    painted = Painted()
    painted.note(A, False, 1_000)
    painted.note(A, True, 5_000)
    assert painted.is_read(A)
    assert not painted.is_settled(A, 5_399)
    assert painted.is_settled(A, 5_400)


def test_another_request_in_hand_starts_anew_and_what_was_read_stays_read() -> None:
    painted = Painted()
    painted.note(A, True, 0)
    painted.note(other(), False, 1_000)
    assert not painted.is_settled(A, 2_000)
    painted.note(A, False, 3_000)
    assert painted.is_read(A)
    assert not painted.is_settled(A, 3_399)
    assert painted.is_settled(A, 3_400)


def test_other_words_must_be_read_again_also_when_the_first_ones_come_back() -> None:
    painted = Painted()
    painted.note(A, True, 0)
    painted.note(B, False, 1_000)
    assert not painted.is_read(B)
    painted.note(B, True, 2_000)
    painted.note(A, False, 3_000)
    assert not painted.is_read(A)


def test_a_change_is_noticed_also_when_nobody_looked_meanwhile() -> None:
    painted = Painted()
    painted.note(A, True, 0)
    painted.note(None, False, 1_000)
    assert painted.is_changed(B)
    painted.note(B, True, 2_000)
    assert painted.changed == B.id
    painted.note(other(), False, 3_000)
    assert not painted.is_changed(B)


def test_a_clock_that_is_set_back_settles_nothing() -> None:
    painted = Painted()
    painted.note(A, True, 10_000)
    assert not painted.is_settled(A, 9_000)


def test_an_order_is_settled_400_ms_after_it_was_painted() -> None:
    painted = Painted()
    painted.note_order(Control(generation=1), 1_000)
    painted.note_order(Control(generation=1), 2_000)
    assert painted.is_order_settled(1_400)
    for order in (Control(generation=2), Control(generation=2, lost=True)):
        painted.note_order(order, 5_000)
        assert not painted.is_order_settled(5_399)
        assert painted.is_order_settled(5_400)
        painted.note_order(Control(generation=1), 0)


def rows(lines: int, height: int, top: int) -> RowList:
    made = RowList()
    made.show(Pane("p", [Row("", (Line(),))] * lines, 40), height)
    made.scroll(top)
    return made


def test_a_text_is_read_when_every_line_of_it_was_in_view() -> None:
    reading = Reading()
    assert reading.note("short", rows(5, 10, 0))
    assert not reading.note("long", rows(30, 10, 0))
    assert not reading.note("long", rows(30, 10, 10))
    assert reading.note("long", rows(30, 10, 20))
    assert reading.note("long", rows(30, 10, 0))


def test_lines_that_were_jumped_over_were_not_read() -> None:
    reading = Reading()
    assert not reading.note("long", rows(30, 10, 0))
    assert not reading.note("long", rows(30, 10, 20))
    assert not reading.note("long", rows(30, 10, 10))
    assert reading.note("long", rows(30, 10, 20))


def test_another_text_is_read_from_its_top() -> None:
    reading = Reading()
    assert reading.note("one", rows(5, 10, 0))
    assert not reading.note("two", rows(30, 10, 20))
