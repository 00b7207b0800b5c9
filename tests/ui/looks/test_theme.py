"""Themes are files: the shipped ones can be read by everyone, a bad one is named exactly."""

from pathlib import Path

import pytest
from textual.color import Color

from ppgp_tui.ui.looks.look import ROLES, Role
from ppgp_tui.ui.looks.settings_file import SettingsError
from ppgp_tui.ui.looks.theme import Theme, find_theme, read_theme, shipped_folder, theme_names

SHIPPED = theme_names(shipped_folder())
COLOURED = [name for name in SHIPPED if not find_theme(name, shipped_folder()).ansi]
WORDS: tuple[Role, ...] = ("run", "wait", "needs", "stop", "ok", "held", "text", "ink", "soft")
GROUNDS: tuple[Role, ...] = ("bg", "panel", "card", "field")
FILLED: tuple[Role, ...] = ("needs", "held", "stop", "wait")


def theme(name: str) -> Theme:
    return find_theme(name, shipped_folder())


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = (part / 255 for part in Color.parse(colour).rgb)
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_six_themes_are_shipped_the_default_first_and_a_light_one_among_them() -> None:
    assert set(SHIPPED) == {"harbor", "paper", "contrast", "tide", "signalbox", "ansi16"}
    assert SHIPPED[0] == "harbor"
    assert not theme("paper").dark


@pytest.mark.parametrize("name", COLOURED)
def test_words_can_be_read_on_every_ground(name: str) -> None:
    roles = theme(name).roles
    least = 7.0 if name == "contrast" else 5.0
    for word in WORDS:
        for ground in GROUNDS:
            assert contrast(roles[word], roles[ground]) >= least, (word, ground)


@pytest.mark.parametrize("name", COLOURED)
def test_words_can_be_read_on_a_filled_band_and_edges_be_seen(name: str) -> None:
    roles = theme(name).roles
    for band in FILLED:
        assert contrast(roles["bg"], roles[band]) >= 6.9, band
    assert round(contrast(roles["edge"], roles["bg"]), 1) >= 4.0


def test_the_theme_for_red_green_blindness_has_no_green_and_no_red() -> None:
    for role in ("run", "wait", "needs", "stop", "ok", "held"):
        hue = Color.parse(theme("tide").roles[role]).hsl.h * 360
        assert not 70 < hue < 170, role
        assert 15 < hue < 345, role


@pytest.mark.parametrize("name", SHIPPED)
def test_textual_gets_the_same_colours(name: str) -> None:
    mapped = theme(name).textual()
    assert mapped.name == name
    for field, role in (("primary", "run"), ("warning", "needs"), ("panel", "panel")):
        said = theme(name).roles[role]  # type: ignore[index]
        assert getattr(mapped, field) in (said, f"ansi_{said}")
    for role in ("field", "ink", "soft", "edge", "faint"):
        assert role in mapped.variables
    assert all(Color.parse(value) for value in mapped.variables.values() if "style" not in value
               and value != "none")  # fmt: skip


def test_without_colour_nothing_but_attributes_is_left() -> None:
    grey = theme("harbor").without_colour()
    assert set(grey.roles.values()) == {"default"}
    assert grey.ansi


GOOD = "".join(f'{role} = "#123456"\n' for role in ROLES)


def written(tmp_path: Path, text: str, name: str = "mine") -> Path:
    path = tmp_path / f"{name}.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_users_theme_is_read_and_goes_before_a_shipped_one(tmp_path: Path) -> None:
    written(tmp_path, f'name = "paper"\ndark = true\n[roles]\n{GOOD}', "paper")
    assert find_theme("paper", tmp_path, shipped_folder()).dark
    assert find_theme("harbor", tmp_path, shipped_folder()).name == "harbor"


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        (f'name = "mine"\n[roles]\n{GOOD}blue = "#000000"\n', 18, "blue: is not a role"),
        (f'name = "mine"\n[roles]\n{GOOD}'.replace("run =", "runn ="), 3, "did you mean run?"),
        (f'name = "mine"\n[roles]\n{GOOD}'.replace("#123456", "blue", 1), 3, "'blue' is not a"),
        (f'name = "mine"\n[roles]\n{GOOD}'.replace('"#123456"', "7", 1), 3, "7 is not a colour"),
        (
            f'name = "mine"\nansi = true\n[roles]\n{GOOD}',
            4,
            "run: '#123456' is not a colour: write the name of one of the 16 colours",
        ),
        ('name = "mine"\n[roles]\nrun = "#123456"\n', 2, "roles: has no colour for wait, needs"),
        ('name = "mine"\n', None, "needs a table [roles]"),
        (f'name = "other"\n[roles]\n{GOOD}', 1, 'name: must be "mine"'),
        (f'name = "mine"\ndark = 1\n[roles]\n{GOOD}', 2, "dark: must be true or false"),
        (f'name = "mine"\nfont = "x"\n[roles]\n{GOOD}', 2, "font: is not a key of a theme"),
        ('name = "mine"\nroles = {\n', 2, "is no TOML"),
    ],
)
def test_a_bad_theme_is_named_with_file_line_and_key(
    tmp_path: Path, text: str, line: int | None, complaint: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SettingsError) as said:
        read_theme(path)
    place = f"{path}, line {line}: " if line else f"{path}: "
    assert str(said.value).startswith(place), str(said.value)
    assert complaint in str(said.value)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("harbour", "did you mean harbor?"), ("xyzzy", "there are harbor"), ("../x", "no theme")],
)
def test_a_theme_that_is_not_there_is_answered_with_those_that_are(name: str, hint: str) -> None:
    with pytest.raises(SettingsError, match="there is no theme of that name") as said:
        find_theme(name, shipped_folder())
    assert hint in str(said.value)
