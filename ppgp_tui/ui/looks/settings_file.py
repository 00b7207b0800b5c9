"""Reading a user's TOML file so that every complaint names the file, the line and the cure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.files.own import read_at_once
from ppgp_tui.session.text import one_line


class SettingsError(Exception):
    """A settings file says something that cannot be; the message is for the person who wrote it."""

    def __init__(self, path: Path, line: int | None, what: str) -> None:
        place = f"{path}, line {line}" if line else str(path)
        super().__init__(one_line(f"{place}: {what}"))
        self.path = path
        self.line = line


class SettingsFile(NamedTuple):
    """The values of one file, and the text to find them in."""

    path: Path
    values: Mapping[str, Any]
    text: str

    def wrong(self, key: str, what: str) -> SettingsError:
        """The complaint about `key`, with the line where it stands."""
        return SettingsError(self.path, self._line_of(key), f"{key}: {what}")

    def _line_of(self, key: str) -> int | None:
        name = re.compile(rf"""^\s*\[?\s*["']?{re.escape(key)}["']?\s*[=\]]""")
        lines = enumerate(self.text.splitlines(), 1)
        return next((number for number, line in lines if name.match(line)), None)


def read_settings(path: Path) -> SettingsFile:
    """Read `path`. Raises `SettingsError` when it cannot be read or is no TOML."""
    import tomllib

    try:
        text = read_at_once(path).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingsError(path, None, f"cannot be read: {why}") from error
    try:
        return SettingsFile(path, tomllib.loads(text), text)
    except tomllib.TOMLDecodeError as error:
        what, _, place = str(error).partition(" (at line ")
        line = int(place.split(",")[0]) if place else len(text.splitlines())
        raise SettingsError(path, line, f"is no TOML: {what[:1].lower()}{what[1:]}") from error
