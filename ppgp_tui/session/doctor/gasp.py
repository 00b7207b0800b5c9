"""The log as the agent's state: who commits it, how it grows, whether it passes the checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from ppgp_tui.session import git
from ppgp_tui.session.deleted_log import kept_in, restoring
from ppgp_tui.session.doctor.checks import checks
from ppgp_tui.session.doctor.committed import committed
from ppgp_tui.session.doctor.finding import Finding
from ppgp_tui.session.doctor.growth import growth
from ppgp_tui.session.doctor.log_file import OpenLog, opened
from ppgp_tui.session.doctor.writing import writing
from ppgp_tui.session.files import places
from ppgp_tui.session.files.reading import CannotReadError
from ppgp_tui.session.settings.settings import load_settings

_PARTS: Final[tuple[Callable[[Path, OpenLog], Iterator[Finding]], ...]] = (
    committed,
    growth,
    writing,
    checks,
)


def gasp(root: Path) -> Iterator[Finding]:
    """Everything there is to say of the log at `root`."""
    path = load_settings(root, places.config_folder() / "config.toml").log
    try:
        with opened(root, path) as log:
            if log is None:
                yield _no_log(root, path)
                return
            for part in _PARTS:
                yield from _asked(part, root, log)
    except CannotReadError as error:
        why = "nothing can be recorded or shown while that is so"
        yield Finding("error", error.why, why, error.mend or "see the file", path)


def _no_log(root: Path, path: str) -> Finding:
    """A log that never was is to be made; one that Git has is to be brought back."""
    try:
        revision = kept_in(root, path)
    except git.GitUnknownError:
        revision = None
    if revision is None:
        why = "goals, plans, answers and audits are recorded nowhere"
        mend = "ppgp-tui init, or ppgp-tui gasp init for a whole agent repository"
        return Finding("warning", f"there is no log {path}", why, mend)
    mend = restoring(revision, path)
    if revision == "HEAD":
        why = "it is committed and not on the disk; a new, empty one would lose every event"
        return Finding("error", f"the log {path} was deleted", why, mend, path)
    commit = revision.removesuffix("~1")
    why = "its events are in Git alone; check 4 keeps telling of the deletion"
    return Finding("error", f"the log {path} was deleted in commit {commit}", why, mend, path)


def _asked(
    part: Callable[[Path, OpenLog], Iterator[Finding]], root: Path, log: OpenLog
) -> Iterator[Finding]:
    try:
        yield from part(root, log)
    except git.GitUnknownError as error:
        why = "what Git knows of the log is unknown"
        yield Finding("warning", str(error), why, "install git, or try again when it is not busy")
