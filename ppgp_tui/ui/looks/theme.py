"""Themes: TOML files that give every role a colour, shipped with the app or a user's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.ui.looks.look import ROLES, Look, Role
from ppgp_tui.ui.looks.settings_file import SettingsError, SettingsFile, read_settings

if TYPE_CHECKING:
    from textual.theme import Theme as TextualTheme

DEFAULT = "harbor"
SIXTEEN = "ansi16"
"""The theme for terminals that have no more than sixteen colours."""
_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_ANSI = frozenset(
    f"{bright}{colour}"
    for bright in ("", "bright_")
    for colour in ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
) | {"default"}


class Theme(NamedTuple):
    """One theme: a colour for every role."""

    name: str
    dark: bool
    ansi: bool
    """Colours are the terminal's own sixteen; there are no tints."""
    roles: Mapping[Role, str]

    def look(self, *, ascii: bool = False, ascii_words: bool = False) -> Look:  # noqa: A002
        """What the rows are drawn with."""
        return Look(self.roles, ascii=ascii, ansi=self.ansi, ascii_words=ascii_words)

    def without_colour(self) -> Theme:
        """The same attributes, no colour at all: for `NO_COLOR`."""
        return Theme(self.name, self.dark, True, dict.fromkeys(ROLES, "default"))

    def textual(self) -> TextualTheme:
        """The same colours under the names that Textual knows."""
        from textual.theme import BUILTIN_THEMES
        from textual.theme import Theme as TextualTheme

        colour = {role: self._textual_colour(value) for role, value in self.roles.items()}
        own = {role: colour[role] for role in ("field", "ink", "soft", "edge", "faint")}
        base = BUILTIN_THEMES["ansi-dark"].variables if self.ansi else {}
        return TextualTheme(
            name=self.name,
            primary=colour["run"],
            secondary=colour["wait"],
            warning=colour["needs"],
            error=colour["stop"],
            success=colour["ok"],
            accent=colour["held"],
            foreground=colour["text"],
            background=colour["bg"],
            surface=colour["card"],
            panel=colour["panel"],
            dark=self.dark,
            ansi=self.ansi,
            variables={**base, **own},
        )

    def _textual_colour(self, value: str) -> str:
        return value if value.startswith("#") else f"ansi_{value}"


def shipped_folder() -> Path:
    """Where the shipped themes lie: in the package, or beside it in a checkout."""
    inside = Path(__file__).parents[2] / "themes"
    return inside if inside.is_dir() else Path(__file__).parents[3] / "themes"


def theme_names(*folders: Path) -> list[str]:
    """The names of all themes in `folders`, the default first."""
    names = {path.stem for folder in folders for path in folder.glob("*.toml")}
    return sorted(names, key=lambda name: (name != DEFAULT, name))


def find_theme(name: str, *folders: Path) -> Theme:
    """Return the theme called `name` from the first of `folders` that has it.

    Raises `SettingsError` when there is none or its file is wrong.
    """
    for folder in folders:
        path = folder / f"{name}.toml"
        if re.fullmatch(r"[\w-]+", name) and path.is_file():
            return read_theme(path)
    known = theme_names(*folders)
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    where = folders[0] if folders else Path()
    raise SettingsError(where / f"{name}.toml", None, f"there is no theme of that name; {hint}")


def read_theme(path: Path) -> Theme:
    """Read one theme file. Raises `SettingsError` naming file, line and key."""
    said = read_settings(path)
    for key in said.values:
        if key not in ("name", "dark", "ansi", "roles"):
            raise said.wrong(key, "is not a key of a theme: name, dark, ansi and [roles] are")
    name = said.values.get("name")
    if name != path.stem:
        raise said.wrong("name", f'must be "{path.stem}", as the file is called')
    ansi = _yes_or_no(said, "ansi", False)
    return Theme(path.stem, _yes_or_no(said, "dark", True), ansi, _roles(said, ansi))


def _yes_or_no(said: SettingsFile, key: str, otherwise: bool) -> bool:
    value = said.values.get(key, otherwise)
    if not isinstance(value, bool):
        raise said.wrong(key, "must be true or false")
    return value


def _roles(said: SettingsFile, ansi: bool) -> dict[Role, str]:
    given = said.values.get("roles")
    if not isinstance(given, dict):
        raise said.wrong("roles", "a theme needs a table [roles] with a colour for every role")
    for role, colour in given.items():
        if role not in ROLES:
            near = get_close_matches(role, ROLES, 1)
            raise said.wrong(role, f"is not a role; {_hint(near)}")
        if not _is_colour(colour, ansi):
            wanted = "the name of one of the 16 colours, such as cyan" if ansi else "#rrggbb"
            raise said.wrong(role, f"{colour!r} is not a colour: write {wanted}")
    missing = [role for role in ROLES if role not in given]
    if missing:
        raise said.wrong("roles", f"has no colour for {', '.join(missing)}")
    return {role: str(given[role]) for role in ROLES}


def _hint(near: list[str]) -> str:
    return f"did you mean {near[0]}?" if near else f"roles are {', '.join(ROLES)}"


def _is_colour(colour: object, ansi: bool) -> bool:
    if not isinstance(colour, str):
        return False
    return colour in _ANSI if ansi else bool(_HEX.fullmatch(colour))
