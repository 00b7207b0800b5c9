"""Words of files stay words in Markdown."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ppgp_tui.session.sharing.markdown import block, code, table, text
from ppgp_tui.session.text import one_line
from tests.ui.sharing.reading import html, links, pictures, said, shape, tokens

NASTY = (
    "<script>alert(1)</script>", "<img src=x onerror=y>", "<!-- open", "<http://evil.example>",
    "http://evil.example/x", "https://evil.example", "www.evil.example", "evil.example",
    "mailto:a@evil.example", "a@evil.example", "ftp://evil.example", "javascript:alert(1)",
    "[x](http://evil.example)", "![x](http://evil.example)", "[x]: http://evil.example",
    "[x][1]", "[^1]: note", "a | b | c", "| --- |", "x\\", "\\|", "`a", "``", "```", "~~~", "~~x~~",
    "# heading", "## Plan", "===", "---", "- - x", "* x", "+ x", "1. x", "1) x", "> quote", "**x**",
    "__x__", "&lt;b&gt;", "&#60;b&#62;", "$x$", ": x", "    code", "\ttab", "a\nb", "a\n\n# b",
    "a\u2028# b", "\x1b]0;x\x07", "\u202eevil", "@everyone", "#12", "\ufeff# x",
)  # fmt: skip
WORDS = st.one_of(
    st.sampled_from(NASTY),
    st.lists(st.sampled_from(NASTY), min_size=1, max_size=4).map(" ".join),
    st.lists(st.sampled_from(NASTY), min_size=1, max_size=4).map("".join),
    st.text(),
)


def is_nothing_but_words(markdown: str) -> bool:
    return not (links(markdown) or pictures(markdown) or html(markdown))


@pytest.mark.parametrize("words", NASTY)
def test_each_trick_is_read_as_it_stands(words: str) -> None:
    markdown = text(words)
    assert is_nothing_but_words(markdown)
    assert said(markdown).replace("\n", "").replace("\u2060", "") == one_line(words)


@given(WORDS)
@example("0\\")
def test_any_words_are_one_paragraph_of_words(words: str) -> None:
    markdown = text(words)
    assert is_nothing_but_words(markdown)
    assert shape(markdown) in ([], ["paragraph_open", "paragraph_close"])
    assert said(markdown).replace("\n", "").replace("\u2060", "").strip() == one_line(words).strip()


@given(WORDS, WORDS)
def test_any_words_stay_in_their_item_of_a_list(words: str, others: str) -> None:
    markdown = f"- {text(words)}\n- **x:** {text(others)}\n"
    assert is_nothing_but_words(markdown)
    assert shape(markdown).count("list_item_open") == 2
    assert shape(markdown).count("bullet_list_open") == 1


@given(WORDS)
def test_any_words_as_code_are_words(words: str) -> None:
    markdown = f"x {code(words)} y"
    assert is_nothing_but_words(markdown)
    assert shape(markdown) == ["paragraph_open", "paragraph_close"]


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=3))
def test_a_table_keeps_its_rows_and_columns(
    rows: list[tuple[str, str]],
) -> None:
    lines = table(("a", "b", "c"), ((text(one), code(two), "z") for one, two in rows))
    markdown = "\n".join(lines)
    assert is_nothing_but_words(markdown)
    kinds = shape(markdown)
    assert kinds.count("tr_open") == 1 + len(rows)
    assert kinds.count("td_open") == 3 * len(rows)
    last = [one.content for one in tokens(markdown) if one.type == "inline"][5::3]
    assert last == ["z"] * len(rows)


@given(WORDS)
def test_a_block_holds_its_text_and_ends_where_it_ends(words: str) -> None:
    markdown = "\n".join([*block(words), "", "after"])
    assert is_nothing_but_words(markdown)
    assert shape(markdown) == ["fence", "paragraph_open", "paragraph_close"]


def test_paths_and_times_stay_readable_in_the_source() -> None:
    assert text("at 14:07:08 on 2026-09-30, 2.5 of 3") == "at 14:07:08 on 2026-09-30, 2.5 of 3"
    assert code("docs/ACTIVE_GOAL.md:54") == "`docs/ACTIVE_GOAL.md:54`"
