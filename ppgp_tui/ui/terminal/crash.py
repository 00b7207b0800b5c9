"""A crash: the trace goes to a file, one clean line to the terminal."""

from __future__ import annotations

import time
import traceback
from pathlib import Path

from ppgp_tui.session.text import one_line, safe


def record(error: BaseException, folder: Path) -> Path | None:
    """Write the trace of `error` (no values of variables) into `folder`; None if that fails."""
    trace = "".join(traceback.format_exception(error))
    path = folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}.log"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_text(safe(trace), "utf-8")
    except OSError:
        return None
    return path


def crash_line(error: BaseException, log: Path | None) -> str:
    """What the terminal is told: what happened and where the rest is."""
    what = one_line(f"{type(error).__name__}: {error}")[:200]
    where = f"the trace is in {log}" if log else "its trace could not be written anywhere"
    return f"stopped by a mistake of its own: {what}; {where}"
