"""Pictures are sound XML, say what the screen says, and ask no other host for anything."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ppgp_tui.ui.rows.row import Line, Span, draw
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.sharing.svg import CELL, LINE, plain, svg
from tests.ui.hostile import HOSTILE
from tests.ui.stand_in import look, seat

SVG = "{http://www.w3.org/2000/svg}"
HARBOR = look("harbor")


def drawn(*words: str, width: int = 60) -> list[Strip]:
    return [Strip(draw(Line((Span(one),)), width, HARBOR), width) for one in words]


def read(picture: str) -> ET.Element:
    return ET.fromstring(picture)


def said(picture: str) -> str:
    return "".join(text.text or "" for text in read(picture).iter(f"{SVG}text")).replace(
        "\xa0", " "
    )


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_text_leaves_the_picture_sound(words: str) -> None:
    root = read(svg(drawn(words), HARBOR, words))
    kinds = {one.tag.removeprefix(SVG) for one in root.iter()}
    assert kinds <= {"svg", "title", "style", "rect", "g", "text", "path"}


@given(st.lists(st.text(), max_size=4), st.text())
def test_any_text_does(words: list[str], title: str) -> None:
    read(svg(drawn(*words), HARBOR, title))


@given(st.text())
def test_even_text_that_nobody_has_cleaned(words: str) -> None:
    read(svg([Strip([Segment(words, Style(color="red", underline=True))])], HARBOR, ""))


@pytest.mark.parametrize("words", ["<script>x()</script>", 'a" onload="x()', "</text><a href='x'>"])
def test_markup_is_text(words: str) -> None:
    picture = svg(drawn(words), HARBOR, words)
    assert said(picture).strip() == words
    assert not any("onload" in one.attrib or "href" in one.attrib for one in read(picture).iter())


def test_no_other_host_is_named() -> None:
    picture = svg(screen_lines(seat()), HARBOR, "x")
    assert re.findall(r"\w+://[^\"' ]+", picture) == ["http://www.w3.org/2000/svg"]
    assert "@import" not in picture
    assert "url(" not in picture


def test_it_is_as_large_as_its_cells_and_says_what_they_say() -> None:
    lines = screen_lines(seat(width=80, height=24))
    picture = svg(lines, HARBOR, "x")
    box = [float(one) for one in read(picture).attrib["viewBox"].split()]
    assert box[2] > 80 * CELL
    assert box[3] > 24 * LINE
    for word in ("T5 Write checkpoint per batch", "EXECUTE"):
        assert word.replace(" ", "") in said(picture).replace(" ", "")


def test_wide_characters_take_two_cells() -> None:
    lines = [Strip([Segment("漢字"), Segment("x", Style(bold=True))], 5)]
    texts = list(read(svg(lines, HARBOR, "")).iter(f"{SVG}text"))
    assert [float(one.attrib["x"]) for one in texts] == [0, 4 * CELL]
    assert float(texts[0].attrib["textLength"]) == 4 * CELL


def test_lines_of_a_graph_are_shapes_that_meet() -> None:
    lines = [Strip([Segment("a─┬─b")], 5), Strip([Segment("  ╰─c")], 5)]
    root = read(svg(lines, HARBOR, ""))
    paths = [one.attrib["d"] for one in root.iter(f"{SVG}path")]
    assert said(svg(lines, HARBOR, "")) == "abc"
    middle = 2.5 * CELL
    assert f"M{middle:g} {LINE / 2:g}V{LINE}" in paths[0]
    assert paths[1].partition("V")[2].partition("M")[0] == f"{LINE}"


@pytest.mark.parametrize("theme", ["harbor", "paper", "contrast", "tide", "signalbox", "ansi16"])
def test_every_theme_has_its_ground(theme: str) -> None:
    colours = look(theme)
    root = read(svg(screen_lines(seat(drawn_with=colours)), colours, "x"))
    ground = next(root.iter(f"{SVG}rect")).attrib["fill"]
    assert re.fullmatch(r"#[0-9a-f]{6}", ground)
    if colours.colours["bg"] != "default":
        assert ground == colours.colours["bg"].lower()


def test_as_text_lines_end_where_their_words_do() -> None:
    assert plain([Strip([Segment("a  ")]), Strip([Segment("  b")])]) == "a\n  b\n"
