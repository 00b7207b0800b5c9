"""A line is exactly as wide as asked for, whatever its words are."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment

from ppgp_tui.ui.looks.look import ROLES, Look
from ppgp_tui.ui.looks.theme import find_theme, shipped_folder
from ppgp_tui.ui.rows.row import Line, Row, Span, draw, heading, shown, words
from tests.ui.hostile import HOSTILE, is_harmless

HARBOR = find_theme("harbor", shipped_folder()).look()
ANSI = find_theme("ansi16", shipped_folder()).look()
LOOKS = (
    HARBOR,
    ANSI,
    HARBOR.muted,
    find_theme("paper", shipped_folder()).look(ascii=True, ascii_words=True),
)
any_text = st.one_of(
    st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=()), max_size=40)
)
spans = st.builds(
    Span,
    any_text,
    st.sampled_from(ROLES),
    bold=st.booleans(),
    underline=st.booleans(),
    strike=st.booleans(),
    band=st.booleans(),
    exact=st.booleans(),
)
lines = st.builds(
    Line,
    st.lists(spans, max_size=4).map(tuple),
    st.lists(spans, max_size=3).map(tuple),
    sign=st.sampled_from([None, "done", "verified", "for_you", "cut"]),
    indent=st.sampled_from([0, 1, 3, 5, 9]),
    cut=st.sampled_from(["middle", "end"]),
    tab=st.one_of(st.none(), st.integers(0, 60)),
    columns=st.lists(spans, max_size=2).map(tuple),
)


def written(segments: list[Segment]) -> str:
    return "".join(segment.text for segment in segments)


@given(
    lines,
    st.integers(0, 170),
    st.sampled_from(LOOKS),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["bg", "panel", "field"]),
)
def test_every_drawn_line_is_exactly_as_wide_as_asked_and_harmless(
    line: Line, width: int, look: Look, focused: bool, struck: bool, on: str
) -> None:
    segments = draw(line, width, look, focused=focused, struck=struck, on=on)  # type: ignore[arg-type]
    assert sum(cell_len(segment.text) for segment in segments) == width
    assert all(segment.control is None for segment in segments)
    assert is_harmless(written(segments))
    if look.ascii_words:
        assert written(segments).isascii()


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_and_escapes_from_a_file_are_only_text(text: str) -> None:
    drawn = written(draw(Line((Span(text),)), 80, HARBOR))
    assert is_harmless(drawn)
    if text.startswith("["):
        assert text in drawn


AGE = Span("6m")
plain = partial(draw, width=40, look=HARBOR)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            Line((Span("Write the runbook"),), (Span("waits"),), sign="waits"),
            " ⋯ Write the runbook              waits ",
        ),
        (
            Line((Span("Drop the old cursor column right now please"),), (Span("6m"),)),
            "   Drop the old cursor column right… 6m ",
        ),
        (
            Line((Span("src/importer/deeply/nested/batch_writer.py"),), (AGE,), cut="middle"),
            "   src/importer/dee…/batch_writer.py 6m ",
        ),
        (
            Line((Span("T8 ", "soft"), Span("Drop the old cursor column now")), (Span("C you"),)),
            "   T8 Drop the old cursor column… C you ",
        ),
        (
            Line((Span("words"),), (Span("state that is far too long for the line it is on"),)),
            "    state that is far too long for the… ",
        ),
        (heading("Plan r14", "8m ago").lines[0], " Plan r14  8m ago                       "),
    ],
)  # fmt: skip
def test_the_right_side_wins_then_words_are_cut(line: Line, expected: str) -> None:
    assert written(plain(line)) == expected


def test_evidence_is_left_out_before_state_or_words_suffer() -> None:
    line = Line((Span("Old imports"),), (Span("claimed"),), tab=20, columns=(Span("2 of 3"),))
    assert written(draw(line, 60, HARBOR)).index("2 of 3") == 20
    assert "2 of 3" not in written(draw(line, 30, HARBOR))
    assert "claimed" in written(draw(line, 30, HARBOR))


def test_the_cursor_is_a_reversed_bar_so_it_needs_no_colour() -> None:
    first = draw(Line((Span("row"),)), 20, ANSI, focused=True)[0]
    assert first.text == " "
    assert first.style is not None
    assert first.style.reverse


def test_without_tints_the_cursor_row_is_bold_and_the_lamp_lines_are_underlined() -> None:
    words = draw(Line((Span("row"),)), 20, ANSI, focused=True)
    assert all(segment.style.bold for segment in words if segment.text.strip())  # type: ignore[union-attr]
    panel = draw(Line((Span("row"),)), 20, ANSI, on="panel")
    assert all(segment.style.underline for segment in panel)  # type: ignore[union-attr]


def test_behind_a_sheet_nothing_stands_out() -> None:
    line = Line((Span("now", "needs", bold=True, band=True),), sign="for_you", sign_role="needs")
    styles = {segment.style for segment in draw(line, 20, HARBOR.muted)}
    assert {(style.color.name, style.bold, style.reverse) for style in styles} == {  # type: ignore[union-attr]
        ("#8f9eaf", None, None)
    }


def test_the_words_of_a_row_that_is_gone_are_struck() -> None:
    segments = draw(Line((Span("gone  "),), (Span("6m"),), sign="ready"), 20, HARBOR, struck=True)
    struck = "".join(part.text for part in segments if part.style and part.style.strike)
    assert struck == "gone  6m"


def test_blanks_around_words_stand_for_themselves() -> None:
    segments = draw(Line((Span("key", bold=True), Span("  word "))), 30, HARBOR)
    assert [part.text for part in segments if part.text.strip()] == ["key", "word"]


def test_source_text_keeps_its_runs_of_blanks() -> None:
    assert shown(Span("  a   b\tc", exact=True)) == "  a   b c"
    assert shown(Span("  a   b\tc")) == "  a b c"


def test_the_words_of_a_row_are_those_of_its_first_line() -> None:
    row = Row("k", (Line((Span("T8 "), Span("Drop   it")), (Span("6m"),)), Line((Span("more"),))))
    assert words(row) == "T8 Drop it"
    assert words(Row("k", ())) == ""
