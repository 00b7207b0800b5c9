"""One session of many: where it is, how it stands, what it needs; and in which order they stand."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from ppgp_tui.session.picture.glance import Glance
from ppgp_tui.session.picture.request import Request

By = Literal["named", "here", "worktree", "setting", "known"]
"""How a root came to be listed: on the command line, as the place the app was started in, as a
worktree of such a repository, by the setting `sessions.paths`, or because it was opened before."""

Group = Literal["needs_you", "broken", "working", "waiting", "held", "idle", "unread", "none"]
"""What a person wants to know first of a session; in the order of the list."""

_GROUPS: dict[str, Group] = {
    "violated": "broken", "lost": "broken", "limited": "broken",
    "working": "working", "waiting_for_you": "waiting",
    "held": "held", "seen": "held", "pause_asked": "held", "not_seen": "held",
    "frozen": "held", "stopping": "held",
    "quiet": "idle", "idle": "idle",
}  # fmt: skip
_ORDER: tuple[Group, ...] = (
    "needs_you", "broken", "working", "waiting", "held", "idle", "unread", "none",
)  # fmt: skip


class SessionRow(NamedTuple):
    """One root and what the last look at it said."""

    key: str
    """16 hex digits, as the root's folder in the user's state folder is called."""
    root: str
    """Absolute, links resolved."""
    by: By
    branch: str = ""
    """`main`, or `detached 4e1f09c`; empty without Git."""
    objective: str = ""
    """The goal as its document words it; empty where there is none."""
    glance: Glance | None = None
    """None until the first look; after a look that failed the last good one stays."""
    looked_ms: int | None = None
    """When the glance was made."""
    problem: str = ""
    """Why it cannot be read now."""
    since_ms: int | None = None
    """Since when there is that problem."""
    requests: tuple[Request, ...] = ()
    """What it asks of a person, where that was wanted; see `join.of_all`."""

    @property
    def name(self) -> str:
        """The folder's name, the whole path for `/`."""
        return os.path.basename(self.root) or self.root

    @property
    def group(self) -> Group:
        """What is to be known of it first."""
        if self.problem:
            return "unread"
        if self.glance is None:
            return "none"
        return "needs_you" if self.glance.needs else _GROUPS.get(self.glance.run, "none")

    @property
    def last_ms(self) -> int | None:
        """The newest thing known of it: its last event, or its agent's last contact."""
        if self.glance is None:
            return None
        found = (self.glance.last_event_ms, self.glance.run_since_ms)
        return max((one for one in found if one is not None), default=None)


class AllSessions(NamedTuple):
    """Every root that was found, as a picture shows them."""

    rows: tuple[SessionRow, ...] = ()
    """In the order of the list."""
    reading: bool = False
    """Some were not looked at yet."""
    early: bool = False
    """So soon after the start that most of them are still coming: nobody can have chosen one."""
    problems: tuple[str, ...] = ()
    """Why some places could not be found."""

    def with_key(self, key: str) -> SessionRow | None:
        """The row of the root with that key."""
        return next((row for row in self.rows if row.key == key), None)


def names(rows: Sequence[SessionRow]) -> tuple[str, ...]:
    """What to call each session: its folder, with the one above where two are called alike."""
    own = [row.name for row in rows]
    return tuple(
        name if own.count(name) == 1 else "/".join(row.root.rstrip("/").split("/")[-2:])
        for row, name in zip(rows, own, strict=True)
    )


def ordered(rows: Iterable[SessionRow]) -> tuple[SessionRow, ...]:
    """The rows in the order of the list.

    First what needs a person, its oldest open request on top, then by `Group`; those that are
    alike by the newest thing known of them, then by path.
    """
    return tuple(sorted(rows, key=_place))


def _place(row: SessionRow) -> tuple[int, int, str]:
    group = row.group
    if group == "needs_you" and row.glance is not None:
        oldest = row.glance.needs_oldest_ms
        return 0, 2**62 if oldest is None else oldest, row.root
    return _ORDER.index(group), -(row.last_ms or 0), row.root
