"""Words are measured and cut in cells, and nothing in them leaves the width to chance."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ppgp_tui.session.text import one_line, safe
from ppgp_tui.ui.rows.cells import ascii_words, exactly, first, shorten, steady, without_middle

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
any_text = st.text(st.characters(exclude_categories=()), max_size=80)


@pytest.mark.parametrize(
    ("text", "room", "cut", "expected"),
    [
        ("Make the importer resumable", 40, "end", "Make the importer resumable"),
        ("Make the importer resumable", 20, "end", "Make the importer…"),
        ("Make the importer", 14, "end", "Make the impo…"),
        ("Incomprehensibilities", 10, "end", "Incompreh…"),
        ("src/importer/batch/writer.py", 16, "middle", "src/impo…iter.py"),
        (
            "Make the importer resumable, so that no row is lost",
            30,
            "middle",
            "Make the…that no row is lost",
        ),
        ("Save a checkpoint after each batch", 20, "middle", "Save a…each batch"),
        ("write each row exactly once", 12, "middle", "write…once"),
        ("exactly once", 10, "middle", "exactly…"),
        ("old imports", 10, "middle", "old i…orts"),
        ("漢字漢字漢字", 6, "end", "漢字…"),
        ("漢字漢字漢字", 7, "middle", "漢字…字"),
        ("cafe\u0301s and bars", 6, "end", "cafe\u0301s…"),
        ("abc", 1, "end", "…"),
        ("abc", 0, "end", ""),
        ("abc", -3, "middle", ""),
    ],
)
def test_text_is_cut_at_a_word_or_in_the_middle(
    text: str, room: int, cut: str, expected: str
) -> None:
    assert shorten(text, room, cut) == expected  # type: ignore[arg-type]


@given(any_text, st.integers(0, 60), st.sampled_from(["end", "middle"]))
def test_cut_text_always_fits(text: str, room: int, cut: str) -> None:
    clean = steady(one_line(text))
    assert cell_len(shorten(clean, room, cut)) <= room  # type: ignore[arg-type]


@given(any_text, st.integers(0, 60))
def test_the_first_cells_are_whole_characters(text: str, room: int) -> None:
    clean = steady(one_line(text))
    head = first(clean, room)
    assert clean.startswith(head)
    assert cell_len(head) <= room


@given(any_text, st.integers(0, 60))
def test_filling_up_gives_exactly_the_width(text: str, width: int) -> None:
    assert cell_len(exactly(steady(one_line(text)), width)) == width


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FAMILY, "\U0001f468\U0001f469\U0001f467"),
        ("\U0001f1e9\U0001f1ea", "DE"),
        ("1\u20e3", "1"),
        ("\U0001f44b\U0001f3fd", "\U0001f44b"),
        ("soft\u00adhyphen", "softhyphen"),
        ("\ue000 private", "\ufffd private"),
        ("e\u0301", "é"),
        ("a\u00a0b\u3000c", "a b  c"),
        ("a" + "\u0316" * 40, "a" + "\u0316" * 3),
        ("क्षि", "क्षि"),
    ],
)
def test_text_terminals_disagree_about_is_made_steady(text: str, expected: str) -> None:
    assert steady(text) == expected


@given(any_text)
def test_steady_text_holds_no_joiners_flags_or_unknown_characters(text: str) -> None:
    for character in steady(safe(text)):
        category = unicodedata.category(character)
        assert category not in ("Cn", "Co", "Cs", "Cf", "Me")
        assert not 0x1F1E6 <= ord(character) <= 0x1F1FF


@pytest.mark.parametrize(
    ("text", "expected"),
    [("café", "cafe"), ("漢字", "??"), ("plain", "plain"), ("✓ done", "? done"), ("ﬁn", "fin")],
)
def test_where_only_ascii_can_be_sent_words_become_ascii(text: str, expected: str) -> None:
    assert ascii_words(text) == expected


def test_of_an_endless_line_only_its_ends_are_kept() -> None:
    text = "a" * 5_000 + "z" * 5_000
    kept = without_middle(text)
    assert len(kept) < 2_100
    assert kept.startswith("aaa")
    assert kept.endswith("zzz")
