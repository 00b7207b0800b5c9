"""Writing a snapshot of the log: what it folds into, beside the proof of its lines."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

from ppgp_tui.gasp.folding import snapshot as snapshots
from ppgp_tui.gasp.folding.fold import FoldError
from ppgp_tui.gasp.restoration import RestoreError, read_log
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.files.reading import CannotReadError, read_inside
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.journal.results import refusing

ACTION: Final = "gasp.snapshot"
FOLDER: Final = "snapshots"
FILE: Final = "graph.json"
_LARGEST: Final = 1 << 32
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}", re.ASCII)


def snapshot(engine: Engine, *, dry_run: bool = False) -> Result:
    """Write `snapshots/EVENT/graph.json` for the last whole line of the log."""
    try:
        with refusing("the snapshot could not be written"):
            return _snapshot(engine, dry_run=dry_run)
    except RefusalError as refusal:
        return Result(ACTION, refusal.refused.code, refusal.refused.message)


def _snapshot(engine: Engine, *, dry_run: bool) -> Result:
    log = _log(engine)
    try:
        read_log(log[: log.rfind(b"\n") + 1], str(engine.journal.log))
        made = snapshots.take(log)
    except RestoreError as error:
        raise RefusalError("refused", f"{error}; ppgp-tui gasp check . --explain") from None
    except (snapshots.NothingToKeepError, FoldError) as error:
        raise RefusalError("refused", f"{engine.journal.log}: {error}") from None
    if not _NAME.fullmatch(made.event):
        text = f"the last event's id {made.event!r} cannot be the name of a folder"
        raise RefusalError("refused", f"{text}; record another event first")
    path = f"{FOLDER}/{made.event}/{FILE}"
    data = {"event": made.event, "lines": made.lines, "path": path, "bytes": len(made.data)}
    there = _there(engine, path)
    if there is not None:
        _must_fit(there, made, log, path)
        return Result(ACTION, "unchanged", f"{path} is here already and right", data=data)
    if dry_run:
        return Result(ACTION, "unchanged", f"would create {path}", data=data)
    with Folder.open(engine.root, FOLDER, made.event, create=True) as folder:
        folder.sweep()
        with suppress(FileExistsError):  # somebody was quicker: verify what lies there
            folder.publish(FILE, made.data, exclusive=True)
        _must_fit(folder.read(FILE), made, log, path)
    said = (
        f"made {path}: {made.lines:,} lines folded, {len(made.data):,} bytes, read back"
        "\nit proves what the log folds into, and may be deleted at any time: the log is the truth"
    )
    return Result(ACTION, "done", said, created=(path,), data=data)


def _log(engine: Engine) -> bytes:
    path = str(engine.journal.log)
    try:
        found = read_inside(engine.root, path, _LARGEST)
    except CannotReadError as error:
        raise RefusalError("refused", f"{error.why}; {error.mend}") from None
    if found is None:
        missing = f"there is no log {path}: run ppgp-tui init"
        raise RefusalError("not_initialised", missing)
    return found.data


def _there(engine: Engine, path: str) -> bytes | None:
    try:
        found = read_inside(engine.root, path, _LARGEST)
    except CannotReadError as error:
        raise RefusalError("refused", f"{error.why}; {error.mend}") from None
    return found.data if found else None


def _must_fit(data: bytes, made: snapshots.Snapshot, log: bytes, path: str) -> None:
    """Raise `RefusalError` unless these bytes are what the log gives, perhaps written otherwise."""
    if data == made.data:
        return
    try:
        snapshots.verify(data, log)
    except snapshots.SnapshotError as error:
        text = f"{path} is here and does not fit the log: {error}"
        raise RefusalError("refused", f"{text}; delete its folder and try again") from None
