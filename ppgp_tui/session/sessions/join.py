"""All sessions as one picture: their rows, and the requests of all of them in one inbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.model import (
    Audit,
    Control,
    Events,
    Loops,
    Part,
    Plan,
    Repo,
    Request,
    SessionSnapshot,
    SourceState,
    Watching,
)
from ppgp_tui.session.sessions.row import AllSessions, SessionRow, names

APART: Final = "/"
"""Between the key of a root and the id of a request in it."""


class Asked(NamedTuple):
    """A request of one root among those of all."""

    key: str
    id: str


def joint_id(key: str, request: str) -> str:
    """The id of `request` of the root with that key, among those of all roots."""
    return f"{key}{APART}{request}"


def parted_id(joint: str) -> Asked:
    """Which root a request of the joint inbox is of, and its own id there."""
    key, _, request = joint.partition(APART)
    return Asked(key, request)


def of_all(
    rows: Sequence[SessionRow],
    before: SessionSnapshot | None,
    now_ms: int,
    *,
    reading: bool = False,
    early: bool = False,
    problems: Sequence[str] = (),
) -> SessionSnapshot:
    """The picture of all sessions. Requests have joint ids and absolute paths; digests stay.

    `reading`: some roots were not looked at yet; `early`: they may be at any moment.
    """
    requests = tuple(_inbox(rows))
    was = before or _nothing(now_ms)
    inbox = was.inbox if was.inbox.value == requests else Part(requests, was.inbox.revision + 1)
    state = "reading" if reading else "found"
    return SessionSnapshot(
        was.root, now_ms, was.goal, was.plan, inbox, was.control, was.agents, was.events, was.repo,
        was.loops, was.audit,
        sources=(SourceState("events", "", state),),  # type: ignore[arg-type]
        watching=Watching("poll" if rows or not reading else "starting"),
        sessions=AllSessions(tuple(rows), reading, early, tuple(problems)),
    )  # fmt: skip


def _inbox(rows: Sequence[SessionRow]) -> list[Request]:
    """Those that wait first, what frees most on top, then the oldest; then those that are over."""
    waits: list[Request] = []
    over: list[Request] = []
    for row, name in zip(rows, names(rows), strict=True):
        for request in row.requests:
            (waits if request.is_open else over).append(_joint(row, name, request))
    waits.sort(key=lambda one: (-len(one.frees) - len(one.frees_then), _age(one)))
    over.sort(key=lambda one: -(one.state_ms or 0))
    return waits + over


def _age(request: Request) -> tuple[bool, int]:
    return (request.created_ms is None, request.created_ms or 0)


def _joint(row: SessionRow, name: str, request: Request) -> Request:
    origin = request.origin
    if origin is not None:
        origin = replace(origin, path=f"{row.root.rstrip('/')}/{origin.path}")
    return request._replace(id=joint_id(row.key, request.id), origin=origin, of=name)


def _nothing(now_ms: int) -> SessionSnapshot:
    return SessionSnapshot(
        Path("/"), now_ms, Part(GoalReading("", "MISSING", ())), Part(Plan()), Part(()),
        Part(Control()), Part(()), Part(Events()), Part(Repo()), Part(Loops()), Part(Audit()),
    )  # fmt: skip
