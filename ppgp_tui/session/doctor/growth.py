"""How fast the log grows, by its own times and by its commits, and what can be done about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ppgp_tui.session import git
from ppgp_tui.session.doctor.committed import commits_of
from ppgp_tui.session.doctor.finding import Finding
from ppgp_tui.session.doctor.log_file import OpenLog
from ppgp_tui.session.files.root import git_top

MB: Final = 1_000_000
BIG: Final = 50 * MB
"""From here on hosts begin to complain of a file; many refuse one of `REFUSED` bytes."""
REFUSED: Final = 100 * MB
_DAY_MS: Final = 86_400_000
_WEEK: Final = 7
_READ_MOST: Final = 64 * MB

ADVICE: Final = (
    "nothing may be cut off its front (check 4), and a snapshot does not shorten it. Safe: commit"
    " once a run instead of once an event, git gc, events.tools = false. Past the limit: begin a"
    " new agent repository with a log of its own, and keep this one as it is"
)


def growth(root: Path, log: OpenLog) -> Iterator[Finding]:
    """The size of the log and its growth, as far as its times and commits tell."""
    said = [f"the log has {_size(log.size)}"]
    by_times, by_commits = per_day_by_times(log), per_day_by_commits(root, log.path)
    if by_times is not None:
        said.append(f"{_size(by_times)} a day by its times")
    if by_commits is not None:
        said.append(f"{_size(by_commits)} a day by its commits")
    pace = max(by_times or 0, by_commits or 0)
    left = int((REFUSED - log.size) / pace) if pace > 0 and log.size < REFUSED else None
    if left is not None and left < 10_000:
        days = "less than a day" if not left else f"{left:,} day{'s' if left > 1 else ''}"
        said.append(f"{_size(REFUSED)} in {days} at that pace")
    text = ", ".join(said)
    why = f"many hosts refuse a file of {_size(REFUSED)} and warn from {_size(BIG)} on"
    if log.size >= BIG:
        state = "error" if log.size >= REFUSED else "warning"
        yield Finding(state, text, why, ADVICE, log.path)  # type: ignore[arg-type]
    elif left is not None and left < 90:
        yield Finding("note", text, why, ADVICE, log.path)
    else:
        yield Finding("ok", text)


def per_day_by_times(log: OpenLog) -> float | None:
    """Bytes a day over the last week before the newest line; None for less than an hour of log."""
    times = list(log.times(max(0, log.size - _READ_MOST)))
    if not times:
        return None
    newest = max(moment for moment, _ in times)
    since = newest - _WEEK * _DAY_MS
    week = [(moment, length) for moment, length in times if moment >= since]
    oldest = min(moment for moment, _ in week)
    span = newest - (since if len(week) < len(times) else oldest)
    if span < _DAY_MS / 24:
        return None
    return sum(length for _, length in week) * _DAY_MS / span


def per_day_by_commits(root: Path, path: str) -> float | None:
    """Bytes a day between the last commit of the log and the first of the week before it."""
    if git_top(root) is None:
        return None
    try:
        return _between_commits(root, path)
    except git.GitUnknownError:
        return None


def _between_commits(root: Path, path: str) -> float | None:
    commits = commits_of(root, path)
    if not commits:
        return None
    last = commits[0]
    since = last.at_s - _WEEK * _DAY_MS // 1000
    week = [commit for commit in commits if since <= commit.at_s <= last.at_s]
    first = min(week if len(week) > 1 else commits[:2], key=lambda commit: commit.at_s)
    days = (last.at_s - first.at_s) * 1000 / _DAY_MS
    if days < 1 / 24:
        return None
    names = f"{last.id}:./{path}\n{first.id}:./{path}\n".encode()
    sizes = git.ask(root, "cat-file", "--batch-check=%(objectsize)", given=names).text.split()
    if len(sizes) != 2 or not all(size.isdigit() for size in sizes):
        return None
    return (int(sizes[0]) - int(sizes[1])) / days


def _size(count: float) -> str:
    for unit, length in (("MB", MB), ("kB", 1000)):
        if count >= length:
            return f"{count / length:.1f} {unit}"
    return f"{count:.0f} bytes"
