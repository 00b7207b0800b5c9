"""A few letters fit a text the better, the more they are its beginning."""

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ui.finder.fuzzy import PREFIX, SCATTERED, STARTS, TOGETHER, fit


def way(typed: str, text: str) -> int | None:
    found = fit(typed.split(), text)
    return None if found is None else found.way


def shown(typed: str, text: str) -> str:
    """`text` with the letters that fit as capitals and all others small."""
    found = fit(typed.split(), text)
    assert found is not None
    marked = (a.upper() if at in found.places else a.lower() for at, a in enumerate(text))
    return "".join(marked)


def test_a_text_that_begins_so_fits_best_then_a_word_that_does_then_letters_in_a_row() -> None:
    assert way("pau", "Pause claude") == PREFIX
    assert way("pau", "hold or pause") == STARTS
    assert way("pau", "src/importer/pause.py") == STARTS
    assert way("aus", "Pause claude") == TOGETHER
    assert way("pau", "T5 Write checkpoint per batch running") == SCATTERED
    assert way("pau", "resume") is None


def test_the_first_letters_of_words_are_found() -> None:
    assert shown("prg", "pale red, all green") == "Pale Red, all Green"
    assert way("paag", "pause every agent") == STARTS
    assert shown("paag", "pause every agent") == "PAuse every AGent"


def test_words_fit_in_any_order_and_all_of_them_must() -> None:
    assert shown("batch write", "T5 Write checkpoint per batch") == "t5 WRITE checkpoint per BATCH"
    assert way("write nothing", "T5 Write checkpoint per batch") is None


def test_scattered_letters_are_taken_as_close_together_as_they_end_first() -> None:
    assert shown("abc", "xa axb c") == "xa AxB C"


def test_a_text_whose_small_letters_are_more_is_still_marked_where_it_is() -> None:
    found = fit(["x"], "İx")
    assert found is not None
    assert found.places == (1,)


@given(st.text(max_size=30), st.text(alphabet="abcABC xyz", max_size=6))
def test_letters_that_fit_spell_what_was_typed(text: str, typed: str) -> None:
    words = typed.lower().split()
    found = fit(words, text)
    if found is None:
        return
    low = text.lower() if len(text.lower()) == len(text) else text
    letters = {low[at] for at in found.places}
    assert letters == {letter for word in words for letter in word}


@given(st.text(min_size=1, max_size=30), st.data())
def test_letters_of_a_text_in_their_order_always_fit_it(text: str, data: st.DataObject) -> None:
    low = text.lower() if len(text.lower()) == len(text) else text
    kept = [letter for letter in low if not letter.isspace() and data.draw(st.booleans())]
    word = "".join(kept)
    assert fit([word] if word else [], text) is not None
