"""`e`: the file behind the row under the cursor, in the person's editor at the line."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.rows.linked import file_of

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat


def outside(root: Path, file: Path) -> bool:
    """Whether `file` lies outside `root` once links are followed, so that nobody expects it."""
    real = os.path.realpath(file)
    top = os.path.realpath(root)
    return not real.startswith(top.rstrip(os.sep) + os.sep)


def ask_first(seat: Seat, file: Path, line: int) -> None:
    """Show the whole path of a file outside the repository and wait for a yes."""
    from ppgp_tui.ui.acts import confirming
    from ppgp_tui.ui.acts.forms import Confirmation

    said = ("This file is not in the repository. It is opened in your editor:",)
    real = os.path.realpath(file)
    exact = (str(file),) if real == str(file) else (str(file), f"is a link to {real}")
    edit = deeds.Edit(str(file), line)
    confirming.confirm(seat, Confirmation("Open a file elsewhere", said, edit, exact))


def edit(seat: Seat) -> None:
    """Open the file behind the row under the cursor."""
    row = seat.sheet.rows.row if seat.sheet is not None else seat.row
    path, line = file_of(row or seat.row)
    if path:
        seat.outside.edit(path, line)
    else:
        seat.say("nobody knows a file for this row")


ACTS: dict[str, Callable[[Seat], None]] = {"editor": edit}
"""By action id."""
