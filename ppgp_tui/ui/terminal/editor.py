"""The person's editor, opened at a line: which program, with which words.

A command is a list of words and never a shell's line. `$VISUAL` and `$EDITOR` may hold options.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import NamedTuple

_PLUS = frozenset((
    "vi", "vim", "nvim", "view", "nvi", "elvis", "vile", "gvim", "mvim", "nano", "pico", "micro",
    "emacs", "emacsclient", "jed", "joe", "jove", "mg", "ne", "kak", "less", "gedit", "pluma",
))  # fmt: skip
"""Editors that take the line as `+N` before the file."""
_COLON = frozenset(("hx", "helix", "subl", "sublime_text", "zed", "zeditor", "lapce"))
"""Those that take `FILE:N`."""
_CODE = frozenset(("code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"))
"""Those that take `-g FILE:N`."""
_LINE_OPTION = frozenset(("kate", "kwrite", "mate", "idea", "pycharm", "clion", "goland"))
"""Those that take `--line N FILE`."""
_WINDOWED = frozenset((
    *_CODE, *_LINE_OPTION, "gvim", "mvim", "subl", "sublime_text", "zed", "zeditor", "lapce",
    "gedit", "pluma",
))  # fmt: skip
"""Those with a window of their own: the terminal stays ours."""
_WAITS = frozenset(("-w", "--wait", "-f", "--foreground", "--nofork"))


class Editor(NamedTuple):
    """A command to run, and whether it takes the terminal."""

    words: tuple[str, ...]
    in_terminal: bool = True

    @property
    def name(self) -> str:
        """The program, without its folder."""
        return PurePath(self.words[0]).name


def editor(environ: Mapping[str, str], path: Path, line: int | None) -> Editor | str:
    """The command that opens the absolute `path` at `line`, or why there is none.

    The variable is a command of words as a shell would part them; nothing in it is expanded. A
    line that the editor has no known way to be told is left out.
    """
    name = next((one for one in ("VISUAL", "EDITOR") if environ.get(one, "").strip()), "")
    if not name:
        return "no editor is set: export EDITOR=vi, or any other"
    try:
        words = shlex.split(environ[name])
    except ValueError:
        return f"${name} has an open quote: {environ[name]}"
    if not words:
        return "no editor is set: export EDITOR=vi, or any other"
    if shutil.which(words[0], path=environ.get("PATH")) is None:
        return f"${name} names {words[0]}, which is not there"
    program = PurePath(words[0]).name.removesuffix(".exe").removesuffix(".cmd")
    options = [word for word in words[1:] if word not in _WAITS]
    windowed = program in _WINDOWED
    kept = [words[0], *(options if windowed else words[1:])]
    return Editor((*kept, *_at(program, str(path), line)), not windowed)


def _at(program: str, path: str, line: int | None) -> tuple[str, ...]:
    """The file, and the line as this program takes it; the path is absolute, so it is no option."""
    if line is None or line < 1:
        return (path,)
    if program in _CODE:
        return ("-g", f"{path}:{line}")
    if program in _COLON:
        return (f"{path}:{line}",)
    if program in _LINE_OPTION:
        return ("--line", str(line), path)
    return (f"+{line}", path) if program in _PLUS else (path,)
