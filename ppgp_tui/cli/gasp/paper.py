"""Lines for a terminal or a pipe: harmless, and no wider than a terminal is."""

from __future__ import annotations

import shutil
import sys
from datetime import datetime

from ppgp_tui.session.text import one_line


def width() -> int | None:
    """Columns of the terminal; None where the output goes elsewhere and nothing is cut."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def draws_unicode() -> bool:
    """Whether the output's encoding has lines to draw trees with."""
    try:
        "└─ ‘’".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def line(text: str, columns: int | None) -> str:
    """`text`, which is harmless already, with a newline; what is too wide ends with `…`."""
    if columns is None:
        return f"{text}\n"
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) > columns:
        text = set_cell_size(text, max(0, columns - 1)).rstrip() + "…"
    return f"{text}\n"


def wrapped(text: str, columns: int | None, indent: int) -> str:
    """`text` over as many lines as it takes, all but the first indented; with newlines."""
    from rich.cells import cell_len

    if columns is None or cell_len(text) <= columns:
        return f"{text}\n"
    lines, current = [], ""
    for word in text.split(" "):
        longer = f"{current} {word}" if current.strip() else f"{current}{word or ' '}"
        if cell_len(longer) > columns and current.strip():
            lines.append(current)
            longer = " " * indent + word
        current = longer
    return "".join(line(one, columns) for one in (*lines, current))


def padded(text: str, columns: int) -> str:
    """`text` made harmless, with blanks up to a width."""
    from rich.cells import cell_len

    clean = one_line(text)
    return clean + " " * max(0, columns - cell_len(clean))


def moment(ts_ms: int | None) -> str:
    """A moment as local date and time with seconds; dashes when it is unknown."""
    if ts_ms is not None:
        try:
            return datetime.fromtimestamp(ts_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S")
        except (ValueError, OverflowError, OSError):
            pass
    return "---------- --:--:--"
