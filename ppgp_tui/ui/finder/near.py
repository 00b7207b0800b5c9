"""What is looked through at once: all that is short, and a part of what is long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ppgp_tui.session.model import EventLog, Task
from ppgp_tui.ui.finder.candidate import Candidate
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.words import REQUESTS, plain, task_word
from ppgp_tui.ui.rows.columns import state_and_age
from ppgp_tui.ui.rows.row import Span
from ppgp_tui.ui.seat.where import in_the_view
from ppgp_tui.ui.views.log.event_rows import told

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat

TASKS, EVENTS, FILES, REVISIONS = 1_000, 200, 500, 500
"""How many tasks, newest events, files and newest revisions are looked through while a key waits
for its paint."""


def near(seat: Seat, files: tuple[str, ...], words: dict[int, Candidate]) -> Iterator[Candidate]:
    """What can be found at once, each kind in its own order; `words` keeps worded events."""
    yield from _actions(seat)
    yield from _requests(seat)
    yield from tasks(seat.snapshot.plan.value.tasks[:TASKS], seat.clock())
    yield from _sessions(seat)
    yield from _revisions(seat)
    yield from _themes(seat)
    log = seat.snapshot.events.value.log
    if log is not None:
        names, now_ms = seat.snapshot.events.value.names, seat.clock()
        count = len(log)
        for index in range(count - 1, max(-1, count - 1 - EVENTS), -1):
            if index not in words:
                words[index] = event(log, index, names, now_ms)
            yield words[index]
    yield from (Candidate("file", path, path) for path in files[:FILES])


def total(seat: Seat, files: tuple[str, ...]) -> int:
    """How many things there are to find."""
    log = seat.snapshot.events.value.log
    return (
        len(seat.keymap.actions) - 1
        + len(seat.snapshot.inbox.value)
        + len(seat.snapshot.plan.value.tasks)
        + len(seat.outside.themes())
        + min(len(seat.snapshot.history.value), REVISIONS)
        + (len(seat.snapshot.sessions.rows) if seat.snapshot.sessions else 0)
        + (0 if log is None else len(log))
        + len(files)
    )  # fmt: skip


def _actions(seat: Seat) -> Iterator[Candidate]:
    """Every action but the one that opened the palette; views are found as such."""
    place, keymap = in_the_view(seat), seat.keymap
    for action in keymap.actions:
        if action.id == "palette":
            continue
        why = action.refuses(place)
        right = Span(why, "soft") if why else Span(keymap.first[action.id], "ink", bold=True)
        if action.id.startswith("view."):
            name = action.id.removeprefix("view.")
            yield Candidate("view", action.id, name, (right,), bool(why))
        else:
            yield Candidate("action", action.id, action.label, (right,), bool(why))


def _requests(seat: Seat) -> Iterator[Candidate]:
    now_ms = seat.clock()
    for request in seat.snapshot.inbox.value:
        word = REQUESTS[request.state]
        right = state_and_age(Span(word.text, word.role), _aged(request.created_ms, now_ms))
        yield Candidate("request", request.id, plain(request.question), right)


def tasks(some: Iterable[Task], now_ms: int) -> Iterator[Candidate]:
    """Tasks with their state and age."""
    for task in some:
        word = task_word(task)
        right = state_and_age(Span(word.text, word.role), _aged(task.changed_ms, now_ms))
        yield Candidate("task", task.key, f"{task.key} {plain(task.subject)}", right)


def _sessions(seat: Seat) -> Iterator[Candidate]:
    """Those of the list of all sessions, where that is on the screen."""
    listed = seat.snapshot.sessions
    for row in listed.rows if listed is not None else ():
        words = ": ".join(filter(None, (row.name, plain(row.objective))))
        yield Candidate("session", row.key, words, (Span(row.branch, "soft"),))


def _revisions(seat: Seat) -> Iterator[Candidate]:
    """Those of the plan, the newest first."""
    now_ms, revisions = seat.clock(), seat.snapshot.history.value.revisions
    last = len(revisions) - 1
    for at in range(last, max(-1, last - REVISIONS), -1):
        one = revisions[at]
        words = ", ".join(filter(None, (" ".join((one.name, one.by)).strip(), one.brief)))
        yield Candidate("revision", str(at), words, (Span(when(one.ts_ms, now_ms), "soft"),))


def _themes(seat: Seat) -> Iterator[Candidate]:
    in_use, *others = seat.outside.themes()
    for name in sorted((in_use, *others)):
        now = (Span("now", "soft"),) if name == in_use else ()
        yield Candidate("theme", name, name, now)


def event(log: EventLog, index: int, names: Mapping[str, str], now_ms: int) -> Candidate:
    """The event at `index` of `log` in the words of view 4."""
    one = log.event(index)
    since = (Span(when(one.ts_ms, now_ms), "soft"),)
    return Candidate("event", str(index), told(one, names).words, since)


def _aged(since_ms: int | None, now_ms: int) -> Span:
    return Span(when(since_ms, now_ms), "soft")
